"""Collect: a file of a class's answers becomes rows; nothing is guessed that could change a mark."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from quizengine.errors import InputError, nearest
from quizengine.sheets.manifest import Manifest, Sheet, is_code
from quizengine.sheets.roster import read_table


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the file that belongs to a sheet: raw texts by label."""

    line: int
    sheet: Sheet
    answers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Listed:
    """One line that was not graded, and why."""

    line: int
    student: str
    why: str


def collect(path: Path, manifest: Manifest) -> tuple[list[Row], list[Listed], list[str]]:
    """The rows of a wide CSV (`student[,code],LABEL…`): those to grade, those listed, and notes.

    The last row of a student counts; earlier ones are listed. Raises InputError for a file that
    cannot be used at all.
    """
    header, lines = read_table(path)
    columns = _columns(path, header)
    by_student = {sheet.student: sheet for sheet in manifest.sheets}
    by_code = {sheet.code: sheet for sheet in manifest.sheets}
    rows: dict[str, Row] = {}
    listed: list[Listed] = []
    for line, cells in lines:
        padded = [*cells, *[""] * (len(header) - len(cells))]
        named = {name: padded[i].strip() for name, i in columns.items() if name in ("student", "code")}
        if len(cells) > len(header):
            listed.append(
                Listed(
                    line,
                    named.get("student", ""),
                    f"{len(cells)} cells under {len(header)} headers",
                )
            )
            continue
        found = _sheet(named, by_student, by_code)
        if isinstance(found, str):
            listed.append(Listed(line, named.get("student", "") or named.get("code", ""), found))
            continue
        if before := rows.get(found.code):
            listed.append(Listed(before.line, found.student, f"answered again on line {line}, which counts"))
        answers = {name: padded[i] for name, i in columns.items() if name not in ("student", "code")}
        rows[found.code] = Row(line, found, answers)
    labels = {label for sheet in manifest.sheets for label, _, _ in sheet.labelled()}
    notes = [
        f"column “{name}” is no label of these sheets and is left out"
        for name in columns
        if _is_extra(name, labels)
    ]
    notes += [f"there is no column for label {label}: it is blank" for label in sorted(labels - set(columns))]
    return list(rows.values()), sorted(listed, key=lambda row: row.line), notes


def _is_extra(name: str, labels: set[str]) -> bool:
    return name not in labels and name not in ("student", "code")


def _columns(path: Path, header: Sequence[str]) -> dict[str, int]:
    """Column of student, code and every label. Raises InputError."""
    columns: dict[str, int] = {}
    for index, cell in enumerate(header):
        name = unicodedata.normalize("NFC", cell).strip()
        name = name.lower() if name.lower() in ("student", "code", "id") else name
        name = "student" if name == "id" else name
        if name in columns:
            raise InputError(f"{path}:1: the column “{name}” stands twice", code="column")
        if name:
            columns[name] = index
    if "student" not in columns and "code" not in columns:
        raise InputError(
            f"{path}:1: there is no column “student” or “code”; the header has: {', '.join(header)}",
            code="column",
        )
    return columns


def _sheet(
    named: Mapping[str, str], by_student: Mapping[str, Sheet], by_code: Mapping[str, Sheet]
) -> Sheet | str:
    """The sheet of a row, or why there is none."""
    student, code = named.get("student", ""), named.get("code", "").upper()
    if code:
        if code not in by_code:
            what = (
                "its check sign does not fit, so it is mistyped" if not is_code(code) else "no sheet has it"
            )
            return f"code “{code}”: {what}"
        if student and by_code[code].student != student:
            return f"code {code} belongs to {by_code[code].student}, not to {student}"
        return by_code[code]
    if student not in by_student:
        return f"unknown student “{student}”{nearest(student, by_student) if student else ''}"
    return by_student[student]
