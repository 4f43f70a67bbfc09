"""Figures as SVG: drawn by hand, in the colours of the page, with the numbers beside them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from quizengine.lang.characters import cells
from quizengine.render.blocks import Picture
from quizengine.render.heat import alt

WIDTH, BAR, GAP = 560, 18, 8
CELL, EDGE = 26, 30  # of a picture: the side of a cell, and the room for numbers
PALEST, DARKEST = 225, 20  # grey of the smallest weight above 0, and of a weight of 1


def histogram(counts: Sequence[int], labels: Sequence[str], title: str) -> str:
    """How often, one column a class; the count stands on each."""
    height, foot, top = 160, 36, 18
    most, step = max([*counts, 1]), WIDTH / max(len(counts), 1)
    out = []
    for i, (count, label) in enumerate(zip(counts, labels, strict=True)):
        tall = (height - foot - top) * count / most
        x, y = i * step + 2, height - foot - tall
        out.append(f'<rect class="bar" x="{x:.1f}" y="{y:.1f}" width="{step - 4:.1f}" height="{tall:.1f}"/>')
        if count:
            out.append(
                f'<text x="{x + step / 2 - 2:.1f}" y="{y - 4:.1f}" text-anchor="middle">{count}</text>'
            )
        middle = f'x="{x + step / 2 - 2:.1f}" text-anchor="middle"'
        out.append(f'<text {middle} y="{height - foot + 16}">{escape(label)}</text>')
    return _figure("".join(out), height, title)


def bars(rows: Sequence[tuple[str, float, str]], title: str) -> str:
    """A line a thing: its name, a bar from 0 to 1, and what is said at its end."""
    left, right = min(360, 16 + 7 * max((cells(name) for name, _, _ in rows), default=0)), 50
    height = len(rows) * (BAR + GAP) + GAP
    out = []
    for i, (name, share, said) in enumerate(rows):
        y = GAP + i * (BAR + GAP)
        wide = (WIDTH - left - right) * min(max(share, 0.0), 1.0)
        out.append(f'<text x="{left - 8}" y="{y + 13}" text-anchor="end">{escape(name)}</text>')
        out.append(f'<rect class="bar" x="{left}" y="{y}" width="{wide:.1f}" height="{BAR}"/>')
        out.append(f'<text x="{left + wide + 6:.1f}" y="{y + 13}">{escape(said)}</text>')
    return _figure("".join(out), height, title)


def _figure(inside: str, height: int, title: str) -> str:
    return (
        f'<svg role="img" viewBox="0 0 {WIDTH} {height}" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{inside}</svg>"
    )


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
