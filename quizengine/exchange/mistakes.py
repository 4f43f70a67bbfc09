"""What another platform is to say of a wrong answer: the names of the misconceptions that give it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from quizengine.exchange.question_html import bullets, line
from quizengine.items.catalogue import Catalogue
from quizengine.items.close import SEAL, Sealed
from quizengine.lang.messages import t
from quizengine.problems.part import (
    ChoicePart,
    ChoicesPart,
    EstimatePart,
    Label,
    NumericPart,
    is_sealed,
)
from quizengine.problems.problem import Problem

TYPED = 10_100_000  # sealed: a wrong number that is not whole, where a whole one is asked, has two decimals


class PartRival(NamedTuple):
    """A wrong answer to a whole part, how far off an entry is still taken for it, both sealed, and the
    misconceptions that give it or one so near."""

    values: Sealed
    reach: int | Fraction
    misconceptions: tuple[str, ...]


class CellRival(NamedTuple):
    """A wrong value of a cell, how far off it is still taken for it, both sealed, and the misconceptions that
    give it or one so near."""

    value: int
    reach: int | Fraction
    misconceptions: tuple[str, ...]


def part_rivals(problem: Problem, part: NumericPart, reach: int | Fraction) -> Iterator[PartRival]:
    """What rivals give in a whole part, where that is not the key; `reach` is that of the key, in sealed
    units. A platform takes the first that fits: each bears the names of all that lie within its own reach."""
    values: dict[Sealed, list[str]] = {}
    for misconception, wrong in _of_its_shape(problem, part):
        if not _all_near(wrong, part.key, reach):
            values.setdefault(wrong, []).append(misconception)
    for wrong in values:
        own = reach or (TYPED if any(x % SEAL for row in wrong for x in row) else 0)
        near = [id_ for other, ids in values.items() if _all_near(other, wrong, own) for id_ in ids]
        yield PartRival(wrong, own, tuple(dict.fromkeys(near)))


def _of_its_shape(problem: Problem, part: NumericPart | EstimatePart) -> Iterator[tuple[str, Sealed]]:
    """The wrong answers of the key's shape, each with its misconception."""
    for rival in problem.rivals:
        wrong = rival.values.get(part.id)
        if wrong is None or not is_sealed(wrong):
            continue
        if (len(wrong), len(wrong[0])) == (len(part.key), len(part.key[0])):
            yield rival.misconception, wrong


def _all_near(one: Sealed, other: Sealed, reach: int | Fraction) -> bool:
    rows = zip(one, other, strict=True)
    return all(abs(a - b) <= reach for mine, its in rows for a, b in zip(mine, its, strict=True))


def cell_rivals(
    problem: Problem, part: NumericPart | EstimatePart, row: int, column: int, reach: int | Fraction
) -> Iterator[CellRival]:
    """What rivals give in one cell, where that is not the key; `reach` is that of the key, in sealed units. A
    platform takes the first value that fits: each bears the names of all that lie within its own reach."""
    values: dict[int, list[str]] = {}
    key = part.key[row][column]
    for misconception, wrong in _of_its_shape(problem, part):
        if abs(wrong[row][column] - key) > reach:
            values.setdefault(wrong[row][column], []).append(misconception)
    for value in sorted(values, key=lambda value: value % SEAL > 0):  # the whole ones first: they reach less
        own = reach or (TYPED if value % SEAL else 0)
        near = [id_ for other, ids in values.items() if abs(other - value) <= own for id_ in ids]
        yield CellRival(value, own, tuple(dict.fromkeys(near)))


def names(ids: Iterable[str], catalogue: Catalogue, problem: Problem) -> str:
    """The misconceptions by name, as HTML: “A or B”."""
    called = dict.fromkeys(line(catalogue[id_].name[problem.lang]) for id_ in ids if id_ in catalogue)
    return t(problem.lang, "export.or").join(called)


def said_of(problem: Problem, part: ChoicePart | ChoicesPart, choice: Label, catalogue: Catalogue) -> str:
    """What a wrong choice is told of itself, as HTML; nothing where nobody said why it is wrong."""
    if choice.label in (part.key if isinstance(part, ChoicesPart) else (part.key,)):
        return ""
    answers = ((rival.misconception, rival.values.get(part.id, ())) for rival in problem.rivals)
    called = names((id_ for id_, labels in answers if choice.label in labels), catalogue, problem)
    why = line(choice.why) if choice.why else ""
    return t(problem.lang, "export.name-why", name=called, why=why) if called and why else called or why


def remedies(problem: Problem, catalogue: Catalogue) -> Iterator[str]:
    """Every misconception that the problem can show, with its remedy, as HTML."""
    return remedies_of((rival.misconception for rival in problem.rivals), problem, catalogue)


def remedies_of(ids: Iterable[str], problem: Problem, catalogue: Catalogue) -> Iterator[str]:
    """Each of these misconceptions with its remedy, once, as HTML."""
    for id_ in dict.fromkeys(ids):
        if id_ in catalogue:
            name, remedy = (line(text[problem.lang]) for text in (catalogue[id_].name, catalogue[id_].remedy))
            yield f"<strong>{name}</strong>{t(problem.lang, 'export.colon')}{remedy}"


def afterwards(problem: Problem, catalogue: Catalogue) -> str:
    """What stands below when a question has been answered, as HTML: the way there, and every mistake with its
    remedy, once."""
    out = [f"<p>{line(text)}</p>" for text in problem.worked]
    return "".join([*out, *bullets(remedies(problem, catalogue))])
