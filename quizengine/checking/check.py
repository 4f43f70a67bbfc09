"""Check a function against its task."""

from __future__ import annotations

import numpy as np

from quizengine.attention.solution import Solution
from quizengine.checking.call import Call, Function, Returned
from quizengine.checking.task import Task
from quizengine.checking.verdict import Verdict
from quizengine.items.catalogue import Catalogue


def check(task: Task, function: Function, _catalogue: Catalogue) -> Verdict:
    """The verdict on a function."""
    arrays = {"Q": [[1.0, 0, 1], [0, 1, 1]], "K": [[1.0, 1, 0], [0, 1, 0]], "V": [[1.0], [2.0]]}
    given = {name: np.array(rows) for name, rows in arrays.items()}
    [found] = function([Call({**given, "mask": None})])
    if not isinstance(found, Returned):
        return Verdict(task.id, "broken", fault=found)
    output = found.stages.get("output")
    right = output is not None and np.allclose(output, Solution(arrays).right["output"])
    return Verdict(task.id, "right" if right else "wrong")
