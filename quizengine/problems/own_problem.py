"""A problem of somebody's own arrays: rows of one stage are asked, and every misconception that can show
there is a rival."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from quizengine.attention.solution import HIDDEN, Solution
from quizengine.attention.stage import Array, Trace
from quizengine.errors import ArrayError, UnknownName
from quizengine.problems.families.family import at_rows
from quizengine.problems.key import sealed_array
from quizengine.problems.part import NumericPart
from quizengine.problems.problem import Matrix, Problem, Rival

_MATRICES = ("X", "C", "W_Q", "W_K", "W_V", "W_O", "Q", "K", "V", "bias")
_LARGEST = 1e15  # a number beyond is no number to compare


def askable(solution: Solution) -> tuple[str, ...]:
    """The stages that an answer can be compared with, in order: those that are worked out, and are one
    matrix of finite numbers."""
    given = {*solution.given, *HIDDEN, "keep"}
    return tuple(
        stage
        for stage, array in solution.right.items()
        if stage not in given and array.ndim == 2 and (np.abs(array) < _LARGEST).all()
    )


def asked_stage(solution: Solution, name: str | None) -> str:
    """The stage of this name, or the last one. Raises UnknownName where it cannot be asked, and ArrayError
    where none can."""
    stages = askable(solution)
    if not stages:
        raise ArrayError(
            "an answer is compared with one matrix: give arrays of rows and columns, and no more"
        )
    if name is not None and name not in stages:
        raise UnknownName("stage that an answer can be compared with", name, stages)
    return name or stages[-1]


def own_part(
    solution: Solution, stage: str, rows: tuple[int, ...], decimals: int | None = None
) -> NumericPart:
    """The part that asks these rows (from 1) of a stage."""
    key = sealed_array(at_rows(solution.right[stage], rows))
    free: tuple[tuple[bool, ...], ...] = ()
    if stage == "weights":
        free = tuple(tuple(map(bool, row)) for row in at_rows(_mask(solution), rows))
    shape = (len(key), len(key[0]))
    return NumericPart(stage, "", 1, key, shape, decimals, stage=stage, rows=rows, free=free)


def own_problem(solution: Solution, part: NumericPart, believed: Mapping[str, Trace]) -> Problem:
    """The problem that asks this part alone; its rivals are the misconceptions of the traces `believed` that
    show there."""
    rivals = []
    for id_, trace in believed.items():
        values = at_rows(trace[part.stage], part.rows)
        if (np.abs(values) < _LARGEST).all() and (sealed := sealed_array(values)) != part.key:
            rivals.append(Rival(id_, {part.id: sealed}))
    return Problem(
        "", 0, 0, "", "en", "numeric", "", "", given=_given(solution), parts=(part,), rivals=tuple(rivals)
    )


def _mask(solution: Solution) -> Array:
    """What may be attended to, (n_q, n_k): the same for every head."""
    mask = solution.inputs["mask"]
    return mask.reshape(mask.shape[-2:])


def _given(solution: Solution) -> Mapping[str, float | Matrix]:
    """The inputs as a problem gives them: the mask as numbers, what was kept from earlier tokens in its
    place, and nothing that is as ever."""
    inputs = solution.inputs
    given: dict[str, float | Matrix] = {}
    for name in _MATRICES:
        if name in inputs and (name != "bias" or inputs[name].any()):
            given[name] = inputs[name].reshape(inputs[name].shape[-2:]).tolist()
    if not inputs["mask"].all():
        given["mask"] = _mask(solution).astype(int).tolist()
    if "v_a" in inputs:
        given["v_a"] = [inputs["v_a"].tolist()]
    if solution.given.get("scale") is not None:
        given["scale"] = 1.0 / float(inputs["divisor"])
    if "heads" in solution.given:
        given |= {"heads": int(inputs["h"]), "kv_heads": int(inputs["g"])}
    return given
