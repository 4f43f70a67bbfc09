// Numbers and arrays as they are typed; exact forms are read in exact.js.

const W = "[\\p{L}\\p{N}_]";
const INFINITE = /^-\s*(?:(?:np\.|math\.|torch\.)?inf(?:inity)?|∞|\\infty)$/i;
const SCIENTIFIC =
  /^([-+]?(?:\d+(?:\.\d*)?|\.\d+))\s*(?:[x*·⋅]|\\times|\\cdot)\s*10\s*(?:(?:\^|\*\*)\s*(?:\(([-+]?\d{1,4})\)|\{([-+]?\d{1,4})\}|([-+]?\d{1,4}))|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4}))$/;
const EQUALS = /=\s*(?:[≈≒≃≅~約]|\\approx)?|[≈≒≃≅~約]|\\approx/g;
const NAMED = `(?!\\d)[\\p{L}\\p{N}_](?:[\\p{L}\\p{N}_'′^*]|\\\\_|[\\[({][\\p{L}\\p{N}_, :]*[\\])}])*`;
const COLON = new RegExp(`^${NAMED}\\s*:`, "u");
const IS_NAME = new RegExp(`^${NAMED}$`, "u");
const GOES_ON = /^([-+]?\d*[.,]\d+)\s*(?:…+|⋯|\.{3,})$/;
const UNIT = /^([^\n]*?[^\s*x])\s*([^\s\d(){}/^.,%+]+)$/;
const WRAPPED = /^(?:\$([^\n]*)\$|\\\(([^\n]*)\\\)|\\\[([^\n]*)\\\])$/;
const COMMA = /\d[\d,]*,\d+/g;
const GROUPS = [[",", "\\."], ["\\.", ","], [" ", "[.,]"]].map(([part, point]) => [
  new RegExp(`^[-+]?\\d{1,3}(?:(?:${part}\\d{3}){2,}(?:${point}\\d*)?|(?:${part}\\d{3})+${point}\\d+)$`),
  part.replace("\\", ""),
]);
const HIDDEN = { q: Q(0n), decimals: null, text: "" };

const stripped = (typed, at) => [typed.trim(), at + lead(typed)];
const doubt = (at, text, point, none) => new Refused("comma", at, { text, point, none });
const checked = (q, decimals, at) => {
  if (beyond(q, MAX_VALUE)) throw new Refused("too-large", at);
  return { q, decimals };
};

function unwrapped(typed, at) {
  const found = WRAPPED.exec(typed);
  if (!found) return [typed, at];
  const inner = (found[1] ?? "").replace(/^\$+|\$+$/g, "") || found[2] || found[3] || "";
  return [inner.trim(), at + typed.indexOf(inner)];
}

function bare(text, at) {
  if (text.includes("、")) throw new Refused("number", at + text.indexOf("、"), { text: text.trim(), character: "、" });
  const typed = plain(text.replaceAll("×", "*")).trim();
  if (typed.length > 120) throw new Refused("too-long", at + lead(text), { limit: 120 });
  return unwrapped(typed, at + lead(text));
}

// What stands behind “x =” or “≈”; with numbers on both sides it can be either.
function unnamed(typed, at, shown) {
  const colon = COLON.exec(typed);
  if (colon) [typed, at] = [typed.slice(colon[0].length), at + colon[0].length];
  const signs = [...typed.matchAll(EQUALS)];
  if (!signs.length) return stripped(typed, at);
  const end = signs.at(-1).index + signs.at(-1)[0].length;
  const [body, place] = stripped(typed.slice(end), at + end);
  let start = 0;
  for (const { index, 0: sign } of signs) {
    if (!body || (start === index && index > 0))
      throw new Refused("number", at + index, { text: shown, character: sign[0] });
    const [head, where] = stripped(typed.slice(start, index), at + start);
    if (head) checkName(head, where, body, shown);
    start = index + sign.length;
  }
  return [body, place];
}

function checkName(head, at, body, shown) {
  try {
    readNumber(head, at);
  } catch (error) {
    if (error instanceof Refused && IS_NAME.test(head)) return;
    throw error;
  }
  throw doubt(at, shown, head, body);
}

function readNumber(text, at = 0, { whole = false, alone = true, infinite = false, units = {} } = {}) {
  const shown = text.trim();
  let typed;
  [typed, at] = unwrapped(...unnamed(...bare(text, at), shown));
  const unit = UNIT.exec(typed);
  const named = unit && [unit[2], unit[2].toLowerCase()].find((name) => Object.hasOwn(units, name));
  if (named) return counted(readNumber(unit[1], at, { whole }), units[named], shown, at);
  typed = GOES_ON.exec(typed)?.[1] ?? typed;
  if (whole && /^[-+]?[1-9]\d{0,2}\.\d{3}$/.test(typed)) throw doubt(at, shown, typed, typed.replace(".", ""));
  if (INFINITE.test(typed)) {
    if (infinite) return { infinite: true, decimals: null };
    throw new Refused("infinite", at, { text: shown });
  }
  if (/[, ]|\..*\./.test(typed)) typed = pointed(typed, at, whole, alone);
  const fraction = /^([-+]?)\s*(\d+)\s*\/\s*(\d+)$/.exec(typed);
  if (fraction) {
    if (!BigInt(fraction[3])) throw new Refused("zero-denominator", at, { text: shown });
    const q = Q(BigInt(fraction[2]), BigInt(fraction[3]));
    return checked(fraction[1] === "-" ? minus(q) : q, null, at);
  }
  const found = SCIENTIFIC.exec(typed);
  if (found) typed = `${found[1]}e${found[5] ? lowered(found[5]) : (found[2] ?? found[3] ?? found[4])}`;
  const simple = /^([-+]?)\s*(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d{1,4}))?\s*(%?)$/.exec(typed);
  if (!simple || !(simple[2] || simple[3])) return checked(exact(typed, shown, at, alone), null, at);
  const [, sign, before, after = "", power = "0", percent] = simple;
  if (Math.abs(Number(power)) > 30) throw new Refused("too-large", at);
  const q = times(Q(BigInt((sign === "-" ? "-" : "") + (before + after))), ten(Number(power) - after.length));
  const decimals = after.length - Number(power);
  return percent ? checked(over(q, Q(100n)), decimals + 2, at) : checked(q, Math.max(0, decimals), at);
}

function counted(number, sizes, shown, at) {
  const [one, two] = sizes.map((count) => times(number.q, Q(BigInt(count))));
  if (two) throw doubt(at, shown, said(one), said(two));
  return sizes[0] === 1 ? number : checked(one, null, at);
}

function pointed(typed, at, whole, alone) {
  if (whole && alone && /^[-+]?[1-9]\d{0,2}(?:(?:,\d{3})+|(?: \d{3})+)$/.test(typed)) return typed.replace(/[, ]/g, "");
  for (const [groups, part] of GROUPS)
    if ((alone || part === ",") && groups.test(typed)) return typed.replaceAll(part, "").replaceAll(",", ".");
  if (typed.includes(".")) return typed;
  for (const { index, 0: found } of typed.matchAll(COMMA)) {
    const cut = found.indexOf(",");
    const [before, decimals] = [found.slice(0, cut), found.slice(cut + 1)];
    if (decimals.length === 3 && before.length <= 3 && before[0] !== "0") {
      const reading = (comma) => typed.slice(0, index) + before + comma + decimals + typed.slice(index + found.length);
      throw doubt(at + index, typed, reading("."), reading(""));
    }
    if (decimals.includes(",")) return typed;
  }
  return typed.replace(COMMA, (found) => found.replaceAll(",", "."));
}

function exact(typed, shown, at, alone) {
  const refuse = (place) => {
    const inside = Math.max(0, Math.min(place, typed.length - 1));
    const own = shown.length === typed.length ? shown : typed || shown;
    return new Refused("number", inside, { character: own[inside] ?? "" });
  };
  try {
    return new Form(typed, refuse, alone).whole();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new Refused(error.code, at + error.at, { text: shown, ...error.values });
  }
}

// Arrays: first the rows, then the cells of each.
const PRINTED = /^\s*(?:(?:np|numpy|jnp|torch)\.)?(?:[aA]rray|tensor|[mM]atrix)\s*\((.*)\)\s*$/s;
const TAIL =
  /^(?:,\s*(?:dtype|device|grad_fn|requires_grad|weak_type)\s*=\s*(?:<[^<>]*>|'[^']*'|"[^"]*"|[\p{L}\p{N}_.]+)\s*)+$/u;
const SCALAR = /((?:(?:np|numpy|jnp)\.)?(?:float|u?int)\d\d?\(|tensor\()([^()[\],]*)\)/g;
const LATEX =
  /^[\s$]*(?:\\\[\s*)?(?:\\left\s*[[(|.]\s*)?\\begin\{([pbvBV]?matrix)\}(.*)\\end\{\1\}(?:\s*\\right\s*[\])|.])?(?:\s*\\\])?[\s$]*$/s;
const HEADED = new RegExp(
  `^\\s*(?:(?:[A-Za-z]${W}*(?!${W})\\s*)?(?:=(?!=)|[≈≒≃≅~約])|[A-Za-z]${W}*\\s*:|\\d+(?:\\*\\d+|-element)\\s[\\p{L}\\p{N}_.]+\\{[^}\\n]*\\}:)`,
  "u",
);
const ENDED = /([\])])\s*[;,.]\s*$/;
const RULE = /^[ \t]*(?:\|[ \t]*)?(?::?-+:?[ \t]*\|[ \t]*)+(?::?-+:?[ \t]*)?$/gm;
const EDGE = /^[ \t]*\||\|[ \t]*$/gm;
const BESIDE = /,[ ]*\t|\t[ ]*,/;
const COMMA_CELLS =
  /^\s*(?=[^\n]*\d,\d)-?\d+(?:,\d+)?(?:[eE][-+]?\d+)?(?:[ \t]+-?\d+(?:,\d+)?(?:[eE][-+]?\d+)?)+\s*$/;
const FLAT = "[^\\][(),;\\n]";
const INSIDE = `\\((?:${FLAT}|\\((?:${FLAT}|\\(${FLAT}*\\))*\\))*\\)`;
const BY_BLANKS = new RegExp(`(?:${INSIDE}|\\S)+`, "g");
const OF_CELL = [new RegExp(INSIDE, "y"), /\([^\][(),;\s]*\)/y];
const BEFORE = /[\p{L}\p{N}_√^*/)}]/u;
const AFTER = /[\p{L}\p{N}_√^*/(]/u;

const isPrint = (text) => PRINTED.test(plain(text)) || plain(text).search(SCALAR) >= 0;
const byTabs = (piece) => piece.replace(/^[ \n]+|[ \n]+$/g, "").includes("\t") && !BESIDE.test(piece);

function unframed(typed) {
  typed = typed.replace(SCALAR, (_, head, inside) => blanked(head) + inside + " ");
  typed = typed.replace(HEADED, blanked);
  let found = PRINTED.exec(typed);
  if (found) {
    const body = found[1];
    const end = body.lastIndexOf("]") + 1 || body.indexOf(",");
    const tail = TAIL.test(body.slice(Math.max(end, 0)));
    return " ".repeat(typed.indexOf("(") + 1) + (tail ? body.slice(0, end) : body);
  }
  found = LATEX.exec(typed);
  if (found) {
    const start = typed.indexOf(`{${found[1]}}`) + found[1].length + 2;
    return " ".repeat(start) + found[2].replaceAll("\\\\", "; ").replaceAll("&", "\t");
  }
  if (!typed.includes("|")) return typed;
  return typed.replace(RULE, blanked).replace(EDGE, blanked).replaceAll("|", "\t");
}

// Without the brackets that part no cells: of √(…), (1/2) or exp(…).
function unbracketed(typed) {
  let hidden = typed;
  for (let at = typed.indexOf("("); at >= 0; at = typed.indexOf("(", at)) {
    const [inside, one] = OF_CELL.map((pattern) => ((pattern.lastIndex = at), pattern.exec(typed)?.[0].length ?? 0));
    const joined = BEFORE.test(typed[at - 1] ?? "") || AFTER.test(typed[at + inside] ?? "");
    const length = (joined && inside) || one;
    hidden = hidden.slice(0, at) + (length ? ".".repeat(length) : "(") + hidden.slice(at + (length || 1));
    at += length || 1;
  }
  return hidden;
}

function innermost(typed) {
  const [groups, opened] = [[], []];
  let [end, deepest] = [0, 0];
  const clear = (to, pattern = /[^\s,;]/) => {
    const place = typed.slice(end, to).search(pattern);
    if (place >= 0) throw new Refused("outside", end + place, { character: typed[end + place] });
  };
  for (const { index: at, 0: bracket } of unbracketed(typed).matchAll(/[[\]()]/g)) {
    if (bracket === "[" || bracket === "(") {
      clear(at);
      opened.push(at);
      deepest = opened.length;
      if (deepest > 2) throw new Refused("too-deep", at);
    } else {
      const open = opened.at(-1);
      if (open === undefined || !["[]", "()"].includes(typed[open] + bracket))
        throw new Refused("closes-nothing", at, { character: bracket });
      if (opened.length === deepest) groups.push([typed.slice(open + 1, at), open + 1]);
      else clear(at);
      opened.pop();
    }
    end = at + 1;
  }
  if (opened.length) throw new Refused("unclosed", opened.at(-1), { character: typed[opened.at(-1)] });
  if (groups.length) clear(typed.length, /\S/);
  return groups;
}

function rowsOf(typed) {
  const groups = innermost(typed);
  if (groups.length > 1) return groups;
  const [piece, at] = groups[0] ?? [typed, 0];
  const found = [...piece.matchAll(groups.length ? /[^;]+/g : /[^;\n]+/g)];
  return found.filter((one) => one[0].trim()).map((one) => [one[0], at + one.index]);
}

function cellsOf(piece) {
  const tabs = byTabs(piece);
  const commas = tabs ? piece.split("\t").filter((cell) => cell.includes(",")) : [];
  const sure = !commas.length || !commas.every((cell) => /^-?[1-9]\d{0,2},\d{3}$/.test(cell.trim()));
  let apart = tabs ? "\t" : piece.includes(",") ? "," : "";
  if (sure && COMMA_CELLS.test(piece)) [piece, apart] = [piece.replaceAll(",", "."), ""];
  if (!apart) return [...piece.matchAll(BY_BLANKS)].map((found) => [found[0], found.index]);
  let at = 0;
  const found = piece.split(apart).map((cell) => {
    const place = at;
    at += cell.length + 1;
    return [cell.trim(), place + (cell.trim() ? lead(cell) : 0), place + cell.length];
  });
  return found.filter(([cell, , end]) => cell || end < piece.length);
}

function readArray(text, { infinite = false, most = 1024 } = {}) {
  if (text.length > 20000) throw new Refused("too-long", 20000, { limit: 20000 });
  const typed = unframed(plain(text.replaceAll("×", "*").replaceAll("、", "\t"))).replace(ENDED, "$1 ");
  const rows = [];
  for (const [piece, at] of rowsOf(typed)) {
    const found = cellsOf(piece);
    if ((rows.length + 1) * Math.min(found.length, most + 1) > most) throw new Refused("too-long", at, { limit: most });
    const alone = byTabs(piece);
    const row = found.map(([cell, shift]) => {
      if (cell === "" || cell === "_") return null;
      if (/^[.…]+$/.test(cell)) throw new Refused("left-out", at + shift, { text: cell });
      const number = readNumber(cell, at + shift, { alone, infinite });
      return { ...number, text: text.slice(at + shift, at + shift + cell.length) };
    });
    const first = rows[0]?.length;
    if (rows.length && row.length === first - 1 && piece.trimEnd().endsWith(",")) row.push(null);
    if (rows.length && row.length !== first)
      throw new Refused("ragged", at, { row: rows.length + 1, count: row.length, first });
    rows.push(row);
  }
  if (!rows.length) throw new Refused("no-numbers");
  return rows;
}
