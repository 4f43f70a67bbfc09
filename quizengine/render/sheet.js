const about = JSON.parse(document.getElementById("about").textContent);
const pages = [...document.querySelectorAll(".page")];
const store = "quizengine-" + about.code;
let answers = {}; // label → what was typed: a text, or rows of texts
let saved = true;
let lang = pages[0].dataset.lang;

const fill = (text, values = {}) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const words = (name, values) => fill(about.words[lang][name], values);
const fields = (label) => pages.map((page) => page.querySelector(`fieldset[data-label="${label}"]`));
const labels = [...pages[0].querySelectorAll("fieldset")].map((field) => field.dataset.label);
const tell = (text) => pages.forEach((page) => (page.querySelector("[data-status]").textContent = text));

// What a field says, as the grader reads it; null where nothing was done.
function read(field) {
  const all = (selector) => [...field.querySelectorAll(selector)];
  switch (field.dataset.kind) {
    case "choice":
    case "choices":
      return all("input:checked").map((input) => input.value).join(", ") || null;
    case "array": {
      const box = field.querySelector("[data-box]").value;
      const rows = all(".line").map((line) => [...line.querySelectorAll("input")].map((input) => input.value));
      return box.trim() ? box : rows.flat().some((text) => text.trim()) ? rows : null;
    }
    case "order":
      return field.querySelector(".untouched") ? null : all("li").map((item) => item.dataset.value).join(", ");
    case "tiers":
      return all("input:checked").map((input) => input.value).join("-") || null;
    case "pairs":
      return all("select").filter((s) => s.value).map((s) => `${s.dataset.left}-${s.value}`).join(", ") || null;
    default:
      return field.querySelector("[data-one]").value.trim() ? field.querySelector("[data-one]").value : null;
  }
}

// Show an answer in a field.
function show(field, answer) {
  const all = (selector) => [...field.querySelectorAll(selector)];
  const parts = typeof answer === "string" ? answer.split(/\s*,\s*/) : [];
  switch (field.dataset.kind) {
    case "choice":
    case "choices":
      all("input").forEach((input) => (input.checked = parts.includes(input.value)));
      break;
    case "array":
      field.querySelector("[data-box]").value = typeof answer === "string" ? answer : "";
      if (typeof answer === "string") break;
      all("input").forEach((input) => {
        const row = Array.isArray(answer) ? answer[input.dataset.row] : [];
        input.value = String((Array.isArray(row) ? row[input.dataset.column] : "") ?? "");
      });
      break;
    case "order": {
      const list = field.querySelector("ol");
      const items = new Map(all("li").map((item) => [item.dataset.value, item]));
      const whole = parts.length === items.size && parts.every((value) => items.has(value));
      list.classList.toggle("untouched", !whole);
      (whole ? parts : [...items.keys()].sort()).forEach((value) => list.append(items.get(value)));
      break;
    }
    case "tiers":
      all("input").forEach((input) => (input.checked = (parts[0] ?? "").split("-").includes(input.value)));
      break;
    case "pairs":
      all("select").forEach((select) => {
        const found = parts.find((pair) => pair.startsWith(select.dataset.left + "-"));
        select.value = found ? found.slice(select.dataset.left.length + 1) : "";
      });
      break;
    default:
      field.querySelector("[data-one]").value = typeof answer === "string" ? answer : "";
  }
  check(field);
}

// What the grader will not read is said beside it, in its words; never refused: what is typed is handed in.
function check(field) {
  if (!field.dataset.asked) return;
  const asked = JSON.parse(field.dataset.asked);
  const speech = about.words[field.closest(".page").dataset.lang];
  const fault = (found) => (found.code ? fill(speech.unreadable[found.code], { ...found.values, at: found.at + 1 }) : "");
  const answer = read(field) ?? "";
  const boxed = typeof answer === "string";
  const found = readAnswer(asked, boxed ? answer : textOf(answer));
  const faults = new Map();
  if (!boxed && found.code) {
    const alone = { ...asked, shape: [1, 1], rows: [], of: 0, visible: [], size: false };
    withPoints(answer).forEach((row, i) =>
      row.forEach((cell, j) => faults.set(`${i},${j}`, fault(readAnswer(alone, `${cell}\t`)))),
    );
  }
  const inCells = [...faults.values()].some((why) => why);
  field.querySelectorAll("[data-row]").forEach((input) => {
    const bad = faults.get(`${input.dataset.row},${input.dataset.column}`);
    if (bad) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    input.readOnly = boxed && answer !== "";
  });
  field.querySelectorAll("[data-line]").forEach((line) => {
    const row = [...faults].filter(([place, why]) => why && place.startsWith(`${line.dataset.line},`));
    put(line, row.map(([place, why]) => fill(speech.in_cell, { column: +place.split(",")[1] + 1, why })));
  });
  const open = field.querySelector(boxed && answer ? "[data-box], [data-one]" : "[data-one]");
  if (open && found.code) open.setAttribute("aria-invalid", "true");
  else field.querySelectorAll("[data-box], [data-one]").forEach((other) => other.removeAttribute("aria-invalid"));
  const sentences = [inCells ? "" : fault(found)];
  if (boxed && found.cells && asked.shape.length)
    sentences.push(fill(speech.read_as, { rows: asked.shape[0], columns: asked.shape[1] }));
  if (boxed && answer && [...field.querySelectorAll("[data-row]")].some((input) => input.value.trim()))
    sentences.push(speech.box_counts);
  field.querySelector("[data-said]").classList.toggle("fault", Boolean(found.code));
  put(field.querySelector("[data-said]"), [...sentences, ...(found.told ?? []).map((code) => asked.said[code])]);
}

function put(output, sentences) {
  const text = sentences.filter((sentence) => sentence).join(output.closest("[lang=ja]") ? "" : " ");
  if (output.textContent !== text) output.textContent = text;
}

function progress() {
  const done = labels.filter((label) => answers[label] !== undefined).length;
  const text = words("answered", { done, count: labels.length }) + (saved ? "" : " " + words("unsaved"));
  pages.forEach((page) => (page.querySelector("[data-progress]").textContent = text));
}

function changed(field) {
  const answer = read(field);
  if (answer === null) delete answers[field.dataset.label];
  else answers[field.dataset.label] = answer;
  check(field);
  fields(field.dataset.label).forEach((other) => other !== field && show(other, answer));
  saved = false;
  tell("");
  try {
    localStorage.setItem(store, JSON.stringify(answers));
  } catch {
    // a browser may forbid it for files; what counts is the file that is saved
  }
  progress();
}

// The time tells the newest of several files of a sheet.
const file = () =>
  JSON.stringify({ code: about.code, student: about.student, time: new Date().toISOString(), answers }, null, 1) + "\n";

function save() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([file()], { type: "application/json" }));
  link.download = `answers-${about.code}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  saved = true;
  progress();
  tell(words("saved", { file: link.download }));
}

async function load(chosen) {
  let found;
  try {
    found = JSON.parse(await chosen.text());
  } catch {
    found = null;
  }
  if (!found || typeof found.answers !== "object" || found.answers === null) return tell(words("not_answers"));
  if (found.code !== about.code) return tell(words("other_sheet", { code: String(found.code) }));
  answers = Object.fromEntries(labels.filter((l) => Object.hasOwn(found.answers, l)).map((l) => [l, found.answers[l]]));
  labels.forEach((label) => fields(label).forEach((field) => show(field, answers[label])));
  labels.forEach((label) => changed(fields(label)[0]));
  saved = true;
  progress();
  tell(words("loaded", { count: Object.keys(answers).length }));
}

function copy() {
  pages.forEach((page) => {
    const box = page.querySelector("[data-copy]");
    box.hidden = false;
    box.querySelector("textarea").value = file();
  });
  const shown = pages.find((page) => !page.hidden).querySelector("[data-copy] textarea");
  shown.focus();
  shown.select();
}

function speak(to) {
  lang = to;
  pages.forEach((page) => (page.hidden = page.dataset.lang !== to));
  document.documentElement.lang = to;
  progress();
}

function move(item, by) {
  const list = item.parentElement;
  const other = by < 0 ? item.previousElementSibling : item.nextElementSibling;
  if (other) list.insertBefore(by < 0 ? item : other, by < 0 ? other : item);
  list.classList.remove("untouched");
  changed(item.closest("fieldset"));
  const place = [...list.children].indexOf(item) + 1;
  tell(words("moved", { label: item.dataset.value, place }));
}

// The texts of what was pasted, row by row, if each of them is read by itself as it is within the whole.
function texts(pasted, asked) {
  const whole = { ...asked, of: 0, visible: [], size: false };
  try {
    const cells = readArray(single(pasted), asked);
    const rows = cells.map((row) => row.map((cell) => cell?.text ?? ""));
    const again = readAnswer({ ...whole, shape: [rows.length, rows[0].length] }, textOf(rows)).cells ?? [];
    const bare = (all) => JSON.stringify(all, (name, value) => (name === "text" ? 0 : typeof value === "bigint" ? `${value}` : value));
    return bare(again) === bare(cells) ? rows : null;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return null;
  }
}

// Several numbers fill the cells from here on, if all of them find one; else they stand in the box as they are.
function paste(event, input) {
  const text = event.clipboardData.getData("text");
  const field = input.closest("fieldset");
  const asked = JSON.parse(field.dataset.asked);
  if (input.readOnly || !/[\s,;&|[(]/.test(text.trim()) || readAnswer({ ...asked, shape: [] }, text).cells) return;
  event.preventDefault();
  const place = (i, j) =>
    field.querySelector(`[data-row="${i + +input.dataset.row}"][data-column="${j + +input.dataset.column}"]`);
  const found = texts(text, asked) ?? [];
  const turned = found.length && found.every((row) => row.length === 1) ? [found.flat()] : [];
  const rows = [found, turned].find((one) => one.length && one.every((row, i) => row.every((_, j) => place(i, j))));
  if (rows) rows.forEach((row, i) => row.forEach((cell, j) => (place(i, j).value = cell)));
  else {
    field.querySelector("[data-box]").value = text;
    field.querySelector("[data-box]").focus();
  }
  changed(field);
  if (!rows) tell(words("no_fit"));
}

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Enter: [1, 0] };
function walk(event, input) {
  const step = STEPS[event.key];
  if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
  const inside = input.selectionStart !== input.selectionEnd || input.value;
  const ends = { ArrowLeft: input.selectionStart === 0, ArrowRight: input.selectionEnd === input.value.length };
  if (inside && event.key in ends && !ends[event.key]) return;
  const at = `[data-row="${+input.dataset.row + step[0]}"][data-column="${+input.dataset.column + step[1]}"]`;
  const next = input.closest("fieldset").querySelector(at);
  if (next) {
    event.preventDefault();
    next.focus();
  }
}

document.addEventListener("input", (event) => {
  const field = event.target.closest("fieldset");
  if (!field) return;
  changed(field);
});
document.addEventListener("change", (event) => {
  if (event.target.dataset.do === "load" && event.target.files.length) {
    load(event.target.files[0]);
    event.target.value = "";
  }
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.move) {
    move(button.closest("li"), +button.dataset.move);
    button.focus();
  }
  const done = { save, copy, language: () => speak(button.dataset.to) }[button.dataset.do];
  if (done) done();
});
document.addEventListener("keydown", (event) => {
  if (event.target.dataset.row) walk(event, event.target);
});
document.addEventListener("paste", (event) => {
  if (event.target.dataset?.row) paste(event, event.target);
});
window.addEventListener("beforeunload", (event) => {
  if (!saved) event.preventDefault();
});

try {
  answers = JSON.parse(localStorage.getItem(store)) ?? {};
} catch {
  answers = {};
}
answers = Object.fromEntries(labels.filter((label) => Object.hasOwn(answers, label)).map((l) => [l, answers[l]]));
labels.forEach((label) => fields(label).forEach((field) => show(field, answers[label])));
saved = !Object.keys(answers).length;
progress();
