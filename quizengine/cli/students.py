"""Who gets a sheet: a roster as it is handed over at the command line."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from quizengine.cli import screen
from quizengine.files.cell import text_of
from quizengine.files.rows import IsHeader
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.sheets.roster import Grid, Student, load_roster


def students_of(roster: Path, columns: str, lang: Lang) -> list[Student]:
    """Those of a roster; the word, where a line of it is of no student."""
    found = load_roster(roster, columns, partial(_grid, lang=lang))
    for line, begins in found.others:
        screen.complain(t(lang, "sheet.nobody", path=roster, line=line, begins=begins))
    return found.students


def _grid(path: Path, is_header: IsHeader, lang: Lang) -> Grid:
    """The table in a CSV or XLSX file, as text; the word, where there is more in it than is read."""
    from quizengine.grading.intake.tables import read_sheet

    table = read_sheet(path, is_header)
    for note in table.remarks:
        screen.complain(f"{path}: {t(lang, f'note.{note.code}', **note.values)}")
    return table.header, ((line, [text_of(cell) for cell in cells]) for line, cells in table.rows)
