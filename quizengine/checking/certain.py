"""What is certain of a wrong function that no mistake of the catalogue explains."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from quizengine.attention.patches import applies
from quizengine.attention.solution import Solution
from quizengine.attention.stage import Array
from quizengine.checking.call import Function, Outcome, Raised, Returned
from quizengine.checking.name import gives, is_right
from quizengine.checking.probe import Probe
from quizengine.checking.property import with_units
from quizengine.checking.task import given_of, result
from quizengine.checking.ways import UNLISTED
from quizengine.marking.account import observed
from quizengine.marking.mark import Reason

NEAR = 0.01
ALIKE = ("seen.shifted", "seen.multiple")  # their values must be the same on every probe


def certain(function: Function, probes: Sequence[Probe], outcomes: Sequence[Outcome]) -> tuple[Reason, ...]:
    """What it is equal to on all probes, though the catalogue does not list it; else for which masks it is
    right, where it stops, and what all its wrong results have in common."""
    met = list(zip(probes, outcomes, strict=True))
    known = {*probes[0].inputs, *probes[0].right}
    for code, (argument, patch) in UNLISTED.items():
        named = not argument or argument in probes[0].arguments
        if named and applies(patch, probes[0].task.table, known) and gives(patch, met):
            return (Reason(code),)
    return (*_masks(met), *_stops(met), *_not_finite(met), *_near(met), *_common(function, met))


def _masks(met: Sequence[tuple[Probe, Outcome]]) -> list[Reason]:
    """It is right with one kind of mask always, and with another not."""
    kinds = dict.fromkeys(probe.mask for probe, _ in met)
    right = [kind for kind in kinds if all(is_right(p, o) for p, o in met if p.mask == kind)]
    return [Reason("right-with", {"mask": kind}) for kind in right]


def _stops(met: Sequence[tuple[Probe, Outcome]]) -> list[Reason]:
    stopped = [probe for probe, outcome in met if isinstance(outcome, Raised)]
    if not stopped:
        return []
    sizes = stopped[0].sizes
    sized = f"n_q = {sizes.n_q}, n_k = {sizes.n_k}, d_k = {sizes.d_k}, d_v = {sizes.d_v}"
    return [Reason("stops", {"count": len(stopped), "of": len(met), "sizes": sized})]


def _not_finite(met: Sequence[tuple[Probe, Outcome]]) -> list[Reason]:
    for probe, outcome in met:
        array = result(probe.task, outcome) if isinstance(outcome, Returned) else None
        if array is not None and array.ndim > 1 and (bad := np.argwhere(~np.isfinite(array))).size:
            return [Reason("not-finite", {"row": int(bad[0][-2]) + 1, "mask": probe.mask})]
    return []


def _near(met: Sequence[tuple[Probe, Outcome]]) -> list[Reason]:
    """All results are nearly right."""
    arrays = [(probe, _returned(probe, outcome)) for probe, outcome in met]
    if any(array is None or array.shape != probe.result.shape for probe, array in arrays):
        return []
    off = max(float(np.abs(array - probe.result).max()) for probe, array in arrays if array is not None)
    return [Reason("near", {"off": f"{off:.1g}"})] if off < NEAR else []


def _common(function: Function, met: Sequence[tuple[Probe, Outcome]]) -> list[Reason]:
    """What the weights show on every probe, or else the results."""
    probes = [probe for probe, _ in met]
    if not {"Q", "K", "V"} <= set(probes[0].arguments) or "v_a" in probes[0].arguments:
        return []
    if probes[0].result.ndim > 2:
        return []
    of_units = function([with_units(probe) for probe in probes])
    weights = [_returned(p, o) for p, o in zip(probes, of_units, strict=True)]
    results = [_returned(p, o) for p, o in met]
    return _shown("weights", probes, weights) or _shown("output", probes, results)


def _returned(probe: Probe, outcome: Outcome) -> Array | None:
    return result(probe.task, outcome) if isinstance(outcome, Returned) else None


def _shown(stage: str, probes: Sequence[Probe], arrays: Sequence[Array | None]) -> list[Reason]:
    """The first thing that all arrays show which are not right; nothing where one cannot be read."""
    found: list[list[Reason]] = []
    for probe, array in zip(probes, arrays, strict=True):
        right = probe.right[stage]
        if array is None or array.shape != right.shape or not np.isfinite(array).all():
            return []
        if not np.allclose(array, right, atol=1e-5):
            solution = Solution(given_of(probe.task, probe.arguments))
            found.append([r for r in observed(solution, stage, array) if r.code.startswith("seen.")])
    for reason in found[0] if found else ():
        same = [next((r for r in reasons if r.code == reason.code), None) for reasons in found]
        alike = None not in same and (reason.code not in ALIKE or all(r == reason for r in same))
        if alike and reason.code in (*ALIKE, "seen.divided", "seen.permuted"):
            return [reason]
    return []
