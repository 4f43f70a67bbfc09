"""Matrices side by side, in bands as wide as the terminal; what is wider is cut by columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from operator import add
from typing import NamedTuple

from quizengine.lang.characters import cells, shade
from quizengine.lang.emphasis import Emphasis
from quizengine.lang.messages import name, t
from quizengine.render.blocks import Matrix

_STYLES = (("  ", " │ "), ("", " │ "), ("", "│"))  # indent and rule, the airiest first


class _Piece(NamedTuple):
    """A matrix or some columns of one: `rows` are lines of text, all of one width."""

    title: str
    rows: tuple[str, ...]
    marked: tuple[int, ...]


class _Column(NamedTuple):
    """A piece as it stands in its band: its title, then its rows, some with their numbers."""

    lines: tuple[str, ...]
    width: int
    marked: tuple[int, ...]


def band_lines(matrices: Iterable[Matrix], width: int, *, abreast: bool = True) -> list[str]:
    """The matrices as lines, an empty one before every band: `abreast` of others in their order, or out of
    it where that takes fewer lines; else each alone."""
    pieces = [piece for matrix in matrices for piece in _pieces(matrix, width)]
    if not abreast:
        return _laid([[piece] for piece in pieces], width)
    bands = _bands(pieces, width, 1)
    if len(bands) == 1:
        return _laid(bands, width)
    return min((_laid(each, width) for each in (bands, _bands(pieces, width, len(pieces)))), key=len)


def _bands(pieces: Sequence[_Piece], width: int, back: int) -> list[list[_Piece]]:
    """Each piece in the first of so many bands `back` that has room, or in a new one."""
    bands: list[list[_Piece]] = []
    for piece in pieces:
        room = next((band for band in bands[-back:] if _style([*band, piece], width)), None)
        if room is None:
            bands.append([piece])
        else:
            room.append(piece)
    return bands


def _laid(bands: Sequence[Sequence[_Piece]], width: int) -> list[str]:
    return [
        line
        for band in bands
        for line in ("", *_lines(_columns(tuple(band)), *(_style(band, width) or _STYLES[-1])))
    ]


def _pieces(matrix: Matrix, width: int) -> list[_Piece]:
    """The matrix, cut into as few pieces of about as many columns as the width asks for."""
    count = len(matrix.rows[0])
    for pieces in range(1, count + 1):
        size = -(-count // pieces)
        cut = [_piece(matrix, first, min(first + size, count)) for first in range(0, count, size)]
        if all(_style([piece._replace(title="")], width) for piece in cut):
            break
    return cut


def _piece(matrix: Matrix, first: int, end: int) -> _Piece:
    """The columns from `first` up to `end`, counted from 0."""
    rows, called = matrix.rows, name("matrix", matrix.name, matrix.lang)
    if matrix.name == "weights":
        rows = tuple(tuple(shade(float(x)) + x for x in row) for row in rows)
    if end - first < len(rows[0]):
        called = t(matrix.lang, "matrix.columns", name=called, first=first + 1, last=end)
    wide = max(cells(x) for row in rows for x in row)
    lines = (" ".join(" " * (wide - cells(x)) + x for x in row[first:end]) for row in rows)
    title = f"{called} = {matrix.factor} ×" if matrix.factor else f"{called} ="
    return _Piece(title, tuple(lines), matrix.marked)


def _style(band: Sequence[_Piece], width: int) -> tuple[str, str] | None:
    """The airiest way in which the band fits, if there is one."""
    columns = _columns(tuple(band))
    return next((style for style in _STYLES if _fits(columns, width, *style)), None)


def _fits(columns: Sequence[_Column], width: int, indent: str, rule: str) -> bool:
    """Surely where it fits with all that a line may end on."""
    most = len(indent) + sum(column.width + len(rule) for column in columns)
    return most <= width or max(map(cells, _lines(columns, indent, rule))) <= width


@lru_cache(64)
def _columns(band: tuple[_Piece, ...]) -> tuple[_Column, ...]:
    """A piece with as many rows as the one before shares its numbers."""
    columns = []
    for before, piece in zip((None, *band), band, strict=False):
        digits = len(str(len(piece.rows)))
        own = before is None or len(before.rows) != len(piece.rows)
        numbers = [f"{i:>{digits}}: " if own else "" for i in range(1, len(piece.rows) + 1)]
        numbered = map(add, numbers, piece.rows)
        lines = (" " * len(numbers[0]) + piece.title, *numbered)
        columns.append(_Column(lines, max(map(cells, lines)), piece.marked))
    return tuple(columns)


def _lines(columns: Sequence[_Column], indent: str, rule: str) -> Iterator[str]:
    """Titles, then row by row."""
    for i in range(max(len(column.lines) for column in columns)):
        line, stretches = indent, []
        for lines, wide, marked in columns:
            text = lines[i] if i < len(lines) else ""
            if i in marked:
                stretches.append((len(line), len(line) + len(text)))
            line += text + " " * (wide - cells(text)) + rule
        yield Emphasis.on(line.rstrip(" │"), tuple(stretches))
