"""Options: a form's table in which every option of a question has a column of its own, “5 [A]”, “5_B”, with a
tick or its words where it was chosen."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from quizengine.files.cell import Absent, Cell
from quizengine.grading.intake.submissions import Lines, Table
from quizengine.lang.characters import plain

_OPTION = re.compile(r"(\d+[a-z]?)\s*[\[(._: -]\s*([A-J])\s*[\])]?")
_YES = {
    "1",
    "x",
    "y",
    "yes",
    "true",
    "t",
    "on",
    "checked",
    "selected",
    "はい",
    "○",
    "〇",
    "◯",
    "✓",
    "✔",
    "☑",
    "レ",
}
_NO = {"", "_", "0", "n", "no", "false", "f", "off", "unchecked", "not selected", "いいえ", "-", "☐"}


def joined(table: Table, known: Container[str]) -> Table:
    """The table with one column a question: the options that were chosen, in the order of their columns. A
    cell that says neither yes nor no stands beside its option, to be read by its words or refused."""
    names = table.header
    found: dict[str, dict[int, str]] = {}
    for place, name in enumerate(names):
        match = _OPTION.fullmatch(plain(name).strip())
        if match and match[1] in known and match[1] not in names:
            found.setdefault(match[1], {})[place] = match[2]
    if not found:
        return table
    taken = {place for options in found.values() for place in options}
    kept = [place for place in range(len(names)) if place not in taken]
    return table._replace(
        header=[*(names[place] for place in kept), *found], rows=_Rows(table.rows, len(names), kept, found)
    )


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows anew each time; one with more cells than the header keeps all of them, to be listed."""

    rows: Lines
    width: int
    kept: Sequence[int]
    found: Mapping[str, Mapping[int, str]]

    def __iter__(self) -> Iterator[tuple[int, Sequence[Cell]]]:
        for line, cells in self.rows:
            padded = [*cells, *[""] * (self.width - len(cells))]
            said = [_chosen(padded, options) for options in self.found.values()]
            yield line, [*(padded[place] for place in self.kept), *said, *padded[self.width :]]


def _chosen(cells: Sequence[Cell], options: Mapping[int, str]) -> Cell:
    out = []
    for place, option in options.items():
        cell = cells[place]
        if not isinstance(cell, str | Absent):
            return cell  # a date or a formula: told as such
        cell = cell if isinstance(cell, str) else ""
        word = plain(cell).strip().lower() if cell.isascii() else cell.strip()
        if word in _YES:
            out.append(option)
        elif word not in _NO:
            out.append(f"{option} “{cell.strip()}”")
    return "\n".join(out)
