"""A workbook: the rows of an XLSX file, whatever program wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, time, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from warnings import catch_warnings, simplefilter
from zipfile import ZipFile

from quizengine.errors import InputError
from quizengine.files.cell import Cell, Date, Formula
from quizengine.files.failure import failed

MOST_CELLS, MOST_ROWS = 5_000_000, 2**20  # a sheet has no more rows
MOST_UNPACKED = 2**28  # bytes
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")  # a sign that XML cannot hold, such as _x000D_
_STRICT = {  # namespaces of ISO 29500 Strict, and what openpyxl knows them as
    b"http://purl.oclc.org/ooxml/spreadsheetml/main": b"http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    b"http://purl.oclc.org/ooxml/officeDocument/": b"http://schemas.openxmlformats.org/officeDocument/2006/",
    b"http://purl.oclc.org/ooxml/drawingml/": b"http://schemas.openxmlformats.org/drawingml/2006/",
}


class Workbook(NamedTuple):
    """The rows with anything in them of the first worksheet that is shown, (line, cells), and the names of
    the further ones. A date, which a spreadsheet makes of an answer such as 1/2, and a formula without a
    result are marked, to be told where they are answers."""

    rows: list[tuple[int, list[Cell]]]
    further: list[str]


def read_workbook(path: Path) -> Workbook:
    """What an XLSX file holds. Raises InputError."""
    rows: list[tuple[int, list[Cell]]] = []
    total = 0
    with _told(path):
        load = _loader()
        with path.open("rb") as file:
            plain = _transitional(file)
            values, formulas = (load(plain, read_only=True, data_only=only) for only in (True, False))
            shown = [sheet.title for sheet in values.worksheets if sheet.sheet_state == "visible"]
            books = (_lines(book, title) for book in (values, formulas) for title in shown[:1])
            for line, (cells, written) in enumerate(zip(*books, strict=True), 1):
                total += len(cells)
                if line > MOST_ROWS or total > MOST_CELLS:
                    message = f"{path} has more than {MOST_ROWS} rows or {MOST_CELLS} cells"
                    raise InputError(message, code="xlsx")
                typed = [_cell(line, i, *pair) for i, pair in enumerate(zip(cells, written, strict=True))]
                if not all(map(empty, typed)):
                    rows.append((line, typed))
            values.close()
            formulas.close()
    if not rows:
        raise InputError(f"{path} is empty", code="empty")
    return Workbook(rows, shown[1:])


def empty(cell: Cell) -> bool:
    """Is there nothing in it?"""
    return isinstance(cell, str) and not cell.strip()


def _lines(book: Any, title: str) -> Iterator[tuple[Any, ...]]:
    """The rows as far as they are there, whatever size the file says that the sheet has."""
    sheet = book[title]
    sheet.reset_dimensions()
    yield from sheet.iter_rows(values_only=True)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """In a sentence, whatever openpyxl, zip and XML raise for a file that is no whole workbook."""
    anew = "open it in a spreadsheet and save it anew, as XLSX or CSV"
    try:
        with catch_warnings():
            simplefilter("ignore")  # of dates and styles that are none
            yield
    except InputError:
        raise
    except OSError as error:
        if not path.is_file():
            raise failed(path, error) from None
        raise InputError(f"{path} is no XLSX workbook: {error}: {anew}", code="xlsx") from None
    except Exception as error:
        why = " ".join(str(error).split())[:200]
        raise InputError(f"{path} is no XLSX workbook: {why}: {anew}", code="xlsx") from None


def _transitional(file: BinaryIO) -> BinaryIO:
    """The file, or a copy of a strict workbook in the names of the usual kind. Raises ValueError for what
    unpacks to too much, or defines entities, as no spreadsheet does."""
    strict = False
    with ZipFile(file) as archive:
        infos = archive.infolist()
        if sum(info.file_size for info in infos) > MOST_UNPACKED:
            raise ValueError(f"it unpacks to more than {MOST_UNPACKED} bytes")
        for info in infos:
            with archive.open(info) as member:
                start = member.read(2**16)
            if b"<!DOCTYPE" in start.replace(b"\0", b""):
                raise ValueError("it holds a document type definition")
            strict = strict or (info.filename == "xl/workbook.xml" and next(iter(_STRICT)) in start)
        if not strict:
            return file
        copy = BytesIO()
        with ZipFile(copy, "w") as out:
            for info in infos:
                content = archive.read(info)
                for name, usual in _STRICT.items():
                    content = content.replace(name, usual)
                out.writestr(info.filename, content)
    return copy


def _loader() -> Any:
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise InputError(
            "XLSX needs the extra “xlsx”: pip install 'quizengine[xlsx]'", code="missing-extra"
        ) from None
    return load_workbook


def _cell(line: int, column: int, value: Any, written: Any) -> Cell:
    place = f"{chr(65 + column)}{line}" if column < 26 else f"row {line}, column {column + 1}"
    if isinstance(value, timedelta):
        return Date(place, str(value))
    if isinstance(value, date | time):
        return Date(place, value.isoformat())
    if value is None:
        return "" if written is None else Formula(place)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), str(value))
