"""Read: a typed text becomes a reading, for every kind of part. Nothing here raises."""

from __future__ import annotations

import re

from quizengine.problems.part import (
    ChoicePart,
    ChoicesPart,
    NumericPart,
    OrderPart,
    PairsPart,
    Part,
    WordsPart,
)
from quizengine.responses.arrays import is_print, read_array
from quizengine.responses.choices import read_choice, read_choices, read_order, read_pairs
from quizengine.responses.numbers import read_number
from quizengine.responses.response import (
    Blank,
    CannotRead,
    LabelsValue,
    NumericValue,
    PairsValue,
    Reading,
    Response,
    TextValue,
    Unreadable,
)

MAX_TEXT, MAX_LABELS = 20_000, 400
_SIZE = re.compile(  # the last “x” parts the sizes: were one allowed in the second, each would be tried
    r"^(?:\w+\s*[=:])?([\s(\[（［]*\w+)\s*(?:[x×*·✕ｘＸX]|\\times)\s*([^\WxXｘＸ]+[\s)\]）］]*)$"
)
_SIZE_PRINT = re.compile(r"^\s*(?:\w+\s*[=:]\s*)?(?:torch\.Size\(\s*+(?=.*\)$))?([\[(].*?[\])])\)?\s*$")
_COMMA_NUMBER = re.compile(r"\s*[-−－]?\d+(?:,\d+)?\s*")
_FORMULA_ERROR = re.compile(r"#(?:NAME\?|VALUE!|DIV/0!|REF!|NUM!|NULL!|N/A|SPILL!|CALC!|FIELD!|BLOCKED!)")
ROOM = 8  # times as many cells as asked are read, so that their number can be told


def read(part: Part, raw: str) -> Response:
    """The response that `raw` is to `part`: a value, a blank, or unreadable with a reason.

    A blank, or a single underscore, is no answer.
    """
    if raw.strip() in ("", "_", "＿"):
        return Response(raw, Blank())
    limit = MAX_TEXT if part.kind in ("array", "words") else MAX_LABELS
    if len(raw) > limit:
        return Response(raw, Unreadable("too-long", limit, {"limit": limit}))
    try:
        if _FORMULA_ERROR.fullmatch(raw.strip()):
            raise CannotRead("formula", text=raw.strip())
        return Response(raw, _reading(part, raw))
    except CannotRead as cannot:
        return Response(raw, cannot.reading)


def _reading(part: Part, raw: str) -> Reading:
    match part:
        case NumericPart(kind="number"):
            return _number(part, raw)
        case NumericPart():
            return _array(part, raw)
        case ChoicePart():
            return TextValue(read_choice(part, raw))
        case ChoicesPart():
            return LabelsValue(read_choices(part, raw))
        case OrderPart():
            return LabelsValue(read_order(part, raw))
        case PairsPart():
            return PairsValue(read_pairs(part, raw))
        case WordsPart():
            return TextValue(" ".join(raw.split()))


def _number(part: NumericPart, raw: str) -> Reading:
    if raw.lstrip().startswith(("[", "［")) or is_print(raw):
        cells = read_array(raw)
        if len(cells) * len(cells[0]) != 1:
            raise CannotRead("one-number", rows=len(cells), columns=len(cells[0]))
        return NumericValue(cells) if cells[0][0] else Blank()
    number = read_number(raw, whole=part.decimals == 0)
    return NumericValue(((number,),))


def _array(part: NumericPart, raw: str) -> Reading:
    if part.stage.endswith("_shape"):
        raw = _SIZE.sub(r"\1, \2", _SIZE_PRINT.sub(r"\1", raw.strip(" $")))
    rows, columns = part.shape
    pieces = raw.split(";")
    if rows == 1 < columns == len(pieces) and all(map(_COMMA_NUMBER.fullmatch, pieces)):
        raw = " ".join(piece.strip().replace(",", ".") for piece in pieces)  # a list with decimal commas
    most = max(64, ROOM * rows * columns)
    cells = read_array(raw, infinite=part.stage in ("scores", "scaled"), most=most)
    if all(cell is None for row in cells for cell in row):
        return Blank()
    turned = (len(cells), len(cells[0])) == (columns, rows) and 1 in (rows, columns)
    if turned and len(cells) != rows:
        flat = [cell for row in cells for cell in row]  # a row for a column, or the reverse
        cells = tuple(tuple(flat[i * columns : (i + 1) * columns]) for i in range(rows))
    if (len(cells), len(cells[0])) != (rows, columns):
        code = "shape-turned" if (len(cells[0]), len(cells)) == (rows, columns) else "shape"
        asked = {"rows": rows, "columns": columns}
        raise CannotRead(code, read_rows=len(cells), read_columns=len(cells[0]), **asked)
    return NumericValue(cells)
