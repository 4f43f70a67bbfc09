"""Regrade: what answers on record would earn today."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from quizengine.errors import QuizError, UnknownName, UsageError
from quizengine.grading.attempt import attempt
from quizengine.grading.record.effective import AUTOMATIC, Result, latest, results_of, was_late
from quizengine.grading.record.override import credit_of
from quizengine.grading.record.results import Results
from quizengine.items.bank import Bank
from quizengine.items.policy import Policy
from quizengine.lang.messages import name, t
from quizengine.lang.shown import Shown, unseen
from quizengine.lang.text import Lang
from quizengine.marking.mark import credit_text
from quizengine.problems.part import NumericPart, Part, labels_of
from quizengine.problems.problem import Problem
from quizengine.problems.repose import repose
from quizengine.sheets.manifest import Manifest, Sheet


class Change(NamedTuple):
    """A mark that would be another one: as it is, and as it would be."""

    student: str
    old: Result
    new: Result

    @property
    def lower(self) -> bool:
        """Would the learner lose by it? Such changes are made only where that is allowed."""
        return self.new.credit < self.old.credit

    @property
    def because(self) -> list[str]:
        """What is not as it was: key, policy, engine; or that it was never graded, by a fault of ours."""
        others = [
            part for part in ("key", "policy", "engine") if getattr(self.old, part) != getattr(self.new, part)
        ]
        return [*others, "ungraded"] if self.old.verdict == "ungraded" else others

    def line(self, lang: Lang) -> str:
        """Whose mark it is, both credits, and what is not as it was."""
        because = t(lang, "rows.between").join(name("because", one, lang) for one in self.because)
        values = {"student": self.student, "label": self.new.label, "because": because}
        values |= {"old": credit_text(self.old.credit), "new": credit_text(self.new.credit)}
        return t(lang, "marks.change", **values)


class Regrading(NamedTuple):
    """The marks that would change, those of them that do where it is `applied`, and the items of the bank
    that have changed in more than their key, so that they cannot be used."""

    changes: list[Change]
    taken: list[Change]
    unusable: list[str]
    applied: bool

    def lines(self, lang: Lang) -> Iterator[str]:
        """What there is to say of it."""
        for change in self.changes:
            yield change.line(lang) + ("" if change in self.taken else t(lang, "marks.lower"))
        for item in self.unusable:
            yield t(lang, "marks.unusable", item=item)
        if not self.changes:
            yield t(lang, "marks.none")
        if self.taken:
            yield t(lang, "marks.applied" if self.applied else "marks.shown", count=len(self.taken))
        if lower := len(self.changes) - len(self.taken):
            yield t(lang, "marks.kept", count=lower)

    def to_json(self) -> dict[str, object]:
        """All of that for a program; credits are exact, as text."""
        changes = [
            {
                "student": change.student,
                "code": change.new.code,
                "label": change.new.label,
                "old": str(change.old.credit),
                "new": str(change.new.credit),
                "because": change.because,
                "taken": change in self.taken,
            }
            for change in self.changes
        ]
        return {"changes": changes, "applied": self.applied, "unusable": self.unusable}


def regrade(
    found: tuple[list[Change], list[str]], results: Results | None, why: str, *, lower: bool
) -> Regrading:
    """What becomes of `changes`: all are taken, or those alone by which no learner loses, unless `lower` ones
    may be; what is taken is recorded where there are `results`. Raises InputError."""
    changes, unusable = found
    taken = [change for change in changes if lower or not change.lower]
    if results is not None:
        results.add([change.new._replace(why=why) for change in taken])
    return Regrading(changes, taken, unusable, results is not None)


def policy_with(policy: Policy, changed: Iterable[str]) -> Policy:
    """A policy with these values (“late=1/2”) in place of its own. Raises UnknownName, UsageError."""
    for word in changed:
        field, _, value = word.partition("=")
        if field not in policy._fields:
            raise UnknownName("policy value", field, policy._fields)
        try:
            share = credit_of(value)
        except UsageError:
            raise UsageError(
                f"{field} is a share, from 0 to 1: “{value}” is none (write 0.5 or 1/2)"
            ) from None
        if field != "window" and share > 1:
            raise UsageError(f"{field} is a share, from 0 to 1: {value} is not")
        if field == "window" and not share:
            raise UsageError("window is more than 0: how many units of the last decimal count as equal")
        policy = policy._replace(**{field: share})
    return policy


def changes(
    manifest: Manifest,
    results: Results,
    policy: Policy,
    at: str,
    bank: Bank | None = None,
    shown: Shown = unseen,
) -> tuple[list[Change], list[str]]:
    """Every mark that would differ, in the order of the sheets; and the items of the bank that have changed
    in more than their key, so that they cannot be used. Own marks of the instructor are not touched. `shown`
    wraps the sheets, so that a person sees how far it is. Raises InputError."""
    out: list[Change] = []
    unusable: dict[str, None] = {}
    for sheet in shown(manifest.sheets, len(manifest.sheets)):
        history = results.history(sheet.code)
        own = latest(history, AUTOMATIC)
        if not own:
            continue
        today, differing = _today(sheet, bank)
        unusable |= dict.fromkeys(differing)
        answers = {label: result.raw for label, result in own.items()}
        again = attempt(today, answers, policy, late=was_late(history))
        for new in results_of(again, policy, "regraded", at):
            old = own.get(new.label)
            if old is not None and _says(old) != _says(new) and new.verdict not in ("ungraded", "open"):
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
    return new if _shown(new) == _shown(problem) else None


def _shown(problem: Problem) -> tuple[object, ...]:
    """What a learner saw besides the prompt."""
    return problem.given, problem.code, problem.table, list(map(_asked, problem.parts))


def _asked(part: Part) -> tuple[object, ...]:
    """What a learner saw of a part."""
    exactly = (part.shape, part.decimals) if isinstance(part, NumericPart) else ()
    choices = [(choice.label, choice.text) for choice in labels_of(part)]
    return part.id, part.kind, part.prompt, part.points, exactly, choices
