"""Report: what the marks of a class add up to, and what they say of its questions.

Facility and corrected discrimination as in classical test theory; Cronbach's alpha with Bonett's
interval (J. Educ. Behav. Stat. 27, 2002); the standard error of measurement from both.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from quizengine.lang.characters import natural
from quizengine.lang.text import Text
from quizengine.marking.mark import rounded
from quizengine.reports.observation import SAME_WRONG_VALUE, Observation
from quizengine.reports.tally import (
    UNIT,
    ClassTally,
    Group,
    PartTally,
    Place,
    Sightings,
    StudentTotal,
    Total,
)

FEW = 10  # answers, below which nothing is concluded about an item
EASY, HARD, WEAK, UNREADABLE = 0.95, 0.2, 0.1, 0.1
_NORMAL = 1.959964  # the 97.5 % point


class ItemStatistics(NamedTuple):
    """One part of one item, over all variants. What cannot be told from so few answers is None."""

    place: Place
    answers: int  # that are marked
    facility: float | None
    discrimination: float | None
    verdicts: Mapping[str, int]
    choices: Mapping[str, int]
    remarks: tuple[str, ...]  # codes of what to look at
    right: tuple[str, ...] = ()  # of the choices
    deviations: Mapping[str, float] = {}  # sums of products: of the shares, of the rest in points, of both


class MisconceptionCount(NamedTuple):
    """A misconception: who showed it, and where how often."""

    id: str
    students: tuple[str, ...]
    places: Mapping[Place, int]


class ObservationCount(NamedTuple):
    """What else was seen: of whom, and where how often."""

    what: Observation
    students: tuple[str, ...]
    places: Mapping[Place, int]


class GroupReport(NamedTuple):
    """How a group did, in percent of the points; those of none are a group without a name."""

    name: str
    percents: tuple[Fraction, ...]  # of its students, the lowest first
    labels: Mapping[str, Total]
    misconceptions: tuple[tuple[str, int], ...]  # and how many of its students; the most common first

    @property
    def mean(self) -> Fraction:
        """Of its students."""
        return sum(self.percents, Fraction(0)) / len(self.percents)

    def to_json(self) -> dict[str, object]:
        """How it did, for a program."""
        spread = {"mean": self.mean, "lowest": self.percents[0], "highest": self.percents[-1]}
        return {
            "group": self.name,
            "students": len(self.percents),
            **{name: rounded(percent) for name, percent in spread.items()},
            "labels": {label: total.sums for label, total in self.labels.items()},
            "misconceptions": [{"id": id_, "students": count} for id_, count in self.misconceptions],
        }


class FunctionReport(NamedTuple):
    """What was found of the functions that were handed in for a task of `check`: how many files got each
    verdict, and each misconception with its name and who showed it, the most common first."""

    task: str
    verdicts: Mapping[str, int]
    misconceptions: tuple[tuple[str, Text, tuple[str, ...]], ...]

    def to_json(self) -> dict[str, object]:
        """What was found, for a program."""
        shown = [{"id": id_, "students": list(who)} for id_, _, who in self.misconceptions]
        return {"task": self.task, "verdicts": dict(self.verdicts), "misconceptions": shown}


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
    possible: tuple[
        MisconceptionCount, ...
    ]  # never sure, and never among those above; of two students or more
    observations: tuple[ObservationCount, ...]  # of two students or more
    groups: tuple[GroupReport, ...] = ()  # by name, those of none at the end; nothing where there are none
    functions: tuple[FunctionReport, ...] = ()  # by task; beside the marks, which they give none of

    @property
    def students(self) -> int:
        """How many students there are."""
        return len(self.rows)

    @property
    def percents(self) -> list[float]:
        """What every student earned of 100, in the order of the rows."""
        return [float(row.percent) for row in self.rows]

    def to_json(self) -> dict[str, object]:
        """The report for a program; students by id only."""
        return {
            "students": self.students,
            "percents": [round(percent, 2) for percent in self.percents],
            "alpha": self.alpha,
            "alpha_interval": list(self.interval) if self.interval else None,
            "error_of_measurement": self.error,
            "items": [_item_json(item) for item in self.items],
            "misconceptions": [{"id": one.id, **_who_and_where(one)} for one in self.misconceptions],
            "possible": [{"id": one.id, **_who_and_where(one)} for one in self.possible],
            "observations": [{**one.what._asdict(), **_who_and_where(one)} for one in self.observations],
            "groups": [group.to_json() for group in self.groups],
            "functions": [one.to_json() for one in self.functions],
        }


def _who_and_where(one: MisconceptionCount | ObservationCount) -> dict[str, object]:
    where = [{"item": item, "part": part, "count": n} for (item, part), n in one.places.items()]
    return {"students": list(one.students), "where": where}


def _item_json(item: ItemStatistics) -> dict[str, object]:
    """The statistics of an item, under the names of their fields."""
    rest = {name: value for name, value in item._asdict().items() if name != "place"}
    return {"item": item.place[0], "part": item.place[1], **rest}


def report(tally: ClassTally) -> Report:
    """What the marks of a class add up to. The order in which its students came in does not matter."""
    labels: dict[str, Total] = {}
    for (_, label), total in tally.labels.items():
        labels[label] = labels.get(label, Total()) + total
    spread = _variance(len(tally.cells), sum(tally.cells), sum(t * t for t in tally.cells))
    alpha, interval = _alpha(tally, spread)
    return Report(
        rows=tuple(sorted(tally.totals)),
        labels=labels,
        unreadable=tally.unreadable,
        places={place: tuple(labels) for place, labels in tally.places.items()},
        items=tuple(_item(place, tally.parts[place], _same(place, tally)) for place in sorted(tally.parts)),
        alpha=alpha,
        interval=interval,
        error=math.sqrt(spread * (1 - alpha)) / UNIT if alpha is not None else None,
        misconceptions=tuple(MisconceptionCount(*one) for one in _spread(tally.shown)),
        possible=tuple(MisconceptionCount(*one) for one in _spread(tally.possible) if len(one[1]) > 1),
        observations=tuple(ObservationCount(*one) for one in _spread(tally.seen) if len(one[1]) > 1),
        groups=tuple(_groups(tally)),
    )


def _groups(tally: ClassTally) -> Iterator[GroupReport]:
    """How every group did, where there is one at all."""
    group_of = {row.student: row.group for row in tally.totals}
    names = set(group_of.values())
    if not any(names):
        return
    shown = [(id_, who) for id_, who, _ in _spread(tally.shown)]
    for name in sorted(names, key=lambda name: (not name, natural(name), name)):
        percents = sorted(row.percent for row in tally.totals if row.group == name)
        labels = {label: total for (group, label), total in tally.labels.items() if group == name}
        met = [(id_, sum(group_of[student] == name for student in who)) for id_, who in shown]
        common = sorted((one for one in met if one[1]), key=lambda one: (-one[1], one[0]))
        yield GroupReport(name, tuple(percents), labels, tuple(common))


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


def _spread(seen: Sightings[Group]) -> Sequence[tuple[Group, tuple[str, ...], Mapping[Place, int]]]:
    """What was seen, of whom, and where how often; the most common first."""
    found = []
    for what, places in seen.items():
        who = sorted({student for students in places.values() for student in students})
        where = sorted(places, key=lambda place: (-len(places[place]), place))
        found.append((what, tuple(who), {p: len(places[p]) for p in where}))
    return sorted(found, key=lambda one: (-len(one[1]), str(one[0])))


def _same(place: Place, tally: ClassTally) -> int:
    """How many at most gave the same wrong value here, one that has no name."""
    seen = (places.get(place, ()) for what, places in tally.seen.items() if what.id in SAME_WRONG_VALUE)
    return max(map(len, seen), default=0)


def _variance(n: int, total: int, squares: int) -> float:
    """The variance of a sample of n, from its sum and the sum of its squares."""
    return (n * squares - total**2) / (n * (n - 1)) if n > 1 else 0.0


def _item(place: Place, sums: PartTally, same: int) -> ItemStatistics:
    found = ItemStatistics(
        place,
        sums.answers,
        sums.share / (sums.answers * UNIT) if sums.answers else None,
        sums.discrimination() if sums.answers >= FEW else None,
        dict(sorted(sums.verdicts.items())),
        _counted(sums.choices),
        (),
        tuple(sorted(sums.right)),
        sums.deviations(),
    )
    return found._replace(remarks=tuple(_remarks(found, same)))


def _counted(counts: Counter[str]) -> dict[str, int]:
    """The most common first, then by the alphabet."""
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _remarks(item: ItemStatistics, same: int) -> Iterator[str]:
    """What an instructor should look at; nothing is said of a few answers. So many gave the `same` wrong
    value."""
    if item.verdicts.get("ungraded"):
        yield "ungraded"
    if item.answers < FEW or item.facility is None:
        return
    if item.facility > EASY:
        yield "easy"
    if item.facility < HARD:
        yield "hard"
    if item.discrimination is not None and item.discrimination < WEAK and HARD <= item.facility <= EASY:
        yield "weak"
    if item.verdicts.get("unreadable", 0) > max(2, UNREADABLE * item.answers):
        yield "unreadable"
    if same >= max(2, 0.1 * item.answers):
        yield "odd"
