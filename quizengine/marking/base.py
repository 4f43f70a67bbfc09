"""A base: the values that a step may be worked on from, and how far it is from what follows from them,
rightly or by a mistake."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from quizengine.attention.patches import PATCHES, ROUTES, VARIANTS
from quizengine.attention.solver import World
from quizengine.attention.stage import Array, Rule, Trace, reads
from quizengine.marking.follow import MOST_WINDOWS, Solution, distances

if TYPE_CHECKING:
    from quizengine.marking.step import Step, Typed


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

    @property
    def plain(self) -> Array:
        """What follows, by the table's own rule and by another right one where there is one: (1 or 2, rows,
        columns), in sealed units."""
        return self._solved[0]

    @cached_property
    def _solved(self) -> tuple[Array, Array]:
        """What follows, and what the mistakes found before make of it, where they are seen in the step: both
        are asked of every step after a mistake, and sooner had at once."""
        route = ROUTES.get(self.step.part.stage)
        known = {*self.solution.inputs, *self.solution.table}
        other = [World({self.step.part.stage: route})] if route and known >= set(reads(route)) else []
        before = [world for _, _, world in self._ways_of(self.step.known) if self._is_seen(world)]
        values = self.values([World(), *other, *before])
        return values[: 1 + len(other)], values[1 + len(other) :]

    def follows(self, tolerance: Array | float) -> bool:
        """Is the step what follows?"""
        return bool((distances(self.step.typed, self.plain, tolerance) <= 1.0).any())

    def trace_in(self, world: World) -> Trace:
        """Every stage that follows in a world."""
        return self.solution.solved([world])[0]

    def values(self, worlds: Sequence[World]) -> Array:
        """What the step should be in every world: (worlds, rows, columns), in sealed units."""
        return self.solution.values(self.step.part, self.rows, worlds)

    def off(self, worlds: Sequence[World], values: Array | None = None) -> tuple[Array, Array]:
        """How far the step is from every world, in tolerances, and whether the world clearly changes it:
        (worlds,). Each world has a tolerance of its own: what comes near is measured again. What a world
        replaces after the step is not seen in it; the `values` of the others may be at hand."""
        seen = list(map(self._is_seen, worlds))
        places = np.repeat(np.array(seen, bool), [world.many for world in worlds])
        off, acts = np.full(len(places), np.inf), np.zeros(len(places), bool)
        if places.any():
            looked_at = list(compress(worlds, seen))
            values = self.values(looked_at) if values is None else values
            acts[places] = (np.abs(values - self.plain[:1]) > 2 * self.step.window).any(axis=(1, 2))
            off[places] = self._measured(looked_at, values)
        return off, acts

    def _is_seen(self, world: World) -> bool:
        """Does it replace the step, or what is before it?"""
        return not self.step.stages.isdisjoint(world.rules)

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
            ways = self._ways_of(ids)
            at_hand = self._solved[1] if ids == self.step.known else None
            off, acts = self.off([world for *_, world in ways], at_hand)
            for (n, k, _), d, a in zip(ways, off, acts, strict=True):
                if a:
                    out[n, k], acting[n] = d, True
            self._found[ids] = out, acting
        return self._found[ids]

    def _ways_of(self, ids: tuple[str, ...]) -> list[tuple[int, int, World]]:
        """(place, way, world): every way of each mistake that is not at hand."""
        return [
            (n, k, World(patch))
            for n, id_ in enumerate(ids)
            for k, patch in enumerate(_ways(id_))
            if k or not self.is_given
        ]

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
