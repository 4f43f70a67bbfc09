"""Mark a class: every row by its own sheet's problems, with the terminal's code path."""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from quizengine.grading.collect import Row
from quizengine.items.policy import Policy
from quizengine.marking.judge import judge
from quizengine.marking.mark import Mark, PartMark
from quizengine.problems.problem import Problem
from quizengine.responses.read import read
from quizengine.sheets.manifest import Manifest, Sheet


@dataclass(frozen=True, slots=True)
class Graded:
    """One sheet's marks, problem by problem; `crashes` are faults of ours, with their traces."""

    line: int
    sheet: Sheet
    marks: tuple[Mark, ...]
    crashes: tuple[str, ...] = ()

    @property
    def credit(self) -> Fraction:
        """The points earned."""
        return sum((mark.credit for mark in self.marks), Fraction(0))

    @property
    def points(self) -> int:
        """The points there were."""
        return sum(mark.points for mark in self.marks)

    def part(self, index: int, id_: str) -> PartMark:
        """One part's mark."""
        return self.marks[index].part(id_)


def grade(manifest: Manifest, rows: Iterable[Row]) -> list[Graded]:
    """Every row marked. A fault of ours leaves that problem ungraded and the rest goes on."""
    return [_grade(row, manifest.policy) for row in rows]


def _grade(row: Row, policy: Policy) -> Graded:
    marks, crashes = [], []
    for problem, labels in zip(row.sheet.problems, row.sheet.labels, strict=True):
        try:
            responses = {
                id_: read(problem.part(id_), row.answers.get(label, "")) for id_, label in labels.items()
            }
            marks.append(judge(problem, responses, policy))
        except Exception:  # whatever it is, it is not the learner's fault
            crashes.append(traceback.format_exc())
            marks.append(_ungraded(problem))
    return Graded(row.line, row.sheet, tuple(marks), tuple(crashes))


def _ungraded(problem: Problem) -> Mark:
    parts = (PartMark(part.id, "ungraded", Fraction(0), part.points) for part in problem.parts)
    return Mark(problem.item, problem.seed, tuple(parts))
