"""A roster: who gets a sheet. CSV with the columns id, name and, if wanted, email and group."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path

from quizengine.errors import Fault, FaultyFile, InputError

COLUMNS = ("id", "name", "email", "group")
# Japanese text sets no Latin letter inside a word: where cp932 shows one, it is another encoding
_MOJIBAKE = re.compile(r"[A-Za-z][^\x00-\x7f]|[^\x00-\x7f][A-Za-z]|[\ue000-\uf8ff]")


@dataclass(frozen=True, slots=True)
class Student:
    """One line of a roster."""

    id: str
    name: str = ""
    email: str = ""
    group: str = ""


def read_table(path: Path) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Header and (line, cells) of a CSV file: UTF-8, UTF-16 or cp932; `,` `;` or tab."""
    text = decoded(path)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(text), strict=True)
    rows, line = [], 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append((line, row))
            line = reader.line_num + 1
    except csv.Error as error:
        quote = "a quote is opened and never closed" if "end of data" in str(error) else f"not CSV: {error}"
        raise InputError(f"{path}:{line}: {quote}") from None
    if not rows:
        raise InputError(f"{path} is empty", code="empty")
    return [cell.strip() for cell in rows[0][1]], rows[1:]


def delimiter_of(text: str) -> str:
    """The one that its first line holds most."""
    first = text.split("\n", 1)[0]
    return max(",;\t", key=first.count)


def decoded(path: Path) -> str:
    """The text of a file: UTF-8, UTF-16 or cp932. Raises InputError."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}", code="no-file") from None
    if raw[:2] == b"PK":
        raise InputError(f"{path} is a spreadsheet (XLSX): save it as CSV", code="xlsx")
    encodings = ("utf-16",) if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp932")
    for encoding in encodings:
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if encoding != "cp932" or not _MOJIBAKE.search(text):
            return text
    raise InputError(f"{path} is neither UTF-8, UTF-16 nor cp932 text: save it as UTF-8", code="encoding")


def load_roster(path: Path) -> list[Student]:
    """The students in order. Raises FaultyFile with every fault and its line."""
    header, rows = read_table(path)
    names = [name.lower() for name in header]
    name = str(path)
    if missing := [column for column in ("id", "name") if column not in names]:
        message = f"the column “{missing[0]}” is missing; the header has: {', '.join(header)}"
        raise FaultyFile([Fault(name, 1, 1, "column", message)])
    if twice := {column for column in COLUMNS if names.count(column) > 1}:
        raise FaultyFile([Fault(name, 1, 1, "column", f"the column “{min(twice)}” stands twice")])
    faults, students, seen = [], [], dict[str, int]()
    for line, row in rows:
        cells = dict(zip(names, (cell.strip() for cell in row), strict=False))
        id_ = cells.get("id", "")
        if len(row) > len(header):
            faults.append(Fault(name, line, 1, "cells", f"{len(row)} cells under {len(header)} headers"))
        elif not id_.isprintable():
            faults.append(Fault(name, line, 1, "id", f"the id {id_!r} holds a sign that cannot be printed"))
        elif not id_:
            faults.append(Fault(name, line, 1, "id", "the id is empty"))
        elif id_ in seen:
            faults.append(
                Fault(
                    name,
                    line,
                    1,
                    "duplicate-id",
                    f"the id “{id_}” stands twice (first on line {seen[id_]})",
                )
            )
        seen.setdefault(id_, line)
        students.append(Student(**{column: cells.get(column, "") for column in COLUMNS}))
    if faults:
        raise FaultyFile(faults)
    if not students:
        raise FaultyFile([Fault(name, 1, 1, "empty", "there is nobody in the roster")])
    return students
