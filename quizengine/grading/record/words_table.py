"""Answers in words as a table, for those who read them in a spreadsheet, and back."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from quizengine.errors import Fault, FaultyFile
from quizengine.files.rows import Rows
from quizengine.grading.output.gradebook import guarded
from quizengine.grading.record.reading_desk import Group, Question, same
from quizengine.marking.words import ticks

HEADER = ("group", "item", "count", "answer", "suggested", "ideas", "comment")


def table_of(questions: Sequence[Question]) -> str:
    """A line for every group of these answers, under the ideas of its question; `ideas` is to be
    filled in: “1 3”, all or none."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    for question in questions:
        ideas = [f"{n} {idea.name}" for n, idea in enumerate(question.part.ideas, 1)]
        writer.writerow(["", question.problem.item, "", "", "", "; ".join(ideas), ""])
        for group in question.groups:
            said = " ".join(str(n + 1) for n in question.suggestion(group).said)
            row = [group.id, question.problem.item, str(len(group.answers)), guarded(group.text), said]
            writer.writerow([*row, " ".join(str(n + 1) for n in sorted(group.said)), ""])
    return "\ufeff" + out.getvalue()


class Decision(NamedTuple):
    """What a line of the table decides."""

    question: Question
    group: Group
    said: frozenset[int]
    words: str


def decisions_in(path: Path, questions: Sequence[Question]) -> tuple[list[Decision], list[tuple[int, str]]]:
    """What a table decides, and the lines of answers that are no more there; lines without ideas decide
    nothing. Raises FaultyFile with every fault, so that nothing is kept of a table that has one, and
    InputError."""
    known = {group.id: (question, group) for question in questions for group in question.groups}
    found, faults, unknown = dict[str, Decision](), list[Fault](), list[tuple[int, str]]()
    for line, said in _entries(path, ("group", "ideas")):
        id_ = said.get("group", "")
        if not id_ or not (said.get("ideas") or said.get("comment")):
            continue
        if id_ not in known:
            unknown.append((line, id_))
            continue
        made = _decision(path, line, said, *known[id_])
        if isinstance(made, Decision) and found.get(id_, made) != made:
            made = Fault(str(path), line, 1, "group", f"“{id_}” is decided twice, and not alike")
        if isinstance(made, Fault):
            faults.append(made)
        else:
            found[id_] = made
    if faults:
        raise FaultyFile(faults)
    return [*found.values()], unknown


def _decision(
    path: Path, line: int, said: dict[str, str], question: Question, group: Group
) -> Decision | Fault:
    ideas = said.get("ideas", "")
    if (text := said.get("answer", "").removeprefix("'")) and same(text) != same(group.text):
        message = f"the answer beside “{group.id}” is another one: was a column sorted by itself?"
        return Fault(str(path), line, 1, "answer", message)
    places = ticks(ideas, len(question.part.ideas))
    if places is None:
        most = len(question.part.ideas)
        message = f"“{ideas}” names no ideas: write numbers from 1 to {most} (1 3), all or none"
        return Fault(str(path), line, 1, "ideas", message)
    return Decision(question, group, frozenset(places), said.get("comment", ""))


class Objection(NamedTuple):
    """What a learner has to say of a mark."""

    line: int
    student: str
    label: str
    remark: str


def objections_in(path: Path) -> Iterator[Objection]:
    """The remarks of a table with the columns student, label and remark. Raises FaultyFile, InputError."""
    wanted = ("student", "label", "remark")
    for line, said in _entries(path, wanted):
        if any(said.values()):
            yield Objection(line, *(said.get(name, "") for name in wanted))


def _entries(path: Path, wanted: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """The lines of a table by the names of its columns, of which these must be there."""
    rows = Rows(path, lambda cells: {*wanted} <= {cell.strip().lower() for cell in cells})
    names = [name.strip().lower() for name in rows.header]
    if lacking := [name for name in wanted if name not in names]:
        message = f"the column “{lacking[0]}” is missing; the header has: {', '.join(rows.header)}"
        raise FaultyFile([Fault(str(path), 1, 1, "column", message)])
    for line, cells in rows:
        yield line, dict(zip(names, (cell.strip() for cell in cells), strict=False))
