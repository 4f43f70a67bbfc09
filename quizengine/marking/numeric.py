"""Judge the parts of a numeric problem in the order of computation: each by the tables of explanations,
after what was typed and found before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quizengine.items.policy import Policy
from quizengine.marking.causes import NO_CAUSE, Cause, cause_of, mistake_of, refuted
from quizengine.marking.credits import Credit, credit_of
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
    ordered = _in_order(problem)
    for part in ordered:
        response = responses.get(part.id, NOTHING)
        mark = unanswered(part, response)
        if mark is None:
            assert isinstance(response.reading, NumericValue)
            cells = masked_early(problem, part, response.reading.content)
            step = Step(ground, before, findings, part, cells)
            credit, cause, findings = _explained(step)
            mark = _mark(step, response.reading, credit, cause)
            if part is not ordered[-1]:
                before = (*before, _typed(step, credit, cause))
        marks[part.id] = mark
    told = marks if findings else _alone(marks)
    named = tuple(
        told[part.id]._replace(misconceptions=named_at(findings, part.id)) if findings else told[part.id]
        for part in problem.parts
    )
    return Mark(problem.item, problem.seed, named, diagnosis(findings))


def _alone(marks: Mapping[str, PartMark]) -> Mapping[str, PartMark]:
    """An error that nothing explains, from which the rest was worked on rightly, is told as what it is: the
    one step that went wrong."""
    wrong = [m for m in marks.values() if m.verdict in ("wrong", "partial") and not m.carried]
    carried = any(mark.carried and mark.share == 1 for mark in marks.values())
    if len(wrong) != 1 or not carried:
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


def _explained(step: Step) -> tuple[Credit, Cause, tuple[Finding, ...]]:
    """What the part earns, what made it wrong, and what is found so far."""
    findings, credit, cause = step.findings, credit_of(step), NO_CAUSE
    if credit.name == "carried":
        findings = without(findings, refuted(step))
    elif credit.share != 1:
        cause = mistake_of(step) if credit.name == "rounded" else cause_of(step)
        for ids in (cause.ids, cause.also):
            findings = found(findings, step.part, ids, possible=cause.possible)
    return credit, cause, findings


def _mark(step: Step, reading: NumericValue, credit: Credit, cause: Cause) -> PartMark:
    return PartMark(
        step.part.id,
        verdict(credit.share),
        credit.share,
        step.part.points,
        reading,
        step.right,
        carried=credit.carried,
        reasons=_reasons(step, credit, cause),
    )


def _reasons(step: Step, credit: Credit, cause: Cause) -> tuple[Reason, ...]:
    """Why it earns so much, what made it wrong, and where that is not known, what is certain of it."""
    if credit.share == 1 or credit.name in ("carried", "stock", "coarse"):
        return credit.reasons
    if credit.name == "rounded":
        return () if cause.ids else credit.reasons  # it has a name, and that is not rounding
    told = cause.ids or any(reason.code != "slip.one" for reason in cause.reasons)
    return (*credit.reasons, *(() if told else observations(step)), *cause.reasons)


def _typed(step: Step, credit: Credit, cause: Cause) -> Typed:
    """What later parts are to know of it."""
    explained = credit.explained or cause.explained or (step.half_right and not step.is_stock)
    usable = credit.name == "key" or step.is_usable
    return Typed(step.part, step.cells, step.is_right, explained, usable, credit.row or cause.row)
