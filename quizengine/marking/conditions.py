"""A constructed array is judged by what the solver makes of it: every condition by itself, exactly.

A value is sealed before it is compared, so that no machine's noise decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

import numpy as np

from quizengine.attention.inputs import ARRAYS, SETTINGS, prepare, table_of
from quizengine.attention.patches import PATCHES, applies
from quizengine.attention.solver import World, solve_worlds
from quizengine.attention.stage import ONE_HEAD, Array, Rule, Table, Trace
from quizengine.errors import ArrayError, UnknownName
from quizengine.items.answer import Requirement
from quizengine.items.close import SEAL, Sealed, close
from quizengine.marking.mark import Reason
from quizengine.problems.construction import shown
from quizengine.problems.key import sealed_array
from quizengine.problems.part import ConstructPart
from quizengine.problems.problem import Matrix, Problem
from quizengine.responses.response import MINUS_INFINITY, Cells

Given = Mapping[str, float | Matrix]
_NAMES = (*ARRAYS, *SETTINGS, "scores", "weights")
_LARGEST = 1e15  # a number beyond is no number to compare


def judged_array(
    problem: Problem, part: ConstructPart, cells: Cells
) -> tuple[Fraction, tuple[str, ...], tuple[Reason, ...]]:
    """The share of the conditions that hold, the misconceptions whose array it is, and what it gives. Raises
    QuizError where the problem itself cannot be solved."""
    if any(cell is None for row in cells for cell in row):
        return Fraction(0), (), (Reason("construct-blank"),)
    numbers = [[cell for cell in row if cell is not None] for row in cells]
    array = np.array([[-np.inf if c == MINUS_INFINITY else float(c.value) for c in row] for row in numbers])
    if part.array == "mask" and not np.isin(array, (0.0, 1.0)).all():
        return Fraction(0), (), (Reason("construct-mask"),)
    inputs, table = _begun(problem.given, part.array, array)
    trace = {**inputs, **_solved(inputs, table)}
    held, reasons = 0, []
    for says, requirement in part.conditions:
        yours, holds = _compared(requirement, trace)
        held += holds
        if not (holds and requirement.relation == "equals"):  # which says already what it gives
            code = "condition-met" if holds else "condition-unmet"
            reasons.append(Reason(code, {"says": says, "yours": yours}))
    share = Fraction(held, len(part.conditions))
    typed = tuple(tuple(round(cell.units) for cell in row) for row in numbers)
    if share < 1 and any(typed == stock for stock in stock_answers(problem.given, part)):
        return Fraction(0), (), (Reason("stock"), *reasons)
    if len(part.conditions) > 1 and share < 1:
        reasons = [Reason("conditions", {"met": held, "of": len(part.conditions)}), *reasons]
    if share == 1:
        return share, (), tuple(reasons)
    shown_by = tuple(r.misconception for r in problem.rivals if r.values[part.id] == typed)
    return share, shown_by or _believed(problem, part, inputs, table, trace), tuple(reasons)


def _believed(
    problem: Problem, part: ConstructPart, inputs: Trace, table: Table, right: Trace
) -> tuple[str, ...]:
    """The misconceptions, of those that the author names, by whose rules every condition would hold: of those
    whose rules read what such a task has (`right` is its trace), and fit its shapes."""

    def meets_all(id_: str) -> bool:
        try:
            trace = {**inputs, **_solved(inputs, table, PATCHES[id_])}
        except ArrayError:
            return False
        return all(_compared(requirement, trace)[1] for _, requirement in part.conditions)

    named = dict.fromkeys(rival.misconception for rival in problem.rivals)
    return tuple(
        id_ for id_ in named if id_ in PATCHES and applies(PATCHES[id_], table, right) and meets_all(id_)
    )


def _solved(inputs: Trace, table: Table, rules: Mapping[str, Rule] = {}) -> Trace:
    with np.errstate(all="ignore"):
        return solve_worlds(inputs, [World(rules)], table)[0]


def _begun(given: Given, name: str, array: Array) -> tuple[Trace, Table]:
    """The inputs when the array of this name, (rows, columns), joins what is given, and the table that they
    are solved by. Raises UnknownName, and ArrayError where they do not go together."""
    named: dict[str, object] = {**given, name: array}
    for each in named:
        if each not in _NAMES:
            raise UnknownName("array", each, _NAMES)
    if not named.keys() & {"V", "W_V"} and "K" in named:  # nothing is asked of the output
        named["V"] = np.zeros((np.asarray(named["K"]).shape[-2], 1))
    if named.keys() & {"Q", "X"}:
        with np.errstate(all="ignore"):
            return prepare(named), table_of(named)
    return _begun_late(named), ONE_HEAD


def _begun_late(named: Mapping[str, object]) -> Trace:
    """The inputs of a solution that begins with scores, weights or a mask; the scores are not divided."""
    inputs = {name: np.asarray(value, dtype=float) for name, value in named.items()}
    if "scores" in inputs:
        shape = inputs["scores"].shape
        inputs = {"divisor": np.asarray(1.0), "bias": np.zeros(shape), "mask": np.ones(shape)} | inputs
    if "mask" in inputs:
        inputs["mask"] = inputs["mask"].astype(bool)
    return inputs


def _compared(requirement: Requirement, trace: Trace) -> tuple[str, bool]:
    """What the trace has where the requirement looks, as it is told, and whether that holds."""
    values = _where(requirement, trace)
    finite = np.isfinite(values) & (np.abs(values) < _LARGEST)
    if not finite.all():
        return ", ".join(f"{x:.4g}".replace("-", "−").replace("inf", "∞") for x in values.ravel()), False
    yours = sealed_array(values)
    pairs = _pairs(yours, requirement.value)
    match requirement.relation:
        case "equals":
            holds = all(close(mine, wanted, requirement.within) for mine, wanted in pairs)
        case "at-least":
            holds = all(mine >= wanted for mine, wanted in pairs)
        case "at-most":
            holds = all(mine <= wanted for mine, wanted in pairs)
    return shown(yours), holds


def _where(requirement: Requirement, trace: Trace) -> Array:
    """The entries, (rows, columns), that the requirement is about. Raises UnknownName and ArrayError where
    there are none such."""
    stage, _, value, row, column, _ = requirement
    if stage not in trace:
        raise UnknownName("stage", stage, trace)
    array = trace[stage].astype(float)
    if array.ndim != 2:
        raise ArrayError(f"“{stage}” has shape {array.shape}: a requirement is of rows and columns alone")
    found = array[row - 1 : row] if row else array
    found = found[:, column - 1 : column] if column else found
    if not found.size:
        raise ArrayError(f"“{stage}” has shape {array.shape}: it has no row {row}, column {column}")
    if (len(value), len(value[0])) not in ((1, 1), found.shape):
        raise ArrayError(
            f"“{stage}” has shape {found.shape} there, and {len(value)}×{len(value[0])} is required"
        )
    return found


def _pairs(yours: Sealed, wanted: Sealed) -> Iterator[tuple[int, int]]:
    """Every entry with the one it is compared with; one number stands for all."""
    for i, row in enumerate(yours):
        for j, mine in enumerate(row):
            yield mine, wanted[i][j] if len(wanted) > 1 or len(wanted[0]) > 1 else wanted[0][0]


def stock_answers(given: Given, part: ConstructPart) -> Iterator[Sealed]:
    """Arrays of the asked shape that need no work, sealed: one value throughout, the identity, what is given
    once more and one row of it throughout."""
    rows, columns = part.shape
    if rows * columns > 1:
        for value in (0, SEAL, -SEAL):
            yield tuple((value,) * columns for _ in range(rows))
        yield tuple((SEAL // columns,) * columns for _ in range(rows))
    if rows == columns > 1:
        yield tuple(tuple(SEAL * (i == j) for j in range(columns)) for i in range(rows))
    for matrix in given.values():
        if not isinstance(matrix, int | float) and len(matrix[0]) == columns:
            copied = [tuple(round(x * SEAL) for x in row) for row in matrix]
            if len(copied) == rows:
                yield tuple(copied)
            yield from ((row,) * rows for row in copied)
