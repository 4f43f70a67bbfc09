"""Judge the parts of a numeric problem in order: each by the tables of explanations, after what was typed
and found before it."""

from __future__ import annotations

from collections.abc import Mapping

from quizengine.items.policy import Policy
from quizengine.marking.diagnose import Finding, diagnosis, followed, found, named_at
from quizengine.marking.entries import masked_early
from quizengine.marking.explanations import NO_CAUSE, Cause, Credit, cause_of, credit_of, signs_of
from quizengine.marking.judge import NOTHING, unanswered, verdict
from quizengine.marking.mark import Mark, PartMark, Reason
from quizengine.marking.step import Ground, Step, Typed
from quizengine.problems.problem import Problem
from quizengine.responses.response import NumericValue, Response


def judge_numeric(problem: Problem, responses: Mapping[str, Response], policy: Policy) -> Mark:
    """Every part by itself and, after an error, by what follows from it: the better counts."""
    ground = Ground(problem, policy)
    before: tuple[Typed, ...] = ()
    findings: tuple[Finding, ...] = ()
    marks = []
    for part in problem.numeric:
        response = responses.get(part.id, NOTHING)
        mark = unanswered(part, response)
        if mark is None:
            assert isinstance(response.reading, NumericValue)
            cells = masked_early(problem, part, response.reading.content)
            step = Step(ground, before, findings, part, cells)
            mark, typed, findings = _judged(step, response.reading)
            before = (*before, typed)
        marks.append(mark)
    named = tuple(mark._replace(misconceptions=named_at(findings, mark.id)) for mark in marks)
    return Mark(problem.item, problem.seed, named, diagnosis(findings))


def _judged(step: Step, reading: NumericValue) -> tuple[PartMark, Typed, tuple[Finding, ...]]:
    """The part's mark, what later parts are to know of it, and what is found so far."""
    part, findings = step.part, step.findings
    credit, cause, explained = credit_of(step), NO_CAUSE, True
    signs: tuple[Reason, ...] = ()
    if credit.name == "carried":
        findings = followed(findings, credit.also)
    elif credit.name != "key":
        cause = cause_of(step)
        findings = found(findings, part, cause.ids)
        signs = signs_of(step, cause, credit)
        explained = _explained(step, credit, cause, signs)
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
    return mark, Typed(part, step.cells, step.is_right, explained), findings


def _explained(step: Step, credit: Credit, cause: Cause, signs: tuple[Reason, ...]) -> bool:
    """May later parts be carried from it?"""
    if credit.name == "stock":
        return False
    slipped = any(sign.code.startswith("slip.") and sign.code != "slip.other-row" for sign in signs)
    return cause.grounded or slipped or step.half_right or credit.share > 0
