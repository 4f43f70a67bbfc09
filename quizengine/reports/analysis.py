"""Analysis: what a class's marks say about its questions and about what it misunderstands.

Facility and corrected discrimination as in classical test theory; Cronbach's alpha with Bonett's
interval (J. Educ. Behav. Stat. 27, 2002); the standard error of measurement from both.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

FEW = 10  # answers, below which nothing is concluded about an item
EASY, HARD, WEAK, UNREADABLE = 0.95, 0.2, 0.1, 0.1
_NORMAL = 1.959964  # the 97.5 % point


class Cell(NamedTuple):
    """One answer: `choice` is the text of what was chosen, so that it adds up over shuffled variants;
    `odd` a wrong number as a multiple of the key."""

    credit: Fraction
    points: int
    verdict: str
    misconceptions: tuple[str, ...] = ()
    choice: str = ""
    odd: str = ""


Place = tuple[str, str]  # item and part


class Row(NamedTuple):
    """One student's answers by item and part, whatever the labels of the sheet were; what was earned of how
    many points, where that is not their sum."""

    student: str
    cells: Mapping[Place, Cell]
    credit: Fraction | None = None
    points: int | None = None


class ItemStatistics(NamedTuple):
    """One part of one item, over all variants. What cannot be told from so few answers is None."""

    place: Place
    answers: int
    facility: float
    discrimination: float | None
    verdicts: Mapping[str, int]
    choices: Mapping[str, int]
    odd: Mapping[str, int]  # answers that nothing recognised, as multiples of the key
    remarks: tuple[str, ...]  # codes of what to look at
    right: tuple[str, ...] = ()  # of the choices


class Misunderstanding(NamedTuple):
    """A misconception: who showed it, and where."""

    id: str
    students: tuple[str, ...]
    places: Mapping[Place, int]


class Analysis(NamedTuple):
    """All of it."""

    students: int
    percents: tuple[float, ...]
    items: tuple[ItemStatistics, ...]
    alpha: float | None
    interval: tuple[float, float] | None
    error: float | None  # of measurement, in points
    misunderstandings: tuple[Misunderstanding, ...]  # the most common first


@dataclass
class _Sums:
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
    odd: Counter[str] = field(default_factory=Counter)
    right: set[str] = field(default_factory=set)

    def add(self, cell: Cell, total: int) -> None:
        """One answer more, by a student who has `total`."""
        credit = _units(cell.credit)
        share = _units(cell.credit / cell.points) if cell.points else 0
        rest = total - credit
        self.answers += 1
        self.share += share
        self.share2 += share * share
        self.credit += credit
        self.credit2 += credit * credit
        self.rest += rest
        self.rest2 += rest * rest
        self.both += share * rest
        self.verdicts[cell.verdict] += 1
        if cell.choice:
            self.choices[cell.choice] += 1
            if cell.verdict == "right":
                self.right.add(cell.choice)
        if cell.odd:
            self.odd[cell.odd] += 1

    def merge(self, other: _Sums) -> None:
        """Those of other students, too."""
        for name in _SUMMED:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in _COUNTED:
            getattr(self, name).update(getattr(other, name))
        self.right |= other.right

    def discrimination(self) -> float | None:
        """The correlation of the shares with the rest; None where one of them does not vary."""
        n = self.answers
        spread = (n * self.share2 - self.share**2) * (n * self.rest2 - self.rest**2)
        return (n * self.both - self.share * self.rest) / math.sqrt(spread) if spread else None


_SUMMED = ("answers", "share", "share2", "credit", "credit2", "rest", "rest2", "both")
_COUNTED = ("verdicts", "choices", "odd")
_UNIT = 10**9  # whole numbers add up to the same in any order


@lru_cache(2**12)
def _units(value: Fraction) -> int:
    return round(value * _UNIT)


class Gathered:
    """A class as it comes in, row by row; what is gathered in two places adds up. It holds sums, not rows."""

    def __init__(self) -> None:
        self.totals: list[tuple[str, int, int]] = []  # student, credit, points
        self.sums: list[int] = []  # of the cells
        self.items: dict[Place, _Sums] = {}
        self.shown: dict[str, dict[Place, list[str]]] = {}  # misconception → where → students

    def add(self, row: Row) -> None:
        """One student more."""
        total = sum(_units(cell.credit) for cell in row.cells.values())
        earned = total if row.credit is None else _units(row.credit)
        points = sum(cell.points for cell in row.cells.values()) if row.points is None else row.points
        self.totals.append((row.student, earned, points))
        self.sums.append(total)
        for place, cell in row.cells.items():
            self.items.setdefault(place, _Sums()).add(cell, total)
            for id_ in cell.misconceptions:
                self.shown.setdefault(id_, {}).setdefault(place, []).append(row.student)

    def merge(self, other: Gathered) -> None:
        """Other students, too."""
        self.totals += other.totals
        self.sums += other.sums
        for place, sums in other.items.items():
            self.items.setdefault(place, _Sums()).merge(sums)
        for id_, places in other.shown.items():
            for place, students in places.items():
                self.shown.setdefault(id_, {}).setdefault(place, []).extend(students)

    def percents(self) -> list[Fraction]:
        """Of every student, exactly."""
        return [Fraction(100 * t, p * _UNIT) if p else Fraction(0) for _, t, p in self.totals]

    def analysis(self) -> Analysis:
        """The statistics. The order of the rows does not matter."""
        totals = sorted(self.totals)
        percents = tuple(100 * t / (p * _UNIT) if p else 0.0 for _, t, p in totals)
        spread = _variance(len(totals), sum(self.sums), sum(t * t for t in self.sums))
        alpha, interval = self._alpha(spread)
        error = math.sqrt(spread * (1 - alpha)) / _UNIT if alpha is not None else None
        items = tuple(_item(place, self.items[place]) for place in sorted(self.items))
        return Analysis(len(totals), percents, items, alpha, interval, error, self._map())

    def _alpha(self, spread: float) -> tuple[float | None, tuple[float, float] | None]:
        """Cronbach's alpha where every student was asked the same, with its interval of 95 %."""
        k, n = len(self.items), len(self.totals)
        if k < 2 or n < 3 or any(item.answers < n for item in self.items.values()) or not spread:
            return None, None
        own = [_variance(n, item.credit, item.credit2) for item in self.items.values()]
        alpha = k / (k - 1) * (1 - math.fsum(own) / spread)
        if alpha >= 1:
            return alpha, None
        width = _NORMAL * math.sqrt(2 * k / ((k - 1) * (n - 2)))
        middle = math.log(1 - alpha)
        return alpha, (1 - math.exp(middle + width), 1 - math.exp(middle - width))

    def _map(self) -> tuple[Misunderstanding, ...]:
        found = []
        for id_, places in self.shown.items():
            who = sorted({student for students in places.values() for student in students})
            where = sorted(places, key=lambda place: (-len(places[place]), place))
            found.append(Misunderstanding(id_, tuple(who), {p: len(places[p]) for p in where}))
        return tuple(sorted(found, key=lambda one: (-len(one.students), one.id)))


def analyse(rows: Iterable[Row]) -> Analysis:
    """The statistics of a class."""
    gathered = Gathered()
    for row in rows:
        gathered.add(row)
    return gathered.analysis()


def _variance(n: int, total: int, squares: int) -> float:
    """Of a sample, from its sums."""
    return (n * squares - total**2) / (n * (n - 1)) if n > 1 else 0.0


def _item(place: Place, sums: _Sums) -> ItemStatistics:
    found = ItemStatistics(
        place,
        sums.answers,
        sums.share / (sums.answers * _UNIT),
        sums.discrimination() if sums.answers >= FEW else None,
        dict(sorted(sums.verdicts.items())),
        _counted(sums.choices),
        {odd: n for odd, n in _counted(sums.odd).items() if n > 1},
        (),
        tuple(sorted(sums.right)),
    )
    return found._replace(remarks=tuple(_remarks(found)))


def _counted(counts: Counter[str]) -> dict[str, int]:
    """The most common first, then by the alphabet."""
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _remarks(item: ItemStatistics) -> Iterable[str]:
    """What an instructor should look at; nothing is said of a few answers."""
    if item.verdicts.get("ungraded"):
        yield "ungraded"
    if item.answers < FEW:
        return
    if item.facility > EASY:
        yield "easy"
    if item.facility < HARD:
        yield "hard"
    if item.discrimination is not None and item.discrimination < WEAK and HARD <= item.facility <= EASY:
        yield "weak"
    if item.verdicts.get("unreadable", 0) > max(2, UNREADABLE * item.answers):
        yield "unreadable"
    if item.odd and max(item.odd.values()) >= max(2, 0.1 * item.answers):
        yield "odd"
