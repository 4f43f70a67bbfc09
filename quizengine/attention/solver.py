"""Solve a table of stages, keeping every stage, in one world or in many at once.

A world replaces things: a stage's *rule* (a misconception) or some of a stage's *values*. All worlds are
solved together on a leading axis that a stage grows where it first differs, so what all worlds share is
computed once; so are values that are laid in each of them (what a learner got there).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from quizengine.attention.stage import ONE_HEAD, Array, Rule, Table, Trace, reads
from quizengine.errors import ArrayError

Values = Mapping[str, Array]
_Place = int | slice  # of a world, or of many that are alike


class World(NamedTuple):
    """What is replaced: `rules` of stages, and values of stages, `given` in the shape of the stage, where NaN
    leaves the solver's own. It may be `many` worlds that are alike, on a leading axis of what is replaced."""

    rules: Mapping[str, Rule] = {}
    given: Mapping[str, Array] = {}
    many: int = 1


@dataclass(frozen=True, slots=True)
class Worlds:
    """Every stage of every world; a stage in `grown` has the leading world axis."""

    stages: Trace
    grown: frozenset[str]
    count: int

    def __getitem__(self, world: int) -> Trace:
        """The trace of one world."""
        return {s: a[world] if s in self.grown else a for s, a in self.stages.items()}

    def all(self, stage: str) -> Array:
        """One stage in every world: the world axis first."""
        array = self.stages[stage]
        return array if stage in self.grown else np.broadcast_to(array, (self.count, *array.shape))


def solve(
    inputs: Values,
    rules: Table = ONE_HEAD,
    given: Values | None = None,
    wanted: Collection[str] | None = None,
) -> Trace:
    """Every stage of `rules` on `inputs`, in order, or those that are `wanted` and what these need; `given`
    values overlay the solver's.

    >>> from quizengine.attention.inputs import prepare
    >>> trace = solve(prepare({"Q": [[1, 0]], "K": [[1, 0], [0, 1]], "V": [[2, 0], [0, 4]]}))
    >>> trace["output"].round(3).tolist()
    [[1.34, 1.321]]
    """
    return solve_worlds(inputs, [World()], rules, wanted, given)[0]


def solve_worlds(
    inputs: Values,
    worlds: Sequence[World],
    rules: Table = ONE_HEAD,
    wanted: Collection[str] | None = None,
    laid: Values | None = None,
) -> Worlds:
    """All `worlds` at once; where stages are `wanted`, only what these need. A rule that names its own stage
    gets what the replaced rule gives. The values that are `laid` are those of every world, but for what a
    world is given of the same stage.

    Stages that are among the inputs, or that need what is not there, are not computed.
    Raises ArrayError when a replacing rule changes a stage's shape.
    """
    ruled, given = _changing(worlds)
    places, count = _places(worlds)
    needed = None if wanted is None else _needed(wanted, worlds, rules, ruled)
    values: Trace = dict(inputs)
    stages: Trace = {}
    grown: set[str] = set()
    for stage, rule in rules.items():
        if needed is not None and stage not in needed:
            continue
        if stage in inputs:
            value = inputs[stage]
        elif values.keys() >= {*(names := reads(rule))}:
            value = np.asarray(rule(*[values[name] for name in names]))
            if not grown.isdisjoint(names):
                grown.add(stage)
        else:
            continue
        values[stage] = value  # which a rule in its place may read
        if stage in ruled or stage in given:
            value = np.empty((count, *value.shape[stage in grown :]), value.dtype)
            value[...] = values[stage]
            for w in ruled.get(stage, ()):
                at = places[w]
                value[at] = _replaced(stage, worlds[w].rules[stage], value[at].shape, values, grown, at)
            grown.add(stage)
        if laid and stage in laid:
            value = _overlaid(value, laid[stage])
        for w in given.get(stage, ()):
            value[places[w]] = _overlaid(value[places[w]], worlds[w].given[stage])
        values[stage] = stages[stage] = value
    return Worlds(stages, frozenset(grown), count)


def _places(worlds: Sequence[World]) -> tuple[list[_Place], int]:
    """Where each world stands on the axis, and how many there are in all."""
    places: list[_Place] = []
    end = 0
    for world in worlds:
        start, end = end, end + world.many
        places.append(start if world.many == 1 else slice(start, end))
    return places, end


def _changing(worlds: Sequence[World]) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """The worlds with a rule, and those with values, of their own for a stage, by stage, in order."""
    ruled: dict[str, list[int]] = {}
    given: dict[str, list[int]] = {}
    for w, world in enumerate(worlds):
        for stage in world.rules:
            ruled.setdefault(stage, []).append(w)
        for stage in world.given:
            given.setdefault(stage, []).append(w)
    return ruled, given


def _needed(
    wanted: Collection[str], worlds: Sequence[World], rules: Table, ruled: Mapping[str, list[int]]
) -> set[str]:
    """The wanted stages, and all that they are worked out from in any world."""
    needed = set(wanted)
    for stage in reversed([*rules]):
        if stage in needed:
            own = [worlds[w].rules[stage] for w in ruled.get(stage, ())]
            needed.update(*map(reads, (rules[stage], *own)))
    return needed


def solve_freely(inputs: Values, patch: Mapping[str, Rule], rules: Table, right: Trace) -> Trace:
    """Every stage as a program with this `patch` has it, whatever shapes come of it; `right` is the trace of
    the same inputs by the table's own rules. Raises ArrayError where a rule does not fit the shapes that
    come to it: the program would stop there."""
    values: Trace = dict(inputs)
    trace: Trace = {}
    other: set[str] = set()
    for stage in right:
        value, own, replacing = right[stage], rules[stage], patch.get(stage)
        try:
            if stage not in inputs and other.intersection(reads(own)):
                needed = replacing is None or stage in reads(replacing)
                value = np.asarray(own(*(values[name] for name in reads(own)))) if needed else value
                other.add(stage)
            if replacing is not None:
                known = values | {stage: value}
                value = np.asarray(replacing(**{name: known[name] for name in reads(replacing)}))
                other.add(stage)
        except (ValueError, IndexError):
            raise ArrayError(f"the rule for “{stage}” does not fit the shapes that come to it") from None
        values[stage] = trace[stage] = value
    return trace


def _replaced(
    stage: str, rule: Rule, shape: tuple[int, ...], values: Trace, grown: Collection[str], at: _Place
) -> Array:
    """The stage as this rule has it in a world, or in many that are alike: one for each, or one for all.
    Of the stage itself it reads what it replaces."""
    own = {name: values[name][at] if name in grown else values[name] for name in reads(rule)}
    try:
        value = np.asarray(rule(**own))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in own.items())
        raise ArrayError(f"the rule for “{stage}” does not fit these shapes: {shapes}") from None
    if value.shape != shape and (isinstance(at, int) or value.shape != shape[1:]):
        raise ArrayError(f"a rule for “{stage}” gives shape {value.shape}, not {shape}")
    return value


def _overlaid(value: Array, given: Array) -> Array:
    """The given values over the solver's, where they are numbers."""
    return np.where(np.isnan(given), value, given)
