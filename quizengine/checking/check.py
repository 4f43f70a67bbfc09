"""Check a function against its task: probes, then names, properties and the smallest counterexample."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from quizengine.attention.stage import Array
from quizengine.checking.call import Broken, Call, Function, Outcome, Raised, Returned
from quizengine.checking.certain import certain
from quizengine.checking.counterexample import smallest
from quizengine.checking.name import SINGLE, close, is_right, naming, tolerance_of
from quizengine.checking.probe import Probe, probes
from quizengine.checking.property import tried
from quizengine.checking.task import Task, result
from quizengine.checking.verdict import Verdict
from quizengine.errors import QuizError
from quizengine.items.catalogue import Catalogue

BATCH = (2,)


def check(task: Task, function: Function, catalogue: Catalogue) -> Verdict:
    """The verdict on a function. A fault of ours leaves it ungraded; what the user must be told passes."""
    try:
        with np.errstate(all="ignore"):
            return _judged(task, _of_numbers(function), catalogue)
    except QuizError:
        raise
    except Exception as error:
        ours = Broken("check.ours", {"error": f"{type(error).__name__}: {error}"})
        return Verdict(task.id, "ungraded", fault=ours)


def _of_numbers(function: Function) -> Function:
    """The function, what it returns being broken where it holds anything but real numbers."""

    def call(calls: Sequence[Call]) -> list[Outcome]:
        return [_checked(outcome) for outcome in function(calls)]

    return call


def _checked(outcome: Outcome) -> Outcome:
    stages = outcome.stages if isinstance(outcome, Returned) else {}
    for stage, array in stages.items():
        if array.dtype.kind not in "biuf":
            return Broken("check.not-numbers", {"stage": stage, "dtype": str(array.dtype)})
    return outcome


def _judged(task: Task, function: Function, catalogue: Catalogue) -> Verdict:
    met, outcomes, batch = outcomes_of(task, function)
    named_mask = [n for n, probe in enumerate(met) if probe.mask != "none"]
    right = [is_right(probe, outcome) for probe, outcome in zip(met, outcomes, strict=True)]
    needs_mask = all(right[n] for n in named_mask) and all(
        isinstance(outcome, Raised) for outcome, good in zip(outcomes, right, strict=True) if not good
    )
    if all(right) or (named_mask and needs_mask):
        return _right(task, function, met, outcomes)
    verdict = Verdict(task.id, "wrong", len(met), fault=_fault(met, outcomes))
    named = naming(task, met, outcomes, catalogue)
    comparable = any(
        isinstance(o, Returned) and _shape(p, o) == p.result.shape for p, o in zip(met, outcomes, strict=True)
    )
    if not named.ids and not comparable:
        return verdict._replace(verdict="broken")
    verdict = verdict._replace(
        misconceptions=named.ids,
        possible=named.pairs,
        stage=named.stage or _first_returned(met, outcomes),
        counterexample=smallest(function, task, batch),
    )
    if named.ids:
        return verdict
    return verdict._replace(
        properties=tuple(tried(function, met, outcomes)),
        observations=() if named.pairs else certain(function, met, outcomes),
    )


def outcomes_of(task: Task, function: Function) -> tuple[list[Probe], Sequence[Outcome], tuple[int, ...]]:
    """The probes and what came of them. A function that stops at each is taken to need a batch axis."""
    met = probes(task)
    outcomes = function([probe.call for probe in met])
    if all(isinstance(outcome, Raised) for outcome in outcomes):
        batched = probes(task, BATCH)
        others = function([probe.call for probe in batched])
        if not all(isinstance(outcome, Raised) for outcome in others):
            return batched, others, BATCH
    return met, outcomes, ()


def _right(task: Task, function: Function, met: Sequence[Probe], outcomes: Sequence[Outcome]) -> Verdict:
    """Of a function whose results are right: its weights may be wrong, and properties be lacking."""
    stage = "weights" if "weights" in _wrong_stages(met, outcomes) else ""
    properties = tuple(tried(function, met, outcomes))
    return Verdict(task.id, "wrong" if stage else "right", len(met), stage=stage, properties=properties)


def _fault(met: Sequence[Probe], outcomes: Sequence[Outcome]) -> Raised | Broken | None:
    """The first thing that is not an array of the right shape, of finite numbers."""
    for probe, outcome in zip(met, outcomes, strict=True):
        if not isinstance(outcome, Returned):
            return outcome
        if (shape := _shape(probe, outcome)) is None:
            return Broken("check.no-output", {"stages": ", ".join(outcome.stages)})
        if shape != probe.result.shape:
            return Broken("check.shape", {"shape": str(shape), "right": str(probe.result.shape)})
    return None


def _shape(probe: Probe, outcome: Returned) -> tuple[int, ...] | None:
    array = result(probe.task, outcome)
    return None if array is None else array.shape


def _first_returned(met: Sequence[Probe], outcomes: Sequence[Outcome]) -> str:
    """The first stage that was returned and is wrong, if what was returned of those before it is right."""
    wrong = _wrong_stages(met, outcomes)
    return wrong[0] if wrong else ""


def _wrong_stages(met: Sequence[Probe], outcomes: Sequence[Outcome]) -> list[str]:
    """The stages, in order and but for the result, that were returned with the right shape and are wrong
    somewhere. Scores count as right in whichever of their forms they are returned."""
    wrong = set()
    for probe, outcome in zip(met, outcomes, strict=True):
        for stage, array in outcome.stages.items() if isinstance(outcome, Returned) else ():
            if stage in probe.right and stage not in (probe.task.result, "output") and stage != "keep":
                forms = _FORMS if stage in _FORMS else (stage,)
                if np.shape(array) == probe.right[stage].shape and not any(
                    _same(np.asarray(array), probe.right[form]) for form in forms if form in probe.right
                ):
                    wrong.add(stage)
    return [stage for stage in met[0].right if stage in wrong]


_FORMS = ("scores", "scaled", "masked")


def _same(array: Array, right: Array) -> bool:
    """The same numbers, where they are finite; what is hidden may be −∞ or any large number below 0."""
    finite = np.isfinite(right)
    return bool((array[~finite] < -100).all()) and close(
        array[finite], right[finite], max(SINGLE, tolerance_of(array))
    )
