"""An attempt: a sheet's answers as they were handed in, and the marks that the engine gives them, by the
sheet's own problems, in the student's language, and with the terminal's code path."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from quizengine.items.policy import Policy
from quizengine.marking.judge import judge
from quizengine.marking.mark import Mark, PartMark
from quizengine.problems.part import Part
from quizengine.problems.problem import Problem
from quizengine.responses.read import read
from quizengine.sheets.manifest import Sheet


@dataclass(frozen=True, slots=True)
class Attempt:
    """A sheet's answers by label, and their marks, problem by problem; `late` ones came after the deadline;
    `crashes` are the traces of internal errors."""

    sheet: Sheet
    answers: Mapping[str, str]
    marks: tuple[Mark, ...]
    late: bool = False
    crashes: tuple[str, ...] = ()

    def parts(self) -> Iterator[tuple[str, Problem, Part, PartMark]]:
        """Every part by its label, in order, with its problem and its mark."""
        for problem, labels, mark in zip(self.sheet.problems, self.sheet.labels, self.marks, strict=True):
            for id_, label in labels.items():
                yield label, problem, problem.part(id_), mark.part(id_)


def attempt(sheet: Sheet, answers: Mapping[str, str], policy: Policy, *, late: bool = False) -> Attempt:
    """A sheet with the marks of these answers. An internal error leaves that problem ungraded and the rest
    goes on."""
    marks, crashes = [], []
    for problem, labels in zip(sheet.own_problems, sheet.labels, strict=True):
        try:
            responses = {
                id_: read(problem.part(id_), answers.get(label, "")) for id_, label in labels.items()
            }
            marks.append(judge(problem, responses, policy))
        except Exception:  # whatever it is, it is not the learner's fault
            crashes.append(traceback.format_exc())
            parts = (PartMark(part.id, "ungraded", Fraction(0), part.points) for part in problem.parts)
            marks.append(Mark(problem.item, problem.seed, tuple(parts)))
    return Attempt(sheet, answers, tuple(marks), late, tuple(crashes))
