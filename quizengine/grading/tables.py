"""Tables: whatever file the answers come in, as a header and numbered rows of text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, time
from pathlib import Path
from typing import Any

from quizengine.errors import InputError
from quizengine.grading.mapping import TIME, WHO, Columns, usual
from quizengine.grading.saved import ABSENT, KINDS, Lines, Table, read_saved
from quizengine.sheets.roster import Rows


def read_answers(path: Path, mapping: Columns | None = None) -> Table:
    """The wide table that a file holds: student, code, time, then a column a label; by a mapping, if there is
    one. Raises InputError for a file that cannot be used at all."""
    if path.is_dir() or path.suffix.lower() in (".zip", *KINDS):
        return read_saved(path)
    header, rows = read_sheet(path)
    if mapping:
        return Table(mapping.renamed(header), rows, header)
    names = usual(header)
    return _widened(path, names, rows) if {"label", "answer"} <= {*names} else Table(names, rows, header)


def read_sheet(path: Path) -> tuple[list[str], Lines]:
    """Header and rows of a CSV or XLSX file as they stand."""
    if path.suffix.lower() == ".xlsx":
        return _read_xlsx(path)
    rows = Rows(path)
    return rows.header, rows


def _widened(path: Path, names: Sequence[str], rows: Lines) -> Table:
    """A line an answer (student or code, label, answer) as a line a submission: as long as student, code
    and time stay the same it is one. What stands twice in it counts as written last."""
    own = [name for name in (*WHO, TIME) if name in names]
    if not {*WHO} & {*own}:
        raise InputError(f"{path}:1: a line an answer needs a column student or code, too", code="column")
    places = [names.index(name) for name in own]
    label, answer = names.index("label"), names.index("answer")
    found: dict[tuple[str, ...], tuple[int, dict[str, str]]] = {}
    for line, cells in rows:
        padded = [*cells, *[""] * (len(names) - len(cells))]
        who = tuple(padded[place].strip() for place in places)
        found.setdefault(who, (line, {}))[1][padded[label].strip()] = padded[answer]
    labels = list(dict.fromkeys(name for _, answers in found.values() for name in answers))
    wide = [
        (line, [*who, *(answers.get(name, ABSENT) for name in labels)])
        for who, (line, answers) in found.items()
    ]
    return Table([*own, *labels], wide)


def _read_xlsx(path: Path) -> tuple[list[str], Lines]:
    """The first sheet that is shown. Raises InputError, also where a spreadsheet has made a date of an answer
    such as 1/2."""
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise InputError(
            "XLSX needs the extra “xlsx”: pip install 'quizengine[xlsx]'", code="missing-extra"
        ) from None
    try:
        book = load_workbook(path, read_only=True, data_only=True)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}", code="no-file") from None
    except Exception as error:  # openpyxl raises what it likes for a file that is no workbook
        raise InputError(f"{path} is no XLSX workbook: {error}", code="xlsx") from None
    shown = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
    rows: list[tuple[int, list[str]]] = []
    for line, cells in enumerate(shown[0].iter_rows(values_only=True) if shown else (), 1):
        texts = [_cell(path, line, column, value) for column, value in enumerate(cells)]
        if any(text.strip() for text in texts):
            rows.append((line, texts))
    book.close()
    if not rows:
        raise InputError(f"{path} is empty", code="empty")
    (_, header), *rest = rows
    wide = max(i for i, name in enumerate(header, 1) if name.strip())
    return header[:wide], [(line, cells[:wide]) for line, cells in rest]


def _cell(path: Path, line: int, column: int, value: Any) -> str:
    if isinstance(value, date | time):
        place = f"{chr(65 + column)}{line}" if column < 26 else f"row {line}, column {column + 1}"
        raise InputError(
            f"{path}: {place} is a date: was it 1/2? Format the column as text and mend it", code="xlsx"
        )
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)
