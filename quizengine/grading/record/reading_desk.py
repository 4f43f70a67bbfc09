"""The reading desk: answers in words, question by question, equal ones together; what a person finds in one
is decided for all that say the same."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from quizengine.grading.record.effective import READ, Result, effective
from quizengine.grading.record.results import Reading, Results
from quizengine.lang.messages import t
from quizengine.lang.shown import Shown, unseen
from quizengine.lang.text import Lang
from quizengine.marking.words import Suggestion, read_mark, suggestion
from quizengine.problems.part import WordsPart
from quizengine.problems.problem import Problem
from quizengine.sheets.manifest import Manifest

NEAR = 0.88  # of their letters in common: nearly the same, which is shown and decides nothing
MOST = 400  # groups of a question, among which near ones are looked for


class Answer(NamedTuple):
    """One answer, and what counts of it now."""

    code: str
    student: str
    label: str
    raw: str
    counts: Result


class Group(NamedTuple):
    """Answers that say the same, as it was first written; is it `near` the group before it?"""

    text: str
    answers: tuple[Answer, ...]
    near: bool = False
    said: frozenset[int] = frozenset()  # what this reader has found in such a text before

    @property
    def id(self) -> str:
        """What it is called in a table, of whatever question it is."""
        return hashlib.sha256(f"{self.answers[0].counts.item} {same(self.text)}".encode()).hexdigest()[:10]

    @property
    def written(self) -> tuple[str, ...]:
        """How else it is written."""
        return tuple({" ".join(answer.raw.split()): None for answer in self.answers})[1:]


class Question(NamedTuple):
    """A question in words, in the language of its sheets, with the answers to it."""

    problem: Problem
    part: WordsPart
    groups: tuple[Group, ...]

    @property
    def lang(self) -> Lang:
        """The language in which it was asked."""
        return self.problem.lang

    def suggestion(self, group: Group) -> Suggestion:
        """What the word lists make of these answers."""
        return suggestion(self.part, group.text)


@lru_cache(2**14)
def same(text: str) -> str:
    """What answers that say the same have in common: letters, digits and signs.

    >>> same("It  Scales!"), same("ｉｔ scales"), same("√d_k, not d_k")
    ('itscales', 'itscales', '√dknotdk')
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c for c in plain if unicodedata.category(c)[0] not in "PZC")


def questions(
    manifest: Manifest, results: Results, reader: str = "", *, again: bool = False, shown: Shown = unseen
) -> list[Question]:
    """Every question in words of an exam, with the answers that this reader (the first bears no name) has not
    read yet, or with all of them; the most common first. What the instructor has decided otherwise is not
    among them. `shown` wraps the sheets, so that a person sees how far it is. Raises InputError."""
    known = {(one.code, one.label, one.raw): one.said for one in results.readings(reader)}
    found: dict[tuple[str, Lang], tuple[Problem, WordsPart, list[Answer]]] = {}
    for sheet in shown(manifest.sheets, len(manifest.sheets)):
        counts = effective(history) if (history := results.history(sheet.code)) else {}
        problems = sheet.own_problems if counts else ()
        for label, index, id_ in sheet.labelled() if counts else ():
            problem = problems[index]
            part = problem.part(id_)
            if not isinstance(part, WordsPart) or label not in counts or not _is_read(counts[label]):
                continue
            *_, answers = found.setdefault((problem.item, problem.lang), (problem, part, []))
            answers.append(Answer(sheet.code, sheet.student, label, counts[label].raw, counts[label]))
    return [
        Question(problem, part, _groups(answers, known, reader, again=again))
        for problem, part, answers in found.values()
    ]


def _is_read(counts: Result) -> bool:
    """Is it for a reader: an answer that is open, or was read before?"""
    return counts.verdict == "open" or counts.key == READ


def _groups(
    every: Sequence[Answer], known: Mapping[tuple[str, str, str], Any], reader: str, *, again: bool
) -> tuple[Group, ...]:
    before = {same(a.raw): said for a in every if (said := known.get((a.code, a.label, a.raw))) is not None}
    answers = every if again else [a for a in every if _waits(a, known, reader)]
    return tuple(
        group._replace(said=frozenset(before.get(same(group.text), ()))) for group in _together(answers)
    )


def _waits(answer: Answer, known: Mapping[tuple[str, str, str], Any], reader: str) -> bool:
    if not reader:
        return answer.counts.verdict == "open"
    return known.get((answer.code, answer.label, answer.raw)) is None


def _together(answers: Iterable[Answer]) -> tuple[Group, ...]:
    together: dict[str, list[Answer]] = {}
    for answer in answers:
        together.setdefault(same(answer.raw), []).append(answer)
    left = sorted(together.values(), key=lambda group: (-len(group), same(group[0].raw)))
    out: list[Group] = []
    while left:
        first = left.pop(0)
        out.append(_group(first))
        if len(together) <= MOST:
            near = [other for other in left if _near(same(first[0].raw), same(other[0].raw))]
            out += [_group(other, near=True) for other in near]
            left = [other for other in left if other not in near]
    return tuple(out)


def _group(answers: Sequence[Answer], *, near: bool = False) -> Group:
    return Group(" ".join(answers[0].raw.split()), tuple(answers), near)


def _near(a: str, b: str) -> bool:
    if abs(len(a) - len(b)) > (1 - NEAR) * (len(a) + len(b)):
        return False
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    return matcher.quick_ratio() >= NEAR and matcher.ratio() >= NEAR


def decided(
    question: Question, group: Group, said: Collection[int] | None, words: str, at: str
) -> Iterator[Result]:
    """The own marks that this makes of the answers of a group: `said` are the places of the ideas in them,
    from 0 (None: taken back, it is as it was before), `words` the instructor's own."""
    for answer in group.answers:
        before, lang = answer.counts, question.lang
        if said is None:
            yield before._replace(kind="override", key=READ, policy="{}", at=at, late=False)
            continue
        mark = read_mark(question.part, answer.raw, said)
        left = [idea.name for n, idea in enumerate(question.part.ideas) if n not in said]
        kept = before.why if before.key == READ and before.credit == mark.credit else ""
        told = t(lang, "read.missing", ideas=" / ".join(left)) if left else t(lang, "read.all")
        yield before._replace(
            kind="override",
            verdict=mark.verdict,
            credit=mark.credit,
            points=mark.points,
            misconceptions=(),
            key=READ,
            policy="{}",
            at=at,
            why=words or kept or told,
            late=False,
        )


def readings(group: Group, reader: str, said: Collection[int] | None, at: str) -> Iterator[Reading]:
    """What a reader found in these answers, as it is kept."""
    places = None if said is None else tuple(sorted(said))
    for answer in group.answers:
        yield Reading(reader, answer.code, answer.label, answer.raw, places, at)


class Agreement:
    """What two readers made of the answers that both have read."""

    def __init__(self, first: Iterable[Reading], second: Iterable[Reading]):
        own = {(one.code, one.label, one.raw): one.said for one in first if one.said is not None}
        other = {(one.code, one.label, one.raw): one.said for one in second if one.said is not None}
        self.pairs = {place: (said, other[place]) for place, said in own.items() if place in other}

    @cached_property
    def alike(self) -> int:
        """How many answers both read alike."""
        return sum(a == b for a, b in self.pairs.values())

    @property
    def differing(self) -> list[tuple[str, str]]:
        """The others: code and label."""
        return [(code, label) for (code, label, _), (a, b) in self.pairs.items() if a != b]
