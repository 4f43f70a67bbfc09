"""Gradebooks of learning platforms: the instructor's own Canvas export with one column filled, and what
Moodle imports.

A Canvas export begins with a header (Student, ID, …, Section, then a column an assignment), a row of
Points Possible, sometimes one of Manual Posting before it, and ends with a test student. Its importer
takes a last comma for a decimal point, so numbers are written plainly.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from quizengine.errors import InputError, UnknownName
from quizengine.files.rows import decoded, delimiter_of
from quizengine.grading.output.gradebook import guarded
from quizengine.grading.record.effective import effective, was_late
from quizengine.grading.record.results import Results
from quizengine.lang.messages import name, t
from quizengine.lang.shown import Shown, unseen
from quizengine.lang.text import Lang
from quizengine.marking.mark import credit_text
from quizengine.render.terminal import plain_text
from quizengine.reports.tally import Total
from quizengine.sheets.manifest import Manifest

_IDENTITY = ("SIS User ID", "SIS Login ID", "ID", "Integration ID")
_POSSIBLE = "Points Possible"
_READ_ONLY = "(read only)"
_NAMED = 5  # students, in a sentence


class Filled(NamedTuple):
    """The file, and what could not be put into it."""

    text: str
    column: str
    possible: str  # points, as the platform has them
    without_row: tuple[str, ...]  # students of the exam
    without_mark: tuple[str, ...]  # names in the export
    replaced: tuple[str, ...] = ()  # marks that were there: name, old → new

    def lines(self, path: Path, points: Collection[int], lang: Lang) -> Iterator[str]:
        """What there is to say of it: what was filled into `path`, and where the points that the exam has are
        not those of the platform."""
        yield t(lang, "marks.filled", column=self.column, path=path)
        if self.possible and {*points} != {_number(self.possible)}:
            values = {"possible": self.possible, "points": ", ".join(map(str, sorted(points)))}
            yield t(lang, "marks.possible", **values)
        if self.replaced:
            yield t(lang, "marks.replaced", marks="; ".join(self.replaced))
        if self.without_row:
            yield t(lang, "marks.without-row", students=", ".join(self.without_row))
        if self.without_mark:
            yield t(lang, "marks.without-mark", students="; ".join(self.without_mark))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def canvas(path: Path, column: str, marks: Mapping[str, Total]) -> Filled:
    """The export with this column filled and nothing else changed. Students are found by their ids alone,
    never by name; `marks` is keyed by them. Raises InputError, UnknownName."""
    text = decoded(path)
    delimiter = delimiter_of(text, _is_header)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise InputError(f"{path} is no CSV that can be read: {error}") from None
    header = next(filter(_is_header, rows), None)
    if header is None:
        raise InputError(f"{path} is no gradebook that Canvas exported: it has no columns Student and ID")
    place = _column(header, rows, column)
    found, without_mark, replaced, possible = set[str](), [], [], ""
    for row in rows[rows.index(header) + 1 :]:
        if row and row[0].strip() == _POSSIBLE:
            possible = row[place] if place < len(row) else ""
            continue
        ids = [
            row[header.index(name)].strip()
            for name in _IDENTITY
            if name in header and len(row) == len(header)
        ]
        if not any(ids):
            continue
        own = list(dict.fromkeys(id_ for id_ in ids if id_ in marks))
        if len(own) > 1:
            raise InputError(f"{path}: {row[0]} bears the ids of two students: {', '.join(own)}")
        if own:
            new = credit_text(marks[own[0]].credit)
            if row[place].strip() and not _same(row[place], new):
                replaced.append(f"{row[0]} {row[place].strip()} → {new}")
            row[place] = new
            found.add(own[0])
        else:
            without_mark.append(row[0])
    out = io.StringIO(newline="")
    end = "\r\n" if "\r\n" in text else "\n"
    out.write("\ufeff" if path.read_bytes()[:3] == b"\xef\xbb\xbf" else "")
    csv.writer(out, delimiter=delimiter, lineterminator=end).writerows(rows)
    lacking = tuple(student for student in marks if student not in found)
    return Filled(out.getvalue(), header[place], possible, lacking, tuple(without_mark), tuple(replaced))


def _is_header(row: Sequence[str]) -> bool:
    return bool(row) and row[0].strip() in ("Student", "LastName") and "ID" in row


def _same(cell: str, new: str) -> bool:
    """Does the cell say the same number, as Canvas writes it?"""
    try:
        return float(cell.strip().replace(",", ".")) == float(new)
    except ValueError:
        return False


def _column(header: Sequence[str], rows: Sequence[Sequence[str]], wanted: str) -> int:
    """The place of the assignment that is meant: its title, or the title without the number Canvas adds."""
    totals = {
        i
        for row in rows
        if row and row[0].strip() == _POSSIBLE
        for i, cell in enumerate(row)
        if cell == _READ_ONLY
    }
    section = header.index("Section") if "Section" in header else header.index("ID")
    titles = {i: header[i] for i in range(section + 1, len(header)) if i not in totals}
    fitting = [i for i, title in titles.items() if wanted in (title, title.rpartition(" (")[0])]
    if len(fitting) != 1:
        raise UnknownName("one column in this gradebook", wanted, titles.values())
    return fitting[0]


def moodle(marks: Mapping[str, Total], title: str, feedback: Mapping[str, str]) -> str:
    """A file for Moodle's grade import: ID number (or e-mail address, where that is what all ids are), grade,
    feedback. Text cells are guarded, but not the ids, by which Moodle finds the students."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    mailed = bool(marks) and all("@" in student for student in marks)
    writer.writerow(
        ["Email address" if mailed else "ID number", guarded(title), guarded(f"{title} (Feedback)")]
    )
    for student, total in marks.items():
        writer.writerow([student, credit_text(total.credit), guarded(feedback.get(student, ""))])
    return out.getvalue()


def totals(manifest: Manifest, results: Results, shown: Shown = unseen) -> dict[str, Total]:
    """What every student has who has marks, in the order of the sheets. A discount alone is none: it is given
    to sheets that nobody handed in, too. Raises InputError."""
    out: dict[str, Total] = {}
    for code, student, *_ in shown(manifest.who, len(manifest.who)):
        own = effective(results.history(code)).values()
        if any(result.kind != "discount" for result in own):
            credit = sum((result.credit for result in own), Fraction(0))
            points, open = (
                sum(result.points for result in own if (result.verdict == "open") == waits)
                for waits in (False, True)
            )
            out[student] = Total(credit, points, open=open)
    return out


def settled(earned: Mapping[str, Total], *, open_as_blank: bool) -> dict[str, Total]:
    """The totals as they may leave the house: nothing open is among them, unless that is to count as blank.
    Raises InputError."""
    waiting = [student for student, total in earned.items() if total.open]
    if waiting and not open_as_blank:
        named = ", ".join(waiting[:_NAMED]) + (", …" if waiting[_NAMED:] else "")
        said = f"answers of {len(waiting)} students wait to be read ({named})"
        raise InputError(f"{said}: quizengine marks read, or --open-as-blank", code="open")
    return {student: Total(one.credit, one.points + one.open) for student, one in earned.items()}


def remarks(manifest: Manifest, results: Results, lang: Lang, shown: Shown = unseen) -> dict[str, str]:
    """A line for every student: what lost points, and the mistake that it shows. Raises InputError."""
    out = {}
    for code, student, *_ in shown(manifest.who, len(manifest.who)):
        said = []
        own = effective(history := results.history(code))
        for label in filter(own.__contains__, manifest.labels):
            result = own[label]
            if result.credit == result.points:
                continue
            named = [
                manifest.misconceptions[id_]
                for id_ in result.misconceptions
                if id_ in manifest.misconceptions
            ]
            told = " / ".join(plain_text(m.name[lang]) for m in named)
            if result.kind == "override":
                told = result.why
            if result.verdict != "right":  # a right answer that earns a share came late
                said.append(f"{label}: {told or name('state', result.verdict, lang)}")
        late = was_late(history)
        blank = own and all(result.verdict == "blank" for result in own.values())
        words = [t(lang, "moodle.late")] if late else []
        words += [t(lang, "moodle.blank")] if blank else said
        out[student] = "; ".join(words)
    return out
