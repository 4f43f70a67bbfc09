"""The measure of a false name: function and program with this mistake, on inputs that no probe had."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from quizengine.attention.patches import PATCHES
from quizengine.checking.name import gives
from quizengine.checking.probe import Probe, probe, solved
from quizengine.checking.task import Sizes, Task
from quizengine.checking.ways import Patch, ways_of
from quizengine.marking.worlds import pair

from .conftest import as_function

OTHER_SIZES = {
    "level": (Sizes(7, 7, 5, 2), Sizes(6, 6, 6, 6), Sizes(3, 3, 2, 2), Sizes(5, 5, 5, 3)),
    "apart": (Sizes(4, 7, 5, 3), Sizes(6, 6, 5, 5), Sizes(5, 3, 3, 2), Sizes(5, 5, 5, 5)),
    "past": (Sizes(3, 7, 5, 2), Sizes(4, 6, 6, 6), Sizes(2, 3, 2, 2)),
    "multi-head": (Sizes(7, 7, 2, 2, 3, 3), Sizes(8, 8, 4, 4, 2, 2), Sizes(4, 4, 5, 5, 2, 2)),
    "grouped": (Sizes(7, 7, 2, 2, 8, 4), Sizes(8, 8, 4, 4, 6, 2), Sizes(4, 4, 5, 5, 4, 2)),
}
KIND = {
    "causal": "level",
    "averaging": "level",
    "cache": "past",
    "multi-head": "multi-head",
    "grouped": "grouped",
}


def held_out(task: Task, batch: tuple[int, ...]) -> list[Probe]:
    """Probes of random numbers in other sizes, with random masks."""
    random = np.random.default_rng(2026)

    def fill(name: str, shape: tuple[int, ...]) -> Any:
        return random.normal(size=shape) / (np.sqrt(shape[0]) if name.startswith("W_") else 1.0)

    made = []
    for sizes in OTHER_SIZES[KIND.get(task.id, "apart")]:
        for mask in task.masks:
            if mask != "causal" or sizes.n_q == sizes.n_k:
                one = probe(task, mask, sizes, fill, batch)
                if mask == "free":
                    keep = random.random((sizes.n_q, sizes.n_k)) < 0.6
                    keep[np.arange(sizes.n_q), random.integers(sizes.n_k, size=sizes.n_q)] = False
                    keep[np.arange(sizes.n_q), random.integers(sizes.n_k, size=sizes.n_q)] = True
                    one = solved(task, mask, sizes, {**one.arguments, "mask": keep})
                made.append(one)
    return made


def is_true(
    task: Task, function: Callable[..., Any], patches: Sequence[Patch], batch: tuple[int, ...]
) -> bool:
    """Does one of these patches give what the function gives on all that was held out?"""
    probes = held_out(task, batch)
    outcomes = as_function(function)([one.call for one in probes])
    return any(gives(patch, list(zip(probes, outcomes, strict=True))) for patch in patches)


def patches_of(ids: Sequence[str]) -> Sequence[Patch]:
    """The ways of one misconception, or both of two at once."""
    if len(ids) == 1:
        return ways_of(ids[0], PATCHES[ids[0]])
    both = pair(PATCHES[ids[0]], PATCHES[ids[1]])
    return [both] if both else []
