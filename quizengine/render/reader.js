// The reader of a numeric part, as the grader's (responses/read.py): `asked` is its layout.

const UNSEEN = /^[\u00ad\u200b\u200c\u200d\u2060\ufeff]+|[\u00ad\u200b\u200c\u200d\u2060\ufeff]+$/g;
const SIZE = new RegExp(
  `^(?:${W}+\\s*[=:])?([\\s(\\[（［]*${W}+)\\s*(?:[x×*·✕ｘＸX]|\\\\times)\\s*((?:(?![xXｘＸ])${W})+[\\s)\\]）］]*)$`,
  "u",
);
const SIZE_PRINT = new RegExp(
  `^\\s*(?:${W}+\\s*[=:]\\s*)?(?:torch\\.Size\\(\\s*(?=[^\\n]*\\)$))?([\\[(][^\\n]*?[\\])])\\)?\\s*$`,
  "u",
);
const COMMA_NUMBER = /^\s*[-−－]?\p{Nd}+(?:,\p{Nd}+)?\s*$/u;

// {cells, told}, {blank} or {code, at, values}.
function readAnswer(asked, raw) {
  if (["", "_", "＿"].includes(raw.trim().replace(UNSEEN, ""))) return { blank: true };
  const text = single(raw);
  try {
    const limit = asked.shape.length ? 20000 : 2000;
    if (text.length > limit) throw new Refused("too-long", limit, { limit });
    return asked.shape.length ? readMatrix(asked, text) : readOne(asked, text);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { code: error.code, at: error.at, values: error.values };
  }
}

function readOne(asked, text) {
  if (!/^\s*[[［]/.test(text) && !isPrint(text)) return { cells: [[readNumber(text, 0, asked)]], told: [] };
  const cells = readArray(text);
  if (cells.length * cells[0].length !== 1)
    throw new Refused("one-number", 0, { rows: cells.length, columns: cells[0].length });
  return cells[0][0] ? { cells, told: [] } : { blank: true };
}

function readMatrix(asked, text) {
  if (asked.size) text = text.replace(/^[ $]+|[ $]+$/g, "").replace(SIZE_PRINT, "$1").replace(SIZE, "$1, $2");
  const [rows, columns] = asked.shape;
  const pieces = text.split(";");
  if (rows === 1 && columns > 1 && pieces.length === columns && pieces.every((piece) => COMMA_NUMBER.test(piece)))
    text = pieces.map((piece) => piece.trim().replaceAll(",", ".")).join(" ");
  const most = Math.max(64, 8 * rows * columns, asked.of * columns);
  const cells = readArray(text, { infinite: asked.infinite, most });
  const value = laidOut(asked, cells);
  if ([cells, value.cells].some((rows) => rows.flat().every((cell) => cell === null))) return { blank: true };
  if (value.cells.length !== rows || value.cells[0].length !== columns) {
    const turned = cells[0].length === rows && cells.length === columns;
    const values = { read_rows: cells.length, read_columns: cells[0].length, rows, columns };
    throw new Refused(turned ? "shape-turned" : "shape", 0, values);
  }
  return value;
}

function laidOut(asked, cells) {
  const [[rows, columns], flat, told] = [asked.shape, cells.flat(), []];
  const vector = cells.length === 1 || cells[0].length === 1;
  if ((rows === 1 || columns === 1) && cells.length === columns && cells[0].length === rows)
    cells = Array.from({ length: rows }, (_, i) => flat.slice(i * columns, (i + 1) * columns));
  else if (rows < cells.length && cells.length === asked.of && cells[0].length === columns) {
    cells = asked.rows.map((row) => cells[row - 1]);
    told.push("rows");
  } else if (vector && flat.length === asked.visible.filter(Boolean).length && flat.length < columns)
    cells = [asked.visible.map((seen) => (seen ? flat.shift() : null))];
  if (asked.visible.length && cells[0].length === columns && cells[0].some((cell, j) => !cell && !asked.visible[j])) {
    cells = [cells[0].map((cell, j) => (cell || asked.visible[j] ? cell : HIDDEN))];
    told.push("hidden");
  }
  return { cells, told };
}

// Decimal commas as points, where it is sure that they are these (responses/grid.py).
function withPoints(rows) {
  const typed = rows.map((row) => row.map((cell) => cell.trim() || "_"));
  const commas = typed.flat().filter((cell) => cell.includes(","));
  const sure = commas.every((cell) => /^[-−－]?\p{Nd}+,\p{Nd}+$/u.test(cell));
  const thousands = commas.every((cell) => /^[-−－]?[1-9]\p{Nd}{0,2},\p{Nd}{3}$/u.test(cell));
  return sure && !thousands ? typed.map((row) => row.map((cell) => cell.replaceAll(",", "."))) : typed;
}

// Rows of cells as one text, in which what stands in a cell stays in it.
function textOf(rows) {
  const typed = withPoints(rows);
  if (!typed.flat().some((cell) => /[,;、\s]/.test(cell)))
    return "[" + typed.map((row) => "[" + row.join(", ") + "]").join(", ") + "]";
  return typed.map((row) => row.map((cell) => cell.split(/\s+/).join(" ") + "\t").join("")).join("\n");
}
