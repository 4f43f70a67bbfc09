"""Arrays as learners type or paste them: nested lists, `1 2; 3 4`, rows on lines.

First the rows are found, then the cells of each; a piece of text keeps its place throughout.
Separators are never guessed across tokens: [[1 2],[3 4]] is 2×2, never [[12],[34]].
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from quizengine.lang.characters import plain
from quizengine.responses.numbers import read_number
from quizengine.responses.response import CannotRead, Cells, Number

MAX_TEXT, MAX_CELLS = 20_000, 4096
_WRAPPED = re.compile(r"\s*(?:np\.|numpy\.|torch\.)?(?:array|tensor|matrix)\s*\((.*)\)\s*", re.DOTALL)
_COMMA_CELLS = re.compile(r"\s*(?=.*\d,\d)-?\d+(?:,\d+)?(?:[ \t]+-?\d+(?:,\d+)?)+\s*")
_BRACKETS = re.compile(r"(?<=[\w√^*/])\([^][()\s,;]*\)|[\[\]()]")  # sqrt(2) belongs to its cell
_BLANKS = ("", "_")


def read_array(text: str) -> Cells:
    """The rows of cells that `text` writes; a row alone is one row, a cell left empty is None.

    Raises CannotRead, which names the character.

    >>> [[str(cell.value) for cell in row] for row in read_array("1 0.5; 1/3 −2")]
    [['1', '1/2'], ['1/3', '-2']]
    """
    if len(text) > MAX_TEXT:
        raise CannotRead("too-long", MAX_TEXT, limit=MAX_TEXT)
    typed, start = plain(text), 0
    if match := _WRAPPED.fullmatch(typed):
        typed, start = match[1], match.start(1)
    rows: list[tuple[Number | None, ...]] = []
    for piece, at in _rows(typed):
        cells = tuple(_cell(cell, start + at + shift) for cell, shift in _cells(piece))
        if (len(rows) + 1) * len(cells) > MAX_CELLS:
            raise CannotRead("too-long", start + at, limit=MAX_CELLS)
        if rows and len(cells) != len(rows[0]):
            raise CannotRead("ragged", start + at, row=len(rows) + 1, count=len(cells), first=len(rows[0]))
        rows.append(cells)
    if not rows:
        raise CannotRead("no-numbers")
    return tuple(rows)


def _rows(typed: str) -> Iterator[tuple[str, int]]:
    """The text of every row, with its place."""
    groups = _innermost(typed)
    if len(groups) == 1:
        (piece, at), separator = groups[0], r"[^;]+"
    elif groups:
        yield from groups
        return
    else:
        piece, at, separator = typed, 0, r"[^;\n]+"
    for match in re.finditer(separator, piece):
        if match.group().strip():
            yield match.group(), at + match.start()


def _innermost(typed: str) -> list[tuple[str, int]]:
    """What stands in the innermost brackets; outside them only separators may stand."""
    groups: list[tuple[str, int]] = []
    opened: list[int] = []
    end, deepest = 0, 0
    brackets = [match for match in _BRACKETS.finditer(typed) if len(match.group()) == 1]
    for match in brackets:
        at = match.start()
        if match.group() in "[(":
            if outside := re.search(r"[^\s,;]", typed[end:at]):
                raise CannotRead("outside", end + outside.start(), character=outside.group())
            opened.append(at)
            deepest = len(opened)
            if len(opened) > 2:
                raise CannotRead("too-deep", at)
        else:
            if not opened:
                raise CannotRead("closes-nothing", at, character=match.group())
            if len(opened) == deepest:
                groups.append((typed[opened[-1] + 1 : at], opened[-1] + 1))
            elif outside := re.search(r"[^\s,;]", typed[end:at]):
                raise CannotRead("outside", end + outside.start(), character=outside.group())
            opened.pop()
        end = at + 1
    if opened:
        raise CannotRead("unclosed", opened[-1], character=typed[opened[-1]])
    if groups and (outside := re.search(r"\S", typed[end:])):
        raise CannotRead("outside", end + outside.start(), character=outside.group())
    return groups


def _cells(piece: str) -> Iterator[tuple[str, int]]:
    """The text of every cell of a row: by commas, else by tabs, else by blanks."""
    if _COMMA_CELLS.fullmatch(piece):  # the commas are decimal ones: blanks part the cells
        piece, pattern = piece.replace(",", "."), r"\S+"
    elif "," in piece:
        pattern = r"[^,]+|(?<=,)(?=,)|^(?=,)"
    elif "\t" in piece.strip(" \n"):
        pattern = r"[^\t]+|(?<=\t)(?=\t)|^(?=\t)"
    else:
        pattern = r"\S+"
    for match in re.finditer(pattern, piece):
        cell = match.group()
        if cell.strip() or (pattern[0] == "[" and match.end() < len(piece)):
            yield cell.strip(), match.start() + len(cell) - len(cell.lstrip())


def _cell(cell: str, at: int) -> Number | None:
    if cell in _BLANKS:
        return None
    if not cell.strip(".…"):
        raise CannotRead("left-out", at, text=cell)
    return read_number(cell, at, mixed=False)
