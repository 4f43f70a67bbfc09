"""A mark: how good each part is, and why, as data; words come later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

from quizengine.lang.quotation import Quoted
from quizengine.responses.response import Value

# The engine gives all but the last; `open` where a person must read the answer, `ungraded` where it failed
# itself. An instructor alone may take a question out of an exam: what is `dropped` counts for nothing.
Verdict = Literal["right", "partial", "wrong", "blank", "unreadable", "open", "ungraded", "dropped"]
Certainty = Literal["exact", "one-of", "possible"]


class Reason(NamedTuple):
    """The message `reason.<code>` with its values: bank text, numbers, what was typed, and under `cells`
    places (row, column)."""

    code: str
    values: Mapping[str, str | int | Quoted | Sequence[tuple[int, int]]] = {}


OBSERVED = ("seen.", "row-sum", "hidden-weight", "outside")  # codes of what is certain and explains nothing


class PartMark(NamedTuple):
    """`share` is the exact part of the points earned; `entries` says which cells are right."""

    id: str
    verdict: Verdict
    share: Fraction
    points: int
    reading: Value | None = None
    entries: tuple[tuple[bool, ...], ...] = ()
    misconceptions: tuple[str, ...] = ()
    carried: bool = False
    reasons: tuple[Reason, ...] = ()

    @property
    def credit(self) -> Fraction:
        """The points earned."""
        return self.share * self.points


class Diagnosis(NamedTuple):
    """What a mistake is: one misconception, or several that give the same numbers here; `possible`: this
    one together with another, which is never sure."""

    misconceptions: tuple[str, ...]
    stage: str
    possible: bool = False

    @property
    def certainty(self) -> Certainty:
        """Is there only one explanation?"""
        if self.possible:
            return "possible"
        return "exact" if len(self.misconceptions) == 1 else "one-of"


class Mark(NamedTuple):
    """A problem's marks, part by part."""

    item: str
    seed: int
    parts: tuple[PartMark, ...]
    diagnosis: tuple[Diagnosis, ...] = ()

    @property
    def points(self) -> int:
        """The points there were."""
        return sum(part.points for part in self.parts)

    @property
    def open(self) -> int:
        """The points that wait for a person: they count neither for nor against."""
        return sum(part.points for part in self.parts if part.verdict == "open")

    @property
    def credit(self) -> Fraction:
        """The points earned, exactly."""
        return sum((part.credit for part in self.parts), Fraction(0))

    @property
    def named(self) -> tuple[str, ...]:
        """The misconceptions that are the one explanation of a mistake."""
        return tuple(d.misconceptions[0] for d in self.diagnosis if d.certainty == "exact")

    @property
    def possible(self) -> tuple[str, ...]:
        """The misconceptions that explain a mistake only together with something else: never sure."""
        return tuple(id_ for d in self.diagnosis if d.possible for id_ in d.misconceptions)

    @property
    def observations(self) -> tuple[tuple[str, Reason], ...]:
        """What is certain of parts that nothing listed explains: (part, what)."""
        return tuple((p.id, r) for p in self.parts for r in p.reasons if r.code.startswith(OBSERVED))

    def part(self, id_: str) -> PartMark:
        """The part of this id."""
        return next(part for part in self.parts if part.id == id_)


def rounded(credit: Fraction) -> float:
    """Two decimals, half away from zero, as marks are shown.

    >>> rounded(Fraction(2, 3)), rounded(Fraction(1, 200))
    (0.67, 0.01)
    """
    return float(Fraction(int(credit * 100 + Fraction(1, 2)), 100))


@lru_cache(2**12)
def credit_text(credit: Fraction) -> str:
    """A credit to two decimals, without trailing zeros.

    >>> credit_text(Fraction(2, 3)), credit_text(Fraction(5))
    ('0.67', '5')
    """
    return f"{rounded(credit):.2f}".rstrip("0").rstrip(".")
