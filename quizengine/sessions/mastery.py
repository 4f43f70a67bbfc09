"""Mastery: how far a learner is, from the log of answers alone. No clock is read here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date, timedelta
from fractions import Fraction
from typing import NamedTuple

from quizengine.items.item import Metadata
from quizengine.sessions.day import day_of
from quizengine.sessions.schedule import units
from quizengine.sessions.session import Marked

STEP, MASTERED = Fraction(1, 4), Fraction(3, 4)  # five right answers from nothing, or one slip forgiven
PASSED = 3  # right answers in a row, which are enough for one day


class Mastery(NamedTuple):
    """An exponential mean of credits, and on how much it stands; `run` holds the items of the last right
    answers in a row (what a hint or an own reading helped to is neither counted nor ends it)."""

    level: Fraction = Fraction(0)
    answers: int = 0
    items: frozenset[str] = frozenset()
    days: frozenset[date] = frozenset()
    run: tuple[str, ...] = ()

    @property
    def mastered(self) -> bool:
        """Is the level reached, on two different items and two days at least?"""
        return self.level >= MASTERED and len(self.items) >= 2 and len(self.days) >= 2

    @property
    def passed(self) -> bool:
        """Were the last three answers right, on two different items at least? That is enough for one day; two
        more on another day make it mastered."""
        return len(self.run) == PASSED and len({*self.run}) >= 2

    def plus(self, mark: Marked, credit: Fraction, day: date) -> Mastery:
        """After one more answer, which earned this share on this day; a hint halves what it counts, and so
        does an own reading."""
        run = (*self.run, mark.item)[-PASSED:] if credit == 1 and not mark.helped else self.run
        return Mastery(
            self._nearer(credit / 2 if mark.helped else credit),
            self.answers + 1,
            self.items if mark.item in self.items else self.items | {mark.item},
            self.days if day in self.days else self.days | {day},
            run if credit == 1 else (),
        )

    def _nearer(self, credit: Fraction) -> Fraction:
        """The level, a STEP nearer to this credit. (In one fraction: after years its terms are long.)"""
        above, below = self.level.as_integer_ratio()
        more, of = credit.as_integer_ratio()
        step, steps = STEP.as_integer_ratio()
        return Fraction((steps - step) * above * of + step * more * below, steps * below * of)


def mastery(
    marks: Iterable[Marked],
    groups: Callable[[Marked], Iterable[str]],
    before: Mapping[str, Mastery] = {},
) -> dict[str, Mastery]:
    """The mastery of everything that `groups` says an answer belongs to, after what it was `before`."""
    out = {**before}
    for mark in sorted(marks, key=lambda mark: mark.at):
        if mark.points:  # else all of it is open
            credit, day = mark.earned / mark.points, day_of(mark.at)
            for group in groups(mark):
                out[group] = out.get(group, Mastery()).plus(mark, credit, day)
    return out


def weak_first(marks: Iterable[Marked], due: Collection[str] = ()) -> Callable[[Metadata], int]:
    """A rank for items: 0 what was last answered wrong or with a hint, 1 what is due again (`due` holds
    units of the schedule), 2 what was never asked, 3 the rest."""
    last = {mark.item: mark for mark in sorted(marks, key=lambda mark: mark.at)}

    def rank(metadata: Metadata) -> int:
        mark = last.get(metadata.id)
        if mark and (mark.earned < mark.points or mark.hints):
            return 0
        if any(unit in due for unit in units(metadata)):
            return 1
        return 3 if mark else 2

    return rank


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
