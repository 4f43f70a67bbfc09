"""The gradebook, a line a student and safe for spreadsheets; and the folder that grading fills with it and
with a page of feedback a learner, written as they are made."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from quizengine.feedback.feedback_page import Page
from quizengine.files.failure import failed
from quizengine.files.hold import hold
from quizengine.files.whole import write_whole
from quizengine.grading.record.effective import EffectiveMarks, Result
from quizengine.lang.characters import visible
from quizengine.marking.mark import Verdict, credit_text
from quizengine.reports.tally import Total
from quizengine.sheets.manifest import Who

GRADEBOOK, FEEDBACK, LOG = "gradebook.csv", "feedback", "grading.txt"
_KINDS = ("md", "html", "part")
_SAFE = re.compile(r"[\w.-]{1,80}", re.ASCII)
_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
_NUMBER = re.compile(r"-?\d+([.,]\d+)?")


class GradebookLine(NamedTuple):
    """A student's line; `cells` are credits by label; empty, never 0, where the engine failed, and “open”
    where an answer waits to be read."""

    student: str
    code: str
    total: Total
    cells: tuple[str, ...]
    verdicts: Mapping[str, Verdict]


def gradebook_line(one: EffectiveMarks, labels: Sequence[str]) -> GradebookLine:
    """The line of a sheet, under these labels."""
    found = one.results
    cells = tuple(_cell(found[label]) if label in found else "" for label in labels)
    verdicts = {label: result.verdict for label, result in found.items()}
    total = Total(one.credit, one.points, open=one.open)
    return GradebookLine(one.sheet.student, one.sheet.code, total, cells, verdicts)


def _cell(result: Result) -> str:
    match result.verdict:
        case "open":
            return "open"
        case "ungraded" | "dropped":
            return ""
    return credit_text(result.credit)


class Form(NamedTuple):
    """How the gradebook is written: for programs, or for a spreadsheet that writes 1,5 for 1.5 and takes
    1.33 for a date."""

    comma: str = ","
    point: str = "."
    end: str = "\n"
    mark: str = ""


PLAIN, EXCEL = Form(), Form(";", ",", "\r\n", "\ufeff")


def gradebook_header(labels: Sequence[str], form: Form = PLAIN, *, names: bool = False) -> str:
    """The first line: student, their names if wanted, code, credit, points, percent, then the labels."""
    who = ["student", *(["name"] if names else []), "code"]
    return form.mark + _csv([[*who, "credit", "points", "percent", *labels]], form)


def gradebook_text(
    book: Iterable[GradebookLine], form: Form = PLAIN, names: Mapping[str, str] | None = None
) -> str:
    """Lines of CSV, with the `names` by code if wanted. Cells that a spreadsheet would run are quoted."""
    rows = []
    for student, code, total, cells, _ in book:
        numbers = [credit_text(total.credit), str(total.points), credit_text(total.percent), *cells]
        called = [] if names is None else [names[code]]
        rows.append([student, *called, code, *(text.replace(".", form.point) for text in numbers)])
    return _csv(rows, form)


def _csv(rows: Iterable[Iterable[str]], form: Form) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=form.comma, lineterminator=form.end)
    writer.writerows(map(guarded, row) for row in rows)
    return out.getvalue()


def guarded(cell: str) -> str:
    """A text cell that a spreadsheet would take for a formula gets an apostrophe; numbers none.

    >>> guarded("=1+1"), guarded("-0.5")
    ("'=1+1", '-0.5')
    """
    return f"'{cell}" if cell.lstrip().startswith(_FORMULA) and not _NUMBER.fullmatch(cell) else cell


def page_name(student: str, code: str) -> str:
    """What a student's page is called: the id, where a file may be called so, else the code."""
    return student if _SAFE.fullmatch(student) and not student.startswith(".") else code


class Folder:
    """Opened to write into; a gradebook that was there stays until the new one is whole. Pages of an earlier
    run must not pass for this one's: those of `who` are removed. Raises InputError."""

    def __init__(self, out: Path, labels: Sequence[str], form: Form = PLAIN, who: Sequence[Who] = ()):
        self.out, self.part = out, out / f"{GRADEBOOK}.part"
        self.rank = {one.code: place for place, one in enumerate(who)}
        self.places: list[tuple[int, int, int]] = []  # of the lines: the place of the sheet, where, how long
        self.start = self.end = len(gradebook_header(labels, form).encode())
        try:
            out.mkdir(parents=True, exist_ok=True)
            busy = f"another quizengine is writing to {out}: wait for it, or name another folder"
            self.book = hold(self.part, busy)
        except OSError as error:
            raise failed(error.filename or out, error, code="not-written") from None
        try:
            with self._sentence():
                self.book.truncate(0)
                self.book.write(gradebook_header(labels, form))
                own = {page_name(one.student, one.code) for one in who}
                for old in [p for kind in _KINDS for p in (out / FEEDBACK).glob(f"*.{kind}")]:
                    if old.name.removesuffix(".part").rpartition(".")[0] in own:
                        old.unlink()
        except BaseException:
            self.close()
            raise

    @contextmanager
    def _sentence(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            with suppress(OSError):
                self.part.unlink(missing_ok=True)  # half a gradebook is none
            then = "; the marks so far are on record, and the same call goes on"
            raise failed(self.out, error, code="not-written", then=then) from None

    def add(self, lines: Iterable[tuple[str, str]], pages: Sequence[Page]) -> None:
        """Write the lines, each with the code of its sheet, and the pages of some students more. Raises
        InputError."""
        with self._sentence():
            for code, line in lines:
                self.places.append((self.rank[code], self.end, len(raw := line.encode())))
                self.end += len(raw)
                self.book.write(line)
            self.book.flush()
            if pages:
                (self.out / FEEDBACK).mkdir(exist_ok=True)
            for student, code, text, html in pages:
                name = page_name(student, code)
                self._put(f"{FEEDBACK}/{name}.md", text)
                if html:
                    self._put(f"{FEEDBACK}/{name}.html", html)

    def put(self, name: str, text: str) -> None:
        """Write a file, whole or not at all: a full disk never costs the one that was there. Raises
        InputError."""
        with self._sentence():
            self._put(name, text)

    def _put(self, name: str, text: str) -> None:
        write_whole(self.out / name, text.encode())

    def keep(self) -> None:
        """Put the gradebook in its place, in the order of the sheets, since all students are in it. Raises
        InputError."""
        with self._sentence():
            self.book.flush()
            if self.places != sorted(self.places):
                written = self.part.read_bytes()
                lines = (written[start : start + size] for _, start, size in sorted(self.places))
                write_whole(self.out / GRADEBOOK, written[: self.start] + b"".join(lines))  # by way of `part`
            else:
                self.part.replace(self.out / GRADEBOOK)

    def log(self, lines: Sequence[str]) -> None:
        """Write the log. Raises InputError."""
        self.put(LOG, visible("\n".join(lines)) + "\n")

    def close(self) -> None:
        """Let go of the folder, for another process to write into."""
        with suppress(OSError):
            self.book.close()
