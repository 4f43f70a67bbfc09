"""Mark a sheet by its own problems, with the terminal's code path."""

from __future__ import annotations

import hashlib
import json
import traceback
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from quizengine.grading.results import Kind, Result
from quizengine.items.policy import Policy
from quizengine.marking.columns import mark_right, right_throughout
from quizengine.marking.judge import judge
from quizengine.marking.mark import Mark, PartMark
from quizengine.problems.part import Part
from quizengine.problems.problem import Problem
from quizengine.responses.read import read
from quizengine.sheets.manifest import Sheet

LATE = "late"  # why a mark is a share only


@dataclass(frozen=True, slots=True)
class Graded:
    """A sheet's answers by label, and their marks, problem by problem; `crashes` are faults of ours, with
    their traces."""

    sheet: Sheet
    answers: Mapping[str, str]
    marks: tuple[Mark, ...]
    crashes: tuple[str, ...] = ()
    late: bool = False

    def parts(self) -> Iterator[tuple[str, Problem, Part, PartMark]]:
        """Every part by its label, in order, with its problem and its mark."""
        for problem, labels, mark in zip(self.sheet.problems, self.sheet.labels, self.marks, strict=True):
            for id_, label in labels.items():
                yield label, problem, problem.part(id_), mark.part(id_)


def grade(
    sheet: Sheet,
    answers: Mapping[str, str],
    policy: Policy,
    *,
    late: bool = False,
    right: Container[int] = (),
) -> Graded:
    """The marks of a sheet. A fault of ours leaves that problem ungraded and the rest goes on. `right` are
    problems, by their place, that are known to be right throughout."""
    marks, crashes = [], []
    for place, (problem, labels) in enumerate(zip(sheet.problems, sheet.labels, strict=True)):
        if place in right:
            marks.append(mark_right(problem))
            continue
        try:
            responses = {
                id_: read(problem.part(id_), answers.get(label, "")) for id_, label in labels.items()
            }
            marks.append(judge(problem, responses, policy))
        except Exception:  # whatever it is, it is not the learner's fault
            crashes.append(traceback.format_exc())
            marks.append(_ungraded(problem))
    return Graded(sheet, answers, tuple(marks), tuple(crashes), late)


def plainly_right(rows: Sequence[tuple[Sheet, Mapping[str, str]]], policy: Policy) -> list[set[int]]:
    """Of every row the places of the problems that are right throughout and plainly so."""
    places, asked = [], []
    for row, (sheet, answers) in enumerate(rows):
        for place, (problem, labels) in enumerate(zip(sheet.problems, sheet.labels, strict=True)):
            if len(problem.numeric) == len(problem.parts):
                places.append((row, place))
                asked.append((problem, {id_: answers.get(label, "") for id_, label in labels.items()}))
    out: list[set[int]] = [set() for _ in rows]
    for (row, place), right in zip(places, right_throughout(asked, policy), strict=True):
        if right:
            out[row].add(place)
    return out


def _ungraded(problem: Problem) -> Mark:
    parts = (PartMark(part.id, "ungraded", Fraction(0), part.points) for part in problem.parts)
    return Mark(problem.item, problem.seed, tuple(parts))


def key_of(part: Part) -> str:
    """A name for the key that a part is judged by."""
    return hashlib.sha256(repr(part.key).encode()).hexdigest()[:16]


@lru_cache(8)
def _said(policy: Policy) -> str:
    return json.dumps(policy.to_json(), sort_keys=True)


def results_of(graded: Graded, policy: Policy, kind: Kind, at: str, why: str = "") -> Iterator[Result]:
    """A sheet's marks as they are kept."""
    said = _said(policy)
    for problem, labels, whole in zip(graded.sheet.problems, graded.sheet.labels, graded.marks, strict=True):
        for id_, label in labels.items():
            mark = whole.part(id_)
            yield Result(
                code=graded.sheet.code,
                label=label,
                kind=kind,
                raw=graded.answers.get(label, ""),
                verdict=mark.verdict,
                credit=mark.credit * policy.late if graded.late else mark.credit,
                points=mark.points,
                misconceptions=tuple(m for m in whole.named if m in mark.misconceptions),
                item=problem.item,
                key=key_of(problem.part(id_)),
                policy=said,
                at=at,
                why=LATE if graded.late and not why else why,
            )
