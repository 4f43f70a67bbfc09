"""An overview: the key of a whole class as one table, and the list of codes for the desk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.problems.part import Part
from quizengine.render.page import Data
from quizengine.sheets.manifest import Manifest, Sheet
from quizengine.sheets.paper import unbracketed, who_data
from quizengine.sheets.unset import NONE, Unset

WIDE, NARROW, BROAD = 96, 5, 26  # letters in a line of a landscape page, and in a column at least and at most


class Row(NamedTuple):
    """A sheet: whose it is, and a key for every label of the table."""

    code: str
    student: str
    name: str
    keys: list[str]


class Table(NamedTuple):
    """As many labels as a page is wide, and how wide each is, in letters."""

    labels: list[str]
    widths: list[int]
    rows: list[Row]


def tables(sheets: Sequence[Sheet], lang: Lang) -> Iterator[Table]:
    """A row a sheet, a column a label, in as many tables as it takes for them to be read."""
    keys = [_keys(sheet, lang) for sheet in sheets]
    widths: dict[str, int] = {}
    for row in keys:
        for label, key in row.items():
            widths[label] = max(widths.get(label, NARROW), min(len(key), BROAD))
    for labels in _parted(widths):
        rows = [
            Row(sheet.code, sheet.student, sheet.name, [row.get(label, "") for label in labels])
            for sheet, row in zip(sheets, keys, strict=True)
        ]
        yield Table(labels, [widths[label] for label in labels], rows)


def _keys(sheet: Sheet, lang: Lang) -> Mapping[str, str]:
    """The key of every label."""
    return {
        labels[part.id]: _short(part, lang)
        for problem, labels in zip(sheet.in_language(lang), sheet.labels, strict=True)
        for part in problem.parts
    }


def _short(part: Part, lang: Lang) -> str:
    """A key for a narrow column; an answer in words has its place in the long key."""
    return t(lang, "sheet.in-words") if part.kind == "words" else unbracketed(part, part.key)


def _parted(widths: Mapping[str, int]) -> Iterator[list[str]]:
    """The labels, as many at a time as a page is wide."""
    used, table = 0, 0

    def place(label: str) -> int:
        nonlocal used, table
        used += widths[label]
        if used > WIDE:
            used, table = widths[label], table + 1
        return table

    for _, labels in groupby(widths, place):
        yield list(labels)


def overview_data(sheets: Sequence[Sheet], lang: Lang, unset: Unset = NONE) -> Data:
    """The tables as the data of a page; what is `unset` of a student is left out."""
    who = [who_data(unset.get(sheet.code, sheet)) for sheet in sheets]
    return {
        "tables": [
            {
                "labels": table.labels,
                "widths": table.widths,
                "rows": [{**one, "keys": row.keys} for one, row in zip(who, table.rows, strict=True)],
            }
            for table in tables(sheets, lang)
        ]
    }


def desk_data(manifest: Manifest, unset: Unset = NONE) -> Data:
    """Every code with whose it is, by name: for handing out and taking in."""
    who = sorted(manifest.who, key=lambda one: (one.name.casefold(), one.student))
    return {"people": [who_data(unset.get(one.code, one)) for one in who]}
