"""Standing: the marks of a sheet as they stand, the engine's and the instructor's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from quizengine.grading.graded import Graded, results_of
from quizengine.grading.results import AUTOMATIC, Result, latest, standing
from quizengine.items.policy import Policy
from quizengine.sheets.manifest import Sheet

DROPPED = "dropped"  # the verdict of a discounted answer that counts for nothing


@dataclass(frozen=True, slots=True)
class Standing:
    """A sheet's marks, with the result that stands for every label."""

    graded: Graded
    results: Mapping[str, Result]

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


def settled(
    graded: Graded, history: Sequence[Result], policy: Policy, at: str
) -> tuple[Standing, list[Result]]:
    """What stands of a sheet, and what is to be recorded of it. An answer that has a mark already keeps it,
    whatever the engine would give today: to mark anew is `regrade`'s, on demand."""
    known = latest(history, AUTOMATIC)
    fresh = [
        result
        for result in results_of(graded, policy, "graded", at)
        if (before := known.get(result.label)) is None
        or before.raw != result.raw
        or before.verdict == "ungraded" != result.verdict
    ]
    stands = standing([*history, *fresh])
    return Standing(graded, {label: stands[label] for label, _, _ in graded.sheet.labelled()}), fresh
