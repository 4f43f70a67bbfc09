"""Compose: a blueprint and a class become sheets, one fair variant each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quizengine.items.bank import Bank
from quizengine.items.item import Item, Metadata
from quizengine.problems.dice import Dice, exam_seed
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.sheets.apart import apart
from quizengine.sheets.draw import alike, draw
from quizengine.sheets.manifest import Keep, Manifest, Sheet, code_of
from quizengine.sheets.plan import Blueprint, Section
from quizengine.sheets.roster import Student

TRIES = 8  # draws to be unlike the neighbour, before it is left to chance and listed


def compose(
    bank: Bank,
    blueprint: Blueprint,
    students: Sequence[Student],
    secret: bytes,
    keep: Keep = tuple,
) -> Manifest:
    """A sheet for every student. With `same_items` the same items with other numbers; else each place of
    a sheet is filled by an item of the same topic, type, level and difficulty. `keep` holds the sheets as
    they are made. Raises UsageError."""
    shown: set[str] = set()
    sheets = keep(_sheets(bank, blueprint, students, secret, shown))
    used = {id_: m for id_, m in bank.catalogue.items() if id_ in shown}
    sections = tuple((section.title, section.size) for section in blueprint.sections)
    return Manifest(secret.hex(), blueprint.policy, sheets, used, bank.digest, blueprint.heading, sections)


def _sheets(
    bank: Bank, blueprint: Blueprint, students: Sequence[Student], secret: bytes, shown: set[str]
) -> Iterator[Sheet]:
    """One by one; the misconceptions that they can show are added to `shown`."""
    base = draw(blueprint.sections, Dice("sheet", secret.hex()))
    made: dict[tuple[Section, Metadata], Item] = {}
    codes: set[str] = set()
    before: dict[str, Problem] = {}
    for student in students:
        slots = base if blueprint.same_items else alike(base, Dice("sheet", secret.hex(), student.id))
        problems = []
        for section, metadata in slots:
            item = made.setdefault((section, metadata), section.of(bank.item(metadata.id)))
            problems.append(_posed(bank, blueprint, item, secret, student.id, before.get(metadata.id)))
        before = {problem.item: problem for problem in problems}
        others = {
            lang: tuple(
                pose(made[slot], p.seed, lang, bank.catalogue)
                for slot, p in zip(slots, problems, strict=True)
            )
            for lang in blueprint.heading.languages[1:]
        }
        code = code_of(secret, student.id, codes)
        codes.add(code)
        shown |= {rival.misconception for problem in problems for rival in problem.rivals}
        labels = tuple(map(_labels, range(1, len(slots) + 1), problems))
        yield Sheet(
            code, student.id, tuple(problems), labels, student.name, student.group, student.email, others
        )


def _posed(
    bank: Bank, blueprint: Blueprint, item: Item, secret: bytes, student: str, neighbour: Problem | None
) -> Problem:
    """The first of a few draws that shares no numbers with the neighbour's, else the first."""
    lang = blueprint.heading.languages[0]
    problem = first = pose(item, exam_seed(secret, student, item.id), lang, bank.catalogue)
    for attempt in range(1, TRIES):
        if neighbour is None or problem.type != "numeric" or apart(problem, neighbour):
            return problem
        problem = pose(item, exam_seed(secret, student, f"{item.id} {attempt}"), lang, bank.catalogue)
    return first


def _labels(number: int, problem: Problem) -> dict[str, str]:
    """1 for a problem of one part; 2a, 2b, … for several."""
    if len(problem.parts) == 1:
        return {problem.parts[0].id: str(number)}
    return {part.id: f"{number}{chr(97 + i)}" for i, part in enumerate(problem.parts)}
