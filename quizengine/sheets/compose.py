"""Compose: a blueprint and a class become sheets, one fair variant each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import chain, islice
from typing import Protocol

from quizengine.errors import UsageError
from quizengine.items.bank import Bank
from quizengine.items.item import Item, Metadata
from quizengine.lang.text import Lang
from quizengine.problems.calculation import variants_of
from quizengine.problems.dice import Dice, exam_seed
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.sheets.draw import alike
from quizengine.sheets.lineup import LineUp, slots
from quizengine.sheets.manifest import Keep, Manifest, Sheet
from quizengine.sheets.neighbours import Place, planned, seed_beside
from quizengine.sheets.plan import Blueprint, Section
from quizengine.sheets.roster import Student, extra_of
from quizengine.sheets.sheet_code import code_of

TOGETHER = 32  # sheets
_Draw = tuple[Item, int]  # a place of a sheet: the item, and its first seed
_Posed = tuple[Problem, ...]  # the same in every language of the exam
_Pose = Callable[[Sequence[list[_Draw]]], list[list[_Posed]]]  # all problems of some sheets


class Each(Protocol):
    """Poses so many sheets, here or in other processes."""

    def __call__(
        self, work: _Pose, sheets: Iterable[list[_Draw]], count: int, /
    ) -> Iterable[list[_Posed]]: ...


def here(work: _Pose, sheets: Iterable[list[_Draw]], _: int) -> Iterator[list[_Posed]]:
    """So many together that none waits long."""
    left = iter(sheets)
    return chain.from_iterable(map(work, iter(lambda: list(islice(left, TOGETHER)), [])))


def compose(
    bank: Bank,
    blueprint: Blueprint,
    students: Sequence[Student],
    lineup: LineUp,
    keep: Keep = tuple,
    each: Each = here,
) -> Manifest:
    """A sheet for every student. With `same_items` the items of the line-up with other numbers; else each
    place of a sheet is filled by an item of the same topic, type, level and difficulty. `keep` holds the
    sheets as they are made; `each` poses their problems, here or in other processes. Raises UsageError."""
    _check_wishes(blueprint, students)
    shown: set[str] = set()
    sheets = keep(sheets_of(bank, blueprint, students, lineup, shown, each))
    used = {id_: m for id_, m in bank.catalogue.items() if id_ in shown}
    sections = tuple((section.title, section.size) for section in blueprint.sections)
    return Manifest(
        lineup.secret.hex(), blueprint.policy, sheets, used, bank.digest, blueprint.heading, sections
    )


def _check_wishes(blueprint: Blueprint, students: Sequence[Student]) -> None:
    """Can everybody have what the roster asks for them? Raises UsageError."""
    languages = blueprint.heading.languages
    for student in students:
        if student.lang and student.lang not in languages:
            raise UsageError(
                f"{student.id} is to have the exam in {student.lang}, and it is in {', '.join(languages)}: "
                "say “languages” in the blueprint"
            )
        if extra_of(student.extra).share and not blueprint.heading.minutes:
            raise UsageError(
                f"{student.id} has {student.extra} more time, a share of what? Say “minutes” in the blueprint"
            )


def sheets_of(
    bank: Bank,
    blueprint: Blueprint,
    students: Sequence[Student],
    lineup: LineUp,
    shown: set[str],
    each: Each = here,
) -> Iterator[Sheet]:
    """One by one; the misconceptions that they can show are added to `shown`."""
    base, secret = slots(blueprint, bank, lineup.questions), lineup.secret

    @cache
    def points(metadata: Metadata) -> int:
        return pose(bank.item(metadata.id), 1, blueprint.heading.languages[0], bank.catalogue).points

    @cache
    def made(section: Section, metadata: Metadata) -> Item:
        return section.of(bank.item(metadata.id))

    def placed(student: Student) -> list[Place]:
        own = base if blueprint.same_items else alike(base, Dice("sheet", secret.hex(), student.id), points)
        return [
            (item := made(*slot), partial(_seed, secret, student.id, item.id, question.numbers))
            for slot, question in zip(own, lineup.questions, strict=True)
        ]

    places = list(map(placed, students))
    sheets, in_each = list(planned(places)), partial(_posed, bank, blueprint.heading.languages)
    codes: set[str] = set()
    before: dict[str, Problem] = {}
    for student, own, posed in zip(students, places, each(in_each, sheets, len(sheets)), strict=True):
        versions = []
        for place, first in zip(own, posed, strict=True):
            seed = seed_beside(place, first[0], before.get(place[0].id), bank.catalogue)
            versions.append(first if seed == first[0].seed else in_each([[(place[0], seed)]])[0][0])
        problems, *other = zip(*versions, strict=True)
        before = {problem.item: problem for problem in problems}
        others = dict(zip(blueprint.heading.languages[1:], other, strict=True))
        code = code_of(secret, student.id, codes)
        codes.add(code)
        shown |= {rival.misconception for problem in problems for rival in problem.rivals}
        labels = tuple(map(_labels, range(1, len(problems) + 1), problems))
        yield Sheet(
            *(code, student.id, tuple(problems), labels, student.name, student.group, student.email, others),
            *(student.extra, student.large, student.lang),
        )


def _seed(secret: bytes, student: str, item: str, numbers: int, attempt: int = 0) -> int:
    """The seed of the first draw, or of a further attempt."""
    drawn = item if numbers == 1 else f"{item} numbers {numbers}"
    return exam_seed(secret, student, f"{drawn} {attempt}" if attempt else drawn)


def _posed(bank: Bank, languages: Sequence[Lang], sheets: Sequence[list[_Draw]]) -> list[list[_Posed]]:
    """Every problem of these sheets by its seed, in each of the languages."""
    known = iter(variants_of([*chain.from_iterable(sheets)], bank.catalogue))
    return [
        [
            tuple(pose(item, seed, lang, bank.catalogue, variant) for lang in languages)
            for (item, seed), variant in zip(draws, islice(known, len(draws)), strict=True)
        ]
        for draws in sheets
    ]


def _labels(number: int, problem: Problem) -> dict[str, str]:
    """1 for a problem of one part; 2a, 2b, … for several."""
    if len(problem.parts) == 1:
        return {problem.parts[0].id: str(number)}
    return {part.id: f"{number}{chr(97 + i)}" for i, part in enumerate(problem.parts)}
