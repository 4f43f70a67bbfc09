"""Judge the parts of a numeric problem in the order of computation: each by the tables of explanations,
after what was typed and found before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quizengine.items.policy import Policy
from quizengine.marking.causes import NO_CAUSE, cause_of, mistake_of, refuted
from quizengine.marking.credits import credit_of
from quizengine.marking.diagnose import Finding, diagnosis, found, named_at, without
from quizengine.marking.entries import masked_early
from quizengine.marking.judge import NOTHING, unanswered, verdict
from quizengine.marking.mark import Mark, PartMark, Reason
from quizengine.marking.observations import observations
from quizengine.marking.step import Ground, Step, Typed
from quizengine.problems.families.family import table_of
from quizengine.problems.part import NumericPart
from quizengine.problems.problem import Problem
from quizengine.responses.response import NumericValue, Response


def judge_numeric(problem: Problem, responses: Mapping[str, Response], policy: Policy) -> Mark:
    """Every part by itself and, after an error, by what follows from it: the better counts."""
    ground = Ground(problem, policy)
    before: tuple[Typed, ...] = ()
    findings: tuple[Finding, ...] = ()
    marks: dict[str, PartMark] = {}
    for part in _in_order(problem):
        response = responses.get(part.id, NOTHING)
        mark = unanswered(part, response)
        if mark is None:
            assert isinstance(response.reading, NumericValue)
            cells = masked_early(problem, part, response.reading.content)
            step = Step(ground, before, findings, part, cells)
            mark, typed, findings = _judged(step, response.reading)
            before = (*before, typed)
        marks[part.id] = mark
    told = _alone(marks, findings)
    named = tuple(
        told[part.id]._replace(misconceptions=named_at(findings, part.id)) if findings else told[part.id]
        for part in problem.parts
    )
    return Mark(problem.item, problem.seed, named, diagnosis(findings))


def _alone(marks: Mapping[str, PartMark], findings: tuple[Finding, ...]) -> Mapping[str, PartMark]:
    """An error that nothing explains, from which the rest was worked on rightly, is told as what it is: the
    one step that went wrong."""
    wrong = [m for m in marks.values() if m.verdict in ("wrong", "partial") and not m.carried]
    carried = any(mark.carried and mark.share == 1 for mark in marks.values())
    if len(wrong) != 1 or findings or not carried:
        return marks
    [mark] = wrong
    if any(reason.code.startswith(("slip.", "stock")) for reason in mark.reasons):
        return marks
    return {**marks, mark.id: mark._replace(reasons=(*mark.reasons, Reason("slip.step")))}


def _in_order(problem: Problem) -> Sequence[NumericPart]:
    """The parts in the order of computation, however they are listed."""
    if len(problem.parts) == 1 or not all(part.stage for part in problem.numeric):
        return problem.numeric
    stages = list(table_of(problem))
    return sorted(problem.numeric, key=lambda part: stages.index(part.stage))


def _judged(step: Step, reading: NumericValue) -> tuple[PartMark, Typed, tuple[Finding, ...]]:
    """The part's mark, what later parts are to know of it, and what is found so far."""
    part, findings = step.part, step.findings
    credit, cause = credit_of(step), NO_CAUSE
    signs: tuple[Reason, ...] = ()
    if credit.name == "carried":
        findings = without(findings, refuted(step))
    elif credit.share < 1:
        cause = mistake_of(step) if credit.name == "rounded" else cause_of(step)
        for ids in (cause.ids, cause.also):
            findings = found(findings, part, ids, possible=cause.possible)
        if credit.name == "rounded" and cause.ids:
            credit = credit._replace(reasons=())  # it has a name, and that is not rounding
        elif credit.name not in ("stock", "rounded", "coarse"):
            told = cause.ids or any(reason.code != "slip.one" for reason in cause.reasons)
            seen = () if told else observations(step)
            signs = (*seen, *cause.reasons)
    explained = credit.explained or cause.explained or (step.half_right and not step.is_stock)
    mark = PartMark(
        part.id,
        verdict(credit.share),
        credit.share,
        part.points,
        reading,
        step.right,
        carried=credit.carried,
        reasons=(*credit.reasons, *signs),
    )
    usable = credit.name == "key" or step.is_usable
    row = credit.row or cause.row
    return mark, Typed(part, step.cells, step.is_right, explained, usable, row), findings
