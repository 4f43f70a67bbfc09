"""A roster: who gets a sheet. CSV with the columns id, name and, if wanted, email and group."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from quizengine.errors import Fault, FaultyFile
from quizengine.files.rows import Rows

COLUMNS = ("id", "name", "email", "group")


@dataclass(frozen=True, slots=True)
class Student:
    """One line of a roster."""

    id: str
    name: str = ""
    email: str = ""
    group: str = ""


def load_roster(path: Path) -> list[Student]:
    """The students in order. Raises FaultyFile with every fault and its line, InputError."""
    rows = Rows(path, lambda cells: {"id", "name"} <= {cell.strip().lower() for cell in cells})
    header = rows.header
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


def class_of(roster: Path | None, variants: int, spare: int) -> list[Student]:
    """The students of a roster, or so many without names; and so many spare ones, for late-comers. Raises
    FaultyFile, InputError."""
    students = load_roster(roster) if roster else [Student(f"v{i:02}") for i in range(1, variants + 1)]
    return students + [Student(f"spare-{i}") for i in range(1, spare + 1)]
