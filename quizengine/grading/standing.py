"""Standing: the marks of a sheet as they stand, the engine's and the instructor's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from quizengine.grading.batch import Graded, results_of
from quizengine.grading.results import Result, Results
from quizengine.items.policy import Policy

DROPPED = "dropped"  # the verdict of a discounted answer that counts for nothing


@dataclass(frozen=True, slots=True)
class Standing:
    """A sheet with the result that stands for every label."""

    graded: Graded
    results: Mapping[str, Result]

    @property
    def credit(self) -> Fraction:
        """The points earned."""
        return sum((result.credit for result in self.results.values()), Fraction(0))

    @property
    def points(self) -> int:
        """The points there were."""
        return sum(result.points for result in self.results.values())


def keep(
    results: Results,
    graded: Iterable[Graded],
    answers: Mapping[str, Mapping[str, str]],
    policy: Policy,
    at: str,
) -> list[Standing]:
    """Record what is new, and return what stands. An answer that has a mark already keeps it, whatever
    the engine would give today: to mark anew is `regrade`'s, on demand."""
    listed: Sequence[Graded] = list(graded)
    known = results.automatic()
    fresh = [
        result
        for one in listed
        for result in results_of(one, answers[one.sheet.code], policy, "graded", at, "")
        if (before := known.get(result.place)) is None
        or before.raw != result.raw
        or before.verdict == "ungraded" != result.verdict
    ]
    results.add(fresh)
    standing = results.standing()
    return [
        Standing(one, {label: standing[one.sheet.code, label] for label, _, _ in one.sheet.labelled()})
        for one in listed
    ]
