"""A learner's own steps beside the right ones, and where the two part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from quizengine.items.close import rounded_text
from quizengine.lang.characters import cells, shade
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.marking.mark import Mark, PartMark
from quizengine.problems.part import NumericPart
from quizengine.problems.problem import Problem
from quizengine.render.terminal import wrapped
from quizengine.responses.response import MINUS_INFINITY, Number, NumericValue, Response

Rows = tuple[tuple[str, ...], ...]
MORE_PLACES = 2  # than asked: what was carried on shows


class Step(NamedTuple):
    """One part: the numbers written (none where nothing could be read), the right ones, which of the
    written are right; `first`: here the two part."""

    part: NumericPart
    yours: Rows
    right: Rows
    entries: tuple[tuple[bool, ...], ...]
    first: bool

    def to_json(self) -> dict[str, object]:
        """As `mark --json` shows it."""
        return {
            "part": self.part.id,
            "yours": [list(row) for row in self.yours],
            "right": [list(row) for row in self.right],
            "first_difference": self.first,
        }


def own_trace(problem: Problem, responses: Mapping[str, Response], mark: Mark) -> tuple[Step, ...]:
    """The steps of a problem with several numeric parts; none where all is right or nothing was read."""
    parts = problem.numeric
    if len(parts) < 2:
        return ()
    read = {part.id for part in parts if isinstance(responses[part.id].reading, NumericValue)}
    differs = [
        id_ for id_ in read if not _follows(mark.part(id_)) and not all(map(all, mark.part(id_).entries))
    ]
    if not differs:
        return ()
    first = next(part.id for part in parts if part.id in differs)
    return tuple(_step(part, responses[part.id], mark, first=part.id == first) for part in parts)


def trace_lines(steps: tuple[Step, ...], lang: Lang, width: int) -> list[str]:
    """The steps as lines, numbers below each other; a cross follows what is not right. What is too wide
    goes on below, right under yours again."""
    labels = [t(lang, "trace.yours"), t(lang, "trace.right")]
    margin = max(map(cells, labels)) + 5
    out = []
    for step in steps:
        first = t(lang, "trace.first") if step.first else ""
        out += wrapped(t(lang, f"stage.{step.part.stage}") + first, width, first="  ")
        crossed = tuple(
            tuple(x + (" " if ok else "✗") for x, ok in zip(row, oks, strict=True))
            for row, oks in zip(step.yours, step.entries, strict=True)
        )
        both = [crossed, tuple(tuple(x + " " for x in row) for row in step.right)]
        if step.part.stage == "weights":
            both = [shaded(rows) for rows in both]
        column = max((len(x.rstrip()) for rows in both for row in rows for x in row), default=0) + 1
        at_once = max(1, (width - margin) // column)
        for start in range(0, max(len(row) for row in both[1]), at_once):
            for label, rows in zip(labels, both, strict=True):
                head = "    " + label + " " * (margin - 4 - cells(label))
                for row in rows or (("—",) * (start == 0),):
                    shown = "".join(f"{x:>{column}}" for x in row[start : start + at_once])
                    out.append((head + shown).rstrip())
                    head = " " * margin
    return out


def shaded(rows: Rows) -> Rows:
    """Weights, each with its shade before it."""
    return tuple(tuple(shade(_number(x)) + x for x in row) for row in rows)


def _number(text: str) -> float:
    try:
        return float(text.strip(" ✗").replace("−", "-"))
    except ValueError:  # a blank, or −∞
        return 0.0


def _step(part: NumericPart, response: Response, mark: Mark, *, first: bool) -> Step:
    decimals = part.decimals or 0
    right = tuple(tuple(_signed(rounded_text(k, decimals)) for k in row) for row in part.key)
    if not isinstance(response.reading, NumericValue):
        return Step(part, (), right, (), first)
    yours = tuple(tuple(_written(cell, decimals) for cell in row) for row in response.reading.content)
    entries = mark.part(part.id).entries
    if _follows(mark.part(part.id)):
        entries = tuple((True,) * len(row) for row in entries)
    return Step(part, yours, right, entries, first)


def _follows(mark: PartMark) -> bool:
    """Is it right because it follows from the numbers before it?"""
    return mark.carried and mark.verdict == "right"


def _written(cell: Number | None, decimals: int) -> str:
    if cell is None:
        return "_"
    if cell == MINUS_INFINITY:
        return "−∞"
    text = rounded_text(round(cell.units), min(decimals + MORE_PLACES, 9) if decimals else 9)
    whole, point, after = text.partition(".")
    after = after.rstrip("0").ljust(decimals, "0")
    return _signed(whole + (point + after if after else ""))


def _signed(text: str) -> str:
    return text.replace("-", "−")
