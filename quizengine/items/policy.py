"""How marks are given: a value handed to marking, never code."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple


class Policy(NamedTuple):
    """`window`: units of the asked decimal that count as equal. `coarse`: the share for a right
    value given one decimal short. `carry`: the share of a step that is right after an error. `late`: the
    share of what comes after the deadline."""

    window: Fraction = Fraction(101, 100)
    coarse: Fraction = Fraction(1, 2)
    carry: Fraction = Fraction(1)
    late: Fraction = Fraction(0)

    def to_json(self) -> dict[str, str]:
        """Exact, as text."""
        return {name: str(value) for name, value in self._asdict().items()}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Policy:
        """What `to_json` wrote; a field it does not know is left at its default."""
        known = set(cls._fields)
        return cls(**{name: Fraction(str(v)) for name, v in data.items() if name in known})
