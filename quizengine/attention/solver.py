"""Solve a table of stages, keeping every stage, in one world or in many at once.

A world replaces things: a stage's *rule* (a misconception) or some of a stage's *values* (what a
learner got there). All worlds are solved together on a leading axis that a stage grows where it
first differs, so what all worlds share is computed once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from quizengine.attention.masks import causal
from quizengine.attention.stage import ONE_HEAD, Array, Rule, Table, Trace, reads
from quizengine.errors import ArrayError

Values = Mapping[str, Array]


@dataclass(frozen=True, slots=True)
class World:
    """`rules` replaces rules of stages; `given` replaces values: NaN leaves the solver's own."""

    rules: Mapping[str, Rule] = field(default_factory=dict)
    given: Values = field(default_factory=dict)


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


def solve(inputs: Values, rules: Table = ONE_HEAD, given: Values | None = None) -> Trace:
    """Every stage of `rules` on `inputs`, in order; `given` values overlay the solver's.

    >>> trace = solve(prepare({"Q": [[1, 0]], "K": [[1, 0], [0, 1]], "V": [[2, 0], [0, 4]]}))
    >>> trace["output"].round(3).tolist()
    [[1.34, 1.321]]
    """
    return solve_worlds(inputs, [World(given=given or {})], rules)[0]


def solve_worlds(inputs: Values, worlds: Sequence[World], rules: Table = ONE_HEAD) -> Worlds:
    """All `worlds` at once. A rule that names its own stage gets what the replaced rule gives.

    Stages that are among the inputs, or that need what is not there, are not computed.
    Raises ArrayError when a replacing rule changes a stage's shape.
    """
    values: Trace = dict(inputs)
    stages: Trace = {}
    grown: set[str] = set()
    for stage, rule in rules.items():
        names = reads(rule)
        if stage in inputs:
            value, is_grown = inputs[stage], False
        elif all(name in values for name in names):
            value = np.asarray(rule(*(values[name] for name in names)))
            is_grown = any(name in grown for name in names)
        else:
            continue
        changed = [w for w, world in enumerate(worlds) if stage in world.rules or stage in world.given]
        if changed:
            base = value if is_grown else np.broadcast_to(value, (len(worlds), *value.shape))
            value, is_grown = base.copy(), True
            for w in changed:
                value[w] = _replaced(stage, worlds[w], base[w], values, grown, w)
        if is_grown:
            grown.add(stage)
        values[stage] = stages[stage] = value
    return Worlds(stages, frozenset(grown), len(worlds))


def _replaced(stage: str, world: World, base: Array, values: Trace, grown: set[str], w: int) -> Array:
    """The stage as this world has it: its own rule, then the values given to it."""
    value = base
    if rule := world.rules.get(stage):
        own = {
            name: base if name == stage else values[name][w] if name in grown else values[name]
            for name in reads(rule)
        }
        value = np.asarray(rule(**own))
        if value.shape != base.shape:
            raise ArrayError(f"a rule for “{stage}” gives shape {value.shape}, not {base.shape}")
    if (given := world.given.get(stage)) is not None:
        value = np.where(np.isnan(given), value, given)
    return value


def prepare(arrays: Mapping[str, object]) -> Trace:
    """Check the named arrays of one head and add its dimensions and its mask.

    Takes `Q K V` or `X W_Q W_K W_V` (and `C`, what keys and values are made from, when it is not
    X); `mask` is 0/1 (1 = may attend), or "causal", or absent. Raises ArrayError, one sentence
    that names the array and its shape.
    """
    named = {name: _array(name, value) for name, value in arrays.items() if name != "mask"}
    if "X" in named:
        named.setdefault("C", named["X"])
    _check_products(named)
    q, k, v = (_sides(named, *sides) for sides in (("Q", "X", "W_Q"), ("K", "C", "W_K"), ("V", "C", "W_V")))
    if q[1] != k[1]:
        raise ArrayError(f"queries have {q[1]} features and keys {k[1]}: their product needs the same")
    if k[0] != v[0]:
        raise ArrayError(f"there are {k[0]} keys and {v[0]} values: each key needs its value")
    dims = {"n_q": q[0], "n_k": k[0], "d_k": q[1], "d_v": v[1]}
    named["mask"] = _mask(arrays.get("mask"), q[0], k[0])
    _align_batches(named)
    return named | {name: np.asarray(size) for name, size in dims.items()}


def _align_batches(named: Trace) -> None:
    """Give all but the projections the same batch axes, so that a world axis can stand before them."""
    arrays = {name: array for name, array in named.items() if not name.startswith("W_")}
    try:
        batch = np.broadcast_shapes(*(array.shape[:-2] for array in arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ArrayError(f"the leading axes do not fit together: {shapes}") from None
    for name, array in arrays.items():
        named[name] = np.broadcast_to(array, (*batch, *array.shape[-2:]))


def _array(name: str, value: object) -> Array:
    """`value` as a finite float64 matrix (with batch axes), or a sentence."""
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ArrayError(f"{name} is not a matrix of numbers with rows of equal length") from None
    if array.ndim < 2 or 0 in array.shape:
        raise ArrayError(f"{name} has shape {array.shape}: a matrix of rows and columns is needed")
    if not np.isfinite(array).all():
        raise ArrayError(f"{name} (shape {array.shape}) holds NaN or an infinity")
    return array


def _check_products(named: Trace) -> None:
    for left, right in (("X", "W_Q"), ("C", "W_K"), ("C", "W_V")):
        if left in named and right in named and named[left].shape[-1] != named[right].shape[-2]:
            raise ArrayError(
                f"{left} {named[left].shape} and {right} {named[right].shape} cannot be multiplied:"
                f" {named[left].shape[-1]} columns against {named[right].shape[-2]} rows"
            )


def _sides(named: Trace, whole: str, left: str, right: str) -> tuple[int, int]:
    """Rows and columns of `whole`, or of the product that makes it."""
    if whole in named:
        return named[whole].shape[-2], named[whole].shape[-1]
    if left in named and right in named:
        return named[left].shape[-2], named[right].shape[-1]
    raise ArrayError(f"{whole} is missing: give {whole}, or {left.replace('C', 'X')} and {right}")


def _mask(mask: object, n_q: int, n_k: int) -> Array:
    if mask is None:
        return np.ones((n_q, n_k), dtype=bool)
    if isinstance(mask, str):
        if mask != "causal":
            raise ArrayError(f"mask “{mask}” is not known: give causal, or a matrix of 0 and 1")
        return causal(n_q, n_k)
    array = _array("mask", mask)
    if not np.isin(array, (0.0, 1.0)).all():
        raise ArrayError("mask holds something other than 0 and 1 (1 = may attend)")
    if array.shape[-2:] != (n_q, n_k):
        raise ArrayError(f"mask has shape {array.shape}: the scores are {n_q}×{n_k}")
    hidden = np.flatnonzero(~array.astype(bool).any(axis=-1).reshape(-1))
    if hidden.size:
        raise ArrayError(f"mask (shape {array.shape}) hides every key from query {hidden[0] % n_q + 1}")
    return array.astype(bool)
