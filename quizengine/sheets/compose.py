"""Compose: a blueprint and a class become sheets, one fair variant each."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import chain, islice
from typing import Protocol

from quizengine.errors import UsageError
from quizengine.items.answer import Numeric
from quizengine.items.bank import Bank
from quizengine.items.item import Item, Metadata
from quizengine.lang.text import Lang
from quizengine.problems.calculation import variants_of
from quizengine.problems.dice import Dice, exam_seed
from quizengine.problems.effort import multiplications
from quizengine.problems.families import FAMILIES
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.problems.variant import sized
from quizengine.sheets.apart import apart
from quizengine.sheets.draw import alike
from quizengine.sheets.lineup import LineUp, slots
from quizengine.sheets.manifest import Keep, Manifest, Sheet
from quizengine.sheets.plan import Blueprint, Section
from quizengine.sheets.roster import Student, extra_of
from quizengine.sheets.sheet_code import code_of

_Draw = tuple[Item, int]  # a place of a sheet: the item, and its first seed
_Posed = tuple[Problem, ...]  # the same in every language of the exam
_Pose = Callable[[Sequence[list[_Draw]]], list[list[_Posed]]]  # all problems of some sheets
_Known = dict[Hashable, int]


class Each(Protocol):
    """Poses so many sheets, here or in other processes."""

    def __call__(
        self, work: _Pose, sheets: Iterable[list[_Draw]], count: int, /
    ) -> Iterable[list[_Posed]]: ...


def here(work: _Pose, sheets: Iterable[list[_Draw]], _: int) -> Iterator[list[_Posed]]:
    """So many together that none waits long."""
    left = iter(sheets)
    return chain.from_iterable(map(work, iter(lambda: list(islice(left, TOGETHER)), [])))


TOGETHER = 32  # sheets
TRIES = 24  # draws to be as much work as the neighbour, and unlike; then it is left to chance and listed


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

    def drawn(student: Student) -> list[_Draw]:
        own = base if blueprint.same_items else alike(base, Dice("sheet", secret.hex(), student.id), points)
        return [
            (item := made(*slot), _seed(secret, student.id, item.id, question.numbers))
            for slot, question in zip(own, lineup.questions, strict=True)
        ]

    sheets = list(map(drawn, students))
    in_each = partial(_posed, bank, blueprint.heading.languages)
    codes: set[str] = set()
    known: _Known = {}
    before: dict[str, Problem] = {}
    for student, draws, posed in zip(students, sheets, each(in_each, sheets, len(sheets)), strict=True):
        versions = []
        for (item, _), first, question in zip(draws, posed, lineup.questions, strict=True):
            seed = partial(_seed, secret, student.id, item.id, question.numbers)
            chosen = _apart(bank, item, map(seed, range(1, TRIES)), first[0], before.get(item.id), known)
            versions.append(first if chosen is first[0] else in_each([[(item, chosen.seed)]])[0][0])
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


def _apart(
    bank: Bank, item: Item, seeds: Iterator[int], first: Problem, neighbour: Problem | None, known: _Known
) -> Problem:
    """The first draw, or the first by these further seeds that is as much work as the neighbour's, and shares
    no numbers with it; where there is none, the first. How much work arrays of a size are is `known` once
    some were posed."""
    if neighbour is None or first.type != "numeric":
        return first
    work = _work(item, neighbour, known)
    fit = (seed for seed in seeds if known.get(_size(item, seed), work) == work)
    tried = chain([first], (pose(item, seed, first.lang, bank.catalogue) for seed in fit))
    return next((p for p in tried if _work(item, p, known) == work and apart(p, neighbour)), first)


def _work(item: Item, problem: Problem, known: _Known) -> int:
    size = _size(item, problem.seed)
    if size not in known:
        known[size] = multiplications(problem)
    return known[size]


def _size(item: Item, seed: int) -> Hashable:
    """What tells the work of a problem of numbers; there is none in others."""
    answer = item.answer
    if not isinstance(answer, Numeric) or answer.family not in FAMILIES:
        return ""
    sizes, asks = sized(item.id, answer, seed)
    return item.id, *sizes.items(), asks


def _labels(number: int, problem: Problem) -> dict[str, str]:
    """1 for a problem of one part; 2a, 2b, … for several."""
    if len(problem.parts) == 1:
        return {problem.parts[0].id: str(number)}
    return {part.id: f"{number}{chr(97 + i)}" for i, part in enumerate(problem.parts)}
