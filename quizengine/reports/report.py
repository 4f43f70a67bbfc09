"""Report: what the marks of a class add up to, and what they say of its questions.

Facility and corrected discrimination as in classical test theory; Cronbach's alpha with Bonett's
interval (J. Educ. Behav. Stat. 27, 2002); the standard error of measurement from both.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from quizengine.reports.tally import UNIT, ClassTally, PartTally, Place, StudentTotal, Total

FEW = 10  # answers, below which nothing is concluded about an item
EASY, HARD, WEAK, UNREADABLE = 0.95, 0.2, 0.1, 0.1
_NORMAL = 1.959964  # the 97.5 % point


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


class MisconceptionCount(NamedTuple):
    """A misconception: who showed it, and where how often."""

    id: str
    students: tuple[str, ...]
    places: Mapping[Place, int]


class Observation(NamedTuple):
    """A wrong number that several gave and nothing recognised, as a multiple of the key; it is no mistake
    that has a name."""

    place: Place
    value: str
    answers: int


@dataclass(frozen=True, slots=True)
class Report:
    """What the marks of a class add up to; made by `report` alone."""

    rows: tuple[StudentTotal, ...]  # by student
    labels: Mapping[str, Total]  # of what is not discounted
    unreadable: Mapping[str, int]  # by label
    places: Mapping[Place, tuple[str, ...]]  # the labels that a part bears on the sheets
    items: tuple[ItemStatistics, ...]
    alpha: float | None
    interval: tuple[float, float] | None  # of 95 %, of alpha
    error: float | None  # of measurement, in points
    misconceptions: tuple[MisconceptionCount, ...]  # the most common first

    @property
    def students(self) -> int:
        """How many students there are."""
        return len(self.rows)

    @property
    def percents(self) -> list[float]:
        """What every student earned of 100, in the order of the rows."""
        return [float(row.percent) for row in self.rows]

    @property
    def observations(self) -> list[Observation]:
        """What was seen more than once and has no name, in the order of the items."""
        return [Observation(item.place, odd, n) for item in self.items for odd, n in item.odd.items()]

    def to_json(self) -> dict[str, object]:
        """The report for a program; students by id only."""
        return {
            "students": self.students,
            "percents": [round(percent, 2) for percent in self.percents],
            "alpha": self.alpha,
            "alpha_interval": list(self.interval) if self.interval else None,
            "error_of_measurement": self.error,
            "items": [_item_json(item) for item in self.items],
            "misconceptions": [
                {
                    "id": one.id,
                    "students": list(one.students),
                    "where": [
                        {"item": item, "part": part, "count": n} for (item, part), n in one.places.items()
                    ],
                }
                for one in self.misconceptions
            ],
        }


def _item_json(item: ItemStatistics) -> dict[str, object]:
    """The statistics of an item, under the names of their fields."""
    rest = {name: value for name, value in item._asdict().items() if name != "place"}
    return {"item": item.place[0], "part": item.place[1], **rest}


def report(tally: ClassTally) -> Report:
    """What the marks of a class add up to. The order in which its students came in does not matter."""
    spread = _variance(len(tally.cells), sum(tally.cells), sum(t * t for t in tally.cells))
    alpha, interval = _alpha(tally, spread)
    return Report(
        rows=tuple(sorted(tally.totals)),
        labels=tally.labels,
        unreadable=tally.unreadable,
        places={place: tuple(labels) for place, labels in tally.places.items()},
        items=tuple(_item(place, tally.parts[place]) for place in sorted(tally.parts)),
        alpha=alpha,
        interval=interval,
        error=math.sqrt(spread * (1 - alpha)) / UNIT if alpha is not None else None,
        misconceptions=_misconceptions(tally),
    )


def _alpha(tally: ClassTally, spread: float) -> tuple[float | None, tuple[float, float] | None]:
    """Cronbach's alpha where every student was asked the same, with its interval of 95 %."""
    k, n = len(tally.parts), len(tally.totals)
    if k < 2 or n < 3 or any(part.answers < n for part in tally.parts.values()) or not spread:
        return None, None
    own = [_variance(n, part.credit, part.credit2) for part in tally.parts.values()]
    alpha = k / (k - 1) * (1 - math.fsum(own) / spread)
    if alpha >= 1:
        return alpha, None
    width = _NORMAL * math.sqrt(2 * k / ((k - 1) * (n - 2)))
    middle = math.log(1 - alpha)
    return alpha, (1 - math.exp(middle + width), 1 - math.exp(middle - width))


def _misconceptions(tally: ClassTally) -> tuple[MisconceptionCount, ...]:
    found = []
    for id_, places in tally.shown.items():
        who = sorted({student for students in places.values() for student in students})
        where = sorted(places, key=lambda place: (-len(places[place]), place))
        found.append(MisconceptionCount(id_, tuple(who), {p: len(places[p]) for p in where}))
    return tuple(sorted(found, key=lambda one: (-len(one.students), one.id)))


def _variance(n: int, total: int, squares: int) -> float:
    """The variance of a sample of n, from its sum and the sum of its squares."""
    return (n * squares - total**2) / (n * (n - 1)) if n > 1 else 0.0


def _item(place: Place, sums: PartTally) -> ItemStatistics:
    found = ItemStatistics(
        place,
        sums.answers,
        sums.share / (sums.answers * UNIT),
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


def _remarks(item: ItemStatistics) -> Iterator[str]:
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
