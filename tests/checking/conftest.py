"""A Python function as what the judge sees of a learner's: calls in, outcomes out, in this process."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from quizengine.checking.call import Call, Function, Outcome, Raised, Returned
from quizengine.checking.growth import QUICK


def as_function(learners: Callable[..., Any]) -> Function:
    """The function called with copies of the arguments by place, NumPy's random state being set before; it
    seems too slow for longer calls."""

    def call(calls: Sequence[Call]) -> list[Outcome]:
        return [outcome(learners, one) for one in calls]

    return call


def outcome(learners: Callable[..., Any], call: Call) -> Outcome:
    own = {n: a.copy() if isinstance(a, np.ndarray) else a for n, a in call.arguments.items()}
    np.random.seed(call.seed)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            value = learners(*own.values())
    except Exception as error:
        return Raised(type(error).__name__, str(error))
    changed = frozenset(
        name
        for name, array in own.items()
        if isinstance(array, np.ndarray) and not np.array_equal(array, call.arguments[name])
    )
    if isinstance(value, Mapping):
        stages = {name: np.asarray(array) for name, array in value.items()}
    elif isinstance(value, tuple):
        stages = dict(zip(("output", "weights"), map(np.asarray, value), strict=False))
    else:
        stages = {"output": np.asarray(value)}
    return Returned(stages, changed, seconds=2 * QUICK)
