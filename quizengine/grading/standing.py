"""Standing: the marks of a sheet as they stand, the engine's and the instructor's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from quizengine.grading.graded import LATE, Graded, results_of
from quizengine.grading.results import AUTOMATIC, Result, latest, standing
from quizengine.items.policy import Policy
from quizengine.sheets.manifest import Sheet

DROPPED = "dropped"  # the verdict of a discounted answer that counts for nothing


@dataclass(frozen=True, slots=True)
class Standing:
    """A sheet's marks, with the result that stands for every label."""

    graded: Graded
    results: Mapping[str, Result]
    late: bool = False  # did it come after the deadline when it was graded?
    share: Fraction = Fraction(1)  # what late answers earn

    @property
    def sheet(self) -> Sheet:
        """Whose they are."""
        return self.graded.sheet

    @property
    def credit(self) -> Fraction:
        """The points earned."""
        return sum((result.credit for result in self.results.values()), Fraction(0))

    @property
    def points(self) -> int:
        """The points there were."""
        return sum(result.points for result in self.results.values())


def with_record(answers: Mapping[str, str], history: Sequence[Result]) -> dict[str, str]:
    """The answers, and those on record of which a file says nothing."""
    return {label: result.raw for label, result in latest(history, AUTOMATIC).items()} | dict(answers)


def settled(
    graded: Graded, history: Sequence[Result], policy: Policy, at: str, *, lift: bool = False
) -> tuple[Standing, list[Result]]:
    """What stands of a sheet, and what is to be recorded of it. An answer that has a mark already keeps it,
    whatever the engine would give today: to mark anew is `regrade`'s, on demand. With `lift` what was late
    once and no longer is gets its full mark."""
    known, came = latest(history, AUTOMATIC), latest(history, ("graded",))
    fresh = [
        result
        for result in results_of(graded, policy, "graded", at)
        if (before := known.get(result.label)) is None
        or before.raw != result.raw
        or before.verdict == "ungraded" != result.verdict
        or (lift and not graded.late and came[result.label].why == LATE)
    ]
    every = [*history, *fresh]
    late = any(result.why == LATE for result in latest(every, ("graded",)).values())
    stands = standing(every)
    own = {label: stands[label] for label, _, _ in graded.sheet.labelled()}
    return Standing(graded, own, late, policy.late), fresh
