"""Collect: a file of a class's answers becomes rows; nothing is guessed that could change a mark."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from quizengine.errors import InputError, nearest
from quizengine.grading.saved import read_saved
from quizengine.sheets.manifest import Manifest, Sheet, is_code
from quizengine.sheets.roster import read_table

_WHO = ("student", "code")
_SAME = {"student": "student", "id": "student", "code": "code"}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the file that belongs to a sheet: raw texts by label."""

    line: int
    sheet: Sheet
    answers: Mapping[str, str]


class Note(NamedTuple):
    """Something decided about a line that was not graded, or about a column: the message
    `note.<code>` with its values says what."""

    line: int
    who: str
    code: str
    values: Mapping[str, Any] = {}


class Collected(NamedTuple):
    """The rows to grade, the rows that are only listed, and what there is to say of columns."""

    rows: Sequence[Row]
    listed: Sequence[Note]
    columns: Sequence[Note]


def collect(path: Path, manifest: Manifest) -> Collected:
    """The rows of a wide CSV (`student[,code],LABEL…`), or of what HTML sheets save: a JSON file, or a folder
    of them.

    The last row of a student counts; earlier ones are listed. Raises InputError for a file that
    cannot be used at all.
    """
    header, lines = read_saved(path) if path.is_dir() or path.suffix == ".json" else read_table(path)
    columns = _columns(path, header)
    labels = {name: i for name, i in columns.items() if name not in _WHO}
    finder = _Finder(manifest)
    rows: dict[str, Row] = {}
    listed: list[Note] = []
    for line, cells in lines:
        padded = [*cells, *[""] * (len(header) - len(cells))]
        who = {name: padded[columns[name]].strip() for name in _WHO if name in columns}
        named = who.get("student") or who.get("code", "")
        if len(cells) > len(header):
            listed.append(Note(line, named, "cells", {"cells": len(cells), "headers": len(header)}))
            continue
        found = finder.sheet(line, who)
        if isinstance(found, Note):
            listed.append(found)
            continue
        if before := rows.get(found.code):
            listed.append(Note(before.line, found.student, "again", {"line": line}))
        rows[found.code] = Row(line, found, {name: padded[i] for name, i in labels.items()})
    known = list(dict.fromkeys(label for sheet in manifest.sheets for label, _, _ in sheet.labelled()))
    if not set(known) & set(labels):
        shown = ", ".join(known[:8])
        raise InputError(
            f"{path}:1: no column is a label of these sheets ({shown}): is it another exam’s file?"
        )
    extra = [Note(1, name, "extra-column", {"name": name}) for name in labels if name not in known]
    if lacking := [label for label in known if label not in labels]:
        extra.append(Note(1, "", "no-column", {"name": ", ".join(lacking)}))
    return Collected(list(rows.values()), sorted(listed, key=lambda note: note.line), extra)


def _columns(path: Path, header: Sequence[str]) -> dict[str, int]:
    """The place of student, code and every label. Raises InputError."""
    columns: dict[str, int] = {}
    for index, cell in enumerate(header):
        name = unicodedata.normalize("NFC", cell).strip()
        name = _SAME.get(name.lower(), name)
        if name in columns:
            raise InputError(f"{path}:1: the column “{name}” stands twice", code="column")
        if name:
            columns[name] = index
    if not set(_WHO) & set(columns):
        listed = ", ".join(header)
        raise InputError(
            f"{path}:1: there is no column “student” or “code”; the header has: {listed}", code="column"
        )
    return columns


class _Finder:
    """Whose sheet a row belongs to."""

    def __init__(self, manifest: Manifest):
        self.by_student = {sheet.student: sheet for sheet in manifest.sheets}
        self.by_code = {sheet.code: sheet for sheet in manifest.sheets}

    def sheet(self, line: int, who: Mapping[str, str]) -> Sheet | Note:
        """The sheet, or why there is none."""
        student, code = who.get("student", ""), who.get("code", "").upper()
        named = student or code
        if code:
            found = self.by_code.get(code)
            if found is None:
                return Note(line, named, "no-code" if is_code(code) else "mistyped-code", {"code": code})
            if student and found.student != student:
                return Note(line, named, "other-code", {"code": code, "owner": found.student})
            return found
        if student in self.by_student:
            return self.by_student[student]
        if not student:
            return Note(line, named, "nobody")
        return Note(line, named, "unknown-student", {"nearest": nearest(student, self.by_student)})
