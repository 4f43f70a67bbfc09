"""Apart: are two variants unlike enough that copying does not pay; and is a class's exam equally hard?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import chain, pairwise
from typing import NamedTuple, TypedDict

from quizengine.items.answer import Numeric
from quizengine.items.bank import Bank
from quizengine.items.close import close, unit
from quizengine.problems.calculation import with_numbers
from quizengine.problems.distinct import candidates
from quizengine.problems.effort import largest_denominator, multiplications
from quizengine.problems.families import FAMILIES
from quizengine.problems.part import NumericPart
from quizengine.problems.problem import Problem
from quizengine.sheets.manifest import Manifest, Sheet

EVEN = 1.25  # times the least work, for the most to be about the same
WINDOW = Fraction(101, 100)  # units of the asked decimal, as wide as any marking is


def apart(one: Problem, other: Problem) -> bool:
    """Are their numbers or programs different, and would no answer of the one be right in the other?"""
    return (one.given, one.code) != (other.given, other.code) and not copies(one, other)


def copies(one: Problem, other: Problem) -> list[str]:
    """The numeric parts whose key in the one is right in the other, too."""
    theirs = {part.id: part for part in other.numeric}
    return [part.id for part in one.numeric if part.id in theirs and _right(part, theirs[part.id])]


def _right(part: NumericPart, other: NumericPart) -> bool:
    tolerance = WINDOW * unit(part.decimals or 0)
    if [len(row) for row in part.key] != [len(row) for row in other.key]:
        return False
    pairs = zip(chain(*part.key), chain(*other.key), strict=True)
    return all(close(mine, theirs, tolerance) for mine, theirs in pairs)


class Copy(NamedTuple):
    """A part that neighbours in the roster could copy from each other, by chance."""

    student: str
    neighbour: str
    label: str


def chance_copies(sheets: Iterable[Sheet]) -> Iterator[Copy]:
    """Every numeric part in which a neighbour's key is right as well."""
    for one, other in pairwise(sheets):
        theirs = {problem.item: problem for problem in other.problems}
        for problem, labels in zip(one.problems, one.labels, strict=True):
            if problem.item in theirs:
                shared = copies(problem, theirs[problem.item])
                yield from (Copy(one.student, other.student, labels[part]) for part in shared)


class Work(NamedTuple):
    """What there is to do by hand on the sheet with the least, and on the one with the most."""

    least: int = 0
    most: int = 0

    @property
    def even(self) -> bool:
        """Is it about the same for all?"""
        return self.most <= EVEN * self.least

    def with_(self, amount: int) -> Work:
        """The same with one more sheet."""
        return Work(min(self.least or amount, amount), max(self.most, amount))


class Parity(TypedDict):
    """What every sheet asks by its code, whether each of that is the same for all, between what bounds the
    work by hand lies (multiplications, and the largest denominator), and what neighbours could copy."""

    equal: dict[str, bool]
    work: dict[str, Work]
    sheets: dict[str, Mapping[str, object]]
    chance_copies: list[dict[str, str]]


class Weighing:
    """Sheets that are weighed one by one as they go by, for there may be many."""

    def __init__(self, bank: Bank):
        self.bank, self._numeric = bank, cache(partial(_at_any_size, bank))
        self._rows: dict[str, Mapping[str, object]] = {}
        self._work = {"multiplications": Work(), "denominator": Work()}
        self._copied: list[dict[str, str]] = []

    def each(self, sheets: Iterable[Sheet]) -> Iterator[Sheet]:
        """The same sheets."""
        before: list[Sheet] = []
        for sheet in sheets:
            self._rows[sheet.code] = _weight(sheet, self.bank, self._numeric)
            done = {
                "multiplications": sum(map(multiplications, sheet.problems)),
                "denominator": max(map(largest_denominator, sheet.problems), default=1),
            }
            self._work = {what: work.with_(done[what]) for what, work in self._work.items()}
            self._copied += [copy._asdict() for copy in chance_copies([*before, sheet])]
            before = [sheet]
            yield sheet

    def parity(self) -> Parity | None:
        """Whether what they ask is the same for all: points, difficulty, objectives, misconceptions that
        wrong answers can show (of numeric items at any of their sizes). None where none went by."""
        if not self._rows:
            return None
        first = next(iter(self._rows.values()))
        equal = {name: all(row[name] == first[name] for row in self._rows.values()) for name in first}
        equal["multiplications"] = self._work["multiplications"].even
        return {"equal": equal, "work": self._work, "sheets": self._rows, "chance_copies": self._copied}


def parity(manifest: Manifest, bank: Bank) -> Parity:
    """What the sheets of a manifest ask, and whether it is the same for all."""
    weighing = Weighing(bank)
    for _ in weighing.each(manifest.sheets):
        pass
    found = weighing.parity()
    assert found is not None  # there is a sheet in every exam
    return found


def _weight(sheet: Sheet, bank: Bank, numeric: Callable[[str], Iterable[str]]) -> Mapping[str, object]:
    items = [bank.item(problem.item) for problem in sheet.problems]
    return {
        "points": sum(problem.points for problem in sheet.problems),
        "difficulty": sum(item.difficulty for item in items),
        "topics": _sorted(item.topic for item in items),
        "objectives": _sorted({o for item in items for o in item.objectives}),
        "misconceptions": _sorted(
            {
                id_
                for problem in sheet.problems
                for id_ in numeric(problem.item) or (rival.misconception for rival in problem.rivals)
            }
        ),
    }


def _at_any_size(bank: Bank, item: str) -> frozenset[str]:
    """What wrong answers to a numeric item can show, whatever sizes a seed draws; nothing for others."""
    answer = bank.item(item).answer
    if not isinstance(answer, Numeric):
        return frozenset()
    numbers = with_numbers(answer)
    if numbers.family not in FAMILIES:
        return frozenset()
    family = FAMILIES[numbers.family]
    every = (candidates(bank.catalogue, family, sizes) for sizes in family.every(numbers.ranges))
    return frozenset(chain.from_iterable(every))


def _sorted(names: Iterable[str]) -> Sequence[str]:
    return sorted(names)
