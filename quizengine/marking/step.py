"""A step: one numeric part as it was typed, and all that it is judged by.

What a step can be asked is worked out when it is first asked for: a right answer needs none of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, cast

import numpy as np

from quizengine.attention.stage import Array
from quizengine.items.close import Sealed
from quizengine.items.policy import Policy
from quizengine.marking.base import Base
from quizengine.marking.diagnose import Finding
from quizengine.marking.entries import Grid, complete, different, eases, grid, live, needs_no_work, window
from quizengine.marking.follow import MOST_WINDOWS, Solution, as_floats, gaps
from quizengine.problems.families.family import table_of
from quizengine.problems.part import NumericPart
from quizengine.problems.problem import Problem
from quizengine.responses.response import Cells


class Typed(NamedTuple):
    """A part that was typed before. Is it `right` by the key; is it `explained` by that, by what came before,
    by a recognised mistake or by half of its entries; is it `usable` to work on from, which it is not if it
    makes the rest easier; and which row was worked instead of the asked one (0: none)?"""

    part: NumericPart
    cells: Cells
    right: bool
    explained: bool
    usable: bool
    row: int = 0


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


@dataclass(frozen=True, eq=False)
class Step:
    """One part as typed, after the parts `before` it and what was found there."""

    ground: Ground
    before: tuple[Typed, ...]
    findings: tuple[Finding, ...]
    part: NumericPart
    cells: Cells

    @cached_property
    def window(self) -> float:
        """How far from the key counts as right, in sealed units."""
        return float(window(self.part, self.ground.policy))

    @cached_property
    def floats(self) -> list[list[float]]:
        """(rows, columns): the same as `typed`, in lists."""
        return as_floats(self.cells)

    @cached_property
    def typed(self) -> Array:
        """(rows, columns): the cells, in sealed units; NaN: left blank, −∞: masked early."""
        return np.array(self.floats)

    @cached_property
    def stages(self) -> frozenset[str]:
        """The part's stage and those before it."""
        stages = list(table_of(self.ground.problem))
        return frozenset(stages[: stages.index(self.part.stage) + 1])

    @cached_property
    def known(self) -> tuple[str, ...]:
        """The misconceptions found in the parts before."""
        return tuple(sorted({id_ for finding in self.findings for id_ in finding.ids}))

    @cached_property
    def right(self) -> Grid:
        """Which entries are right by the key."""
        return grid(self.cells, self.part.key, window(self.part, self.ground.policy))

    @cached_property
    def is_right(self) -> bool:
        """Is every entry right by the key?"""
        return complete(self.right)

    @cached_property
    def live(self) -> Grid:
        """The entries that nothing gives away."""
        return live(self.part, self.cells)

    @cached_property
    def after_right(self) -> bool:
        """Is all that was typed before right by the key?"""
        return all(typed.right for typed in self.before)

    @cached_property
    def is_stock(self) -> bool:
        """Is it an answer that needs no work, or one but for a little?"""
        most = MOST_WINDOWS * self.window  # as wide as any match may be: a jittered constant is still one
        return needs_no_work(self.ground.problem, self.part, self.cells, most)

    @cached_property
    def is_usable(self) -> bool:
        """May the rest be worked on from it? Not if that is easier; but where the work before was shown,
        weights of which at least two are to be mixed are no guess."""
        if not self.is_stock and not eases(self.ground.problem, self.part, self.cells):
            return True
        if self.part.stage != "weights" or not any(typed.usable for typed in self.before):
            return False
        return all(
            sum(bool(cell and cell.units and seen) for cell, seen in zip(row, mine, strict=True)) >= 2
            for row, mine in zip(self.cells, self.live, strict=True)
        )

    @cached_property
    def is_poor(self) -> bool:
        """Has it fewer different numbers than a little work would leave?"""
        typed = [cell.units for row in self.cells for cell in row if cell is not None]
        return different(typed) < min(3, different(k for row in self.part.key for k in row))

    @cached_property
    def is_alone(self) -> bool:
        """Is one entry wrong, and all else right that nothing gives away?"""
        wrong = sum(not ok for row in self.right for ok in row)
        return wrong == 1 and sum(map(sum, self.live)) > 1

    @cached_property
    def half_right(self) -> bool:
        """Are at least half of the entries right that nothing gives away? A nought is anybody's guess."""
        told = [
            ok
            for oks, mine, row in zip(self.right, self.live, self.part.key, strict=True)
            for ok, is_live, k in zip(oks, mine, row, strict=True)
            if is_live and k
        ]
        return 2 * sum(told) >= len(told) > 0

    @cached_property
    def met(self) -> tuple[str, ...]:
        """The misconceptions whose rival this is, where that is clearly not the key."""
        part, within, typed, found = self.part, self.window, self.floats, []
        first = typed[0][0]
        for rival in self.ground.problem.rivals:
            values = cast(Sealed, rival.values[part.id])
            if abs(first - values[0][0]) > within and first != -np.inf:
                continue  # as most are
            if _is(typed, values, within) and _tells(values, part.key, within):
                found.append(rival.misconception)
        return tuple(found)

    @cached_property
    def near(self) -> Array:
        """(1 + rivals, rows, columns): where the cells are near the key and each rival."""
        near: Array = gaps(self.ground.rivals(self.part)[0], self.typed) <= self.window
        return near

    @cached_property
    def bases(self) -> tuple[tuple[Base, bool], ...]:
        """What it may be worked on from, and whether that is explained: the explained values before it, then
        all that are usable."""
        if not self.part.stage:
            return ()
        usable = tuple(typed for typed in self.before if typed.usable)
        explained = tuple(typed for typed in usable if typed.explained)
        found = [(Base(self, explained, self.part.rows), True)] if explained else []
        if usable != explained:
            found.append((Base(self, usable, self.part.rows), False))
        return tuple(found)

    @cached_property
    def own(self) -> Base:
        """All usable values before it; the solver's own where there are none."""
        return self.bases[-1][0] if self.bases else Base(self, (), self.part.rows)

    @cached_property
    def grounds(self) -> tuple[Base, ...]:
        """What a mistake in it may be looked for from: the values before it as typed; and the unrounded ones
        that the right ones stand for."""
        if not self.part.stage:
            return ()
        right = [typed for typed in self.before if typed.right]
        if not right:
            return (self.own,)
        wrong = tuple(typed for typed in self.before if typed.usable and not typed.right)
        return self.own, Base(self, wrong, self.part.rows)

    @property
    def last(self) -> str:
        """The stage of the last part that was typed; empty: none."""
        return self.before[-1].part.stage if self.before else ""

    @property
    def is_right_step(self) -> bool:
        """Does it follow from what was typed before, be that of use or not?"""
        if not self.before or not self.part.stage or self.after_right:
            return False
        base = self.own if self.own.laid == self.before else Base(self, self.before, self.part.rows)
        return base.follows(base.tolerance)

    @cached_property
    def row(self) -> int:
        """The row that was worked before this instead of the asked one; 0: none."""
        return next((typed.row for typed in reversed(self.before) if typed.row), 0)

    def other_row(self, number: int) -> Base:
        """The usable values before it, those of another row there."""
        laid = tuple(typed for typed in self.before if typed.usable)
        return Base(self, laid, (number,))

    @property
    def degrees(self) -> int:
        """How many numbers of it are free: what the mask hides is not, nor the last weight of a row."""
        return sum(map(sum, self.live)) - (
            len(self.live) if self.part.stage in ("weights", "sharpened") else 0
        )


def _is(typed: Sequence[Sequence[float]], values: Sealed, within: float) -> bool:
    """Are the values what was typed, what was masked early apart?"""
    for row, line in zip(typed, values, strict=True):
        for x, value in zip(row, line, strict=True):
            if not abs(x - value) <= within and x != -np.inf:
                return False
    return True


def _tells(values: Sealed, key: Sealed, within: float) -> bool:
    """Are the values clearly not the key?"""
    return any(
        abs(value - k) > 2 * within
        for line, row in zip(values, key, strict=True)
        for value, k in zip(line, row, strict=True)
    )
