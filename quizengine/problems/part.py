"""A part: one thing to answer. `Part` is the union of its kinds, each with a key of its own type.

Every kind is known to five places: here, the reader (responses), its sample, the judge (marking) and the
blocks (render); a test over the union names any that is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias, TypeGuard, cast

from quizengine.items.answer import Requirement
from quizengine.items.close import Sealed, sealed_text

Kind = Literal[
    "number",
    "array",
    "construct",
    "estimate",
    "choice",
    "choices",
    "tiers",
    "order",
    "pairs",
    "words",
    "shape",
    "gap",
]
Pair: TypeAlias = tuple[str, str]
Key: TypeAlias = Sealed | str | tuple[str, ...] | tuple[Pair, ...]


class Label(NamedTuple):
    """One labelled choice as shown, and why it is wrong if it is."""

    label: str
    text: str
    why: str = ""


class Idea(NamedTuple):
    """An idea that an answer in words must contain, and the words that show it, `also_denied` or not."""

    name: str
    words: tuple[str, ...]
    also_denied: bool = False


class NumericPart(NamedTuple):
    """A number (its `shape` is empty) or an array of (rows, columns). `key` holds sealed numbers, `rows` the
    asked rows of the `stage`, from 1, `of` so many (0: not known, or all are asked); `free` are the live
    entries: those that neither the mask nor the question gives away."""

    id: str
    prompt: str
    points: int
    key: Sealed
    shape: tuple[int, ...] = ()
    decimals: int | None = None
    stage: str = ""
    rows: tuple[int, ...] = ()
    free: tuple[tuple[bool, ...], ...] = ()
    of: int = 0

    @property
    def kind(self) -> Literal["number", "array"]:
        """One number or many."""
        return "array" if self.shape else "number"


class Condition(NamedTuple):
    """A requirement of a constructed array, and how it is said."""

    says: str
    requirement: Requirement


class ConstructPart(NamedTuple):
    """An array of (rows, columns) of the learner's own, called `array` in the solver's table, by which every
    condition is to hold; `key` is one by which they do."""

    id: str
    prompt: str
    points: int
    key: Sealed
    shape: tuple[int, ...]
    array: str
    conditions: tuple[Condition, ...] = ()
    kind: Literal["construct"] = "construct"


class EstimatePart(NamedTuple):
    """A positive number, right within a `factor` of the key; where that is 0, any number, right `within` so
    much of it (sealed). It may be written with its `unit`."""

    id: str
    prompt: str
    points: int
    key: Sealed
    factor: Fraction = Fraction(0)
    unit: str = ""
    within: int = 0
    kind: Literal["estimate"] = "estimate"

    @property
    def shape(self) -> tuple[int, ...]:
        """It is one number."""
        return ()

    @property
    def bounds(self) -> tuple[Fraction, Fraction]:
        """Between what it is right, in sealed units."""
        [[key]] = self.key
        if self.factor:
            return key / self.factor, key * self.factor
        return Fraction(key - self.within), Fraction(key + self.within)


class ChoicePart(NamedTuple):
    """One of the choices; `key` is its label."""

    id: str
    prompt: str
    points: int
    key: str
    choices: tuple[Label, ...]
    kind: Literal["choice"] = "choice"


class ChoicesPart(NamedTuple):
    """Every choice that is right; `key` holds their labels."""

    id: str
    prompt: str
    points: int
    key: tuple[str, ...]
    choices: tuple[Label, ...]
    kind: Literal["choices"] = "choices"


class TiersPart(NamedTuple):
    """One of the answers, which have letters, with one of the reasons, which have numbers: `key` is the right
    pair, and `shares` are what others earn, by their text."""

    id: str
    prompt: str
    points: int
    key: tuple[Pair, ...]
    choices: tuple[Label, ...]
    shares: tuple[tuple[str, Fraction], ...] = ()
    kind: Literal["tiers"] = "tiers"


class OrderPart(NamedTuple):
    """The choices in order; `key` holds their labels, `also` other right orders."""

    id: str
    prompt: str
    points: int
    key: tuple[str, ...]
    choices: tuple[Label, ...]
    also: tuple[tuple[str, ...], ...] = ()
    kind: Literal["order"] = "order"


class PairsPart(NamedTuple):
    """A number for every letter: `key` holds the pairs, `choices` both sides."""

    id: str
    prompt: str
    points: int
    key: tuple[Pair, ...]
    choices: tuple[Label, ...]
    kind: Literal["pairs"] = "pairs"


class WordsPart(NamedTuple):
    """An answer in words, which must contain the ideas; `key` is a model answer, `refutations` are phrases
    that show a misconception."""

    id: str
    prompt: str
    points: int
    key: str
    ideas: tuple[Idea, ...] = ()
    refutations: tuple[tuple[str, tuple[str, ...]], ...] = ()
    kind: Literal["words"] = "words"


FAILS = "error"  # the key of a line that has no result


class ShapePart(NamedTuple):
    """The shape of an array: `key` is its sizes as Python prints them, or FAILS where there is no array."""

    id: str
    prompt: str
    points: int
    key: str
    kind: Literal["shape"] = "shape"


class GapPart(NamedTuple):
    """What stands in a gap of a program: `key` is one way to write it, `spellings` are the others."""

    id: str
    prompt: str
    points: int
    key: str
    spellings: tuple[str, ...] = ()
    kind: Literal["gap"] = "gap"


LabelledPart: TypeAlias = ChoicePart | ChoicesPart | TiersPart | OrderPart | PairsPart
NumbersPart: TypeAlias = NumericPart | ConstructPart | EstimatePart
Part: TypeAlias = NumbersPart | LabelledPart | WordsPart | ShapePart | GapPart


def labels_of(part: Part) -> tuple[Label, ...]:
    """The choices of a part; none where it has none."""
    return part.choices if isinstance(part, LabelledPart) else ()


def lines_of(part: Part) -> int:
    """How many lines an answer has that is typed row by row; 0 where it is one line."""
    return part.shape[0] if isinstance(part, NumbersPart) and part.shape else 0


def without_key(part: Part) -> Part:
    """The part as a learner may see it."""
    match part:
        case NumericPart():
            return part._replace(key=(), free=())
        case ConstructPart():
            return part._replace(key=(), conditions=())
        case EstimatePart():
            return part._replace(key=())
        case ChoicePart() | ShapePart():
            return part._replace(key="")
        case TiersPart():
            return part._replace(key=(), shares=())
        case GapPart():
            return part._replace(key="", spellings=())
        case OrderPart():
            return part._replace(key=(), also=())
        case WordsPart():
            return part._replace(key="", ideas=(), refutations=())
        case ChoicesPart() | PairsPart():
            return part._replace(key=())


def is_sealed(key: Key) -> TypeGuard[Sealed]:
    """Is this a key of numbers?"""
    return isinstance(key, tuple) and isinstance(key[0], tuple) and isinstance(key[0][0], int)


def key_text(part: Part, key: Key, number: Callable[[int], str] = sealed_text) -> str:
    """A key as text that `mark` accepts unchanged: "[[0.125, 0.5]]", "0.25", "B", "A, C", "A-2". `number`
    writes a sealed number; without it all its digits are written."""
    if isinstance(key, str):
        return key
    if part.kind in ("number", "estimate", "array", "construct"):
        rows = [", ".join(map(number, row)) for row in cast(Sealed, key)]
        return rows[0] if part.kind in ("number", "estimate") else f"[[{'], ['.join(rows)}]]"
    return ", ".join(piece if isinstance(piece, str) else "-".join(map(str, piece)) for piece in key)
