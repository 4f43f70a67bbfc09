"""A picture of weights: shades on a terminal, SVG on a page, and for a voice its numbers row by row."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from quizengine.lang.characters import shade
from quizengine.lang.messages import t
from quizengine.render.blocks import Picture

CELL, EDGE = 26, 30  # of the SVG: the side of a cell, and the room for numbers
PALEST, DARKEST = 225, 20  # grey of the smallest weight above 0, and of a weight of 1


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


def heat_svg(picture: Picture) -> str:
    """The picture as SVG, in greys, so that it is the same in print; 0 is a dot on white."""
    n, m = len(picture.rows), len(picture.rows[0])
    wide, high = EDGE + m * CELL + 2, EDGE + n * CELL + 2
    out = [f'<rect x="0" y="0" width="{wide}" height="{high}" fill="#fff"/>']
    out += [_text(str(j + 1), EDGE + j * CELL + CELL // 2, EDGE - 10) for j in range(m)]
    for i, row in enumerate(picture.rows):
        out.append(_text(str(i + 1), EDGE // 2, EDGE + i * CELL + CELL // 2 + 5))
        out += [_cell(x, EDGE + j * CELL, EDGE + i * CELL) for j, x in enumerate(row)]
    label = escape(alt(picture))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="picture" role="img" aria-label="{label}" '
        f'viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">' + "".join(out) + "</svg>"
    )


def _cell(x: float, left: int, top: int) -> str:
    grey = round(PALEST - (PALEST - DARKEST) * x) if x else 255
    dot = f'<circle cx="{left + CELL // 2}" cy="{top + CELL // 2}" r="1.5" fill="#777"/>' if not x else ""
    fill = f"#{grey:02x}{grey:02x}{grey:02x}"
    square = f'width="{CELL}" height="{CELL}" fill="{fill}" stroke="#777" stroke-width="0.7"'
    return f'<rect x="{left}" y="{top}" {square}/>{dot}'


def _text(text: str, x: int, y: int) -> str:
    font = 'font-family="\'DejaVu Sans Mono\', monospace" font-size="13"'
    return f'<text x="{x}" y="{y}" {font} text-anchor="middle" fill="#222">{text}</text>'


def _heads(picture: Picture) -> Sequence[str]:
    return [t(picture.lang, "picture.row", row=i) for i in range(1, len(picture.rows) + 1)]
