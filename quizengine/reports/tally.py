"""Tally: marks add up, over anything they can be grouped by; and a class's marks, student by student, in any
order and from several processes at once. Of a class whole numbers are added, so that the order does not
matter, and no row is kept."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeVar

from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.marking.mark import rounded
from quizengine.reports.observation import Observation

Group = TypeVar("Group", bound=Hashable)
UNIT = 10**9  # of points


@dataclass(frozen=True, slots=True)
class Total:
    """Points earned of points possible, over some problems; `open` are the points beside them that wait for
    a person to read the answers, and count neither for nor against."""

    credit: Fraction = Fraction(0)
    points: int = 0
    count: int = 0
    open: int = 0

    def plus(self, credit: Fraction, points: int, open: int = 0) -> Total:
        """This total with one more problem."""
        return self + Total(credit, points, 1, open)

    def __add__(self, other: Total) -> Total:
        return Total(
            self.credit + other.credit,
            self.points + other.points,
            self.count + other.count,
            self.open + other.open,
        )

    @property
    def percent(self) -> Fraction:
        """Earned of possible, from 0 to 100; of nothing, nothing."""
        return 100 * self.credit / self.points if self.points else Fraction(0)

    @property
    def sums(self) -> dict[str, float]:
        """As marks are shown: rounded; what is open, where anything is."""
        sums = {"credit": rounded(self.credit), "points": self.points, "percent": rounded(self.percent)}
        return sums | ({"open": self.open} if self.open else {})


def sums_text(total: Total, lang: Lang, message: str, **values: object) -> str:
    """A total in the words of this message; and what is open, where anything is."""
    said = t(lang, message, **values, **total.sums)
    return said + (t(lang, "total.open", open=total.open) if total.open else "")


def tally(rows: Iterable[tuple[Group, Fraction, int, int]]) -> dict[Group, Total]:
    """Totals by group, in the order in which groups first appear, of credits, points and points that are
    open."""
    groups: dict[Group, list[tuple[Fraction, int, int]]] = {}
    for group, credit, points, open in rows:
        groups.setdefault(group, []).append((credit, points, open))
    return {group: _total(*zip(*problems, strict=True)) for group, problems in groups.items()}


def _total(credits: Iterable[Fraction], points: Sequence[int], open: Iterable[int]) -> Total:
    return Total(sum(credits, Fraction(0)), sum(points), len(points), sum(open))


class Cell(NamedTuple):
    """One answer: `choice` is the text of what was chosen, so that it adds up over shuffled variants;
    `possible` are misconceptions of which one is never sure; `label` stands beside it on the sheet; `earned`
    are the points that count, where that is not the credit that the answer deserves."""

    credit: Fraction
    points: int
    verdict: str
    misconceptions: tuple[str, ...] = ()
    choice: str = ""
    label: str = ""
    earned: Fraction | None = None
    possible: tuple[str, ...] = ()
    observations: tuple[Observation, ...] = ()


Place = tuple[str, str]  # item and part


class Row(NamedTuple):
    """One student's answers by item and part, whatever the labels of the sheet were; what was earned of how
    many points, where that is not their sum."""

    student: str
    cells: Mapping[Place, Cell]
    credit: Fraction | None = None
    points: int | None = None
    group: str = ""


class StudentTotal(NamedTuple):
    """What a student (of a group, if there are any) earned, in 10⁻⁹ points, of how many points."""

    student: str
    units: int
    points: int
    group: str = ""

    @property
    def percent(self) -> Fraction:
        """Earned of possible, from 0 to 100, exactly; of nothing, nothing."""
        return Fraction(100 * self.units, self.points * UNIT) if self.points else Fraction(0)


@dataclass
class PartTally:
    """What is remembered of the answers to one part: sums of shares, of credits, and of what the same
    students earned elsewhere, in whole units."""

    answers: int = 0
    share: int = 0
    share2: int = 0
    credit: int = 0
    credit2: int = 0
    rest: int = 0
    rest2: int = 0
    both: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    choices: Counter[str] = field(default_factory=Counter)
    right: set[str] = field(default_factory=set)

    def add(self, cell: Cell, total: int) -> None:
        """One answer more, by a student who has `total`; of one that is open there is no more to say."""
        self.verdicts[cell.verdict] += 1
        if cell.verdict == "open":
            return
        credit = units(cell.credit)
        share = units(cell.credit / cell.points) if cell.points else 0
        rest = total - credit
        self.answers += 1
        self.share += share
        self.share2 += share * share
        self.credit += credit
        self.credit2 += credit * credit
        self.rest += rest
        self.rest2 += rest * rest
        self.both += share * rest
        if cell.choice:
            self.choices[cell.choice] += 1
            if cell.verdict == "right":
                self.right.add(cell.choice)

    def merge(self, other: PartTally) -> None:
        """Those of other students, too."""
        for name in _SUMMED:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in _COUNTED:
            getattr(self, name).update(getattr(other, name))
        self.right |= other.right

    def deviations(self) -> dict[str, float]:
        """The sums of the products of deviations from the means, by which classes are pooled: of the shares
        with themselves, of the rest (in points) with itself, and of both."""
        n = max(self.answers, 1) * UNIT**2
        return {
            "share": (self.answers * self.share2 - self.share**2) / n,
            "rest": (self.answers * self.rest2 - self.rest**2) / n,
            "both": (self.answers * self.both - self.share * self.rest) / n,
        }

    def discrimination(self) -> float | None:
        """The correlation of the shares with the rest; None where one of them does not vary."""
        n = self.answers
        spread = (n * self.share2 - self.share**2) * (n * self.rest2 - self.rest**2)
        return (n * self.both - self.share * self.rest) / math.sqrt(spread) if spread else None


_SUMMED = ("answers", "share", "share2", "credit", "credit2", "rest", "rest2", "both")
_COUNTED = ("verdicts", "choices")


@lru_cache(2**12)
def units(credit: Fraction) -> int:
    """A credit in 10⁻⁹ points."""
    return round(credit * UNIT)


class Sightings(dict[Group, dict[Place, list[str]]]):
    """What was seen, where, and of which students."""

    def add(self, what: Group, place: Place, *students: str) -> None:
        """Of these students, too."""
        self.setdefault(what, {}).setdefault(place, []).extend(students)

    def merge(self, other: Sightings[Group]) -> None:
        """Those of other students, too."""
        for what, places in other.items():
            for place, students in places.items():
                self.add(what, place, *students)


class ClassTally:
    """What is remembered of a class: what two of them know adds up."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.totals: list[StudentTotal] = []
        self.cells: list[int] = []  # a student's cells together, in 10⁻⁹ points
        self.parts: dict[Place, PartTally] = {}
        self.labels: dict[tuple[str, str], Total] = {}  # by group and label
        self.unreadable: Counter[str] = Counter()  # by label
        self.places: dict[Place, dict[str, None]] = {}  # the labels that a part bears
        self.shown: Sightings[str] = Sightings()  # misconceptions
        self.possible: Sightings[str] = Sightings()  # those that are no more than that
        self.seen: Sightings[Observation] = Sightings()
        for row in rows:
            self.add(row)

    def add(self, row: Row) -> None:
        """Add the answers of one student more."""
        total = sum(units(cell.credit) for cell in row.cells.values())
        earned = total if row.credit is None else units(row.credit)
        marked = sum(cell.points for cell in row.cells.values() if cell.verdict != "open")
        points = marked if row.points is None else row.points
        self.totals.append(StudentTotal(row.student, earned, points, row.group))
        self.cells.append(total)
        for place, cell in row.cells.items():
            self.parts.setdefault(place, PartTally()).add(cell, total)
            credit = cell.credit if cell.earned is None else cell.earned
            of = (0, cell.points) if cell.verdict == "open" else (cell.points, 0)
            key = row.group, cell.label
            self.labels[key] = self.labels.get(key, Total()).plus(credit, *of)
            self.unreadable[cell.label] += cell.verdict == "unreadable"
            self.places.setdefault(place, {})[cell.label] = None
            for id_ in cell.misconceptions:
                self.shown.add(id_, place, row.student)
            for id_ in cell.possible:
                self.possible.add(id_, place, row.student)
            for seen in cell.observations:
                self.seen.add(seen, place, row.student)

    def merge(self, other: ClassTally) -> None:
        """Add the answers of other students, tallied elsewhere."""
        self.totals += other.totals
        self.cells += other.cells
        self.unreadable.update(other.unreadable)
        for place, sums in other.parts.items():
            self.parts.setdefault(place, PartTally()).merge(sums)
        for key, total in other.labels.items():
            self.labels[key] = self.labels.get(key, Total()) + total
        for place, labels in other.places.items():
            self.places.setdefault(place, {}).update(labels)
        self.shown.merge(other.shown)
        self.possible.merge(other.possible)
        self.seen.merge(other.seen)
