"""Who gets a sheet: a roster as it is handed over at the command line."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar, get_args

import click

from quizengine.cli import screen
from quizengine.files.cell import text_of
from quizengine.files.rows import IsHeader
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.sheets.roster import Grid, Order, Student, load_roster

P = ParamSpec("P")
R = TypeVar("R")


def with_order(command: Callable[P, R]) -> Callable[P, R]:
    """How a roster is read, and the order in which its sheets are printed."""
    command = click.option(
        "--order",
        type=click.Choice(get_args(Order)),
        default="group",
        help="In which order sheets are printed; by group by default. By room is by seat there.",
    )(command)
    return click.option(
        "--columns",
        default="",
        metavar="FIELD=HEADER,…",
        help="Which column of another roster is what: id=…,name=… (or given=…,family=…), email=…, group=….",
    )(command)


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
