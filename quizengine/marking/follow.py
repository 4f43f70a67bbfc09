"""Follow-through: what the later parts should be, given what the learner wrote before."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import copy

import numpy as np

from quizengine.attention.solver import World, Worlds, solve, solve_worlds
from quizengine.attention.stage import Array, Trace
from quizengine.items.close import SEAL
from quizengine.items.policy import Policy
from quizengine.marking.entries import HIDDEN, window
from quizengine.problems.families.family import at_rows, inputs_of, table_of
from quizengine.problems.part import NumericPart
from quizengine.problems.problem import Problem
from quizengine.responses.response import Cells

MOST_WINDOWS = 10


class Solution:
    """A problem solved, with the learner's own values so far laid over the solver's.

    `values` solves on from them in other worlds; `slack` is how far the rounding of what was laid may
    have moved the result.
    """

    def __init__(self, problem: Problem, policy: Policy):
        self.table, self.inputs = table_of(problem), inputs_of(problem)
        self.right: Trace = solve(self.inputs, self.table)
        self.laid: Mapping[str, Array] = {}  # the stage, NaN where it is the solver's own
        self._policy = policy
        self._half: Mapping[str, Array] = {}  # half a unit of the asked place, where rounding counts

    def overlaid(self, part: NumericPart, cells: Cells, rows: tuple[int, ...], *, rounded: bool) -> Solution:
        """The same with a part's values, as typed, in these rows; blank cells stay the solver's. Do the
        values stand for numbers that were `rounded`, or for themselves?"""
        over = copy(self)
        values = [
            [np.nan if c is None or c is HIDDEN else float(c.units / SEAL) for c in row] for row in cells
        ]
        given = np.full(self.right[part.stage].shape, np.nan)
        if rows:
            given[[row - 1 for row in rows]] = values
        else:
            given[...] = values[0][0]
        over.laid = {**self.laid, part.stage: given}
        if rounded and part.decimals:
            half = np.where(np.isnan(given), 0.0, 0.5 * 10.0**-part.decimals)
            over._half = {**self._half, part.stage: half}
        return over

    def values(self, part: NumericPart, rows: tuple[int, ...], worlds: Sequence[World]) -> Array:
        """What this part is in every world, at these rows: (worlds, rows, columns), in sealed units."""
        with np.errstate(all="ignore"):
            found: Array = at_rows(self.solved(worlds, (part.stage,)).all(part.stage), rows) * SEAL
        return found

    def solved(self, worlds: Sequence[World], wanted: Collection[str] | None = None) -> Worlds:
        """Every stage in every world, or what the wanted ones need, with what was laid in each."""
        with np.errstate(all="ignore"):  # what was typed may be huge, or a negative variance
            return solve_worlds(self.inputs, worlds, self.table, wanted, self.laid)

    def tolerance(self, part: NumericPart, rows: tuple[int, ...]) -> Array:
        """How far from what follows counts as right: (rows, columns), in sealed units."""
        within: Array = self.tolerances(part, rows, World())[0]
        return within

    def tolerances(self, part: NumericPart, rows: tuple[int, ...], world: World) -> Array:
        """How far from what follows in a world, or in each of many, counts as right: (worlds, rows, columns),
        in sealed units."""
        own, shape = float(window(part, self._policy)), (world.many, len(part.key), len(part.key[0]))
        if not self._half:
            return np.full(shape, own)
        tried = [world]
        for stage, half in self._half.items():
            given = self._moved(stage, half)
            if world.many == 1 < len(given):
                tried.append(World(world.rules, {**world.given, stage: given}, len(given)))
            else:
                tried += [world._replace(given={**world.given, stage: one}) for one in given]
        values = self.values(part, rows, tried).reshape(-1, *shape)
        within: Array = np.minimum(own + np.abs(values[1:] - values[0]).sum(axis=0), MOST_WINDOWS * own)
        return within

    def _moved(self, stage: str, half: Array) -> Array:
        """What was laid of a stage with every entry that was rounded moved by half a unit, one at a time."""
        one_at_a_time = np.eye(half.size).reshape(-1, *half.shape) * half
        moved: Array = self.laid[stage] + one_at_a_time[half.ravel() != 0]
        return moved


def as_floats(cells: Cells) -> list[list[float]]:
    """(rows, columns) of sealed units: −∞ was masked early, NaN is left blank."""
    return [
        [-np.inf if cell is HIDDEN else np.nan if cell is None else float(cell.units) for cell in row]
        for row in cells
    ]


def gaps(values: Array, typed: Array) -> Array:
    """How far what was `typed` is from `values` (…, rows, columns), in sealed units: a blank cell is
    infinitely far, one that was masked early is near."""
    with np.errstate(invalid="ignore"):  # −∞ less −∞, of a score that is masked early
        off: Array = np.abs(values - typed)
    off[np.isnan(off)] = np.inf
    off[..., np.isneginf(typed)] = 0.0
    return off


def distances(typed: Array, expected: Array, tolerance: Array | float) -> Array:
    """How far what was typed is from each of the expected (worlds, rows, columns), in tolerances, the
    furthest entry counting: (worlds,), at most 1 is a match. With no tolerance only equality is near."""
    off = gaps(expected, typed)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Array = np.where(off == 0.0, 0.0, off / np.broadcast_to(tolerance, off.shape))
    furthest: Array = ratio.max(axis=(1, 2))
    return furthest
