"""Paper: the table into which answers are typed from paper, for `grade` to read."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from quizengine.errors import InputError
from quizengine.files.failure import failed
from quizengine.sheets.manifest import Sheet


class PaperTable:
    """A new table, or one of this exam to go on with; when a sheet has been added, it is on the disk. Raises
    InputError."""

    def __init__(self, path: Path, labels: Sequence[str]):
        self.path, self.labels = path, labels
        header = ["student", "code", *labels]
        if not path.exists():
            self._append(header)
            return
        text = path.read_text("utf-8-sig", errors="replace")
        if next(csv.reader(io.StringIO(text, newline="")), []) != header:
            raise InputError(f"{path} is another table: name a new file", code="other-table")
        if not text.endswith(("\n", "\r")):
            with path.open("a", encoding="utf-8") as file:
                file.write("\n")

    def add(self, sheet: Sheet, answers: Mapping[str, str]) -> None:
        """A sheet's answers by label. Raises InputError."""
        self._append([sheet.student, sheet.code, *(answers.get(label, "") for label in self.labels)])

    def _append(self, cells: Sequence[str]) -> None:
        line = io.StringIO(newline="")
        csv.writer(line, lineterminator="\n").writerow(cells)
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(line.getvalue())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise failed(self.path, error, code="not-written") from None
