"""Collect: a file of a class's answers becomes rows; nothing is guessed that could change a mark."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from quizengine.errors import InputError, UsageError, near
from quizengine.files.cell import Cell, Date, Formula, text_of
from quizengine.grading.intake.column_map import OWNER, TIME, WHO, ColumnMap
from quizengine.grading.intake.options import joined
from quizengine.grading.intake.submissions import SPARE, Lines, Table
from quizengine.grading.intake.tables import read_answers
from quizengine.grading.note import Note
from quizengine.sheets.manifest import Manifest, is_code

MANY = 2000  # students; among more, like names are not looked for
LOOKED = 50  # unknown students for whom a like name is looked for
SHOWN = 8  # names of a header that does not fit
_SUBMISSION = re.compile(r" \(\d+\)$")
_ROUNDED = re.compile(r"\d(\.\d+)?[eE]\+\d+")  # an id that a spreadsheet took for a number


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


class Deadline(NamedTuple):
    """Until when answers count (inclusive), and the share that later ones earn; 0: they are only listed."""

    moment: datetime
    share: Fraction
    form: str = ""  # of the times in the file; ISO 8601 where empty


def deadline_of(text: str, form: str, share: Fraction) -> Deadline:
    """The deadline that the text says in ISO 8601, a minute lasting to its end; `form` is that of the times
    in the file, `share` what later answers earn. Raises UsageError."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"“{text}” is no moment: write 2030-02-01T23:59+09:00") from None
    if moment.tzinfo is None:
        raise UsageError(f"“{text}” says no time zone: write {text}+09:00, or Z for UTC")
    try:
        datetime.strptime(moment.strftime(form), form)
    except (ValueError, re.error):
        raise UsageError(f"“{form}” is no form of a time: write such as %m/%d/%Y %H:%M") from None
    if re.search(r"[T ]\d\d:?\d\d(?![:\d])", text):
        moment += timedelta(seconds=59, microseconds=999_999)
    return Deadline(moment, share, form)


def collect(
    path: Path, manifest: Manifest, deadline: Deadline | None = None, mapping: ColumnMap | None = None
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
    labels = {name: i for name, i in columns.items() if name not in (*WHO, OWNER, TIME)}
    unused = _unused(path, manifest, labels, table)
    finder = Finder(manifest)
    best: dict[int, _Seen] = {}  # by the place of the sheet
    listed = list(table.listed)
    for number, (line, cells) in enumerate(lines):
        padded = [*cells, *[""] * (len(header) - len(cells))]
        who = {name: text_of(padded[columns[name]]) for name in (*WHO, OWNER) if name in columns}
        named = who.get("student") or who.get("code") or who.get(OWNER, "")
        if fault := _unfit(line, named, cells, header, labels):
            listed.append(fault)
            continue
        place = finder.place(line, who)
        when = text_of(padded[columns[TIME]]) if TIME in columns else ""
        late = _late(line, named, when, deadline) if deadline else False
        if isinstance(place, Note) or isinstance(late, Note):
            listed.append(place if isinstance(place, Note) else late)  # type: ignore[arg-type]
            continue
        student, before = manifest.who[place].student, best.get(place)
        if before and late and not before.late:
            listed.append(Note(line, student, "late", {"line": before.line}))
            continue
        if before:
            listed.append(Note(before.line, student, "again", {"line": line}))
        best[place] = _Seen(number, line, late)
    for place in finder.ambiguous() & best.keys():
        listed.append(Note(best.pop(place).line, manifest.who[place].student, "two-folders"))
    if deadline and not deadline.share:
        late_ones = [(seen.line, manifest.who[place].student) for place, seen in best.items() if seen.late]
        listed += [Note(line, student, "too-late") for line, student in late_ones]
        best = {place: seen for place, seen in best.items() if not seen.late}
    chosen = {seen.number: (place, seen.late) for place, seen in best.items()}
    return Collected(
        Counted(lines, labels, chosen),
        sorted(listed, key=lambda note: note.line),
        [*table.remarks, *finder.remarks, *unused],
        table.files,
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
    return None


class _Seen(NamedTuple):
    """The row that counts so far."""

    number: int
    line: int
    late: bool


def _late(line: int, who: str, text: str, deadline: Deadline) -> bool | Note:
    """Did the row come after the deadline? A time that says no zone is meant as the deadline's."""
    try:
        moment = datetime.strptime(text, deadline.form) if deadline.form else datetime.fromisoformat(text)
    except ValueError:
        return Note(line, who, "time", {"text": text})
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=deadline.moment.tzinfo)
    return moment > deadline.moment


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
    if not set(WHO) & set(columns):
        listed = ", ".join(header[:SHOWN]) + (", …" if len(header) > SHOWN else "")
        message = (
            f"{path}:1: there is no column “student” or “code”; the header has: {listed}. "
            "Rename the column with the ids, or say which is what: quizengine marks map"
        )
        raise InputError(message, code="column")
    return columns


def _gradebook_of(header: Sequence[str]) -> str:
    """Which platform gives out grades under such a header; none for other files."""
    names = {name.strip() for name in header}
    if "ID" in names and names & {"SIS Login ID", "SIS User ID"}:
        return "Canvas"
    return "Gradescope" if any(name.endswith(" - Max Points") for name in names) else ""


class Finder:
    """Whose sheet a row belongs to; `remarks` are what it had to decide."""

    def __init__(self, manifest: Manifest):
        self.who = manifest.who
        self.by_student = {who.student: place for place, who in enumerate(self.who)}
        self.by_code = {who.code: place for place, who in enumerate(self.who)}
        self.remarks: list[Note] = []
        self._looked = 0
        self._names: dict[str, list[int]] = {}
        self._named = any(who.name for who in self.who)
        self._submitters: dict[int, set[str]] = {}

    def place(self, line: int, who: Mapping[str, str]) -> int | Note:
        """The place of the sheet, or why there is none. Who handed it in and what it says must agree."""
        found = self._claimed(line, who)
        owner = who.get(OWNER, "")
        if found is None:
            return self._owned(line, owner)
        if isinstance(found, Note) or not owner:
            return found
        handed = self.by_owner(owner)
        if found not in handed and (handed or (self._named and not owner.endswith("/"))):
            values = {"owner": owner, "code": self.who[found].code}
            return Note(line, self.who[found].student, "handed-in" if handed else "stranger", values)
        self._submitted(found, owner, handed)
        return found

    def _claimed(self, line: int, who: Mapping[str, str]) -> int | Note | None:
        """The sheet that the row itself says it is of; None where it says nothing."""
        student, code = who.get("student", ""), who.get("code", "").upper()
        named = student or code
        if code:
            found = self.by_code.get(code)
            if found is None:
                return Note(line, named, "no-code" if is_code(code) else "mistyped-code", {"code": code})
            owner = self.who[found].student
            if student and owner != student:
                return Note(line, named, "other-code", {"code": code, "owner": owner})
            return found
        if student in self.by_student:
            return self.by_student[student]
        if not student:
            return None
        if _ROUNDED.fullmatch(student):
            return Note(line, named, "rounded-id")
        meant = self._meant(line, student)
        return Note(line, named, "near-student" if meant else "unknown-student", {"names": ", ".join(meant)})

    def _meant(self, line: int, student: str) -> list[str]:
        """Names like this one, for the first unknown students; that it goes no further is said once."""
        self._looked += 1
        if self._looked > LOOKED:
            if self._looked == LOOKED + 1:
                self.remarks.append(Note(line, "", "not-looked-for", {"count": LOOKED}))
            return []
        meant = [known for known in self.by_student if _one_sign_off(student, known)][:3]
        return meant or (near(student, self.by_student) if len(self.who) <= MANY else [])

    def _owned(self, line: int, owner: str) -> int | Note:
        """The one sheet of whoever handed this in."""
        found = self.by_owner(owner)
        if len(found) != 1:
            code = "namesakes" if found else "no-owner" if owner and not owner.endswith("/") else "nobody"
            return Note(line, owner, code, {"count": len(found)})
        self.remarks.append(Note(line, self.who[found[0]].student, "by-owner", {"owner": owner}))
        self._submitted(found[0], owner, found)
        return found[0]

    def _submitted(self, place: int, owner: str, handed: Sequence[int]) -> None:
        """Keep who handed this sheet in; folders within one another that bear one id are one submitter."""
        self._submitters.setdefault(place, set()).add(str(handed) if owner.endswith("/") else owner)

    def ambiguous(self) -> set[int]:
        """Sheets that two have handed in."""
        return {place for place, owners in self._submitters.items() if len(owners) > 1}

    def by_owner(self, owner: str) -> list[int]:
        """The sheets of whoever is called so: an id, a full name (the number of a submission may stand after
        it), a name without blanks before “#” and an id, or folders (“in/s01/”) of which one is an id."""
        if owner.endswith("/"):
            return [self.by_student[part] for part in owner.split("/") if part in self.by_student][-1:]
        owner = _SUBMISSION.sub("", owner)
        name, sign, id_ = owner.rpartition(" #")
        if (known := id_ if sign else owner) in self.by_student:
            return [self.by_student[known]]
        if not self._names:
            for place, who in enumerate(self.who):
                for called in {_squeezed(who.name), *_run_together(who.name)}:
                    self._names.setdefault(called, []).append(place)
        return self._names.get(_squeezed(name if sign else owner), []) if owner else []


def _one_sign_off(typed: str, known: str) -> bool:
    return len(typed) == len(known) and sum(a != b for a, b in zip(typed, known, strict=True)) == 1


def _run_together(name: str) -> Iterator[str]:
    """As Canvas writes it: no blanks or signs, and any of the words may be the family name, which comes
    first.

    >>> sorted(_run_together("Bo Ray Fox"))
    ['borayfox', 'foxboray', 'rayfoxbo']
    """
    words = ["".join(filter(str.isalnum, word)) for word in _squeezed(name).split()]
    for first in range(len(words)):
        yield "".join(words[first:] + words[:first])


def _squeezed(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold().replace("_", " ").strip()
