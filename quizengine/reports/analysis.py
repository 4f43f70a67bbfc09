"""Analysis: what a class's marks say about its questions and about what it misunderstands.

Facility and corrected discrimination as in classical test theory; Cronbach's alpha with Bonett's
interval (J. Educ. Behav. Stat. 27, 2002); the standard error of measurement from both.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
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

    @property
    def share(self) -> float:
        """The part of the points earned."""
        return float(self.credit / self.points) if self.points else 0.0


Place = tuple[str, str]  # item and part


class Row(NamedTuple):
    """One student's answers by item and part, whatever the labels of the sheet were."""

    student: str
    cells: Mapping[Place, Cell]


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


def analyse(rows: Sequence[Row]) -> Analysis:
    """The statistics of a class. The order of the rows does not matter."""
    rows = sorted(rows, key=lambda row: row.student)
    places = sorted({place for row in rows for place in row.cells})
    totals = [float(sum(cell.credit for cell in row.cells.values())) for row in rows]
    points = [sum(cell.points for cell in row.cells.values()) for row in rows]
    percents = tuple(100 * t / p if p else 0.0 for t, p in zip(totals, points, strict=True))
    alpha, interval = _alpha(rows, places)
    spread = _deviation(totals)
    error = spread * math.sqrt(1 - alpha) if alpha is not None else None
    items = tuple(_item(place, rows) for place in places)
    return Analysis(len(rows), percents, items, alpha, interval, error, _map(rows))


def _item(place: Place, rows: Sequence[Row]) -> ItemStatistics:
    own = [(row, row.cells[place]) for row in rows if place in row.cells]
    cells = [cell for _, cell in own]
    shares = [cell.share for cell in cells]
    rest = [float(sum(c.credit for p, c in row.cells.items() if p != place)) for row, _ in own]
    verdicts = Counter(cell.verdict for cell in cells)
    found = ItemStatistics(
        place,
        len(cells),
        sum(shares) / len(shares),
        correlation(shares, rest) if len(cells) >= FEW else None,
        dict(sorted(verdicts.items())),
        dict(Counter(cell.choice for cell in cells if cell.choice).most_common()),
        {odd: n for odd, n in Counter(c.odd for c in cells if c.odd).most_common() if n > 1},
        (),
    )
    return found._replace(remarks=tuple(_remarks(found)))


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
    if item.verdicts.get("unreadable", 0) > UNREADABLE * item.answers:
        yield "unreadable"
    if item.odd and max(item.odd.values()) >= max(2, 0.1 * item.answers):
        yield "odd"


def correlation(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Pearson's; None where one of them does not vary.

    >>> correlation([0, 1, 2], [1, 3, 5]), correlation([1, 1], [0, 2])
    (1.0, None)
    """
    dx, dy = _centred(xs), _centred(ys)
    norm = math.sqrt(math.fsum(x * x for x in dx) * math.fsum(y * y for y in dy))
    return math.fsum(x * y for x, y in zip(dx, dy, strict=True)) / norm if norm > 1e-12 else None


def _centred(xs: Sequence[float]) -> list[float]:
    mean = math.fsum(xs) / len(xs) if xs else 0.0
    return [x - mean for x in xs]


def _deviation(xs: Sequence[float]) -> float:
    """Of a sample."""
    return math.sqrt(math.fsum(x * x for x in _centred(xs)) / (len(xs) - 1)) if len(xs) > 1 else 0.0


def _alpha(rows: Sequence[Row], places: Sequence[Place]) -> tuple[float | None, tuple[float, float] | None]:
    """Cronbach's alpha where every student was asked the same, with its interval of 95 %."""
    whole = [row for row in rows if len(row.cells) == len(places)]
    k, n = len(places), len(whole)
    if k < 2 or n < 3 or n < len(rows):
        return None, None
    columns = [[float(row.cells[place].credit) for row in whole] for place in places]
    total = _deviation([math.fsum(row) for row in zip(*columns, strict=True)]) ** 2
    if total < 1e-12:
        return None, None
    alpha = k / (k - 1) * (1 - math.fsum(_deviation(column) ** 2 for column in columns) / total)
    if alpha >= 1:
        return alpha, None
    spread = _NORMAL * math.sqrt(2 * k / ((k - 1) * (n - 2)))
    middle = math.log(1 - alpha)
    return alpha, (1 - math.exp(middle + spread), 1 - math.exp(middle - spread))


def _map(rows: Sequence[Row]) -> tuple[Misunderstanding, ...]:
    students: dict[str, set[str]] = {}
    places: dict[str, Counter[Place]] = {}
    for row in rows:
        for place, cell in row.cells.items():
            for id_ in cell.misconceptions:
                students.setdefault(id_, set()).add(row.student)
                places.setdefault(id_, Counter())[place] += 1
    found = [
        Misunderstanding(id_, tuple(sorted(who)), dict(places[id_].most_common()))
        for id_, who in students.items()
    ]
    return tuple(sorted(found, key=lambda one: (-len(one.students), one.id)))
