"""Probes: calls whose right results tell one way of computing attention from every other.

Sizes differ from each other in some and are equal in others, masks hide and show in every row and column,
and the numbers have nothing in common.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import NamedTuple

import numpy as np

from quizengine.attention.solver import solve, solve_freely
from quizengine.attention.stage import Array, Rule, Trace
from quizengine.checking.call import Argument, Call
from quizengine.checking.task import Arguments, Fill, Sizes, Task, arrays, inputs_of
from quizengine.errors import ArrayError


class Probe(NamedTuple):
    """A call of a task, the kind of mask that it bears, what the solver reads, and every right stage."""

    task: Task
    sizes: Sizes
    mask: str
    arguments: Arguments
    inputs: Trace
    right: Trace

    @property
    def call(self) -> Call:
        """The arguments, for the function to keep or to spoil."""
        copies = {n: a.copy() if isinstance(a, np.ndarray) else a for n, a in self.arguments.items()}
        return Call(copies)

    @property
    def result(self) -> Array:
        """What the function should return."""
        return self.right[self.task.result]

    def by(self, patch: Mapping[str, Rule]) -> Trace | None:
        """Every stage as a program with this patch has it; None: it stops with an error here. Where no mask
        is given, a program has none to fit to its scores."""
        with np.errstate(all="ignore"):
            try:
                return solve_freely(self.inputs, patch, self.task.table, self.right)
            except ArrayError:
                if self.mask != "none" or "bias" not in self.inputs:
                    return None
            unmasked = {"mask": np.ones((1, 1), dtype=bool), "bias": np.zeros((1, 1))}
            try:
                right = self.right | {"keep": unmasked["mask"]}
                return solve_freely({**self.inputs, **unmasked}, patch, self.task.table, right)
            except ArrayError:
                return None


def probe(task: Task, mask: str, sizes: Sizes, fill: Fill, batch: tuple[int, ...] = ()) -> Probe:
    """The probe of these sizes with this kind of mask."""
    arguments = arrays(task, sizes, fill, batch)
    if "mask" in task.arguments:
        arguments["mask"] = None if mask == "none" else mask_of(mask, sizes)
    if "real" in task.arguments:
        arguments["real"] = real_of(sizes)
    return solved(task, mask, sizes, arguments)


def solved(task: Task, mask: str, sizes: Sizes, arguments: Mapping[str, Argument]) -> Probe:
    """The probe of these arguments."""
    inputs = inputs_of(task, arguments)
    return Probe(task, sizes, mask, arguments, inputs, solve(inputs, task.table))


def probes(task: Task, batch: tuple[int, ...] = ()) -> list[Probe]:
    """All probes of a task: every kind of mask at every size that can bear it."""
    seeds = count()
    return [
        probe(task, mask, sizes, generic(next(seeds)), batch)
        for sizes in task.sizes
        for mask in task.masks
        if mask != "causal" or sizes.n_q == sizes.n_k
    ]


def generic(seed: int) -> Fill:
    """Numbers between −1.5 and 1.5 that no simple relation ties to each other; projections keep the size of
    what they project."""

    def numbers(name: str, k: Array) -> Array:
        drawn: Array = 1.5 * np.sin(1.2345 * k * k + 0.777 * k)
        return drawn / (np.sqrt(k.shape[0]) if name.startswith("W_") else 1.0)

    return counted(1009.0 * seed, numbers)


def counted(start: float, numbers: Callable[[str, Array], Array]) -> Fill:
    """Arrays out of one count that goes on from `start`: `numbers` makes of an array's name, and of its
    places in the count, what stands there."""
    reached = start

    def fill(name: str, shape: tuple[int, ...]) -> Array:
        nonlocal reached
        size = int(np.prod(shape))
        places = reached + np.arange(1, size + 1)
        reached += size
        return numbers(name, places.reshape(shape))

    return fill


def mask_of(kind: str, sizes: Sizes) -> Array:
    """A mask (n_q, n_k): causal, or free, which hides one key or two from each query and each key from some
    query, as far as there are so many."""
    n_q, n_k = sizes[:2]
    if kind == "causal":
        return np.tri(n_q, n_k, dtype=bool)
    i, j = np.ogrid[:n_q, :n_k]
    hidden: Array = (j - 2 * i) % n_k == 1
    if n_k > 3:
        hidden = hidden | ((j + i) % n_k == n_k - 1)
    return ~hidden if n_k > 1 else np.ones((n_q, n_k), dtype=bool)


def real_of(sizes: Sizes) -> Array:
    """Which keys (n_k,) are real: the last one or two only fill up the length."""
    return np.arange(sizes.n_k) < max(1, sizes.n_k - 1 - (sizes.n_k > 4))
