"""Figures as SVG: drawn by hand, in the colours of the page, with the numbers beside them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from quizengine.lang.characters import cells

WIDTH, BAR, GAP = 560, 18, 8


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
