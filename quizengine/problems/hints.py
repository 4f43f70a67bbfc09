"""Hints: for every part of a numeric problem three, each nearer to the answer. They are worked out of the
problem and its table, and never hold the numbers of a part that is asked."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from quizengine.attention.solver import solve
from quizengine.attention.stage import ADDITIVE, AVERAGE, MULTI_HEAD, ONE_HEAD, SHAPES, SHARPEN, Array, Trace
from quizengine.lang.messages import t
from quizengine.problems.families.family import inputs_of, table_of
from quizengine.problems.part import NumericPart, Part
from quizengine.problems.problem import Problem

DEPTH = 3


def hints(problem: Problem, part: Part) -> tuple[str, ...]:
    """The hints of a numeric problem for this part: those its author wrote, then three. Raises PosingError
    where what is given fits no table."""
    names = _names(problem, part)
    values = {**problem.given, **(_numbers(problem, part) if problem.numeric or part.id == "answer" else {})}
    return (*problem.hints, *(t(problem.lang, f"hint.{name}", **values) for name in names))


def _names(problem: Problem, part: Part) -> tuple[str, ...]:
    """Which three messages."""
    if not isinstance(part, NumericPart):
        chosen = "pick" if problem.rivals else "spot"
        stage = chosen if part.id == "answer" else part.id
        return tuple(f"{stage}-{depth}" for depth in range(1, DEPTH + 1))
    table, stage = table_of(problem), part.stage
    kind = {id(ADDITIVE): "additive-", id(AVERAGE): "average-", id(SHARPEN): "softmax-"}.get(id(table), "")
    kind = kind if (kind, stage) in _APART else ""
    first, second, third = (f"{kind}{stage}-{depth}" for depth in range(1, DEPTH + 1))
    earlier = {own.stage for own in problem.numeric}
    if table is SHAPES:
        first = "matrix-1"
    elif "W_Q" in problem.given and (stage in _SCORES or (stage == "weights" and not earlier & _SCORES)):
        first = "source-1"
    elif stage == "weights" and "mask" in problem.given and not kind:
        first = "weights-masked-1"
    elif stage == "concat" and "kv_heads" in problem.given:
        first = "concat-shared-1"
    if stage in _OWN and not kind and earlier & _OWN[stage]:
        third = f"{stage}-own-3"
    if stage == "weights" and table is ADDITIVE:
        third = f"additive-{third}"
    elif stage == "weights" and "scores" in earlier and "scaled" not in earlier:
        third = "weights-scores-3"
    return first, second, third


_APART = {
    ("additive-", "scores"),
    ("average-", "weights"),
    ("average-", "output"),
    ("softmax-", "weights"),
}  # what is worked out in another way in these tables
_SCORES = {"scores", "scaled"}
_OWN = {"scaled": {"scores"}, "weights": {"scores", "scaled"}}  # asked before, these are the learner's own


def _numbers(problem: Problem, part: Part) -> Mapping[str, object]:
    """What the messages may hold, of the first row asked."""
    table = table_of(problem)
    trace = {**inputs_of(problem)}
    trace |= solve(trace, table)
    row = part.rows[0] if isinstance(part, NumericPart) and part.rows else 1
    out: dict[str, object] = {"row": row}
    if table is ONE_HEAD or table is MULTI_HEAD:
        out |= _dots(problem, trace, row)
    elif table is ADDITIVE:
        out |= {"scaled": _multiple(trace["scores"][row - 1], "ln 2")}
        out |= {"tanh": _line(trace["hidden"][row - 1, 0]), "column": _line(trace["V"][:, 0])}
    elif table is AVERAGE:
        visible = trace["keep"][row - 1].astype(bool)
        out |= {"visible": _line(visible.astype(float)), "seen": _line(trace["X"][visible, 0])}
    elif table is SHARPEN:
        weights = trace[part.stage if isinstance(part, NumericPart) else "weights"][0]
        out |= {"shares": _line(weights / weights.min())}
    return out


def _dots(problem: Problem, trace: Trace, row: int) -> Mapping[str, object]:
    """Numbers of attention by dot products; of several heads those of the first."""
    unit = next((written.times for written in problem.exact.values()), "")
    scores, masked = (
        stage.reshape(-1, *stage.shape[-2:])[0, row - 1]
        for stage in (trace["scores"], trace.get("masked", trace["scores"]))
    )
    query = trace["Q"][row - 1] / (np.log(2) if unit else 1.0)
    d_k = trace["k"].shape[-1]
    terms = " + ".join(f"{_signed(q)} · {_signed(k)}" for q, k in zip(query, trace["K"][0], strict=False))
    out = {"scores": _multiple(scores, unit), "d_k": d_k, "root": _number(np.sqrt(d_k))}
    out |= {"scaled": _multiple(masked, unit)}
    out |= {"terms": f"{unit} × ({terms})" if unit else terms}
    if "V" in trace:
        out |= {"column": _line(trace["V"][:, 0])}
    if "W_O" in trace:
        out |= {"projection": _line(trace["W_O"][:, 0])}
    return out


def _multiple(numbers: Array, unit: str) -> str:
    """Numbers as a multiple of the unit in which they are whole, or of 1."""
    return f"{unit} × {_line(numbers / np.log(2))}" if unit else _line(numbers)


def _line(numbers: Array) -> str:
    return "[" + ", ".join(map(_number, numbers.tolist())) + "]"


def _number(x: float) -> str:
    return f"{round(x, 3) + 0.0:g}".replace("-", "−").replace("inf", "∞")


def _signed(x: float) -> str:
    text = _number(x)
    return f"({text})" if text.startswith("−") else text
