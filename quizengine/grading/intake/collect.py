"""Collect: a file of a class's answers becomes rows; nothing is guessed that could change a mark."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from quizengine.errors import InputError
from quizengine.files.cell import Cell, Date, Formula, text_of
from quizengine.grading.intake.column_map import EMAIL, OWNER, TIME, WHO, ColumnMap
from quizengine.grading.intake.deadlines import Deadline
from quizengine.grading.intake.finder import Finder
from quizengine.grading.intake.options import joined
from quizengine.grading.intake.submissions import SPARE, Lines, Table
from quizengine.grading.intake.tables import read_answers
from quizengine.grading.note import Note
from quizengine.sheets.manifest import Manifest

SHOWN = 8  # names of a header that does not fit
CLOCKS = {
    "file": 0,
    "disk": 2,
    "zip": 2,
}  # seconds by which they are coarse; files copied at once are no more apart
_DAY = re.compile(r"20[0-3]\d[-/]\d\d?[-/]\d\d?|\d\d?/\d\d?/20[0-3]\d")  # what a CSV shows of a date


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One line of the file that counts for a sheet (by its place in the manifest): raw texts by label; `late`
    ones earn a share."""

    line: int
    place: int
    answers: Mapping[str, str]
    late: bool = False


class Counted:
    """The rows that count, read from the file anew each time, so that they need not fit into memory.
    `chosen` says of their numbers whose they are and whether they came late."""

    def __init__(self, rows: Lines, labels: Mapping[str, int], chosen: Mapping[int, tuple[int, bool]]):
        self.rows, self.labels, self.chosen = rows, labels, chosen

    def __len__(self) -> int:
        return len(self.chosen)

    def __iter__(self) -> Iterator[AnswerRow]:
        for number, (line, cells) in enumerate(self.rows):
            if number in self.chosen:
                place, late = self.chosen[number]
                said = {name: cells[i] if i < len(cells) else "" for name, i in self.labels.items()}
                yield AnswerRow(line, place, {k: v for k, v in said.items() if isinstance(v, str)}, late)


class Collected(NamedTuple):
    """The rows to grade, the rows that are only listed, and what else there is to say."""

    rows: Counted
    listed: Sequence[Note]
    remarks: Sequence[Note]
    files: Mapping[int, str]  # which one a line is, where every line is a file of its own
    claims: Mapping[str, str] = {}  # whose spare sheets are, by their codes


def collect(
    path: Path,
    manifest: Manifest,
    deadline: Deadline | None = None,
    mapping: ColumnMap | None = None,
    claims: Mapping[str, str] | None = None,
) -> Collected:
    """The rows of a file or a folder, as `tables.read_answers` knows them.

    Of a student's rows the last before the deadline counts, else the last one; the others are listed.
    Raises InputError for a file that cannot be used at all.
    """
    table = joined(read_answers(path, mapping, manifest.labels), manifest.labels)
    header, lines = table.header, table.rows
    columns = _columns(path, table.header, table.raw)
    if deadline and TIME not in columns:
        raise InputError(f"{path}:1: a deadline needs a column with the time of every row", code="column")
    labels = {name: i for name, i in columns.items() if name not in (*WHO, EMAIL, OWNER, TIME)}
    unused = _unused(path, manifest, labels, table)
    finder = Finder(manifest, claims or {})
    known = {*manifest.labels}
    counted = {name: i for name, i in labels.items() if name in known}
    seen: dict[int, list[_Seen]] = {}  # by the place of the sheet
    listed = list(table.listed)
    for number, (line, cells) in enumerate(lines):
        padded = [*cells, *[""] * (len(header) - len(cells))]
        who = {name: text_of(padded[columns[name]]) for name in (*WHO, EMAIL, OWNER) if name in columns}
        named = next((who[name] for name in (*WHO, EMAIL, OWNER) if who.get(name)), "")
        if fault := _unfit(line, named, cells, header, counted):
            listed.append(fault)
            continue
        place = finder.place(line, who)
        if isinstance(place, Note):
            listed.append(place)
            continue
        student = finder.student(place)
        when = text_of(padded[columns[TIME]]) if TIME in columns else ""
        late = deadline.late(line, student, when, finder.remarks) if deadline else False
        if isinstance(late, Note):
            listed.append(late)
            continue
        own = [padded[i] for i in counted.values()] if table.files else ()
        seen.setdefault(place, []).append(_Seen(number, line, late, own))
    best, others = _best(table, seen, finder)
    listed += others
    claims = {manifest.who[place].code: finder.claims[place] for place in best if place in finder.claims}
    if deadline and not deadline.share:
        late_ones = [(seen.line, finder.student(place)) for place, seen in best.items() if seen.late]
        listed += [Note(line, student, "too-late") for line, student in late_ones]
        best = {place: seen for place, seen in best.items() if not seen.late}
    chosen = {seen.number: (place, seen.late) for place, seen in best.items()}
    return Collected(
        Counted(lines, labels, chosen),
        sorted(listed, key=lambda note: note.line),
        [*table.remarks, *finder.remarks, *unused],
        table.files,
        claims,
    )


def _unfit(
    line: int, who: str, cells: Sequence[Cell], header: Sequence[str], labels: Mapping[str, int]
) -> Note | None:
    """Why a row cannot be graded, whoever it belongs to: too many cells, an answer that a spreadsheet made a
    date of, or a formula that it never worked out."""
    if len(cells) > len(header):
        return Note(line, who, "cells", {"cells": len(cells), "headers": len(header)})
    for place in labels.values():
        cell = cells[place] if place < len(cells) else ""
        if isinstance(cell, Date | Formula):
            return Note(line, who, "date" if isinstance(cell, Date) else "formula", {"cell": cell.place})
        if isinstance(cell, str) and _DAY.fullmatch(cell.strip()):
            return Note(line, who, "date", {"cell": f"“{cell.strip()}”"})
    return None


class _Seen(NamedTuple):
    """A row of a sheet."""

    number: int
    line: int
    late: bool
    answers: Sequence[Cell] = ()  # of a file


_Choice = tuple[_Seen | None, list[tuple[_Seen, str, Mapping[str, str | int]]]]  # and the others, and why not


def _best(
    table: Table, seen: Mapping[int, Sequence[_Seen]], finder: Finder
) -> tuple[dict[int, _Seen], list[Note]]:
    """By the place of a sheet the row of it that counts; and the rows that do not, with the reason."""
    best, listed = {}, []
    for place, rows in seen.items():
        counts, others = _last_file(table, rows) if table.files else _last_row(rows)
        if counts:
            best[place] = counts
        listed += [Note(other.line, finder.student(place), code, values) for other, code, values in others]
    for place, (student, code) in finder.disputed(best).items():
        listed.append(Note(best.pop(place).line, student, code))
    return best, listed


def _last_row(rows: Sequence[_Seen]) -> _Choice:
    """The row that counts: the last in time, else the last."""
    counts = ([row for row in rows if not row.late] or rows)[-1]
    others = [row for row in rows if row is not counts]
    return counts, [
        (row, "late" if row.late and not counts.late else "again", {"line": counts.line}) for row in others
    ]


def _last_file(table: Table, rows: Sequence[_Seen]) -> _Choice:
    """The file of a sheet that counts: the one that was saved last, by what all of them say or else by one
    clock. None where no clock tells it from a file with other answers: the alphabet tells nothing."""
    of_files = [*{row.line: row for row in rows}.values()]  # within a file the last counts
    clocks = [dict(table.moments.get(row.line, ())) for row in of_files]
    counts = None
    for clock, coarse in CLOCKS.items():
        if all(clock in known for known in clocks):
            last = max(range(len(of_files)), key=lambda i: clocks[i][clock])
            rivals = [
                row
                for row, known in zip(of_files, clocks, strict=True)
                if clocks[last][clock] - known[clock] <= coarse
            ]
            if all(row.answers == of_files[last].answers for row in rivals):
                counts = of_files[last]
                break
    if counts is None and all(row.answers == of_files[-1].answers for row in of_files):
        counts = of_files[-1]
    if counts is None:
        return None, [(row, "undecided", {}) for row in rows]
    name = table.files[counts.line]
    return counts, [(row, "again-file", {"name": name}) for row in rows if row is not counts]


def _unused(path: Path, manifest: Manifest, labels: Mapping[str, int], table: Table) -> list[Note]:
    """What there is to say of columns. Raises InputError when none of them is a label."""
    known = manifest.labels
    if not labels and table.listed:
        told = "; ".join(f"{note.who}: {note.values['why']}" for note in table.listed[:3])
        told += "; …" if table.listed[3:] else ""
        raise InputError(f"{path}: no file in it holds answers ({told})", code="no-answers")
    if not set(known) & set(labels):
        shown = ", ".join(known[:8])
        raise InputError(
            f"{path}:1: no column is a label of these sheets ({shown}): is it another exam’s file?"
        )
    there = set(known)
    names = [name for name in labels if name not in there]
    extra = [Note(1, "", "extra-column", {"name": name}) for name in names[:SPARE]]
    if left := len(names[SPARE:]) + table.left:
        extra.append(Note(1, "", "more-columns", {"count": left}))
    if lacking := [label for label in known if label not in labels]:
        extra.append(Note(1, "", "no-column", {"name": ", ".join(lacking)}))
    return extra


def _columns(path: Path, header: Sequence[str], raw: Sequence[str]) -> dict[str, int]:
    """The place of student, code, time and every label. Raises InputError."""
    if platform := _gradebook_of(raw):
        advice = "to fill a column of it: quizengine marks canvas; " if platform == "Canvas" else ""
        message = (
            f"{path} is a gradebook of {platform}: it holds grades, not answers; "
            f"{advice}to grade, give the file with the answers"
        )
        raise InputError(message, code="gradebook")
    columns: dict[str, int] = {}
    for index, name in enumerate(header):
        if name in columns:
            raise InputError(f"{path}:1: the column “{name}” stands twice", code="column")
        if name:
            columns[name] = index
    if not {*WHO, EMAIL} & set(columns):
        listed = ", ".join(header[:SHOWN]) + (", …" if len(header) > SHOWN else "")
        message = (
            f"{path}:1: there is no column “student” or “code” (or “email”); the header has: {listed}. "
            "Rename the column with the ids, or say which is what: quizengine marks map"
        )
        raise InputError(message, code="column")
    return columns


def _gradebook_of(header: Sequence[str]) -> str:
    """Which platform gives out grades under such a header; none for other files."""
    names = {name.strip() for name in header}
    if "ID" in names and names & {"SIS Login ID", "SIS User ID"}:
        return "Canvas"
    if {"credit", "points"} <= names:
        return "quizengine"
    return "Gradescope" if any(name.endswith(" - Max Points") for name in names) else ""
