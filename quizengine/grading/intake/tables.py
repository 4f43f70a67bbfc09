"""Tables: whatever file the answers come in, as a header and numbered rows of text."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, time
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter
from zipfile import ZipFile

from quizengine.errors import InputError
from quizengine.files.cell import ABSENT, Cell, Date, Formula, text_of
from quizengine.files.failure import failed
from quizengine.files.rows import Rows
from quizengine.grading.intake.column_map import EMAIL, TIME, WHO, ColumnMap, standard_names
from quizengine.grading.intake.submissions import KINDS, Labels, Table, read_submissions
from quizengine.grading.note import Note

MOST_COLUMNS, MOST_CELLS, MOST_ROWS = 2000, 5_000_000, 2**20  # of a workbook; a sheet has no more rows
MOST_UNPACKED = 2**28  # bytes


def read_answers(path: Path, mapping: ColumnMap | None = None, known: Container[str] | None = None) -> Table:
    """The wide table that a file holds: student, code, time, then a column a label; by a mapping, if there is
    one. `known` are the labels that count: of others only some are columns. Raises InputError for a file that
    cannot be used at all."""
    if path.is_dir() or path.suffix.lower() in (".zip", *KINDS):
        return read_submissions(path, known)
    table = read_sheet(path)
    raw = table.header
    if mapping:
        return table._replace(header=mapping.renamed(path, raw), raw=raw)
    names = standard_names(raw)
    if {"label", "answer"} <= {*names}:
        return _widened(names, table, path=path, raw=raw, known=known)
    return table._replace(header=names, raw=raw)


def read_sheet(path: Path) -> Table:
    """Header and rows of a CSV or XLSX file as they stand."""
    if path.suffix.lower() == ".xlsx":
        return _read_xlsx(path)
    rows = Rows(path)
    return Table(rows.header, rows)


def _widened(
    names: Sequence[str], table: Table, *, path: Path, raw: Sequence[str], known: Container[str] | None
) -> Table:
    """A line an answer (student or code, label, answer) as a line a submission: as long as the time stays the
    same it is one, and a later one keeps what an earlier one said and it does not."""
    own = [name for name in (*WHO, EMAIL, TIME) if name in names]
    if not {*WHO, EMAIL} & {*own}:
        raise InputError(f"{path}:1: a line an answer needs a column student or code, too", code="column")
    label, answer = names.index("label"), names.index("answer")
    found: dict[tuple[str, str], tuple[int, dict[str, str], dict[str, Cell]]] = {}
    latest: dict[str, tuple[str, str]] = {}
    listed, remarks = list[Note](), list[Note]()
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
    return Table([*own, *labels.names], wide, raw, listed, remarks, left=labels.left)


def _read_xlsx(path: Path) -> Table:
    """The first sheet that is shown, its header as it stands. Raises InputError. A date, which a spreadsheet
    has made of an answer such as 1/2, and a formula without a result are marked, to be told where they
    are answers."""
    rows: list[tuple[int, list[Cell]]] = []
    total = 0
    with _told(path):
        load = _loader()
        _inspect(path)
        values, formulas = (load(path, read_only=True, data_only=only) for only in (True, False))
        shown = [sheet.title for sheet in values.worksheets if sheet.sheet_state == "visible"]
        both = zip(*(_lines(book, title) for book in (values, formulas) for title in shown[:1]), strict=True)
        for line, (cells, written) in enumerate(both, 1):
            total += len(cells)
            if line > MOST_ROWS or total > MOST_CELLS:
                raise InputError(f"{path} has more than {MOST_ROWS} rows or {MOST_CELLS} cells", code="xlsx")
            typed = [_cell(line, i, *pair) for i, pair in enumerate(zip(cells, written, strict=True))]
            if not all(map(_empty, typed)):
                rows.append((line, typed))
        values.close()
        formulas.close()
    if not rows:
        raise InputError(f"{path} is empty", code="empty")
    (_, first), *rest = rows
    header = list(map(text_of, first))
    wide = max(i for i, name in enumerate(header, 1) if name)
    if wide > MOST_COLUMNS:
        message = f"{path}:1: a header of {wide} columns: delete what stands beyond the last label"
        raise InputError(message, code="xlsx")
    further = [Note(1, "", "sheets", {"names": ", ".join(shown[1:])})] if len(shown) > 1 else []
    return Table(header[:wide], [(line, _cut(cells, wide)) for line, cells in rest], remarks=further)


def _lines(book: Any, title: str) -> Iterator[tuple[Any, ...]]:
    """The rows as far as they are there, whatever size the file says that the sheet has."""
    sheet = book[title]
    sheet.reset_dimensions()
    yield from sheet.iter_rows(values_only=True)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """In a sentence, whatever openpyxl, zip and XML raise for a file that is no whole workbook."""
    try:
        with catch_warnings():
            simplefilter("ignore")  # of dates and styles that are none
            yield
    except InputError:
        raise
    except OSError as error:
        if not path.is_file():
            raise failed(path, error) from None
        raise InputError(f"{path} is no XLSX workbook: {error}", code="xlsx") from None
    except Exception as error:
        raise InputError(f"{path} is no XLSX workbook: {str(error)[:200]}", code="xlsx") from None


def _inspect(path: Path) -> None:
    """Raises ValueError for what unpacks to too much, or defines entities, as no spreadsheet does."""
    with ZipFile(path) as archive:
        infos = archive.infolist()
        if sum(info.file_size for info in infos) > MOST_UNPACKED:
            raise ValueError(f"it unpacks to more than {MOST_UNPACKED} bytes")
        for info in infos:
            with archive.open(info) as member:
                if b"<!DOCTYPE" in member.read(2**16).replace(b"\0", b""):
                    raise ValueError("it holds a document type definition")


def _loader() -> Any:
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise InputError(
            "XLSX needs the extra “xlsx”: pip install 'quizengine[xlsx]'", code="missing-extra"
        ) from None
    return load_workbook


def _empty(cell: Cell) -> bool:
    return isinstance(cell, str) and not cell.strip()


def _cut(cells: list[Cell], wide: int) -> list[Cell]:
    """Without empty cells beyond the header, and with those that are missing under it."""
    end = len(cells)
    while end > wide and _empty(cells[end - 1]):
        end -= 1
    return cells[:end] + [""] * (wide - end)


def _cell(line: int, column: int, value: Any, written: Any) -> Cell:
    place = f"{chr(65 + column)}{line}" if column < 26 else f"row {line}, column {column + 1}"
    if isinstance(value, date | time):
        return Date(place, value.isoformat())
    if value is None and isinstance(written, str) and written.startswith("="):
        return Formula(place)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)
