"""Tables: whatever file the answers come in, as a header and numbered rows of text."""

from __future__ import annotations

from collections.abc import Container, Sequence
from pathlib import Path

from quizengine.errors import InputError
from quizengine.files.cell import ABSENT, Cell, text_of
from quizengine.files.kind import kind_at
from quizengine.files.rows import LOOKED, IsHeader, Rows, header_among
from quizengine.files.workbook import empty, read_workbook
from quizengine.grading.intake.column_map import EMAIL, TIME, WHO, ColumnMap, standard_names
from quizengine.grading.intake.submissions import Labels, Table, are_submissions, read_submissions
from quizengine.grading.note import Note

MOST_COLUMNS = 2000  # of a workbook
_BOOKS = (".xlsx", ".xlsm")


def read_answers(path: Path, mapping: ColumnMap | None = None, known: Container[str] | None = None) -> Table:
    """The wide table that a file holds: student, code, time, then a column a label; by a mapping, if there is
    one. `known` are the labels that count: of others only some are columns. Raises InputError for a file that
    cannot be used at all."""
    if are_submissions(path):
        return read_submissions(path, known)
    if mapping:
        table = read_sheet(path, mapping.fits)
        return table._replace(header=mapping.renamed(path, table.header), raw=table.header)

    def is_header(cells: Sequence[str]) -> bool:
        names = standard_names(cells)
        wide = any(name in known for name in names) if known is not None else True
        return bool({*WHO, EMAIL} & {*names}) and (wide or {"label", "answer"} <= {*names})

    table = read_sheet(path, is_header)
    names = standard_names(table.header)
    if {"label", "answer"} <= {*names}:
        return _widened(names, table, path=path, known=known)
    return table._replace(header=names, raw=table.header)


def read_sheet(path: Path, is_header: IsHeader | None = None) -> Table:
    """Header and rows of a CSV or XLSX file as they stand; the header is the first row near the top that
    `is_header` takes, else the first one. Raises InputError."""
    if kind_at(path) == "xlsx" or (path.suffix.lower() in _BOOKS and kind_at(path) == "zip"):
        return _read_book(path, is_header)
    rows = Rows(path, is_header)
    return Table(rows.header, rows, remarks=_above(rows.below, rows.above))


def _above(line: int, count: int) -> list[Note]:
    """That so many rows stand above the header and are not read."""
    return [Note(line, "", "above", {"count": count})] if count else []


def _widened(names: Sequence[str], table: Table, *, path: Path, known: Container[str] | None) -> Table:
    """A line an answer (student or code, label, answer) as a line a submission: as long as the time stays the
    same it is one, and a later one keeps what an earlier one said and it does not."""
    own = [name for name in (*WHO, EMAIL, TIME) if name in names]
    if not {*WHO, EMAIL} & {*own}:
        raise InputError(f"{path}:1: a line an answer needs a column student or code, too", code="column")
    label, answer = names.index("label"), names.index("answer")
    found: dict[tuple[str, str], tuple[int, dict[str, str], dict[str, Cell]]] = {}
    latest: dict[str, tuple[str, str]] = {}
    listed, remarks = list[Note](), [*table.remarks]
    seen: set[tuple[str, str, str]] = set()
    labels = Labels(known)
    for line, cells in table.rows:
        padded = [*cells, *[""] * (len(names) - len(cells))]
        who = {name: text_of(padded[names.index(name)]) for name in own}
        named = text_of(padded[label])
        whose = who.get("student") or who.get("code") or who.get(EMAIL, "")
        if len(cells) > len(names):
            listed.append(Note(line, whose, "cells", {"cells": len(cells), "headers": len(names)}))
            continue
        key = whose, who.get(TIME, "")
        if key not in found:
            before = found[latest[whose]][2] if whose in latest else {}
            found[key] = line, who, dict(before)
            latest[whose] = key
        _, said, answers = found[key]
        said |= {name: text for name, text in who.items() if text}
        if (*key, named) in seen:
            remarks.append(Note(line, whose, "twice", {"label": named}))
        seen.add((*key, named))
        if labels.wanted(named):
            answers[named] = padded[answer]
    wide = [
        (line, [*(who.get(name, "") for name in own), *(answers.get(name, ABSENT) for name in labels.names)])
        for line, who, answers in found.values()
    ]
    return Table([*own, *labels.names], wide, table.header, listed, remarks, left=labels.left)


def _read_book(path: Path, is_header: IsHeader | None) -> Table:
    """The first sheet of a workbook that is shown, its header as it stands."""
    rows, further = read_workbook(path)
    above = header_among((list(map(text_of, cells)) for _, cells in rows[:LOOKED]), is_header)
    (line, first), *rest = rows[above:]
    header = list(map(text_of, first))
    wide = max((i for i, name in enumerate(header, 1) if name), default=0)
    if wide > MOST_COLUMNS:
        message = f"{path}:{line}: a header of {wide} columns: delete what stands beyond the last label"
        raise InputError(message, code="xlsx")
    remarks = _above(line, above)
    remarks += [Note(1, "", "sheets", {"names": ", ".join(further)})] if further else []
    return Table(header[:wide], [(line, _cut(cells, wide)) for line, cells in rest], remarks=remarks)


def _cut(cells: list[Cell], wide: int) -> list[Cell]:
    """Without empty cells beyond the header, and with those that are missing under it."""
    end = len(cells)
    while end > wide and empty(cells[end - 1]):
        end -= 1
    return cells[:end] + [""] * (wide - end)
