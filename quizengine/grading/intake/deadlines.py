"""Deadlines: until when answers count, and who has more time than the others."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from quizengine.errors import Fault, FaultyFile, UsageError, nearest
from quizengine.files.cell import text_of
from quizengine.grading.intake.column_map import standard_names
from quizengine.grading.intake.tables import read_sheet
from quizengine.grading.note import Note
from quizengine.lang.characters import plain
from quizengine.sheets.manifest import Manifest
from quizengine.sheets.roster import Extra, extra_of

COLUMNS = ("student", "deadline", "extra")
_IGNORED = ("name", "email", "group", "")


class Allowance(NamedTuple):
    """What one student has, by the line of the file that says so: a deadline of their own, or more time."""

    line: int
    deadline: datetime | None = None
    extra: Extra = Extra()


class Deadline(NamedTuple):
    """Until when answers count (inclusive), and the share that later ones earn; 0: they are only listed. Some
    students have their `own`."""

    moment: datetime
    share: Fraction
    form: str = ""  # of the times in the file; ISO 8601 where empty
    own: Mapping[str, datetime] = {}

    def late(self, line: int, student: str, text: str, remarks: list[Note]) -> bool | Note:
        """Did a row come after the student's deadline? A time that says no zone is meant as the deadline's.
        That it counts by their own deadline alone is remarked."""
        until = self.own.get(student, self.moment)
        try:
            moment = datetime.strptime(text, self.form) if self.form else datetime.fromisoformat(text)
        except ValueError:
            return Note(line, student, "time", {"text": text})
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=until.tzinfo)
        if self.moment < moment <= until:
            remarks.append(Note(line, student, "own-deadline", {"until": _shown(until)}))
        return moment > until


def _shown(moment: datetime) -> str:
    """To the minute, where it lasts to its end."""
    return moment.isoformat(timespec="minutes" if moment.second == 59 else "seconds")


def moment_of(text: str) -> datetime:
    """The moment that the text says in ISO 8601; a minute lasts to its end. Raises UsageError."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"“{text}” is no moment: write 2030-02-01T23:59+09:00") from None
    if moment.tzinfo is None:
        raise UsageError(f"“{text}” says no time zone: write such as 2030-02-01T23:59+09:00, or Z for UTC")
    whole = re.search(r"[T ]\d\d:?\d\d(?![:\d])", text)
    return moment + timedelta(seconds=59, microseconds=999_999) if whole else moment


def deadline_of(text: str, form: str, share: Fraction) -> Deadline:
    """The deadline that the text says; `form` is that of the times in the file, `share` what later answers
    earn. Raises UsageError."""
    moment = moment_of(text)
    try:
        datetime.strptime(moment.strftime(form), form)
    except (ValueError, re.error):
        raise UsageError(f"“{form}” is no form of a time: write such as %m/%d/%Y %H:%M") from None
    return Deadline(moment, share, form)


def own_deadlines(
    path: Path, allowances: Mapping[str, Allowance], moment: datetime, minutes: int
) -> dict[str, datetime]:
    """Until when each of these students has time, where the others have until `moment`, for an exam of so
    many minutes (0: it has no limit). Raises FaultyFile."""
    message = "a share of what? The blueprint of this exam says no minutes: write minutes, such as 15m"
    faults = [
        Fault(str(path), given.line, 1, "extra", message)
        for given in allowances.values()
        if given.extra.share and not minutes
    ]
    if faults:
        raise FaultyFile(faults)
    return {
        student: given.deadline or moment + timedelta(seconds=given.extra.more(60 * minutes))
        for student, given in allowances.items()
    }


def printed_deadlines(manifest: Manifest, moment: datetime) -> dict[str, datetime]:
    """Until when those have time whose sheets say that they have more than the others."""
    return {
        who.student: moment + timedelta(seconds=extra_of(who.extra).more(60 * manifest.heading.minutes))
        for who in manifest.who
        if who.extra
    }


def refuse_strangers(path: Path, allowances: Mapping[str, Allowance], known: Collection[str]) -> None:
    """Nobody is given anything who has no sheet. Raises FaultyFile."""
    faults = []
    for student, given in allowances.items():
        if student not in known:
            message = f"“{student}” is no student of this exam{nearest(student, known)}"
            faults.append(Fault(str(path), given.line, 1, "unknown-student", message))
    if faults:
        raise FaultyFile(faults)


def load_allowances(path: Path) -> dict[str, Allowance]:
    """What a table (CSV, XLSX) gives to single students, by their ids: the columns student, and deadline or
    extra. Raises FaultyFile with every fault and its line, InputError."""
    table = read_sheet(path)
    names = [name.lower() for name in standard_names(table.header)]
    _check_header(path, names, table.header)
    found: dict[str, Allowance] = {}
    faults = []
    for line, cells in table.rows:
        said = dict(zip(names, (plain(text_of(cell)).strip() for cell in cells), strict=False))
        student = text_of(cells[names.index("student")]) if names.index("student") < len(cells) else ""
        try:
            if len(cells) > len(names):
                raise UsageError(f"{len(cells)} cells under {len(names)} headers")
            if not student:
                raise UsageError("whose is it? The column student is empty")
            if student in found:
                raise UsageError(f"“{student}” stands twice (first on line {found[student].line})")
            found[student] = _allowance(line, said.get("deadline", ""), said.get("extra", ""))
        except UsageError as error:
            faults.append(Fault(str(path), line, 1, "deadline", error.message))
    if faults:
        raise FaultyFile(faults)
    return found


def _check_header(path: Path, names: list[str], header: Iterable[str]) -> None:
    """Raise FaultyFile unless these are the columns of a table of deadlines, each once."""
    odd = [name for name in names if name not in (*COLUMNS, *_IGNORED) or (name and names.count(name) > 1)]
    if "student" in names and {"deadline", "extra"} & {*names} and not odd:
        return
    message = (
        "a table of deadlines has the columns student, and deadline or extra (or both); "
        f"the header has: {', '.join(header)}"
    )
    raise FaultyFile([Fault(str(path), 1, 1, "column", message)])


def _allowance(line: int, deadline: str, extra: str) -> Allowance:
    """What one line gives. Raises UsageError."""
    if bool(deadline) == bool(extra):
        both = "a deadline and extra time" if deadline else "neither a deadline nor extra time"
        raise UsageError(f"there is {both}: give one of them")
    if deadline:
        return Allowance(line, moment_of(deadline))
    return Allowance(line, extra=extra_of(extra))
