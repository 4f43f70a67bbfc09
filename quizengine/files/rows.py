"""Rows: a CSV file in whatever encoding and with whatever delimiter it is written."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from quizengine.errors import InputError
from quizengine.files.failure import failed

_BLOCK = 2**20  # characters read at once
# Japanese text sets no Latin letter inside a word: where cp932 shows one, it is another encoding
_MOJIBAKE = re.compile(r"[A-Za-z][^\x00-\x7f]|[^\x00-\x7f][A-Za-z]|[\ue000-\uf8ff]")


class Rows:
    """The rows of a CSV file, (line, cells), without those that are empty; read anew each time, so that a
    file may be larger than memory. Raises InputError."""

    def __init__(self, path: Path):
        self.path, self.encoding = path, encoding_of(path)
        with path.open(encoding=self.encoding, newline="") as file:
            self.delimiter = delimiter_of(file.readline())
        self.below = 0
        first = next(iter(self), None)
        if first is None:
            raise InputError(f"{path} is empty", code="empty")
        self.below, cells = first
        self.header = [cell.strip() for cell in cells]

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        with self.path.open(encoding=self.encoding, newline="") as file:
            reader = csv.reader(file, delimiter=self.delimiter, strict=True)
            line = 1
            try:
                for row in reader:
                    if line > self.below and any(cell.strip() for cell in row):
                        yield line, row
                    line = reader.line_num + 1
            except csv.Error as error:
                quote = (
                    "a quote is opened and never closed"
                    if "end of data" in str(error)
                    else f"not CSV: {error}"
                )
                raise InputError(f"{self.path}:{line}: {quote}") from None


def delimiter_of(text: str) -> str:
    """The one that its first line holds most."""
    first = text.split("\n", 1)[0]
    return max(",;\t", key=first.count)


def encoding_of(path: Path) -> str:
    """UTF-8, UTF-16 or cp932: what all of a file is written in. Raises InputError."""
    try:
        with path.open("rb") as file:
            start = file.read(2)
        if start == b"PK":
            raise InputError(f"{path} is a spreadsheet (XLSX): save it as CSV", code="xlsx")
        encodings = ("utf-16",) if start in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp932")
        for encoding in encodings:
            if _is_written_in(path, encoding):
                return encoding
    except OSError as error:
        raise failed(path, error) from None
    raise InputError(f"{path} is neither UTF-8, UTF-16 nor cp932 text: save it as UTF-8", code="encoding")


def _is_written_in(path: Path, encoding: str) -> bool:
    last = ""
    try:
        with path.open(encoding=encoding, newline="") as file:
            while block := file.read(_BLOCK):
                if encoding == "cp932" and _MOJIBAKE.search(last + block):
                    return False
                last = block[-1]
    except UnicodeDecodeError:
        return False
    return True


def decoded(path: Path) -> str:
    """The text of a file in any of these encodings. Raises InputError."""
    with path.open(encoding=encoding_of(path), newline="") as file:
        return file.read()
