"""Growth: calls of several lengths, whose time and memory tell an exponent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from quizengine.attention.stage import Array
from quizengine.checking.call import Call, Function, Returned
from quizengine.checking.task import Sizes, Task, arrays

LENGTHS = (64, 256, 1024)
QUICK, SLOW = 0.05, 0.01  # seconds: what is slower is not tried longer, what is quicker tells nothing
TIMES = 3  # the quickest of which counts: whatever else a machine does only adds
STEEP = 2.8  # an exponent beyond is no longer that of n²


class Grown(NamedTuple):
    """A property of growth: whether the exponent is one of attention, and what it is."""

    id: str
    holds: bool
    detail: Mapping[str, str]


def long_call(task: Task, n: int, batch: tuple[int, ...] = ()) -> Call:
    """A call of n queries and n keys."""
    h, g = task.sizes[0][4:]
    made = arrays(task, Sizes(n, n + (task.id == "cache"), 8, 8, h, g), _long, batch)
    if "mask" in task.arguments:
        made["mask"] = np.tri(n, dtype=bool)
    if "real" in task.arguments:
        made["real"] = np.arange(n) < n - 1
    return Call(made)


def _long(_: str, shape: tuple[int, ...]) -> Array:
    numbers: Array = np.sin(np.arange(1.0, np.prod(shape) + 1.0) ** 1.5)
    return numbers.reshape(shape) / 4.0


def growth(function: Function, task: Task, batch: tuple[int, ...] = ()) -> Iterator[Grown]:
    """How time and memory grow with the length, where they can be told: n² is what attention takes."""
    met: list[tuple[int, Returned]] = []
    for n in LENGTHS:
        outcomes = function([long_call(task, n, batch)] * TIMES)
        returned = [outcome for outcome in outcomes if isinstance(outcome, Returned)]
        if len(returned) < TIMES:
            break
        outcome = min(returned, key=lambda one: one.seconds)
        met.append((n, outcome))
        if outcome.seconds > QUICK:
            break
    if len(met) < 2:
        return
    (n, before), (m, after) = met[-2:]
    for id_, one, other, least in (
        ("time", before.seconds, after.seconds, SLOW),
        ("memory", float(before.bytes), float(after.bytes), 1e6),
    ):
        if one > 0 and other > least:
            exponent = float(np.log(other / one) / np.log(m / n))
            yield Grown(id_, exponent <= STEEP, {"exponent": f"{exponent:.1f}"})
