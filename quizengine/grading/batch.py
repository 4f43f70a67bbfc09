"""Mark a class: every row by its own sheet's problems, with the terminal's code path."""

from __future__ import annotations

import hashlib
import json
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, repeat
from pathlib import Path

from quizengine.grading.collect import Row
from quizengine.grading.results import Kind, Result
from quizengine.items.policy import Policy
from quizengine.marking.judge import judge
from quizengine.marking.mark import Mark, PartMark
from quizengine.problems.problem import Part, Problem, key_text
from quizengine.responses.read import read
from quizengine.sheets.manifest import Manifest, Sheet, Sheets, load_manifest

LATE = "late"  # why a mark is a share only
CHUNK = 64  # rows that travel to a worker at once


@dataclass(frozen=True, slots=True)
class Graded:
    """One sheet's marks, problem by problem; `crashes` are faults of ours, with their traces."""

    line: int
    sheet: Sheet
    marks: tuple[Mark, ...]
    crashes: tuple[str, ...] = ()
    late: bool = False

    def part(self, index: int, id_: str) -> PartMark:
        """One part's mark."""
        return self.marks[index].part(id_)


_Packed = tuple[str, Mapping[str, str]]  # a row as it travels: the sheet by its code


class Held:
    """What a worker knows, so that only answers and marks travel."""

    manifest: Manifest
    sheets: Mapping[str, Sheet]


def prepare(manifest: Path) -> None:
    """Have a worker know an exam."""
    Held.manifest = load_manifest(manifest, sheets=False)
    Held.sheets = Sheets(manifest)


def grade(rows: Iterable[Row], policy: Policy, executor: Executor | None = None) -> Iterator[Graded]:
    """Every row marked, in order; by the workers of an executor, each of them `prepare`d, if there is one.
    A fault of ours leaves that problem ungraded and the rest goes on."""
    if executor is None:
        yield from (_graded(row, _mark(row.sheet, row.answers, policy)) for row in rows)
        return
    left = iter(rows)
    chunks = list(iter(lambda: list(islice(left, CHUNK)), []))
    packed = ([(row.sheet.code, row.answers) for row in chunk] for chunk in chunks)
    for chunk, marked in zip(chunks, executor.map(_mark_chunk, packed, repeat(policy)), strict=True):
        yield from map(_graded, chunk, marked)


def _graded(row: Row, marked: tuple[tuple[Mark, ...], tuple[str, ...]]) -> Graded:
    return Graded(row.line, row.sheet, *marked, row.late)


def _mark_chunk(rows: Sequence[_Packed], policy: Policy) -> list[tuple[tuple[Mark, ...], tuple[str, ...]]]:
    return [_mark(Held.sheets[code], answers, policy) for code, answers in rows]


def _mark(
    sheet: Sheet, answers: Mapping[str, str], policy: Policy
) -> tuple[tuple[Mark, ...], tuple[str, ...]]:
    """The marks of a sheet, and the traces of faults of ours."""
    marks, crashes = [], []
    for problem, labels in zip(sheet.problems, sheet.labels, strict=True):
        try:
            responses = {
                id_: read(problem.part(id_), answers.get(label, "")) for id_, label in labels.items()
            }
            marks.append(judge(problem, responses, policy))
        except Exception:  # whatever it is, it is not the learner's fault
            crashes.append(traceback.format_exc())
            marks.append(_ungraded(problem))
    return tuple(marks), tuple(crashes)


def _ungraded(problem: Problem) -> Mark:
    parts = (PartMark(part.id, "ungraded", Fraction(0), part.points) for part in problem.parts)
    return Mark(problem.item, problem.seed, tuple(parts))


def key_of(part: Part) -> str:
    """A name for the key that a part is judged by."""
    return hashlib.sha256(key_text(part, part.key).encode()).hexdigest()[:16]


def results_of(
    graded: Graded, answers: Mapping[str, str], policy: Policy, kind: Kind, at: str, why: str
) -> Iterator[Result]:
    """A sheet's marks as they are kept."""
    said = json.dumps(policy.to_json(), sort_keys=True)
    share = policy.late if graded.late else Fraction(1)
    for label, index, id_ in graded.sheet.labelled():
        mark, part = graded.marks[index], graded.part(index, id_)
        named = [d.misconceptions[0] for d in mark.diagnosis if d.certainty == "exact"]
        shown = tuple(m for m in named if m in part.misconceptions)
        problem = graded.sheet.problems[index]
        yield Result(
            code=graded.sheet.code,
            label=label,
            kind=kind,
            raw=answers.get(label, ""),
            verdict=part.verdict,
            credit=part.credit * share,
            points=part.points,
            misconceptions=shown,
            item=problem.item,
            key=key_of(problem.part(id_)),
            policy=said,
            at=at,
            why=LATE if graded.late and not why else why,
        )
