"""Naming: the misconceptions whose results a function gives on every probe, one or two at once.

No name is false: it says that the function and a program with this mistake agree wherever they were tried,
by numbers that differ from the right ones, and that both stop where one of them does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from quizengine.attention.patches import PATCHES, applies
from quizengine.attention.solution import HIDDEN
from quizengine.attention.solver import World, solve_worlds
from quizengine.attention.stage import Array, Trace
from quizengine.checking.call import Outcome, Raised, Returned
from quizengine.checking.probe import Probe
from quizengine.checking.task import Task, result
from quizengine.checking.ways import Patch, ways_of
from quizengine.errors import ArrayError
from quizengine.items.catalogue import Catalogue
from quizengine.marking.worlds import pair

EXACT = 1e-8  # by which two ways of computing the same in double precision differ at most
SINGLE = 2e-6  # and where some of it was done in single precision
OF_BYTES = {2: 1e-2, 4: 2e-5}  # floats of fewer bytes
MOST_PAIRS = 3  # more than that say nothing

Met = tuple[Probe, Outcome]
"""A probe, and what came of it."""

PREMISES = {
    "single": {"dot", "masked", "causal"},
    "causal": {"dot", "masked", "causal"},
    "padding": {"dot", "masked"},
    "cross": {"dot", "masked", "sources", "two-sources"},
    "multi-head": {"dot", "masked", "causal", "sources", "heads", "ungrouped", "square-output"},
    "grouped": {"dot", "masked", "causal", "sources", "heads", "grouped", "square-output"},
    "additive": {"additive", "masked"},
    "averaging": {"averaging", "masked", "causal"},
    "cache": {"dot", "masked", "causal"},
}
SHAPES = {"same-length", "same-width", "cross", "square", "square-projection"}
"""Premises of shapes are met by some probes; on the others a program with the mistake stops or goes wrong."""


class Naming(NamedTuple):
    """The misconceptions that agree with a function on all probes, or else pairs; the stage in which their
    numbers first differ from the right ones (empty: in no single one)."""

    ids: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    stage: str = ""


def close(array: Array | None, right: Array, tolerance: float) -> bool:
    """Are these finite numbers those, by a tolerance beside the largest of them?"""
    if array is None or array.shape != right.shape:
        return False
    numbers = array.astype(np.float64)
    return bool(np.isfinite(numbers).all() and (np.abs(numbers - right) <= tolerance * _size(right)).all())


def _size(right: Array) -> float:
    return 1.0 + float(np.abs(right).max(initial=0.0))


def tolerance_of(array: Array) -> float:
    """By which numbers of this type may differ from the same worked out otherwise."""
    return OF_BYTES.get(array.dtype.itemsize, EXACT) if array.dtype.kind == "f" else EXACT


def is_right(probe: Probe, outcome: Outcome) -> bool:
    """Is this the right result, by the precision of its numbers (or by that of single precision, in which
    a part may have been worked out)?"""
    array = result(probe.task, outcome) if isinstance(outcome, Returned) else None
    return array is not None and close(array, probe.result, max(SINGLE, tolerance_of(array)))


def naming(task: Task, probes: Sequence[Probe], outcomes: Sequence[Outcome], catalogue: Catalogue) -> Naming:
    """What gives these outcomes, which are not right. Nothing where numbers are of half precision."""
    met = list(zip(probes, outcomes, strict=True))
    met.sort(key=lambda both: both[0].mask == "none")  # a mask tells more, and what tells most comes first
    known = {*probes[0].inputs, *probes[0].right}
    ids = candidates(task, probes[0], catalogue)
    every = [(i, way) for i in ids for way in ways_of(i, PATCHES[i]) if applies(way, task.table, known)]
    fitting = [(id_, way) for id_, way in every if gives(way, met)]
    if fitting:
        fitting = _by_weights(fitting, met)
        names = tuple(dict.fromkeys(id_ for id_, _ in fitting))
        return Naming(names, stage=_first_stage([way for _, way in fitting], probes))
    found = [(both, patch) for both, patch in _pairs(ids, met) if gives(patch, met)]
    if not 0 < len(found) <= MOST_PAIRS:
        return Naming()
    return Naming(
        pairs=tuple(both for both, _ in found), stage=_first_stage([patch for _, patch in found], probes)
    )


def candidates(task: Task, probe: Probe, catalogue: Catalogue) -> list[str]:
    """The misconceptions of the catalogue that can be made in a task."""
    known, premises = {*probe.inputs, *probe.right}, PREMISES[task.id] | SHAPES
    return [
        id_
        for id_, patch in PATCHES.items()
        if id_ in catalogue
        and set(catalogue[id_].premise) <= premises
        and any(applies(way, task.table, known) for way in ways_of(id_, patch))
    ]


def _pairs(ids: Sequence[str], met: Sequence[Met]) -> list[tuple[tuple[str, str], Patch]]:
    """The pairs of misconceptions that give what the function gave on one probe, of the sizes that most rules
    fit: all pairs are solved there at once."""
    shown = [(p, array) for p, o in met if (array := _numbers(p, o)) is not None and not is_right(p, o)]
    shown = [(p, array) for p, array in shown if array.shape == p.result.shape]
    if not shown:
        return []
    probe, array = min(shown, key=lambda one: len(set(one[0].sizes[:4])))
    table, known = probe.task.table, {*probe.inputs, *probe.right}
    fitting = [i for i in ids if applies(PATCHES[i], table, known) and _keeps_shapes(PATCHES[i], probe)]
    both = [(two, patch) for two in combinations(fitting, 2) if (patch := pair(*(PATCHES[i] for i in two)))]
    if not both:
        return []
    try:
        with np.errstate(all="ignore"):
            worlds = solve_worlds(probe.inputs, [World(patch) for _, patch in both], table)
    except ArrayError:
        return both
    predicted = worlds.all(probe.task.result)
    blind: Array = np.zeros(predicted.shape[:-1], dtype=bool)
    if "masked" in worlds.stages:
        blind = np.asarray((~np.isfinite(worlds.all("masked"))).all(axis=-1))
    while blind.ndim > predicted.ndim - 1:  # of heads: a query that one of them leaves blind
        blind = np.asarray(blind.any(axis=-2))
    off = np.abs(predicted - array) > tolerance_of(array) * _size(probe.result) * 10
    fits = (~off | blind[..., None]).reshape(len(both), -1).all(axis=-1)
    return [both[w] for w in np.flatnonzero(fits)]


def _keeps_shapes(patch: Patch, probe: Probe) -> bool:
    trace = probe.by(patch)
    return trace is not None and all(trace[s].shape == probe.right[s].shape for s in probe.right)


def gives(patch: Patch, met: Sequence[Met]) -> bool:
    """Does a program with this patch give all these outcomes, and by numbers that are not the right ones?

    Rows in which it hides every key say nothing: any program has its own way with them. They may be half
    of all at most."""
    compared = blind = told = 0
    for probe, outcome in met:
        trace = probe.by(patch)
        if trace is None or (predicted := trace[probe.task.result]).shape != probe.result.shape:
            if not stops(probe, outcome, trace):
                return False
            continue
        returned = _numbers(probe, outcome)
        if returned is None or returned.shape != predicted.shape:
            return False
        seen = _seeing(trace, probe)
        if probe.mask == "none" and not seen.any():
            if not _unmasked(probe, returned):
                return False
            continue
        blind += int((~seen).sum())
        compared += int(seen.sum())
        tolerance = tolerance_of(returned)
        if seen.any() and not close(returned[..., seen, :], predicted[..., seen, :], tolerance):
            return False
        told += bool(seen.any()) and not close(
            predicted[..., seen, :], probe.result[..., seen, :], 100 * tolerance
        )
    return bool(told and blind <= compared)


def _unmasked(probe: Probe, returned: Array) -> bool:
    """Is this what may come of hiding every key where no mask is given: no mask at all, equal weights, or no
    number?"""
    equal = probe.by(PATCHES["plain-average"])
    rivals = [probe.result, *([] if equal is None else [equal[probe.task.result]])]
    tolerance = tolerance_of(returned)
    return not np.isfinite(returned).any() or any(close(returned, one, tolerance) for one in rivals)


def stops(probe: Probe, outcome: Outcome, trace: Trace | None) -> bool:
    """Does a function stop, or return what has not the right shape, as it should by this trace?"""
    if isinstance(outcome, Raised):
        return True
    array = _numbers(probe, outcome)
    if array is None or array.shape == probe.result.shape:
        return False
    return trace is None or close(array, trace[probe.task.result], tolerance_of(array))


def _numbers(probe: Probe, outcome: Outcome) -> Array | None:
    """The numbers of a result, of a precision that tells misconceptions apart."""
    array = result(probe.task, outcome) if isinstance(outcome, Returned) else None
    return None if array is None or array.dtype == np.float16 else array


def _seeing(trace: Trace, probe: Probe) -> Array:
    """The queries (n_q,) that see some key in this trace, in every head and batch."""
    weights = trace.get("masked", trace["weights"])
    many = probe.result.shape[-2]
    if weights.shape[-2] != many:
        return np.ones(many, dtype=bool)
    if "masked" in trace:
        weights = np.asarray(np.isfinite(weights))
    return np.asarray(weights.astype(bool).any(axis=-1).reshape(-1, many).all(axis=0))


def _by_weights(fitting: list[tuple[str, Patch]], met: Sequence[Met]) -> list[tuple[str, Patch]]:
    """Those of the ways whose weights are the returned ones too, where some are."""

    def agrees(patch: Patch) -> bool:
        for probe, outcome in met:
            returned = outcome.stages.get("weights") if isinstance(outcome, Returned) else None
            trace = probe.by(patch) if returned is not None else None
            if returned is not None and trace is not None:
                weights = np.asarray(returned)
                seen = _seeing(trace, probe)
                if weights.shape != trace["weights"].shape or weights.shape[-2] != seen.size:
                    return False
                one, other = (array[..., seen, :] for array in (weights, trace["weights"]))
                if not close(one, other, tolerance_of(weights)):
                    return False
        return True

    return [both for both in fitting if agrees(both[1])] or fitting


def _first_stage(patches: Sequence[Patch], probes: Sequence[Probe]) -> str:
    """The stage in which all these patches first differ from the right numbers."""
    stages = set()
    for patch in patches:
        traces: list[tuple[Probe, Mapping[str, Array]]] = [
            (probe, trace) for probe in probes if (trace := probe.by(patch)) is not None
        ]
        differing = (
            stage
            for stage in probes[0].right
            if stage not in HIDDEN
            and any(not _same(trace[stage], probe.right[stage]) for probe, trace in traces)
        )
        stages.add(next(differing, ""))
    return stages.pop() if len(stages) == 1 else ""


def _same(array: Array, right: Array) -> bool:
    return array.shape == right.shape and bool(np.allclose(array, right, rtol=EXACT, atol=EXACT))
