"""An overview: the key of a whole class as one table, and the list of codes for the desk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.problems.part import Part
from quizengine.render.page import Data
from quizengine.sheets.manifest import Manifest, Sheet, Who
from quizengine.sheets.paper import unbracketed, who_data
from quizengine.sheets.unset import NONE, Unset

WIDE, NARROW, BROAD = 96, 5, 26  # letters in a line of a landscape page, and in a column at least and at most


class Entry(NamedTuple):
    """A sheet: whose it is, and its key by label."""

    who: Who
    keys: Mapping[str, str]


class Row(NamedTuple):
    """A sheet: whose it is, and a key for every label of the table."""

    who: Who
    keys: list[str]


class Table(NamedTuple):
    """As many labels as a page is wide, and how wide each is, in letters."""

    labels: list[str]
    widths: list[int]
    rows: list[Row]


def entry(sheet: Sheet, lang: Lang) -> Entry:
    """What the overview has to say of a sheet, which need not be kept for it."""
    keys = {
        labels[part.id]: _short(part, lang)
        for problem, labels in zip(sheet.in_language(lang), sheet.labels, strict=True)
        for part in problem.parts
    }
    return Entry(Who(sheet.code, sheet.student, sheet.name), keys)


def tables(entries: Sequence[Entry]) -> Iterator[Table]:
    """A row a sheet, a column a label, in as many tables as it takes for them to be read."""
    widths: dict[str, int] = {}
    for one in entries:
        for label, key in one.keys.items():
            widths[label] = max(widths.get(label, NARROW), min(len(key), BROAD))
    for labels in _parted(widths):
        rows = [Row(who, [keys.get(label, "") for label in labels]) for who, keys in entries]
        yield Table(labels, [widths[label] for label in labels], rows)


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


def overview_data(entries: Sequence[Entry], unset: Unset = NONE) -> Data:
    """The tables as the data of a page; what is `unset` of a student is left out."""
    return {
        "tables": [
            {
                "labels": table.labels,
                "widths": table.widths,
                "rows": [{**who_data(unset.get(who.code, who)), "keys": keys} for who, keys in table.rows],
            }
            for table in tables(entries)
        ]
    }


def desk_data(manifest: Manifest, unset: Unset = NONE) -> Data:
    """Every code with whose it is, by name: for handing out and taking in."""
    who = sorted(manifest.who, key=lambda one: (one.name.casefold(), one.student))
    return {"people": [who_data(unset.get(one.code, one)) for one in who]}
