"""Rows: a CSV file in whatever encoding and with whatever delimiter it is written."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from quizengine.errors import InputError
from quizengine.files.failure import failed
from quizengine.files.kind import is_page, kind_at

LOOKED = 30  # rows at the top among which the header is
_BLOCK = 2**20  # characters read at once
_TOP = 2**16  # characters by which the delimiter is judged
# Japanese text sets no Latin letter inside a word: where cp932 shows one, it is another encoding
_MOJIBAKE = re.compile(r"[A-Za-z][^\x00-\x7f]|[^\x00-\x7f][A-Za-z]|[\ue000-\uf8ff]")
_SEPARATOR = re.compile(r'"?sep=(.)"?[,;\t]*\r?\n', re.IGNORECASE)  # what Excel puts above a table
_QUOTED = re.compile(r'(^|[,;\t])[ ]*"(?:[^"]|"")*+"', re.MULTILINE)
IsHeader: TypeAlias = Callable[[Sequence[str]], bool]


class Rows:
    """The rows of a CSV file, (line, cells), without those that are empty; read anew each time, so that a
    file may be larger than memory. The header is the first row near the top that `is_header` takes, else
    the first one; `above` counts the rows before it. Raises InputError."""

    def __init__(self, path: Path, is_header: IsHeader | None = None):
        self.path, self.encoding = path, encoding_of(path)
        with path.open(encoding=self.encoding, newline="") as file:
            top = file.read(_TOP)
        self.delimiter = delimiter_of(top, is_header)
        self.below = 1 if _SEPARATOR.match(top) else 0
        first = list(islice(self, LOOKED))
        if not first:
            raise InputError(f"{path} is empty", code="empty")
        self.above = header_among((cells for _, cells in first), is_header)
        self.below, cells = first[self.above]
        self.header = [cell.strip() for cell in cells]

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        with self.path.open(encoding=self.encoding, newline="") as file:
            reader = csv.reader(file, delimiter=self.delimiter, strict=True, skipinitialspace=True)
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


def header_among(rows: Iterable[Sequence[str]], is_header: IsHeader | None) -> int:
    """Which of the first rows is the header: the first that is taken for one, else the first of all.

    >>> header_among([["Exam 1"], ["id", "name"]], lambda row: "id" in row)
    1
    """
    return next((i for i, row in enumerate(rows) if is_header and is_header(row)), 0)


def delimiter_of(text: str, is_header: IsHeader | None = None) -> str:
    """What parts the cells: what the file says of it (sep=;), else that under which a header shows, and of
    these the one that parts most rows into equally many cells; what stands in quotes parts nothing.

    >>> delimiter_of("id;title\\n1;Who, where?\\n2;When?\\n"), delimiter_of('id,"a;b;c"\\n')
    (';', ',')
    """
    if said := _SEPARATOR.match(text):
        return said[1]
    bare = _QUOTED.sub(r"\1_", text)

    def fit(delimiter: str) -> tuple[bool, int, int]:
        widths = Counter(len(row) for row in _first_rows(bare, delimiter) if len(row) > 1)
        width, count = max(widths.items(), key=lambda item: item[::-1], default=(1, 0))
        shown = is_header and any(map(is_header, _first_rows(text, delimiter)))
        return bool(shown), count, width

    return max("\t;,", key=fit)  # a comma stands in texts, too


def _first_rows(text: str, delimiter: str) -> list[list[str]]:
    rows: list[list[str]] = []
    with suppress(csv.Error):
        lines = io.StringIO(text, newline="")
        rows.extend(islice(csv.reader(lines, delimiter=delimiter, skipinitialspace=True), LOOKED))
    return rows


def encoding_of(path: Path) -> str:
    """UTF-8, UTF-16 or cp932: what all of a file is written in. Raises InputError."""
    kind = kind_at(path)
    if kind == "xlsx":
        raise InputError(f"{path} is a spreadsheet (XLSX): save it as CSV", code="xlsx")
    if kind == "zip":
        raise InputError(f"{path} is a zip, not a table: unpack it", code="zip")
    try:
        with path.open("rb") as file:
            start = file.read(64)
        if is_page(start):
            raise InputError(f"{path} is a web page: save the table in it as CSV", code="page")
        for encoding in encodings_of(start):
            if _is_written_in(path, encoding):
                return encoding
    except OSError as error:
        raise failed(path, error) from None
    raise InputError(f"{path} is neither UTF-8, UTF-16 nor cp932 text: save it as UTF-8", code="encoding")


def encodings_of(start: bytes) -> tuple[str, ...]:
    """What a text that begins so may be written in: UTF-16 shows by its mark or by a zero in every sign.

    >>> encodings_of("a,b".encode("utf-16-le")), encodings_of(b"a,b")
    (('utf-16-le',), ('utf-8-sig', 'cp932'))
    """
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ("utf-16",)
    match [byte == 0 for byte in start[:4]]:
        case [False, True, False, True]:
            return ("utf-16-le",)
        case [True, False, True, False]:
            return ("utf-16-be",)
    return "utf-8-sig", "cp932"


def text_from(content: bytes) -> str:
    """The text that is written in any of these encodings. Raises ValueError."""
    for encoding in encodings_of(content):
        with suppress(UnicodeError):
            if _may_be(text := content.decode(encoding), encoding):
                return text
    raise ValueError("it is neither UTF-8, UTF-16 nor cp932 text")


def _may_be(text: str, encoding: str) -> bool:
    """Does a text that was decoded so look like one?"""
    return not (encoding == "cp932" and _MOJIBAKE.search(text))


def _is_written_in(path: Path, encoding: str) -> bool:
    last = ""
    try:
        with path.open(encoding=encoding, newline="") as file:
            while block := file.read(_BLOCK):
                if not _may_be(last + block, encoding):
                    return False
                last = block[-1]
    except UnicodeError:
        return False
    return True


def decoded(path: Path) -> str:
    """The text of a file in any of these encodings. Raises InputError."""
    with path.open(encoding=encoding_of(path), newline="") as file:
        return file.read()
