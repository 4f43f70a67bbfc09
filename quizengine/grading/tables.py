"""Tables: whatever file the answers come in, as a header and numbered rows of text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, time
from pathlib import Path
from typing import Any

from quizengine.errors import InputError
from quizengine.grading.mapping import TIME, WHO, Columns, usual
from quizengine.grading.note import Note
from quizengine.grading.saved import ABSENT, DATE, FORMULA, KINDS, Lines, Table, read_saved
from quizengine.sheets.roster import Rows


def read_answers(path: Path, mapping: Columns | None = None) -> Table:
    """The wide table that a file holds: student, code, time, then a column a label; by a mapping, if there is
    one. Raises InputError for a file that cannot be used at all."""
    if path.is_dir() or path.suffix.lower() in (".zip", *KINDS):
        return read_saved(path)
    table = read_sheet(path)
    raw = table.header
    if mapping:
        return table._replace(header=mapping.renamed(path, raw), raw=raw)
    names = usual(raw)
    if {"label", "answer"} <= {*names}:
        return _widened(names, table.rows, path=path, raw=raw)
    return table._replace(header=names, raw=raw)


def read_sheet(path: Path) -> Table:
    """Header and rows of a CSV or XLSX file as they stand."""
    if path.suffix.lower() == ".xlsx":
        return _read_xlsx(path)
    rows = Rows(path)
    return Table(rows.header, rows)


def _widened(names: Sequence[str], rows: Lines, *, path: Path, raw: Sequence[str]) -> Table:
    """A line an answer (student or code, label, answer) as a line a submission: as long as the time stays the
    same it is one, and a later one keeps what an earlier one said and it does not."""
    own = [name for name in (*WHO, TIME) if name in names]
    if not {*WHO} & {*own}:
        raise InputError(f"{path}:1: a line an answer needs a column student or code, too", code="column")
    label, answer = names.index("label"), names.index("answer")
    found: dict[tuple[str, str], tuple[int, dict[str, str], dict[str, str]]] = {}
    latest: dict[str, tuple[str, str]] = {}
    listed, remarks = list[Note](), list[Note]()
    seen: set[tuple[str, str, str]] = set()
    for line, cells in rows:
        padded = [*cells, *[""] * (len(names) - len(cells))]
        who = {name: padded[names.index(name)].strip() for name in own}
        whose = who.get("student") or who.get("code", "")
        if len(cells) > len(names):
            listed.append(Note(line, whose, "cells", {"cells": len(cells), "headers": len(names)}))
            continue
        key = whose, who.get(TIME, "")
        if key not in found:
            before = found[latest[whose]][2] if whose in latest else {}
            found[key] = line, who, dict(before)
            latest[whose] = key
        _, known, answers = found[key]
        known |= {name: text for name, text in who.items() if text}
        if (*key, padded[label].strip()) in seen:
            remarks.append(Note(line, whose, "twice", {"label": padded[label].strip()}))
        seen.add((*key, padded[label].strip()))
        answers[padded[label].strip()] = padded[answer]
    labels = list(dict.fromkeys(name for _, _, answers in found.values() for name in answers))
    wide = [
        (line, [*(who.get(name, "") for name in own), *(answers.get(name, ABSENT) for name in labels)])
        for line, who, answers in found.values()
    ]
    return Table([*own, *labels], wide, raw, listed, remarks)


def _read_xlsx(path: Path) -> Table:
    """The first sheet that is shown, its header as it stands. Raises InputError. A date, which a spreadsheet
    has made of an answer such as 1/2, and a formula without a result are marked, to be told where they
    are answers."""
    values, formulas = (_workbook(path, data_only=only) for only in (True, False))
    shown = [sheet.title for sheet in values.worksheets if sheet.sheet_state == "visible"]
    if not shown:
        raise InputError(f"{path} is empty", code="empty")
    rows: list[tuple[int, list[str]]] = []
    both = zip(
        values[shown[0]].iter_rows(values_only=True),
        formulas[shown[0]].iter_rows(values_only=True),
        strict=True,
    )
    for line, (cells, written) in enumerate(both, 1):
        texts = [_cell(line, column, *pair) for column, pair in enumerate(zip(cells, written, strict=True))]
        if any(text.strip() for text in texts):
            rows.append((line, texts))
    values.close()
    formulas.close()
    if not rows:
        raise InputError(f"{path} is empty", code="empty")
    (_, header), *rest = rows
    wide = max(i for i, name in enumerate(header, 1) if name.strip())
    further = [Note(1, "", "sheets", {"names": ", ".join(shown[1:])})] if len(shown) > 1 else []
    return Table(header[:wide], [(line, _cut(cells, wide)) for line, cells in rest], remarks=further)


def _workbook(path: Path, *, data_only: bool) -> Any:
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise InputError(
            "XLSX needs the extra “xlsx”: pip install 'quizengine[xlsx]'", code="missing-extra"
        ) from None
    try:
        return load_workbook(path, read_only=True, data_only=data_only)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}", code="no-file") from None
    except Exception as error:  # openpyxl raises what it likes for a file that is no workbook
        raise InputError(f"{path} is no XLSX workbook: {error}", code="xlsx") from None


def _cut(cells: list[str], wide: int) -> list[str]:
    """Without empty cells beyond the header."""
    while len(cells) > wide and not cells[-1].strip():
        cells = cells[:-1]
    return cells


def _cell(line: int, column: int, value: Any, written: Any) -> str:
    place = f"{chr(65 + column)}{line}" if column < 26 else f"row {line}, column {column + 1}"
    if isinstance(value, date | time):
        return f"{DATE}{place}{DATE}{value.isoformat()}"
    if value is None and isinstance(written, str) and written.startswith("="):
        return f"{FORMULA}{place}"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)
