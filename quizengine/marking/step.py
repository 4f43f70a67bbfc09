"""A step: one numeric part as it was typed, and all that it is judged by.

What a step can be asked is worked out when it is first asked for: a right answer needs none of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import NamedTuple, cast

import numpy as np

from quizengine.attention.patches import PATCHES, ROUTES, VARIANTS
from quizengine.attention.solver import World
from quizengine.attention.stage import Array, Rule, Trace, reads
from quizengine.items.close import Sealed
from quizengine.items.policy import Policy
from quizengine.marking.diagnose import Finding
from quizengine.marking.entries import Grid, complete, different, eases, grid, live, needs_no_work, window
from quizengine.marking.follow import MOST_WINDOWS, Solution, as_floats, distances, gaps
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
class Base:
    """What a step may be worked on from: the values `laid` over the solver's, read at these `rows`."""

    step: Step
    laid: tuple[Typed, ...]
    rows: tuple[int, ...]
    _found: dict[tuple[str, ...], tuple[Array, Array]] = field(default_factory=dict)

    @cached_property
    def solution(self) -> Solution:
        """The problem solved on from what was laid."""
        solution, wrong = self.step.ground.solution, False
        for typed in self.laid:
            wrong = wrong or not typed.right  # from the first error on, it may stand for unrounded numbers
            rows = self.rows if typed.row and typed.part.rows else typed.part.rows
            solution = solution.overlaid(typed.part, typed.cells, rows, rounded=wrong)
        return solution

    @cached_property
    def tolerance(self) -> Array:
        """How far from what follows counts as right: (rows, columns), in sealed units."""
        return self.solution.tolerance(self.step.part, self.rows)

    @cached_property
    def is_given(self) -> bool:
        """Is it the givens alone? Then the key, and what mistakes give, is at hand."""
        return not self.laid and self.rows == self.step.part.rows

    @cached_property
    def about(self) -> Sequence[Sequence[float]]:
        """What follows, to nine decimals: (rows, columns), in sealed units."""
        if self.is_given:
            return self.step.part.key
        rows: list[list[float]] = self.plain[0].tolist()
        return rows

    @cached_property
    def plain(self) -> Array:
        """What follows, by the table's own rule and by another right one where there is one: (1 or 2, rows,
        columns), in sealed units."""
        route = ROUTES.get(self.step.part.stage)
        known = {*self.solution.inputs, *self.solution.table}
        other = [World({self.step.part.stage: route})] if route and known >= set(reads(route)) else []
        return self.values([World(), *other])

    def follows(self, tolerance: Array | float) -> bool:
        """Is the step what follows?"""
        return bool((distances(self.step.typed, self.plain, tolerance) <= 1.0).any())

    def trace_in(self, world: World) -> Trace:
        """Every stage that follows in a world."""
        return self.solution.solved([world])[0]

    def values(self, worlds: Sequence[World]) -> Array:
        """What the step should be in every world: (worlds, rows, columns), in sealed units."""
        return self.solution.values(self.step.part, self.rows, worlds)

    def off(self, worlds: Sequence[World]) -> tuple[Array, Array]:
        """How far the step is from every world, in tolerances, and whether the world clearly changes it:
        (worlds,). Each world has a tolerance of its own: what comes near is measured again. What a world
        replaces after the step is not seen in it."""
        seen = [not self.step.stages.isdisjoint(world.rules) for world in worlds]
        places = np.repeat(np.array(seen, bool), [world.many for world in worlds])
        off, acts = np.full(len(places), np.inf), np.zeros(len(places), bool)
        if places.any():
            looked_at = list(compress(worlds, seen))
            values = self.values(looked_at)
            acts[places] = (np.abs(values - self.plain[:1]) > 2 * self.step.window).any(axis=(1, 2))
            off[places] = self._measured(looked_at, values)
        return off, acts

    def _measured(self, worlds: Sequence[World], values: Array) -> Array:
        """(worlds,): how far the step is from the values of every world, in tolerances of its own."""
        off = distances(self.step.typed, values, self.step.window)
        near, end = (off > 1.0) & (off <= MOST_WINDOWS), 0
        for world in worlds if near.any() else ():
            at = slice(end, end := end + world.many)
            if near[at].any():
                own = self.solution.tolerances(self.step.part, self.rows, world)
                off[at] = np.where(near[at], distances(self.step.typed, values[at], own), off[at])
        return off

    def by_rule(self, ids: tuple[str, ...]) -> tuple[Array, Array]:
        """(ids,): how far the step is from what each misconception gives, whichever way it is made; and does
        it clearly change the step?"""
        off, acting = self._by_ways(ids)
        return off.min(axis=1), acting

    def strictly_by_rule(self, ids: tuple[str, ...]) -> Array:
        """(ids,): the same, without those other ways that strike what was typed before: that tells more of
        them."""
        off = self._by_ways(ids)[0].copy()
        before = {typed.part.stage for typed in self.step.before}
        for n, id_ in enumerate(ids):
            for k, patch in enumerate(_ways(id_)):
                if k and patch.keys() & before:
                    off[n, k] = np.inf
        nearest: Array = off.min(axis=1)
        return nearest

    def refutes(self, ids: tuple[str, ...]) -> Array:
        """(ids,): would the misconception, whichever way it is made, have made this step another?"""
        off = self._by_ways(ids)[0]
        ways = [off[n, : len(_ways(id_))] for n, id_ in enumerate(ids)]
        return np.array([bool(np.isfinite(way).all() and (way > 1.0).all()) for way in ways], dtype=bool)

    def _by_ways(self, ids: tuple[str, ...]) -> tuple[Array, Array]:
        """(ids, ways): how far the step is from every way of each mistake; (ids,): does any change it? From
        the givens alone, the first way of each is the rival at hand."""
        if ids not in self._found:
            out, acting = np.full((len(ids), MOST_WAYS), np.inf), np.zeros(len(ids), bool)
            if self.is_given:
                out[:, 0], acting[:] = self._from_rivals(ids)
            ways = [
                (n, k, patch)
                for n, id_ in enumerate(ids)
                for k, patch in enumerate(_ways(id_))
                if k or not self.is_given
            ]
            off, acts = self.off([World(patch) for *_, patch in ways])
            for (n, k, _), d, a in zip(ways, off, acts, strict=True):
                if a:
                    out[n, k], acting[n] = d, True
            self._found[ids] = out, acting
        return self._found[ids]

    def _from_rivals(self, ids: tuple[str, ...]) -> tuple[Array, Array]:
        """(ids,): how far the step is from the rival of each, and does that clearly change it?"""
        places = [self.step.ground.ids.index(id_) for id_ in ids]
        values, tells = self.step.ground.rivals(self.step.part)
        acts = np.asarray(tells[places].any(axis=(1, 2)))
        off = distances(self.step.typed, values[1:][places], self.step.window)
        return np.where(acts, off, np.inf), acts


MOST_WAYS = 1 + max(map(len, VARIANTS.values()))


def _ways(id_: str) -> tuple[Mapping[str, Rule], ...]:
    return PATCHES[id_], *VARIANTS.get(id_, ())


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
