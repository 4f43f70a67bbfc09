"""Tally: marks add up, over anything they can be grouped by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from quizengine.marking.mark import Mark, rounded

Group = TypeVar("Group", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Total:
    """Points earned of points possible, over some problems."""

    credit: Fraction = Fraction(0)
    points: int = 0
    count: int = 0

    def plus(self, credit: Fraction, points: int) -> Total:
        """This total with one more problem."""
        return Total(self.credit + credit, self.points + points, self.count + 1)

    @property
    def percent(self) -> Fraction:
        """Earned of possible, from 0 to 100; of nothing, nothing."""
        return 100 * self.credit / self.points if self.points else Fraction(0)

    @property
    def sums(self) -> dict[str, float]:
        """As marks are shown: rounded."""
        return {"credit": rounded(self.credit), "points": self.points, "percent": rounded(self.percent)}


def tally(rows: Iterable[tuple[Group, Fraction, int]]) -> dict[Group, Total]:
    """Totals by group, in the order in which groups first appear."""
    totals: dict[Group, Total] = {}
    for group, credit, points in rows:
        totals[group] = totals.get(group, Total()).plus(credit, points)
    return totals


def misconceptions(marks: Iterable[Mark]) -> Counter[str]:
    """In how many marks each misconception is the one explanation of a mistake."""
    met: Counter[str] = Counter()
    for mark in marks:
        met.update(set(mark.named))
    return met
