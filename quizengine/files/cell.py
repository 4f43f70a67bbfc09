"""A cell of a table: a text, or something else that a file may hold where a text is looked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Absent:
    """The file says nothing of it; a blank is an answer."""


@dataclass(frozen=True, slots=True)
class Date:
    """A date or a time, which a spreadsheet makes of 1/2, at its place, such as C4."""

    place: str
    iso: str


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula that was never worked out, at its place."""

    place: str


Cell: TypeAlias = str | Absent | Date | Formula
ABSENT = Absent()


def text_of(cell: Cell) -> str:
    """What it says, without blanks around it; nothing where it is no text.

    >>> text_of(" B "), text_of(Date("C4", "2030-02-01")), text_of(ABSENT)
    ('B', '2030-02-01', '')
    """
    return cell.strip() if isinstance(cell, str) else cell.iso if isinstance(cell, Date) else ""
