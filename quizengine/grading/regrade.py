"""Regrade: what answers on record would earn today, and the instructor's own marks."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal, NamedTuple

from quizengine.errors import QuizError, UsageError
from quizengine.grading.graded import LATE, grade, results_of
from quizengine.grading.results import AUTOMATIC, Result, Results, latest
from quizengine.grading.standing import DROPPED
from quizengine.items.bank import Bank
from quizengine.items.policy import Policy
from quizengine.problems.part import NumericPart, Part, labels_of
from quizengine.problems.problem import Problem
from quizengine.problems.repose import repose
from quizengine.sheets.manifest import Manifest, Sheet


class Change(NamedTuple):
    """A mark that would be another one: as it is, as it would be; `lower` ones need a word of their own."""

    student: str
    old: Result
    new: Result

    @property
    def lower(self) -> bool:
        """Would the learner lose by it?"""
        return self.new.credit < self.old.credit

    @property
    def because(self) -> list[str]:
        """What is not as it was: key, policy, engine."""
        return [
            name for name in ("key", "policy", "engine") if getattr(self.old, name) != getattr(self.new, name)
        ]


def changes(
    manifest: Manifest, results: Results, policy: Policy, at: str, bank: Bank | None = None
) -> tuple[list[Change], list[str]]:
    """Every mark that would differ, in the order of the sheets; and the items of the bank that have changed
    in more than their key, so that they cannot be used. Own marks of the instructor are not touched."""
    out: list[Change] = []
    unusable: dict[str, None] = {}
    for sheet in manifest.sheets:
        history = results.history(sheet.code)
        own = latest(history, AUTOMATIC)
        if not own:
            continue
        today, differing = _today(sheet, bank)
        unusable |= dict.fromkeys(differing)
        answers = {label: result.raw for label, result in own.items()}
        late = any(first.why == LATE for first in latest(history, ("graded",)).values())
        graded = grade(today, answers, policy, late=late)
        for new in results_of(graded, policy, "regraded", at):
            old = own.get(new.label)
            if old is not None and _says(old) != _says(new) and new.verdict != "ungraded":
                out.append(Change(sheet.student, old, new))
    return out, list(unusable)


def _says(result: Result) -> tuple[object, ...]:
    """What makes a mark another one."""
    return result.verdict, result.credit, result.points, result.misconceptions


def _today(sheet: Sheet, bank: Bank | None) -> tuple[Sheet, list[str]]:
    """The sheet with the keys that the bank has now, where the questions are the same to the letter."""
    problems, unusable = [], []
    for problem in sheet.problems:
        new = _posed_today(problem, bank)
        if new is None:
            unusable.append(problem.item)
        problems.append(new or problem)
    return Sheet(sheet.code, sheet.student, tuple(problems), sheet.labels, sheet.name), unusable


def _posed_today(problem: Problem, bank: Bank | None) -> Problem | None:
    if bank is None or problem.item not in bank.items or bank.item(problem.item).digest == problem.digest:
        return problem
    try:
        new = repose(bank.item(problem.item), problem, bank.catalogue)
    except QuizError:
        return None
    same = _shown(new) == _shown(problem)
    return new if same else None


def _shown(problem: Problem) -> tuple[object, ...]:
    """What a learner saw besides the prompt."""
    return problem.given, problem.code, problem.table, list(map(_asked, problem.parts))


def _asked(part: Part) -> tuple[object, ...]:
    """What a learner saw of a part."""
    exactly = (part.shape, part.decimals) if isinstance(part, NumericPart) else ()
    choices = [(choice.label, choice.text) for choice in labels_of(part)]
    return part.id, part.kind, part.prompt, part.points, exactly, choices


def override(
    sheet: Sheet, label: str, credit: Fraction, why: str, at: str, before: Result | None = None
) -> Result:
    """The instructor's own mark, in place of `before`. Raises UsageError for a label or a credit that does
    not fit."""
    places = {name: (index, part) for name, index, part in sheet.labelled()}
    if label not in places:
        raise UsageError(f"sheet {sheet.code} has no {label}; there are: {', '.join(places)}")
    index, id_ = places[label]
    part = sheet.problems[index].part(id_)
    if not 0 <= credit <= part.points:
        raise UsageError(f"{label} has {part.points} points: give a credit from 0 to {part.points}")
    return Result(
        code=sheet.code,
        label=label,
        kind="override",
        raw=before.raw if before else "",
        verdict="right" if credit == part.points else "partial" if credit else "wrong",
        credit=credit,
        points=part.points,
        misconceptions=(),
        item=sheet.problems[index].item,
        key="",
        policy="{}",
        at=at,
        why=why,
    )


def discount(
    manifest: Manifest, item: str, how: Literal["drop", "full"], why: str, at: str
) -> Iterator[Result]:
    """An item that is to count for nothing, or to give everyone its points."""
    for sheet in manifest.sheets:
        for label, index, id_ in sheet.labelled():
            if sheet.problems[index].item == item:
                points = sheet.problems[index].part(id_).points if how == "full" else 0
                verdict = "right" if how == "full" else DROPPED
                own = (sheet.code, label, "discount", "", verdict, Fraction(points), points, ())
                yield Result(*own, item=item, key="", policy="{}", at=at, why=why)  # type: ignore[arg-type]
