"""The smallest counterexample: few and whole numbers on which a function does not give what is right."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

import numpy as np

from quizengine.attention.stage import Array
from quizengine.checking.call import Function, Outcome, Raised, Returned
from quizengine.checking.probe import Probe, counted, probe, solved
from quizengine.checking.task import Arguments, Fill, Task, result
from quizengine.lang.json import Json

DRAWS = 6  # of each size and mask
ROUNDS = 24  # of making smaller, an entry a round
SEEN, LEAST = 0.0051, 1e-5  # what differs by less looks the same to two decimals, or is no matter


class Counterexample(NamedTuple):
    """What the function was given, what it gave (an exception: nothing), what is right, and the first entry
    (row, column, from 1; of the last two axes) that differs."""

    given: Arguments
    yours: Array | Raised
    right: Array
    first: tuple[int, int] | None

    def to_json(self) -> dict[str, Json]:
        """As the machine interface shows it: NaN and infinities as text, masks as 0 and 1."""
        yours = self.yours
        told: Json = f"{yours.kind}: {yours.message}" if isinstance(yours, Raised) else plain(yours.tolist())
        out: dict[str, Json] = {
            "given": {
                n: plain(a.tolist()) if isinstance(a, np.ndarray) else a for n, a in self.given.items()
            },
            "yours": told,
            "right": plain(self.right.tolist()),
        }
        return out | ({"first": list(self.first)} if self.first else {})


def plain(value: object) -> Json:
    """Nested lists as JSON writes them."""
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return value if isinstance(value, (int, float, str)) else str(value)


def smallest(function: Function, task: Task, batch: tuple[int, ...] = ()) -> Counterexample | None:
    """The smallest of the small calls on which the function gives wrong numbers, made smaller entry by entry;
    where it gives none, the smallest at which it stops."""
    tried = list(_small(task, batch))
    outcomes = function([one.call for one in tried])
    wrong, least = next(
        (
            (n, least)
            for least, crashes in ((SEEN, False), (LEAST, False), (LEAST, True))
            for n, one in enumerate(tried)
            if _is_wrong(one, outcomes[n], least, crashes=crashes)
        ),
        (None, SEEN),
    )
    if wrong is None:
        return None
    found, outcome = tried[wrong], outcomes[wrong]
    for _ in range(ROUNDS):
        smaller = list(_smaller(found))
        outcomes = function([one.call for one in smaller]) if smaller else []
        better = next(
            (
                (one, made)
                for one, made in zip(smaller, outcomes, strict=True)
                if isinstance(made, type(outcome)) and _is_wrong(one, made, least, crashes=True)
            ),
            None,
        )
        if better is None:
            break
        found, outcome = better
    return _shown(found, outcome, least)


def _small(task: Task, batch: tuple[int, ...]) -> Iterator[Probe]:
    """Small probes of whole numbers, the smaller sizes first."""
    seeds = count(1)
    for sizes in task.small:
        for _ in range(DRAWS):
            for mask in task.masks:
                if mask != "causal" or sizes.n_q == sizes.n_k:
                    yield probe(task, mask, sizes, _whole(next(seeds)), batch)


def _whole(seed: int) -> Fill:
    """Whole numbers from 0 to 3, with no 0 in what is small; projections hold 0 and 1."""

    def numbers(name: str, k: Array) -> Array:
        most = 2 if name.startswith("W_") else 4
        whole: Array = (k * k * 7 + k * 3 + k // 5) % 11 % most
        return whole.astype(float)

    return counted(101 * seed, numbers)


def _smaller(found: Probe) -> Iterator[Probe]:
    """The same probe with one entry nearer to 0: 0, or else 1."""
    for name, array in found.arguments.items():
        if not isinstance(array, np.ndarray) or array.dtype == bool:
            continue
        for place in zip(*np.nonzero(array), strict=True):
            for less in (0.0, 1.0):
                if abs(array[place]) > less:
                    other = array.copy()
                    other[place] = less
                    yield solved(found.task, found.mask, found.sizes, {**found.arguments, name: other})


def _is_wrong(one: Probe, outcome: Outcome, least: float, *, crashes: bool) -> bool:
    if isinstance(outcome, Raised):
        return crashes
    if not isinstance(outcome, Returned):
        return False
    array = result(one.task, outcome)
    if array is None:
        return False
    if array.shape != one.result.shape:
        return crashes
    return not bool((np.abs(array.astype(float) - one.result) <= least).all())


def _shown(found: Probe, outcome: Outcome, least: float) -> Counterexample | None:
    if isinstance(outcome, Raised):
        return Counterexample(found.arguments, outcome, found.result, None)
    if not isinstance(outcome, Returned) or (yours := result(found.task, outcome)) is None:
        return None
    first = None
    if yours.shape == found.result.shape:
        off = np.argwhere(~(np.abs(yours.astype(float) - found.result) <= least))[0]
        first = (int(off[-2]) + 1, int(off[-1]) + 1)
    return Counterexample(found.arguments, yours, found.result, first)
