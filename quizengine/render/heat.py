"""A picture of weights: shades on a terminal, and for a voice its numbers row by row."""

from __future__ import annotations

from collections.abc import Sequence

from quizengine.lang.characters import shade
from quizengine.lang.messages import t
from quizengine.render.blocks import Picture


def heat_lines(picture: Picture, *, spoken: bool = False) -> list[str]:
    """The picture as lines: two signs a cell, rows and columns numbered; `spoken` as numbers. The last line
    says what the signs mean, and may be wrapped."""
    if spoken:
        return [
            f"{head}: {', '.join(row)}" for head, row in zip(_heads(picture), numbers(picture), strict=True)
        ]
    wide = len(str(len(picture.rows)))
    head = " " * (wide + 3) + "".join(f"{j:<2}" for j in range(1, len(picture.rows[0]) + 1))
    rows = ["".join(shade(x) * 2 if x else "· " for x in row) for row in picture.rows]
    lines = [f"  {i:>{wide}} {row}" for i, row in enumerate(rows, 1)]
    return [head.rstrip(), *(line.rstrip() for line in lines), "  " + t(picture.lang, "picture.legend")]


def numbers(picture: Picture) -> list[list[str]]:
    """The weights as they are read, to two decimals."""
    return [[f"{x:.2f}" if x else "0" for x in row] for row in picture.rows]


def table(picture: Picture) -> list[list[str]]:
    """The picture as a table with a head: the keys, then a row a query."""
    keys = [str(j) for j in range(1, len(picture.rows[0]) + 1)]
    rows = zip(_heads(picture), numbers(picture), strict=True)
    return [["", *keys], *([head, *row] for head, row in rows)]


def alt(picture: Picture) -> str:
    """What the picture is, for who does not see it."""
    return t(picture.lang, "picture.alt", n=len(picture.rows))


def _heads(picture: Picture) -> Sequence[str]:
    return [t(picture.lang, "picture.row", row=i) for i in range(1, len(picture.rows) + 1)]
