"""How marks are given: a value handed to marking, never code."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

_WRITTEN = re.compile(r"[0-9]{1,60}(?:\.[0-9]{1,60}|/[0-9]{1,60})?")


def exact(text: str) -> Fraction:
    """A share or a credit, written as `str` writes a Fraction or as a plain decimal: what needs no exponent,
    so that no short text is a huge number. Raises ValueError.

    >>> exact("2/3"), exact("0.5")
    (Fraction(2, 3), Fraction(1, 2))
    """
    if not _WRITTEN.fullmatch(text):
        raise ValueError(f"“{text[:30]}” is no share: write such as 2/3 or 0.5")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError(f"“{text[:30]}” divides by zero") from None


class Policy(NamedTuple):
    """`window`: units of the asked decimal that count as equal. `coarse`: the share for a right
    value given one decimal short. `carry`: the share of a step that is right after an error that something
    explains; `carry_unexplained`: after any other, 0 where invented chains are to be feared. `late`: the
    share of what comes after the deadline."""

    window: Fraction = Fraction(101, 100)
    coarse: Fraction = Fraction(1, 2)
    carry: Fraction = Fraction(1)
    carry_unexplained: Fraction = Fraction(1)
    late: Fraction = Fraction(0)

    def to_json(self) -> dict[str, str]:
        """Every share as `exact` reads it."""
        return {name: str(value) for name, value in self._asdict().items()}

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> Policy:
        """The policy that `to_json` wrote; a field that is missing is left at its default, and one that is
        not known is passed over. Raises ValueError for what is no share."""
        known = set(cls._fields)
        return cls(**{name: exact(str(v)) for name, v in data.items() if name in known})
