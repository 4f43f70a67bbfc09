"""The gradebook: a line a student, safe for spreadsheets."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from quizengine.grading.standing import DROPPED, Standing
from quizengine.marking.mark import rounded
from quizengine.reports.tally import Total

_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
_NUMBER = re.compile(r"-?\d+([.,]\d+)?")
_EMPTY = ("ungraded", DROPPED)


class Booked(NamedTuple):
    """A student's line; `cells` are credits by label, empty, never 0, where the engine failed."""

    student: str
    code: str
    total: Total
    cells: tuple[str, ...]
    verdicts: Mapping[str, str]


@lru_cache(2**12)
def number(value: Fraction) -> str:
    """A mark to two decimals, without trailing zeros.

    >>> number(Fraction(2, 3)), number(Fraction(5))
    ('0.67', '5')
    """
    return f"{rounded(value):.2f}".rstrip("0").rstrip(".")


def booked(one: Standing, labels: Sequence[str]) -> Booked:
    """The line of a sheet, under these labels."""
    found = one.results
    cells = tuple(
        number(found[x].credit) if x in found and found[x].verdict not in _EMPTY else "" for x in labels
    )
    verdicts = {label: result.verdict for label, result in found.items()}
    return Booked(one.sheet.student, one.sheet.code, Total(one.credit, one.points), cells, verdicts)


class Form(NamedTuple):
    """How the gradebook is written: for programs, or for a spreadsheet that writes 1,5 for 1.5 and takes
    1.33 for a date."""

    comma: str = ","
    point: str = "."
    end: str = "\n"
    mark: str = ""


PLAIN, EXCEL = Form(), Form(";", ",", "\r\n", "\ufeff")


def header(labels: Sequence[str], form: Form = PLAIN) -> str:
    """The first line: student, code, credit, points, percent, then the labels."""
    return form.mark + _csv([["student", "code", "credit", "points", "percent", *labels]], form)


def lines(book: Iterable[Booked], form: Form = PLAIN) -> str:
    """Lines of CSV. Cells that a spreadsheet would run are quoted."""
    rows = []
    for student, code, total, cells, _ in book:
        numbers = [number(total.credit), str(total.points), number(total.percent), *cells]
        rows.append([student, code, *(text.replace(".", form.point) for text in numbers)])
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
