"""Compose: a blueprint and a class become sheets, one fair variant each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from quizengine.errors import UsageError
from quizengine.items.bank import Bank
from quizengine.items.item import Item, Metadata
from quizengine.problems.dice import Dice, exam_seed
from quizengine.problems.effort import multiplications
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.sheets.apart import apart
from quizengine.sheets.draw import alike
from quizengine.sheets.lineup import LineUp, slots
from quizengine.sheets.manifest import Keep, Manifest, Sheet
from quizengine.sheets.plan import Blueprint, Question, Section
from quizengine.sheets.roster import Student, extra_of
from quizengine.sheets.sheet_code import code_of

TRIES = 24  # draws to be as much work as the neighbour, and unlike; then it is left to chance and listed


def compose(
    bank: Bank,
    blueprint: Blueprint,
    students: Sequence[Student],
    lineup: LineUp,
    keep: Keep = tuple,
) -> Manifest:
    """A sheet for every student. With `same_items` the items of the line-up with other numbers; else each
    place of a sheet is filled by an item of the same topic, type, level and difficulty. `keep` holds the
    sheets as they are made. Raises UsageError."""
    _check_wishes(blueprint, students)
    shown: set[str] = set()
    sheets = keep(sheets_of(bank, blueprint, students, lineup, shown))
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
    bank: Bank, blueprint: Blueprint, students: Sequence[Student], lineup: LineUp, shown: set[str]
) -> Iterator[Sheet]:
    """One by one; the misconceptions that they can show are added to `shown`."""
    base, secret = slots(blueprint, bank, lineup.questions), lineup.secret

    @cache
    def points(metadata: Metadata) -> int:
        return pose(bank.item(metadata.id), 1, blueprint.heading.languages[0], bank.catalogue).points

    made: dict[tuple[Section, Metadata], Item] = {}
    codes: set[str] = set()
    before: dict[str, Problem] = {}
    for student in students:
        own = base if blueprint.same_items else alike(base, Dice("sheet", secret.hex(), student.id), points)
        problems = []
        for (section, metadata), question in zip(own, lineup.questions, strict=True):
            item = made.setdefault((section, metadata), section.of(bank.item(metadata.id)))
            seeds = _seeds(secret, student.id, question._replace(item=item.id))
            problems.append(_posed(bank, blueprint, item, seeds, before.get(metadata.id)))
        before = {problem.item: problem for problem in problems}
        others = {
            lang: tuple(
                pose(made[slot], p.seed, lang, bank.catalogue) for slot, p in zip(own, problems, strict=True)
            )
            for lang in blueprint.heading.languages[1:]
        }
        code = code_of(secret, student.id, codes)
        codes.add(code)
        shown |= {rival.misconception for problem in problems for rival in problem.rivals}
        labels = tuple(map(_labels, range(1, len(own) + 1), problems))
        yield Sheet(
            *(code, student.id, tuple(problems), labels, student.name, student.group, student.email, others),
            *(student.extra, student.large, student.lang),
        )


def _seeds(secret: bytes, student: str, question: Question) -> Iterator[int]:
    """The seeds that may be tried, in order."""
    drawn = question.item if question.numbers == 1 else f"{question.item} numbers {question.numbers}"
    yield exam_seed(secret, student, drawn)
    for attempt in range(1, TRIES):
        yield exam_seed(secret, student, f"{drawn} {attempt}")


def _posed(
    bank: Bank, blueprint: Blueprint, item: Item, seeds: Iterator[int], neighbour: Problem | None
) -> Problem:
    """Of these draws the first that is as much work as the neighbour's, and shares no numbers with it; else
    the first of all."""
    lang = blueprint.heading.languages[0]
    first = problem = pose(item, next(seeds), lang, bank.catalogue)
    if neighbour is None or first.type != "numeric":
        return first
    work = multiplications(neighbour)
    while not (apart(problem, neighbour) and multiplications(problem) == work):
        seed = next(seeds, None)
        if seed is None:
            return first
        problem = pose(item, seed, lang, bank.catalogue)
    return problem


def _labels(number: int, problem: Problem) -> dict[str, str]:
    """1 for a problem of one part; 2a, 2b, … for several."""
    if len(problem.parts) == 1:
        return {problem.parts[0].id: str(number)}
    return {part.id: f"{number}{chr(97 + i)}" for i, part in enumerate(problem.parts)}
