"""A response: what a learner wrote, and how it was read."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from quizengine.items.close import SEAL, sealed_text
from quizengine.lang.quotation import Quoted
from quizengine.problems.part import Pair

MAX_DENOMINATOR = 10**6  # an exact form with more is echoed as a decimal


class Number(NamedTuple):
    """An exact number, and the decimals it was typed with (None: an exact form, such as 1/3). `units` are
    10⁻⁹, as keys are sealed: an int wherever it can be, since marking lives on comparing them."""

    units: int | Fraction
    decimals: int | None

    @classmethod
    def of(cls, value: Fraction, decimals: int | None) -> Number:
        """The number of this value."""
        units = value * SEAL
        return cls(units.numerator if units.denominator == 1 else units, decimals)

    @property
    def value(self) -> Fraction:
        """The value itself.

        >>> Number.of(Fraction(1, 8), 3)
        Number(units=125000000, decimals=3)
        """
        return Fraction(self.units) / SEAL


MINUS_INFINITY = Number(-(2**103) * SEAL, None)  # below every number that can be read
Cells: TypeAlias = tuple[tuple[Number | None, ...], ...]  # None is a blank cell


class Told(NamedTuple):
    """What was read out of more or less than was asked: the message `told.<code>`, and of which `rows`."""

    code: str
    rows: tuple[int, ...] = ()


class NumericValue(NamedTuple):
    """The cells of a number or an array: (rows, columns); `told` is what the learner is to know of it."""

    content: Cells
    told: tuple[Told, ...] = ()

    @property
    def echo(self) -> str:
        """The answer as it was understood.

        >>> NumericValue(((Number.of(Fraction(1, 3), None), None),)).echo
        '1×2 [[1/3, _]]'
        """
        rows = [[_cell_text(cell) for cell in row] for row in self.content]
        if len(rows) == len(rows[0]) == 1:
            return rows[0][0]
        return f"{len(rows)}×{len(rows[0])} [" + ", ".join("[" + ", ".join(row) + "]" for row in rows) + "]"


class TextValue(NamedTuple):
    """The label of a choice, or words."""

    content: str

    @property
    def echo(self) -> str:
        """The answer as it was understood."""
        return self.content


class LabelsValue(NamedTuple):
    """The labels of several choices, in the order of the choices or in the learner's own."""

    content: tuple[str, ...]

    @property
    def echo(self) -> str:
        """The answer as it was understood."""
        return ", ".join(self.content)


class PairsValue(NamedTuple):
    """The letters that were paired, each with its number, sorted."""

    content: tuple[Pair, ...]

    @property
    def echo(self) -> str:
        """The answer as it was understood.

        >>> PairsValue((("A", "2"), ("B", "1"))).echo
        'A-2, B-1'
        """
        return ", ".join(map("-".join, self.content))


Value: TypeAlias = NumericValue | TextValue | LabelsValue | PairsValue


def _cell_text(cell: Number | None) -> str:
    if cell is None:
        return "_"
    if cell == MINUS_INFINITY:
        return "−∞"
    if cell.decimals is None and cell.value.denominator < MAX_DENOMINATOR:
        return str(cell.value)
    return sealed_text(round(cell.units))


class Blank(NamedTuple):
    """The reading of a text in which nothing was written."""


class Unreadable(NamedTuple):
    """The message `unreadable.<code>` with its values says why; `at` is the character, from 0."""

    code: str
    at: int = 0
    values: Mapping[str, int | Quoted] = {}


Reading: TypeAlias = Value | Blank | Unreadable


class Response(NamedTuple):
    """One part's answer: the text as typed, never altered, and its reading."""

    raw: str
    reading: Reading


class CannotRead(Exception):
    """Raised inside the readers; `read` turns it into an Unreadable. What it says of a text quotes it."""

    def __init__(self, code: str, at: int = 0, **values: str | int | Quoted):
        super().__init__(code)
        quoted = {name: Quoted(value) if isinstance(value, str) else value for name, value in values.items()}
        self.reading = Unreadable(code, at, quoted)
