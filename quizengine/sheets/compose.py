"""Compose: a blueprint and a class become sheets, one fair variant each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quizengine.errors import UsageError
from quizengine.items.bank import Bank
from quizengine.items.item import Head, Item
from quizengine.problems.choose import choose
from quizengine.problems.dice import Dice, exam_seed
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.sheets.apart import apart
from quizengine.sheets.blueprint import Blueprint, Section
from quizengine.sheets.manifest import Manifest, Sheet, code_of
from quizengine.sheets.roster import Student

TRIES = 8  # draws to be unlike the neighbour, before it is left to chance and listed


def compose(bank: Bank, blueprint: Blueprint, students: Sequence[Student], secret: bytes) -> Manifest:
    """A sheet for every student. With `same_items` the same items with other numbers; else each place of
    a sheet is filled by an item of the same topic, type, level and difficulty. Raises UsageError."""
    base = list(_drawn(blueprint, Dice("sheet", secret.hex())))
    made: dict[Head, Item] = {}
    sheets: dict[str, Sheet] = {}
    before: dict[str, Problem] = {}
    for student in students:
        slots = base if blueprint.same_items else _alike(base, Dice("sheet", secret.hex(), student.id))
        problems = []
        for section, head in slots:
            item = made.setdefault(head, section.of(bank.item(head.id)))
            problems.append(_posed(bank, blueprint, item, secret, student.id, before.get(head.id)))
        before = {problem.item: problem for problem in problems}
        others = {
            lang: tuple(
                pose(made[h], p.seed, lang, bank.catalogue) for (_, h), p in zip(slots, problems, strict=True)
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


def _drawn(blueprint: Blueprint, dice: Dice) -> Iterator[tuple[Section, Head]]:
    """An item for every place of a sheet, none twice."""
    taken: set[str] = set()
    for number, section in enumerate(blueprint.sections, 1):
        pool = [head for head in section.pool if head.id not in taken]
        if len(pool) < section.size:
            raise UsageError(
                f"section {number} asks {section.size} items, and the sections before it leave {len(pool)}"
            )
        chosen = pool if section.named else choose(pool, section.size, dice)
        taken |= {head.id for head in chosen}
        yield from ((section, head) for head in chosen)


def _alike(base: list[tuple[Section, Head]], dice: Dice) -> list[tuple[Section, Head]]:
    """For every place another item that is as hard and of the same kind, where there is one."""
    named = {head.id for section, head in base if section.named}
    taken = set(named)
    out = []
    for section, head in base:
        pool = [
            other for other in section.pool if _profile(other) == _profile(head) and other.id not in taken
        ]
        chosen = head if section.named else dice.pick(pool) if pool else head
        taken.add(chosen.id)
        out.append((section, chosen))
    return out


def _profile(head: Head) -> tuple[object, ...]:
    return head.topic, head.type, head.level, head.difficulty


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
