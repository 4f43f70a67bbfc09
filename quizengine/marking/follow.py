"""Follow-through: what the later parts should be, given what the learner wrote before."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import numpy as np

from quizengine.attention.patches import PATCHES
from quizengine.attention.solver import World, solve, solve_worlds
from quizengine.attention.stage import Array, Trace
from quizengine.items.close import SEAL
from quizengine.items.policy import Policy
from quizengine.marking.entries import HIDDEN, window
from quizengine.problems.families.family import at_rows, inputs_of, table_of
from quizengine.problems.part import NumericPart
from quizengine.problems.problem import Problem
from quizengine.responses.response import Cells, Number

MOST_WINDOWS = 10


class Solution:
    """A problem solved, with the learner's own values so far laid over the solver's.

    `expect` solves on from them, plainly and under misconceptions, and says how far the rounding
    of what was typed after an error may have moved the result.
    """

    def __init__(self, problem: Problem, policy: Policy):
        self._policy = policy
        self._table = table_of(problem)
        self._inputs = inputs_of(problem)
        self._shapes: Trace = solve(self._inputs, self._table)
        self._given: Trace = {}
        self._half: Trace = {}  # half a unit of the last place typed, where rounding counts

    def right(self, part: NumericPart) -> Array | None:
        """The whole stage of this part as it should be: (rows, columns); None where it has more axes."""
        stage = self._shapes[part.stage]
        return stage if stage.ndim == 2 else None

    def overlaid(self, part: NumericPart, cells: Cells, *, rounded: bool) -> Solution:
        """The same with this part's values, as typed, over the right ones; blank cells stay the solver's. Do
        they stand for numbers that were `rounded`, or for themselves?"""
        over = copy(self)
        given = np.full(self._shapes[part.stage].shape, np.nan)
        values = [
            [np.nan if c is None or c is HIDDEN else float(c.units / SEAL) for c in row] for row in cells
        ]
        if part.rows:
            given[[row - 1 for row in part.rows]] = values
        else:
            given[...] = values[0][0]
        over._given = self._given | {part.stage: given}
        if not rounded or not part.decimals:
            return over
        halves = [[_half(cell, part.decimals) for cell in row] for row in cells]
        moved = np.zeros(given.shape)
        moved[[row - 1 for row in part.rows] if part.rows else ...] = halves if part.rows else halves[0][0]
        over._half = self._half | {part.stage: np.where(np.isnan(given), 0.0, moved)}
        return over

    def expect(self, part: NumericPart, ids: Sequence[str]) -> tuple[Array, Array]:
        """(1 + ids, rows, columns): the plain step and each misconception's; (rows, columns): the
        tolerance in sealed units."""
        base = [World(given=self._given), *(World(PATCHES[id_], self._given) for id_ in ids)]
        moved = [World(given=self._given | {stage: given}) for stage, given in self._moved()]
        with np.errstate(all="ignore"):  # what was typed may be huge, or a negative variance
            worlds = solve_worlds(self._inputs, base + moved, self._table)
            values = at_rows(worlds.all(part.stage), part.rows) * SEAL
        slack = np.abs(values[len(base) :] - values[0]).sum(axis=0) if moved else np.zeros_like(values[0])
        own = float(window(part, self._policy))
        return values[: len(base)], np.minimum(own + slack, MOST_WINDOWS * own)

    def _moved(self) -> list[tuple[str, Array]]:
        """Every typed entry moved by half a unit, one at a time."""
        out = []
        for stage, half in self._half.items():
            for place in zip(*np.nonzero(half), strict=True) if half.ndim else ([()] if half else []):
                given = self._given[stage].copy()
                given[place] += half[place]
                out.append((stage, given))
        return out


def _half(cell: Number | None, asked: int) -> float:
    """Half a unit of the last decimal typed, or of the last one asked where fewer were typed, so that writing
    less never allows for more; nothing for a blank, or what is exact."""
    return 0.0 if cell is None or cell.decimals is None else 0.5 * 10.0 ** -max(cell.decimals, asked)


def gaps(values: Array, cells: Cells) -> Array:
    """How far the cells are from `values` (…, rows, columns), in sealed units: a blank cell is infinitely
    far, one that was masked early is near."""
    typed = np.array([[np.nan if c is None else float(c.units) for c in row] for row in cells])
    off: Array = np.abs(values - typed)
    off[np.isnan(off)] = np.inf
    off[..., np.array([[cell is HIDDEN for cell in row] for row in cells])] = 0.0
    return off


def distances(cells: Cells, expected: Array, tolerance: Array) -> Array:
    """How far the cells are from each of the expected (worlds, rows, columns), in tolerances:
    (worlds, rows, columns), at most 1 is a match. With no tolerance only equality is near."""
    off = gaps(expected, cells)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Array = np.where(off == 0.0, 0.0, off / np.broadcast_to(tolerance, off.shape))
    return ratio
