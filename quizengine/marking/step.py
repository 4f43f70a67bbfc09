"""A step: one numeric part as it was typed, and all that it is judged by.

What a step can be asked is worked out when it is first asked for: a right answer needs none of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from quizengine.attention.stage import Array
from quizengine.items.policy import Policy
from quizengine.marking.diagnose import Finding
from quizengine.marking.entries import Grid, complete, from_stock, grid, live, window
from quizengine.marking.follow import Solution, distances, gaps
from quizengine.problems.part import NumericPart
from quizengine.problems.problem import Problem
from quizengine.responses.response import Cells

SHAKEN_WINDOWS = 10  # as wide as any match may be: a jittered constant is still a constant


class Typed(NamedTuple):
    """A part that was typed before. Is it `right` by the key, and is it `explained`: by the key, by a
    recognised mistake, by what came before, or by half of its entries?"""

    part: NumericPart
    cells: Cells
    right: bool
    explained: bool


@dataclass(frozen=True, eq=False)
class Ground:
    """What every step of one problem stands on."""

    problem: Problem
    policy: Policy
    _values: dict[str, tuple[Array, Array]] = field(default_factory=dict)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The misconceptions that may show."""
        return tuple(rival.misconception for rival in self.problem.rivals)

    @cached_property
    def solution(self) -> Solution:
        """The problem solved, with nothing typed yet."""
        return Solution(self.problem, self.policy)

    def rivals(self, part: NumericPart) -> tuple[Array, Array]:
        """(1 + rivals, rows, columns): what the key and every rival give, in sealed units; (rivals, rows,
        columns): where the rival clearly is not the key."""
        if part.id not in self._values:
            keys = [part.key, *(rival.values[part.id] for rival in self.problem.rivals)]
            values = np.array(keys, dtype=float)
            tells = np.abs(values[1:] - values[0]) > 2 * float(window(part, self.policy))
            self._values[part.id] = values, tells
        return self._values[part.id]


class Rules(NamedTuple):
    """The misconceptions whose rules give a step from the values before it; and whether the right rule
    does. Are those values `explained` themselves?"""

    ids: tuple[str, ...] = ()
    plain: bool = False
    explained: bool = False


@dataclass(frozen=True, eq=False)
class Step:
    """One part as typed, after the parts `before` it and what was found there."""

    ground: Ground
    before: tuple[Typed, ...]
    findings: tuple[Finding, ...]
    part: NumericPart
    cells: Cells
    _expected: dict[tuple[int, int], tuple[Array, Array] | None] = field(default_factory=dict)

    @cached_property
    def window(self) -> float:
        """How far from the key counts as right, in sealed units."""
        return float(window(self.part, self.ground.policy))

    @cached_property
    def right(self) -> Grid:
        """Which entries are right by the key."""
        return grid(self.cells, self.part.key, window(self.part, self.ground.policy))

    @cached_property
    def is_right(self) -> bool:
        """Is every entry right by the key?"""
        return complete(self.right)

    @cached_property
    def after_right(self) -> bool:
        """Is all that was typed before right by the key?"""
        return all(typed.right for typed in self.before)

    @cached_property
    def _from_stock(self) -> float:
        return from_stock(self.ground.problem, self.part, self.cells, SHAKEN_WINDOWS * self.window)

    @property
    def is_stock(self) -> bool:
        """Is it an answer that needs no work?"""
        return self._from_stock <= self.window

    @property
    def is_shaken_stock(self) -> bool:
        """Is it such an answer but for a little?"""
        return self._from_stock <= SHAKEN_WINDOWS * self.window

    @cached_property
    def half_right(self) -> bool:
        """Are at least half of the entries right that nothing gives away? A nought is anybody's guess."""
        free = np.array(live(self.part, self.cells)) & (np.array(self.part.key) != 0)
        return bool(2 * (free & np.array(self.right)).sum() >= free.sum() > 0)

    @cached_property
    def near(self) -> Array:
        """(1 + rivals, rows, columns): where the cells are near the key and each rival."""
        near: Array = gaps(self.ground.rivals(self.part)[0], self.cells) <= self.window
        return near

    def expected(self, ids: Sequence[str], *, explained: bool) -> tuple[Array, Array] | None:
        """What this part should be after the values before it (the explained ones), plainly and under each
        misconception: (1 + ids, rows, columns), and the tolerance: (rows, columns), in sealed units. None
        where there is nothing to work on from."""
        laid = [typed for typed in self.before if typed.explained or not explained]
        key = len(laid), len(ids)
        if key not in self._expected:
            self._expected[key] = self._solved_on(laid, ids) if laid else None
        return self._expected[key]

    def _solved_on(self, laid: Sequence[Typed], ids: Sequence[str]) -> tuple[Array, Array]:
        solution, wrong = self.ground.solution, False
        for typed in laid:
            wrong = (
                wrong or not typed.right
            )  # from the first error on, what was typed may stand for more digits
            solution = solution.overlaid(typed.part, typed.cells, rounded=wrong)
        return solution.expect(self.part, ids)

    def rules(self, *, explained: bool) -> Rules:
        """The rules that give this part from the values before it."""
        found = self.expected(self.ground.ids, explained=explained)
        if found is None:
            return Rules()
        expected, tolerance = found
        off = distances(self.cells, expected, tolerance).max(axis=(1, 2))
        if fits_best(off):
            return Rules(plain=True, explained=explained)
        acts = [bool((e != expected[0]).any()) for e in expected[1:]]
        ids = [id_ for id_, acting in zip(self.ground.ids, acts, strict=True) if acting]
        return Rules(nearest(ids, off[1:][acts]), explained=explained)


def fits_best(off: Array) -> bool:
    """Is the first of these within its tolerance, and no other nearer?"""
    return bool(off[0] <= 1.0 and off[0] <= off.min() + 1e-3)


def nearest(ids: Sequence[str], off: Array) -> tuple[str, ...]:
    """Of the misconceptions that match (at most 1 tolerance off), those that fit best."""
    best = off.min(initial=np.inf)
    return tuple(id_ for id_, d in zip(ids, off, strict=True) if d <= 1.0 and d <= best + 1e-3)
