"""An account of an answer to somebody's own arrays: is it the right result, or what gives it?

The answer is a whole stage or, with fewer rows, rows of it that follow each other. It is diagnosed by
the tables that marks are made by, as a problem of one part whose rivals are all that can show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Literal, NamedTuple

import numpy as np

from quizengine.attention.patches import PATCHES
from quizengine.attention.solution import Solution
from quizengine.attention.stage import Array, Rule, Trace
from quizengine.items.catalogue import Catalogue
from quizengine.items.close import SEAL
from quizengine.items.policy import Policy
from quizengine.marking.causes import NO_CAUSE, Cause, cause_of, mistake_of
from quizengine.marking.credits import credit_of
from quizengine.marking.entries import masked_early, window
from quizengine.marking.follow import gaps
from quizengine.marking.mark import Reason
from quizengine.marking.observations import observations
from quizengine.marking.step import Ground, Step
from quizengine.marking.worlds import pair
from quizengine.problems.belief import beliefs
from quizengine.problems.own_problem import own_part, own_problem
from quizengine.problems.part import NumericPart
from quizengine.responses.read import read
from quizengine.responses.response import Cells, Number, NumericValue, Reading, Unreadable

EXACT_DECIMALS = 9  # keys are sealed at so many
MOST_DECIMALS, MOST_DIGITS = 6, 7  # that single precision bears
WIDEST = Fraction(505, 10_000)  # a single decimal counts as what rounds to it
MOST_SCORES = 4096  # in all heads, for which misconceptions are tried
FEW_ROWS, FEW_COLUMNS = 8, 16  # for which slips and two mistakes at once are
UNEVEN = ("slip.coarse", "slip.short")  # right, but for decimals that nobody asked for


class Account(NamedTuple):
    """Whether the `rows` (from 1) of a `stage` are `right` within `window`, and what gives them if not.

    That is one of the `misconceptions`; or else possibly any pair in `possible` (one alone: with a slip that
    `reasons` tells). `first` is the stage in which the difference begins, empty where nothing says it;
    `searched` tells what was looked for: in larger arrays than are worked by hand only single mistakes, and
    in large ones nothing.
    """

    stage: str
    rows: tuple[int, ...]
    whole: bool
    right: bool
    window: Fraction
    misconceptions: tuple[str, ...] = ()
    possible: tuple[tuple[str, ...], ...] = ()
    reasons: tuple[Reason, ...] = ()
    first: str = ""
    searched: Literal["nothing", "mistakes", "all"] = "all"

    @property
    def explained(self) -> bool:
        """Does anything say how these numbers came about?"""
        slip = any(r.code == "uneven" or r.code.startswith(("slip.", "seen.divided")) for r in self.reasons)
        return self.right or bool(self.misconceptions or self.possible) or slip


def answer_reading(solution: Solution, stage: str, text: str) -> Reading:
    """How `text` reads as the stage or, where it has fewer rows, as so many rows of it."""
    count = len(solution.right[stage])

    def reading_of(rows: int) -> Reading:
        return read(own_part(solution, stage, tuple(range(1, rows + 1))), text).reading

    whole = reading_of(count)
    if isinstance(whole, Unreadable) and _misshapen(whole):
        for rows in (whole.values["read_rows"], 1):
            if isinstance(rows, int) and rows < count and not _misshapen(fewer := reading_of(rows)):
                return fewer
    return whole


def _misshapen(reading: Reading) -> bool:
    return isinstance(reading, Unreadable) and reading.code.startswith("shape")


def account_of(solution: Solution, catalogue: Catalogue, stage: str, answer: NumericValue) -> Account:
    """What the answer, which has the columns of the stage and at most its rows, is."""
    cells = answer.content
    decimals = decimals_of(cells)
    policy = Policy(window=min(Policy().window, WIDEST * 10**decimals))
    count, many = len(solution.right[stage]), len(cells)
    parts = [
        own_part(solution, stage, tuple(range(first, first + many)), decimals)
        for first in range(1, count - many + 2)
    ]
    within = Fraction(window(parts[0], policy)) / SEAL
    account = Account(stage, parts[0].rows, many == count, right=False, window=within)
    for part in parts:
        step = _step(solution, part, cells, {}, policy)
        if step.is_right:
            return account._replace(rows=part.rows, right=True)
    if solution.inputs["h"] * solution.inputs["n_q"] * solution.inputs["n_k"] > MOST_SCORES:
        return account._replace(searched="nothing")
    believed = beliefs(solution, catalogue)
    steps = [_step(solution, part, cells, believed, policy) for part in parts]
    return _explained(solution, believed, steps, account)


def observed(solution: Solution, stage: str, array: Array) -> tuple[Reason, ...]:
    """What is certain of an array of the stage's shape that nothing explains."""
    decimals = MOST_DECIMALS
    part = own_part(solution, stage, tuple(range(1, len(array) + 1)), decimals)
    text = str([[f"{x:.{decimals}f}" for x in row] for row in array.tolist()]).replace("'", "")
    reading = read(part, text).reading
    if not isinstance(reading, NumericValue):
        return ()
    policy = Policy(window=min(Policy().window, WIDEST * 10**decimals))
    return observations(_step(solution, part, reading.content, {}, policy))


def decimals_of(cells: Cells) -> int:
    """The decimals by which an answer is compared: the most that are typed, as far as single precision bears
    them; whole numbers count exactly, and so do exact forms where all else is whole."""
    numbers = [cell for row in cells for cell in row if cell is not None]
    typed = max((number.decimals or 0 for number in numbers), default=0)
    if not typed:
        return EXACT_DECIMALS if any(number.decimals is None for number in numbers) else 0
    largest = max((abs(float(number.value)) for number in numbers if _finite(number)), default=0.0)
    whole = len(str(int(largest)))
    return max(1, min(typed, MOST_DECIMALS, MOST_DIGITS - whole))


def _finite(number: Number) -> bool:
    return number.units > -(10**40)


def _step(
    solution: Solution, part: NumericPart, cells: Cells, believed: Mapping[str, Trace], policy: Policy
) -> Step:
    problem = own_problem(solution, part, believed)
    return Step(Ground(problem, policy), (), (), part, masked_early(problem, part, cells))


def _explained(
    solution: Solution, believed: Mapping[str, Trace], steps: Sequence[Step], account: Account
) -> Account:
    """What gives a wrong answer, which may be any of the steps: a mistake, or all else for the nearest."""
    named = [(step, cause) for step in steps if (cause := mistake_of(step)).ids]
    if named:
        ids = tuple(sorted({id_ for _, cause in named for id_ in cause.ids}))
        first = _first(solution, [believed[id_] for id_ in ids])
        return account._replace(rows=named[0][0].part.rows, misconceptions=ids, first=first)
    step = min(steps, key=_off)
    account = account._replace(rows=step.part.rows)
    n_q, n_k, columns = (int(solution.inputs[n]) for n in ("n_q", "n_k", "d_v"))
    if max(n_q, n_k) > FEW_ROWS or max(columns, int(solution.inputs["d_k"])) > FEW_COLUMNS:
        return account._replace(searched="mistakes")
    credit = credit_of(step)
    if credit.name == "rounded":
        return account._replace(reasons=credit.reasons)
    step, cause = _cause(solution, believed, step)
    told = tuple(r for r in (*credit.reasons, *cause.reasons) if r.code not in ("stock", *UNEVEN))
    if any(reason.code in UNEVEN for reason in (*credit.reasons, *cause.reasons)):
        told = (*told, Reason("uneven"))
    elif not cause.ids and not any(reason.code != "slip.one" for reason in cause.reasons):
        told = (*told, *observations(step))
    if not cause.possible:
        first = _first(solution, [believed[id_] for id_ in cause.ids])
        return account._replace(misconceptions=cause.ids, reasons=told, first=first)
    possible = tuple(product(cause.ids, cause.also)) if cause.also else tuple((id_,) for id_ in cause.ids)
    traces = [solution.by(_rules(ids)) for ids in possible]
    return account._replace(possible=possible, reasons=told, first=_first(solution, traces))


def _off(step: Step) -> float:
    """How far a step is from the right rows: the sum over its entries."""
    return float(gaps(np.array(step.part.key, dtype=float), step.typed).sum())


def _cause(solution: Solution, believed: Mapping[str, Trace], step: Step) -> tuple[Step, Cause]:
    """What made the step; where only one of its rows is wrong and nothing gives them all, that row alone."""
    cause = cause_of(step)
    wrong = [n for n, row in enumerate(step.right) if not all(row)]
    if cause.name not in ("", "one entry") or len(wrong) != 1 or len(step.cells) == 1:
        return step, cause
    [n] = wrong
    part = own_part(solution, step.part.stage, (step.part.rows[n],), step.part.decimals)
    row = _step(solution, part, (step.cells[n],), believed, step.ground.policy)
    found = cause_of(row)
    return (step, cause) if found == NO_CAUSE else (row, found)


def _rules(ids: Sequence[str]) -> Mapping[str, Rule]:
    """The patches of one misconception, or of two at once."""
    both: Mapping[str, Rule] = {}
    for id_ in ids:
        both = pair(both, PATCHES[id_]) or both
    return both


def _first(solution: Solution, traces: Sequence[Trace]) -> str:
    """The stage in which all these traces first differ from the right one; empty: they disagree."""
    stages = {next(iter(solution.differing(trace)), "") for trace in traces}
    return stages.pop() if len(stages) == 1 else ""
