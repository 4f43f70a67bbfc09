"""Compose: a blueprint and a class become sheets, one fair variant each."""

from __future__ import annotations

from collections.abc import Sequence

from quizengine.items.bank import Bank
from quizengine.items.item import Head, Item
from quizengine.problems.dice import Dice, exam_seed
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.sheets.apart import apart
from quizengine.sheets.draw import alike, draw
from quizengine.sheets.manifest import Manifest, Sheet, code_of
from quizengine.sheets.plan import Blueprint, Section
from quizengine.sheets.roster import Student

TRIES = 8  # draws to be unlike the neighbour, before it is left to chance and listed


def compose(bank: Bank, blueprint: Blueprint, students: Sequence[Student], secret: bytes) -> Manifest:
    """A sheet for every student. With `same_items` the same items with other numbers; else each place of
    a sheet is filled by an item of the same topic, type, level and difficulty. Raises UsageError."""
    base = draw(blueprint.sections, Dice("sheet", secret.hex()))
    made: dict[tuple[Section, Head], Item] = {}
    sheets: dict[str, Sheet] = {}
    before: dict[str, Problem] = {}
    for student in students:
        slots = base if blueprint.same_items else alike(base, Dice("sheet", secret.hex(), student.id))
        problems = []
        for section, head in slots:
            item = made.setdefault((section, head), section.of(bank.item(head.id)))
            problems.append(_posed(bank, blueprint, item, secret, student.id, before.get(head.id)))
        before = {problem.item: problem for problem in problems}
        others = {
            lang: tuple(
                pose(made[slot], p.seed, lang, bank.catalogue)
                for slot, p in zip(slots, problems, strict=True)
            )
            for lang in blueprint.heading.languages[1:]
        }
        code = code_of(secret, student.id, sheets)
        labels = tuple(map(_labels, range(1, len(slots) + 1), problems))
        sheets[code] = Sheet(code, student.id, tuple(problems), labels, student.name, student.group, others)
    shown = {r.misconception for s in sheets.values() for p in s.problems for r in p.rivals}
    used = {id_: m for id_, m in bank.catalogue.items() if id_ in shown}
    sections = [(section.title, section.size) for section in blueprint.sections]
    return Manifest(
        secret.hex(),
        blueprint.policy,
        tuple(sheets.values()),
        used,
        bank.digest,
        blueprint.heading,
        tuple(sections),
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
