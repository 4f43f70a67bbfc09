"""The zip of feedback files that a Moodle assignment takes: a file a student, named by the number that Moodle
gave to the submission.

Moodle splits a file's name at its first four underscores, `Name_17_assignfeedback_file_feedback.html`, and
finds the student by the number alone (mod/assign/feedback/file/importziplib.php).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from quizengine.errors import InputError
from quizengine.files.cell import text_of
from quizengine.files.failure import failed
from quizengine.grading.intake.archive import files_in, is_archive
from quizengine.grading.intake.finder import Finder
from quizengine.grading.intake.submissions import submission, submissions_in
from quizengine.grading.intake.tables import read_sheet
from quizengine.grading.output.gradebook import FEEDBACK, page_name
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.sheets.manifest import Manifest

_IDS = {"id number", "idnumber", "username", "email", "email address"} | {
    *("id ナンバー", "idナンバー", "ユーザ名", "ユーザー名", "メールアドレス")
}
_NAMES = {"full name", "フルネーム", "氏名", "名前"}
_IDENTIFIER = re.compile(r"\D*(\d+)")  # “Participant 17”, in any language


class Packed(NamedTuple):
    """Who is in the zip, who has feedback and no number, and who has a number and no feedback."""

    students: list[str]
    without_number: list[str]
    without_feedback: list[str]

    def lines(self, path: Path, lang: Lang) -> Iterator[str]:
        """How many are in `path`, and who is not."""
        yield t(lang, "marks.packed", count=len(self.students), path=path)
        if self.without_number:
            yield t(lang, "marks.without-number", students=", ".join(self.without_number))
        if self.without_feedback:
            yield t(lang, "marks.without-feedback", students=", ".join(self.without_feedback))


def pack(marks: Path, submissions: Path, manifest: Manifest, out: Path) -> Packed:
    """The pages that grading wrote below `marks`, for the students of a zip or a folder of submissions, or of
    Moodle's grading worksheet. Raises InputError."""
    numbers = dict(_numbers(submissions, Finder(manifest)))
    packed = Packed([], [], [])
    if not (marks / FEEDBACK).is_dir():
        raise InputError(
            f"{marks} holds no pages of feedback: name the folder that grade wrote", code="no-pages"
        )
    if not numbers:
        raise InputError(
            f"{submissions}: no student of this exam was found in it: give the zip of submissions that "
            "Moodle gave out, or its grading worksheet (CSV)",
            code="no-numbers",
        )
    try:
        with ZipFile(out, "x", ZIP_DEFLATED) as archive:
            for place, (code, student, full, *_) in enumerate(manifest.who):
                stem = marks / FEEDBACK / page_name(student, code)
                found = [p for p in (Path(f"{stem}.html"), Path(f"{stem}.md")) if p.exists()]
                if not found:
                    packed.without_feedback.extend([student] if place in numbers else [])
                elif place not in numbers:
                    packed.without_number.append(student)
                else:
                    called = re.sub(r"[_/\\\W]+", " ", full or student).strip() or code
                    member = f"{called}_{numbers[place]}_assignfeedback_file_feedback{found[0].suffix}"
                    archive.writestr(ZipInfo(member), found[0].read_bytes(), ZIP_DEFLATED)
                    packed.students.append(student)
    except FileExistsError:
        raise InputError(f"{out} is there already: name a new file", code="exists") from None
    except OSError as error:
        out.unlink(missing_ok=True)  # half of it is none
        raise failed(out, error, code="not-written") from None
    return packed


def _numbers(path: Path, finder: Finder) -> Iterator[tuple[int, str]]:
    """Place of the sheet and number of the submission."""
    if is_archive(path):
        for file, content, _ in files_in(path):
            if (known := submission(file)) and (place := _place(file, content, known, finder)) is not None:
                yield place, known["number"]
        return
    table = read_sheet(path)
    columns = {name.strip().lower(): i for i, name in enumerate(table.header)}
    ids, names = ([i for name, i in columns.items() if name in known] for known in (_IDS, _NAMES))
    if not ids + names:
        raise InputError(f"{path}:1: there is no column with ids or full names", code="column")
    for _, cells in table.rows:
        number = _IDENTIFIER.fullmatch(text_of(cells[0]))
        by_id = {text_of(cells[i]) for i in ids if i < len(cells)} & finder.by_student.keys()
        found = {finder.by_student[id_] for id_ in by_id}
        found.update(place for i in ids if i < len(cells) for place in finder.by_email(text_of(cells[i])))
        if not found and not any(text_of(cells[i]) for i in ids if i < len(cells)):
            found = {place for i in names if i < len(cells) for place in finder.by_owner(text_of(cells[i]))}
        if number and len(found) == 1:
            yield found.pop(), number[1]


def _place(file: str, content: bytes | ValueError, known: Mapping[str, str], finder: Finder) -> int | None:
    """Whose it is: what is written in it says so, else the name of the folder; nobody's where both are
    known and say different things."""
    owners = finder.by_owner(known["who"].replace("_", " "))
    try:
        if isinstance(content, ValueError):
            raise content
        saved = submissions_in(file, content)
    except (ValueError, RecursionError):
        saved = []
    for one in saved:
        found = finder.place(0, {"student": one.student, "code": one.code})
        if isinstance(found, int):
            return found if not owners or found in owners else None
    return owners[0] if len(owners) == 1 else None
