"""A response: what a learner wrote, and how it was read."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias


class Number(NamedTuple):
    """An exact number and the decimals it was typed with (None: an exact form, such as 1/3)."""

    value: Fraction
    decimals: int | None


MINUS_INFINITY = Number(Fraction(-(2**103)), None)  # below every number that can be read
Cells: TypeAlias = tuple[tuple[Number | None, ...], ...]  # None is a blank cell


class Value(NamedTuple):
    """A readable answer. `content`: Cells for numbers and arrays, labels, pairs, or words; `echo`
    is how it was understood."""

    content: Any
    echo: str


class Blank(NamedTuple):
    """Nothing was written."""


class Unreadable(NamedTuple):
    """The message `unreadable.<code>` with its values says why; `at` is the character, from 0."""

    code: str
    at: int = 0
    values: Mapping[str, Any] = {}


Reading: TypeAlias = Value | Blank | Unreadable


class Response(NamedTuple):
    """One part's answer: the text as typed, never altered, and its reading."""

    raw: str
    reading: Reading


class CannotRead(Exception):
    """Raised inside the readers; `read` turns it into an Unreadable."""

    def __init__(self, code: str, at: int = 0, **values: Any):
        super().__init__(code)
        self.reading = Unreadable(code, at, values)
