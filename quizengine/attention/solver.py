"""Solve a table of stages, keeping every stage, in one world or in many at once.

A world replaces things: a stage's *rule* (a misconception) or some of a stage's *values* (what a
learner got there). All worlds are solved together on a leading axis that a stage grows where it
first differs, so what all worlds share is computed once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from quizengine.attention.stage import ONE_HEAD, Array, Rule, Table, Trace, reads
from quizengine.errors import ArrayError

Values = Mapping[str, Array]


class World(NamedTuple):
    """What is replaced: `rules` of stages, and values of stages, `given` in the shape of the stage, where NaN
    leaves the solver's own."""

    rules: Mapping[str, Rule] = {}
    given: Mapping[str, Array] = {}


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
    return solve_worlds(inputs, [World(given=given or {})], rules, wanted)[0]


def solve_worlds(
    inputs: Values, worlds: Sequence[World], rules: Table = ONE_HEAD, wanted: Collection[str] | None = None
) -> Worlds:
    """All `worlds` at once; where stages are `wanted`, only what these need. A rule that names its own stage
    gets what the replaced rule gives.

    Stages that are among the inputs, or that need what is not there, are not computed.
    Raises ArrayError when a replacing rule changes a stage's shape.
    """
    changing = _changing(worlds)
    needed = None if wanted is None else _needed(wanted, worlds, rules, changing)
    values: Trace = dict(inputs)
    stages: Trace = {}
    grown: set[str] = set()
    for stage, rule in rules.items():
        if needed is not None and stage not in needed:
            continue
        if stage in inputs:
            value, is_grown = inputs[stage], False
        elif values.keys() >= {*(names := reads(rule))}:
            value = np.asarray(rule(*[values[name] for name in names]))
            is_grown = not grown.isdisjoint(names)
        else:
            continue
        if changed := changing.get(stage):
            base, was_grown = value, is_grown
            value, is_grown = np.empty((len(worlds), *base.shape[was_grown:]), base.dtype), True
            value[...] = base
            for w in changed:
                value[w] = _replaced(stage, worlds[w], base[w] if was_grown else base, values, grown, w)
        if is_grown:
            grown.add(stage)
        values[stage] = stages[stage] = value
    return Worlds(stages, frozenset(grown), len(worlds))


def _changing(worlds: Sequence[World]) -> Mapping[str, list[int]]:
    """The worlds that replace a stage, by stage, in order."""
    out: dict[str, list[int]] = {}
    for w, world in enumerate(worlds):
        for stage in {*world.rules, *world.given}:
            out.setdefault(stage, []).append(w)
    return out


def _needed(
    wanted: Collection[str], worlds: Sequence[World], rules: Table, changing: Mapping[str, list[int]]
) -> set[str]:
    """The wanted stages, and all that they are worked out from in any world."""
    needed = set(wanted)
    for stage in reversed([*rules]):
        if stage in needed:
            needed.update(reads(rules[stage]))
            for w in changing.get(stage, ()):
                if own := worlds[w].rules.get(stage):
                    needed.update(reads(own))
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


def _replaced(stage: str, world: World, base: Array, values: Trace, grown: set[str], w: int) -> Array:
    """The stage as this world has it: its own rule, then the values given to it."""
    value = base
    if rule := world.rules.get(stage):
        own = {
            name: base if name == stage else values[name][w] if name in grown else values[name]
            for name in reads(rule)
        }
        try:
            value = np.asarray(rule(**own))
        except ValueError:
            shapes = ", ".join(f"{name} {array.shape}" for name, array in own.items())
            raise ArrayError(f"the rule for “{stage}” does not fit these shapes: {shapes}") from None
        if value.shape != base.shape:
            raise ArrayError(f"a rule for “{stage}” gives shape {value.shape}, not {base.shape}")
    if (given := world.given.get(stage)) is not None:
        value = np.where(np.isnan(given), value, given)
    return value
