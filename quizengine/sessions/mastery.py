"""Mastery: how far a learner is, from the log of answers alone. No clock is read here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import NamedTuple

from quizengine.items.item import Metadata
from quizengine.sessions.schedule import units
from quizengine.sessions.session import Marked

STEP, MASTERED = Fraction(1, 4), Fraction(3, 4)  # five right answers from nothing, or one slip forgiven
ROLLOVER = timedelta(hours=4)  # an evening that ends after midnight belongs to its day


class Mastery(NamedTuple):
    """An exponential mean of credits, and on how much it stands."""

    level: Fraction = Fraction(0)
    answers: int = 0
    items: frozenset[str] = frozenset()
    days: frozenset[date] = frozenset()

    @property
    def mastered(self) -> bool:
        """Is the level reached, on two different items and two days at least?"""
        return self.level >= MASTERED and len(self.items) >= 2 and len(self.days) >= 2

    def plus(self, mark: Marked) -> Mastery:
        """After one more answer; a hint halves what it counts, and so does an own reading."""
        credit = Fraction(mark.credit) / mark.points / (2 if mark.helped else 1)
        return Mastery(
            self.level + STEP * (credit - self.level),
            self.answers + 1,
            self.items | {mark.item},
            self.days | {day_of(mark.at)},
        )


def mastery(marks: Iterable[Marked], groups: Callable[[Marked], Iterable[str]]) -> dict[str, Mastery]:
    """The mastery of everything that `groups` says an answer belongs to."""
    out: dict[str, Mastery] = {}
    for mark in sorted(marks, key=lambda mark: mark.at):
        for group in groups(mark) if mark.points else ():  # else all of it is open
            out[group] = out.get(group, Mastery()).plus(mark)
    return out


def weak_first(marks: Iterable[Marked], due: Collection[str] = ()) -> Callable[[Metadata], int]:
    """A rank for items: 0 what was last answered wrong or with a hint, 1 what is due again (`due` holds
    units of the schedule), 2 what was never asked, 3 the rest."""
    last = {mark.item: mark for mark in sorted(marks, key=lambda mark: mark.at)}

    def rank(metadata: Metadata) -> int:
        mark = last.get(metadata.id)
        if mark and (Fraction(mark.credit) < mark.points or mark.hints):
            return 0
        if any(unit in due for unit in units(metadata)):
            return 1
        return 3 if mark else 2

    return rank


def day_of(at: str) -> date:
    """The learner's own day of a moment: local, and until four in the morning the day before."""
    return (datetime.fromisoformat(at).astimezone() - ROLLOVER).date()


def streak(marks: Iterable[Marked], today: date) -> int:
    """Days in a row with an answer, up to today or yesterday."""
    days = {day_of(mark.at) for mark in marks}
    last = today if today in days else today - timedelta(days=1)
    count = 0
    while last - timedelta(days=count) in days:
        count += 1
    return count


def met(marks: Iterable[Marked]) -> dict[str, int]:
    """On how many different problems each misconception showed, most often first. On one it may be
    chance; from two on it is the learner's."""
    problems: dict[str, set[tuple[str, int]]] = {}
    for mark in marks:
        for id_ in mark.misconceptions:
            problems.setdefault(id_, set()).add((mark.item, mark.seed))
    return dict(sorted(((id_, len(seen)) for id_, seen in problems.items()), key=lambda pair: -pair[1]))


def weeks(marks: Sequence[Marked], today: date, count: int) -> list[tuple[date, int, Fraction]]:
    """(Monday, answers, share of the points) of the last weeks, oldest first; empty ones are there too."""
    monday = today - timedelta(days=today.weekday())
    out = []
    for week in range(count - 1, -1, -1):
        first = monday - timedelta(weeks=week)
        within = [m for m in marks if first <= day_of(m.at) < first + timedelta(weeks=1)]
        points = sum(m.points for m in within)
        credit = sum((Fraction(m.credit) for m in within), Fraction(0))
        out.append((first, len(within), credit / points if points else Fraction(0)))
    return out
