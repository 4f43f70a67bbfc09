"""A roster: who gets a sheet. A table with the columns id, name and, if wanted, email and group; an export of
Canvas, Moodle or Gradescope; or any other table of which the columns are named."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Literal, NamedTuple

from quizengine.errors import Fault, FaultyFile, UsageError
from quizengine.files.rows import IsHeader, Rows
from quizengine.lang.characters import natural
from quizengine.lang.text import Lang
from quizengine.sheets.platform import (
    OWN,
    PLATFORMS,
    Platform,
    folded,
    full_name,
    platform_by,
)

SPARE = re.compile(r"spare-\d+")  # what sheets for late-comers are called
_Row = tuple[int, Mapping[str, str], Mapping[str, str]]  # its line, by header, and by what it says
Order = Literal["group", "roster", "name", "room", "seat"]
_BY: Mapping[Order, tuple[str, ...]] = {
    **{order: (order,) for order in ("group", "name", "seat")},
    "roster": (),
    "room": ("seat", "room"),
}
_YES, _NO = ("yes", "y", "x", "1", "true", "large", "はい", "○"), ("", "no", "n", "0", "false", "いいえ")
_LANGUAGES: Mapping[str, Lang] = {"en": "en", "english": "en", "ja": "ja", "japanese": "ja", "日本語": "ja"}
_SPAN = re.compile(r"(?:(?P<hours>\d{1,3})h)?(?:(?P<minutes>\d{1,4})m)?")
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d+)?) ?%")
_ROUNDED = re.compile(r"\d(\.\d+)?[eE]\+\d+")  # an id that a spreadsheet took for a number
Grid = tuple[Sequence[str], Iterable[tuple[int, Sequence[str]]]]  # a header, and numbered rows


@dataclass(frozen=True, slots=True)
class Student:
    """One line of a roster."""

    id: str
    name: str = ""
    email: str = ""
    group: str = ""
    room: str = ""
    seat: str = ""
    large: bool = False  # in large print
    lang: Lang | None = None
    extra: str = ""  # more time, as `extra_of` reads it


class Roster(NamedTuple):
    """The students in order; and the lines that are of no student, with what they begin with."""

    students: list[Student]
    others: list[tuple[int, str]]


def read_csv(path: Path, is_header: IsHeader) -> Grid:
    """Header and rows of a CSV file; the header is the first row near the top that `is_header` takes, else
    the first one. Raises InputError."""
    rows = Rows(path, is_header)
    return rows.header, rows


def load_roster(path: Path, columns: str = "", read: Callable[[Path, IsHeader], Grid] = read_csv) -> Roster:
    """The students of a file; `columns` says which is what, where it is no table that is known. Raises
    FaultyFile with every fault and its line, InputError, UsageError."""
    header, rows = read(path, lambda cells: any(platform.fits(cells) for platform in PLATFORMS))
    file, names = str(path), [folded(name) for name in header]
    platform = platform_by(columns, header) if columns else _platform(file, header)
    used = {name for places in platform for name in places}
    if twice := [name for name in used if names.count(name) > 1]:
        raise FaultyFile([Fault(file, 1, 1, "column", f"the column “{min(twice)}” stands twice")])
    faults, others, found = [], [], []
    for line, row in rows:
        said = dict(zip(names, (cell.strip() for cell in row), strict=False))
        cells = {what: _first(said, names_) for what, names_ in platform._asdict().items() if what != "also"}
        if len(row) > len(header):
            message = f"{len(row)} cells under {len(header)} headers"
            faults.append(Fault(file, line, 1, "cells", message))
        elif platform != OWN and platform.nobody(cells):
            others.append((line, next(filter(None, said.values()))))
        else:
            found.append((line, said, cells))
    id_column = next((name for name in platform.id if any(said.get(name) for _, said, _ in found)), "")
    students = [(line, _student(said.get(id_column, ""), cells)) for line, said, cells in found]
    faults += [*_unfit(file, students), *_odd_wishes(file, found)]
    if faults:
        raise FaultyFile(faults)
    if not students:
        raise FaultyFile([Fault(file, 1, 1, "empty", "there is nobody in the roster")])
    return Roster([student for _, student in students], others)


def _student(id_: str, cells: Mapping[str, str]) -> Student:
    own = _LANGUAGES.get(cells["language"].casefold())
    large, extra = cells["large"].casefold() in _YES, cells["extra"]
    name, address = full_name(cells), _address(cells)
    return Student(id_, name, address, cells["group"], cells["room"], cells["seat"], large, own, extra)


def _odd_wishes(file: str, rows: Iterable[_Row]) -> Iterator[Fault]:
    """What a row asks for that is not understood: nobody goes without what they need."""
    for line, _, cells in rows:
        if (said := cells["large"]).casefold() not in (*_YES, *_NO):
            yield Fault(file, line, 1, "large", f"large: “{said}” is neither yes nor no")
        if (said := cells["language"]) and said.casefold() not in _LANGUAGES:
            yield Fault(file, line, 1, "language", f"language: “{said}” is neither en nor ja")
        try:
            extra_of(cells["extra"])
        except UsageError as error:
            yield Fault(file, line, 1, "extra", error.message)


class Extra(NamedTuple):
    """More time than others have: so many seconds, or a share of what there is."""

    seconds: int = 0
    share: Fraction = Fraction(0)

    def more(self, seconds: int) -> int:
        """The seconds that are added to an exam of so many."""
        return self.seconds + ceil(self.share * seconds)

    def minutes(self, minutes: int) -> int:
        """The minutes that are added to an exam of so many, whole ones."""
        return ceil(Fraction(self.more(60 * minutes), 60))


def extra_of(text: str) -> Extra:
    """Minutes (15 or 15m), 1h30m, or a share such as 25%; none where it is empty. Raises UsageError."""
    if percent := _PERCENT.fullmatch(text):
        return Extra(share=Fraction(percent[1]) / 100)
    span = _SPAN.fullmatch(f"{text}m" if text.isdecimal() else text)
    if not span:
        raise UsageError(
            f"“{text}” is no extra time: write minutes (15 or 15m), 1h30m or a share such as 25%"
        )
    return Extra(3600 * int(span["hours"] or 0) + 60 * int(span["minutes"] or 0))


def _platform(file: str, header: Sequence[str]) -> Platform:
    """Whose table this is. Raises FaultyFile for one that is not known."""
    found = next((platform for platform in PLATFORMS if platform.fits(header)), None)
    if found:
        return found
    names = {folded(name) for name in header}
    lacking = "id" if names.isdisjoint(OWN.id) else "name"
    message = (
        f"the column “{lacking}” is missing; the header has: {', '.join(header)}. Give an export of Canvas, "
        "Moodle or Gradescope as it is, or say which column is what: --columns id=…,name=…"
    )
    raise FaultyFile([Fault(file, 1, 1, "column", message)])


def _first(said: Mapping[str, str], names: Iterable[str]) -> str:
    return next(filter(None, (said.get(name) for name in names)), "")


def _address(cells: Mapping[str, str]) -> str:
    """An e-mail address, where there is one: a login may be another name."""
    return cells["email"] if "@" in cells["email"] else ""


def _unfit(file: str, students: Iterable[tuple[int, Student]]) -> Iterable[Fault]:
    """What is wrong with an id or an address: none, one that cannot be told from another."""
    seen: dict[str, int] = {}
    addresses: dict[str, int] = {}
    for line, student in students:
        id_, address = student.id, student.email.casefold()
        if not id_:
            yield Fault(file, line, 1, "id", "the id is empty")
        elif not id_.isprintable():
            yield Fault(file, line, 1, "id", f"the id {id_!r} holds a sign that cannot be printed")
        elif _ROUNDED.fullmatch(id_):
            message = f"a spreadsheet has rounded the id “{id_}”: format the column as text"
            yield Fault(file, line, 1, "rounded-id", message)
        elif SPARE.fullmatch(id_):
            yield Fault(file, line, 1, "id", f"the id “{id_}” is what sheets for late-comers are called")
        elif id_ in seen:
            message = f"the id “{id_}” stands twice (first on line {seen[id_]})"
            yield Fault(file, line, 1, "duplicate-id", message)
        if address and address in addresses:
            message = f"the e-mail “{student.email}” stands twice (first on line {addresses[address]})"
            yield Fault(file, line, 1, "duplicate-email", message)
        seen.setdefault(id_, line)
        addresses.setdefault(address, line)


def class_of(students: Sequence[Student], spare: int, order: Order = "group") -> list[Student]:
    """Who gets a sheet, in the order in which they are printed: by group, by room and there by seat, by seat
    or by name, those who have none after the others, else as the roster has them; and so many spare ones,
    for late-comers."""
    ordered = list(students)
    for field in _BY[order]:  # the last counts most
        ordered.sort(key=lambda student: (not getattr(student, field), natural(getattr(student, field))))
    return ordered + [Student(f"spare-{i}") for i in range(1, spare + 1)]


def without_names(variants: int) -> list[Student]:
    """So many students of whom nothing is known."""
    return [Student(f"v{i:02}") for i in range(1, variants + 1)]
