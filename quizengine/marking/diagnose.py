"""Diagnosis: which rule turned the parts as typed before into this part as typed?

A mistake is named once, at the stage where it first shows. Later parts narrow it: of several
rules that agree so far, those stay that also account for what came next.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from quizengine.attention.stage import Array
from quizengine.items.close import SEAL
from quizengine.marking.mark import Diagnosis, Reason
from quizengine.problems.problem import Part, Problem
from quizengine.responses.response import Cells


@dataclass
class Suspects:
    """Misconceptions that explain a wrong part, narrowed as more parts are seen."""

    ids: set[str]
    stage: str
    parts: list[str] = field(default_factory=list)


@dataclass
class Findings:
    """The diagnosis of one problem, while its parts are read in order."""

    found: list[Suspects] = field(default_factory=list)

    def wrong(self, part: Part, ids: Iterable[str]) -> None:
        """A wrong part that `ids` explain: the same mistake as before, or a new one."""
        candidates = set(ids)
        if not candidates:
            return
        for suspects in self.found:
            if suspects.ids & candidates:
                suspects.ids &= candidates
                suspects.parts.append(part.id)
                return
        self.found.append(Suspects(candidates, part.stage or part.id, [part.id]))

    def followed(self, ids: Iterable[str]) -> None:
        """A part that follows plainly from the ones before, as it also does under `ids`."""
        still = set(ids)
        for suspects in self.found:
            if suspects.ids & still:
                suspects.ids &= still

    def suspected(self) -> list[str]:
        """Every misconception that is under suspicion."""
        return sorted({id_ for suspects in self.found for id_ in suspects.ids})

    def at(self, part_id: str) -> tuple[str, ...]:
        """What is named at this part."""
        return tuple(sorted({i for s in self.found if part_id in s.parts for i in s.ids}))

    def diagnosis(self) -> tuple[Diagnosis, ...]:
        """The findings, in the order in which they showed."""
        return tuple(Diagnosis(tuple(sorted(s.ids)), s.stage) for s in self.found)


def nearest_ids(ids: list[str], off: Array) -> list[str]:
    """Of the misconceptions that match (at most 1 tolerance off), those that fit best."""
    best = off.min(initial=np.inf)
    return [id_ for id_, d in zip(ids, off, strict=True) if d <= 1.0 and d <= best + 1e-3]


def rivals_met(problem: Problem, part: Part, cells: Cells, tolerance: float) -> list[str]:
    """The rivals whose whole part is the one typed, within the plain tolerance."""
    rivals = [rival for rival in problem.rivals if rival.values[part.id] != part.key]
    if not rivals:
        return []
    values = np.array([rival.values[part.id] for rival in rivals], dtype=float)  # (rivals, rows, columns)
    met = (np.abs(values - as_units(cells)) <= tolerance).all(axis=(1, 2))
    return [rival.misconception for rival, is_met in zip(rivals, met, strict=True) if is_met]


def as_units(cells: Cells) -> Array:
    """What was typed, in sealed units: (rows, columns); a blank cell is NaN."""
    return np.array([[np.nan if c is None else float(c.value * SEAL) for c in row] for row in cells])


def broken_invariants(problem: Problem, part: Part, cells: Cells) -> list[Reason]:
    """What no right answer can look like, whatever the numbers."""
    if part.stage not in ("weights", "output"):
        return []
    rows = [[cell.value for cell in row if cell is not None] for row in cells]
    if any(len(row) < len(typed) for row, typed in zip(rows, cells, strict=True)):
        return []
    mask, values = problem.given.get("mask"), problem.given.get("V")
    reasons = []
    for number, row in zip(part.rows, rows, strict=True):
        seen = mask[number - 1] if mask else None
        if part.stage == "weights":
            reasons += _of_weights(number, row, seen or [1] * len(row))
        elif part.stage == "output" and values:
            visible = [v for v, keep in zip(values, seen or [1] * len(values), strict=True) if keep]
            reasons += _of_output(number, row, visible)
    return reasons


def _of_weights(number: int, row: list[Fraction], seen: list[int]) -> list[Reason]:
    hidden = [j for j, (x, keep) in enumerate(zip(row, seen, strict=True), 1) if x and not keep]
    if hidden:
        return [Reason("hidden-weight", {"row": number, "column": hidden[0]})]
    if abs(sum(row, Fraction(-1))) > len(row) * Fraction(51, 10_000):
        return [Reason("row-sum", {"row": number, "sum": f"{float(sum(row)):.3f}"})]
    return []


def _of_output(number: int, row: list[Fraction], visible: list[list[float]]) -> list[Reason]:
    for j, (x, column) in enumerate(zip(row, zip(*visible, strict=True), strict=True), 1):
        low, high = min(column), max(column)
        if not low - 0.01 <= float(x) <= high + 0.01:
            return [Reason("outside", {"row": number, "column": j, "low": f"{low:g}", "high": f"{high:g}"})]
    return []
