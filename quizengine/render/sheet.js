"use strict";
const about = JSON.parse(document.getElementById("about").textContent);
const pages = [...document.querySelectorAll(".page")];
const store = "quizengine-" + about.code;
let answers = {}; // label → what was typed: a text, or rows of texts
let saved = true;
let lang = pages[0].dataset.lang;

const words = (name, values = {}) =>
  Object.entries(values).reduce((text, [key, value]) => text.replaceAll(`{${key}}`, value), about.words[lang][name]);
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
      const rows = all(".line").map((line) => [...line.querySelectorAll("input")].map((input) => input.value.trim()));
      return rows.flat().some((text) => text) ? rows : null;
    }
    case "order":
      return field.querySelector(".untouched") ? null : all("li").map((item) => item.dataset.value).join(", ");
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
      all("input").forEach((input) => {
        const row = Array.isArray(answer) ? answer[input.dataset.row] : [];
        input.value = String((Array.isArray(row) ? row[input.dataset.column] : "") ?? "");
        check(input);
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
    case "pairs":
      all("select").forEach((select) => {
        const found = parts.find((pair) => pair.startsWith(select.dataset.left + "-"));
        select.value = found ? found.slice(select.dataset.left.length + 1) : "";
      });
      break;
    default:
      field.querySelector("[data-one]").value = typeof answer === "string" ? answer : "";
  }
}

// A warning, never a refusal: what is typed is what is handed in.
function check(input) {
  const looks = /^[\s0-9０-９.．,+\-−－ー/／*·^%eE√()a-z\s_∞]*$/u.test(input.value);
  input.toggleAttribute("aria-invalid", false);
  if (!looks) input.setAttribute("aria-invalid", "true");
  input.title = looks ? "" : words("cell_wrong");
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
  fields(field.dataset.label).forEach((other) => other !== field && show(other, answer));
  saved = false;
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

// One number as it may stand in a cell.
const CELL = /^(_|[-+−－]?(∞|inf|[\d０-９]+([.,．][\d０-９]+)?([eE][-+]?\d+)?)([/／][\d０-９]+)?[%％]?)$/u;

// A matrix as Python, MATLAB, LaTeX or a table writes it; null where that is in doubt.
function rows(text) {
  const bare = text
    .replace(/\\(begin|end)\{[a-z]*\}/g, " ")
    .replace(/,?\s*dtype=[\w.]+/g, " ")
    .replace(/\b(np\.|torch\.|jnp\.)?(array|Array|tensor)\b/g, " ")
    .trim();
  const lines = /\]\s*,?\s*\[/.test(bare) ? bare.split(/\]\s*,?\s*\[/) : bare.split(/;|\\\\|\n/);
  const apart = /\t/.test(bare) ? /\t/ : /&/.test(bare) ? /&/ : /[\s,]+/;
  const found = lines
    .map((line) => line.replace(/[[\](){}|]/g, " ").trim())
    .filter((line) => line)
    .map((line) => line.split(apart).map((cell) => cell.trim()));
  return found.length && found.every((row) => row.every((cell) => CELL.test(cell))) ? found : null;
}

// Several numbers fill the cells from here on, if all of them find one; else nothing is entered.
function paste(event, input) {
  const text = event.clipboardData.getData("text");
  if (CELL.test(text.trim()) || !/[\s,;&]/.test(text.trim())) return;
  event.preventDefault();
  const field = input.closest("fieldset");
  const pasted = rows(text) ?? [];
  const place = (i, j) =>
    field.querySelector(`[data-row="${i + +input.dataset.row}"][data-column="${j + +input.dataset.column}"]`);
  const cells = pasted.flatMap((row, i) => row.map((cell, j) => [place(i, j), cell]));
  if (!cells.length || cells.some(([target]) => !target)) {
    const lines = field.querySelectorAll(".line");
    tell(words("no_fit", { rows: lines.length, columns: lines[0].children.length }));
    return;
  }
  cells.forEach(([target, cell]) => {
    target.value = cell;
    check(target);
  });
  changed(field);
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
  if (event.target.dataset.row) check(event.target);
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
