"""Read: a typed text becomes a reading, for every kind of part. Nothing here raises."""

from __future__ import annotations

import re

from quizengine.problems.layout import Layout, layout
from quizengine.problems.part import (
    ChoicePart,
    ChoicesPart,
    ConstructPart,
    EstimatePart,
    GapPart,
    LabelledPart,
    NumericPart,
    OrderPart,
    PairsPart,
    Part,
    ShapePart,
    TiersPart,
    WordsPart,
)
from quizengine.responses.arrays import is_print, read_array
from quizengine.responses.choices import read_choice, read_choices, read_order, read_pairs, read_tiers
from quizengine.responses.code import read_code, read_shape
from quizengine.responses.numbers import read_number
from quizengine.responses.response import (
    Blank,
    CannotRead,
    Cells,
    LabelsValue,
    Number,
    NumericValue,
    PairsValue,
    Reading,
    Response,
    TextValue,
    Told,
    Unreadable,
)

MAX_TEXT, MAX_LABELS = 20_000, 2000
_SIZE = re.compile(  # the last “x” parts the sizes: were one allowed in the second, each would be tried
    r"^(?:\w+\s*[=:])?([\s(\[（［]*\w+)\s*(?:[x×*·✕ｘＸX]|\\times)\s*([^\WxXｘＸ]+[\s)\]）］]*)$"
)
_SIZE_PRINT = re.compile(r"^\s*(?:\w+\s*[=:]\s*)?(?:torch\.Size\(\s*+(?=.*\)$))?([\[(].*?[\])])\)?\s*$")
_COMMA_NUMBER = re.compile(r"\s*[-−－]?\d+(?:,\d+)?\s*")
_FORMULA_ERROR = re.compile(r"#(?:NAME\?|VALUE!|DIV/0!|REF!|NUM!|NULL!|N/A|SPILL!|CALC!|FIELD!|BLOCKED!)")
_UNSEEN = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_HIDDEN = Number(0, None)  # the weight of a hidden key
FEW = 128  # characters, in which no more cells than half of it can stand
ROOM = 8  # times as many cells as asked are read, so that their number can be told


def read(part: Part, raw: str) -> Response:
    """The response that `raw` is to `part`: a value, a blank, or unreadable with a reason.

    A blank, or a single underscore, is no answer.
    """
    if raw.strip().strip(_UNSEEN) in ("", "_", "＿"):
        return Response(raw, Blank())
    limit = MAX_TEXT if part.kind in ("array", "construct", "words") else MAX_LABELS
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
        case NumericPart(kind="number") | EstimatePart():
            return _number(layout(part), raw)
        case NumericPart() | ConstructPart():
            return _array(layout(part), raw)
        case ShapePart():
            return TextValue(read_shape(raw))
        case GapPart():
            return TextValue(read_code(raw))
        case WordsPart():
            return TextValue(" ".join(raw.split()))
        case _:
            return _labels(part, raw)


def _labels(part: LabelledPart, raw: str) -> Reading:
    match part:
        case ChoicePart():
            return TextValue(read_choice(part, raw))
        case ChoicesPart():
            return LabelsValue(read_choices(part, raw))
        case TiersPart():
            return PairsValue(read_tiers(part, raw))
        case OrderPart():
            return LabelsValue(read_order(part, raw))
        case PairsPart():
            return PairsValue(read_pairs(part, raw))


def _number(asked: Layout, raw: str) -> Reading:
    if raw.lstrip().startswith(("[", "［")) or is_print(raw):
        cells = read_array(raw)
        if len(cells) * len(cells[0]) != 1:
            raise CannotRead("one-number", rows=len(cells), columns=len(cells[0]))
        return NumericValue(cells) if cells[0][0] else Blank()
    return NumericValue(((read_number(raw, whole=asked.whole, units=asked.units),),))


def _array(asked: Layout, raw: str) -> Reading:
    if asked.size:
        raw = _SIZE.sub(r"\1, \2", _SIZE_PRINT.sub(r"\1", raw.strip(" $")))
    rows, columns = asked.shape
    pieces = raw.split(";")
    if rows == 1 < columns == len(pieces) and all(map(_COMMA_NUMBER.fullmatch, pieces)):
        raw = " ".join(piece.strip().replace(",", ".") for piece in pieces)  # a list with decimal commas
    most = max(FEW // 2, ROOM * rows * columns, asked.of * columns)
    cells = read_array(raw, infinite=asked.infinite, most=most)
    if (len(cells), len(cells[0])) == (rows, columns) and all(map(all, cells)):
        return NumericValue(cells)
    value = _laid_out(asked, cells)
    if not any(map(any, cells)) or not any(map(any, value.content)):
        return Blank()
    if (len(value.content), len(value.content[0])) != (rows, columns):
        code = "shape-turned" if (len(cells[0]), len(cells)) == (rows, columns) else "shape"
        wanted = {"rows": rows, "columns": columns}
        raise CannotRead(code, read_rows=len(cells), read_columns=len(cells[0]), **wanted)
    return value


def _laid_out(asked: Layout, cells: Cells) -> NumericValue:
    """The cells in the shape that is asked, where they can only be meant so: a row for a column, the asked
    rows of a whole matrix, a row of weights without its hidden keys."""
    rows, columns = asked.shape
    told: tuple[Told, ...] = ()
    flat = [cell for row in cells for cell in row]
    if 1 in (rows, columns) and (len(cells), len(cells[0])) == (columns, rows):
        cells = tuple(tuple(flat[i * columns : (i + 1) * columns]) for i in range(rows))
    elif rows < len(cells) == asked.of and len(cells[0]) == columns:
        cells = tuple(cells[row - 1] for row in asked.rows)
        told = (Told("rows", asked.rows),)
    elif 1 in (len(cells), len(cells[0])) and len(flat) == sum(asked.visible) < columns:
        typed = iter(flat)
        cells = (tuple(next(typed) if seen else None for seen in asked.visible),)
    if asked.visible and len(cells[0]) == columns:
        both = list(zip(cells[0], asked.visible, strict=True))
        if any(cell is None and not seen for cell, seen in both):
            cells = (tuple(cell if cell or seen else _HIDDEN for cell, seen in both),)
            told = (*told, Told("hidden"))
    return NumericValue(cells, told)
