"""Answer specifications: what an item asks for and what its wrong answers mean.

Each is one of six kinds; `Answer` is their union, and every kind is known to five places: here,
the reader (responses), its sample, the judge (marking) and the blocks (render).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from quizengine.lang.text import Text


@dataclass(frozen=True, slots=True)
class Option:
    """A choice; a wrong one says which misconception it shows, or why it is wrong."""

    id: str
    text: Text
    right: bool = False
    misconception: str = ""
    why: Text | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """Choose one option, or with `many` every right one."""

    options: tuple[Option, ...]
    many: bool = False


@dataclass(frozen=True, slots=True)
class TrueFalse:
    """Is the statement true? A wrong answer shows `misconception`."""

    right: bool
    misconception: str = ""


@dataclass(frozen=True, slots=True)
class Ordering:
    """Steps in the right order, other harmless orders, and orders that show a misconception."""

    steps: tuple[Option, ...]
    also_right: tuple[tuple[str, ...], ...] = ()
    wrong: tuple[tuple[tuple[str, ...], str], ...] = ()


@dataclass(frozen=True, slots=True)
class Matching:
    """Pairs (id, left, right); `spare` right sides belong to nothing."""

    pairs: tuple[tuple[str, Text, Text], ...]
    spare: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class Idea:
    """An idea that an answer in words must contain: any of these words, per language."""

    name: Text
    words: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class ShortAnswer:
    """Words that contain every idea; `model` is one such answer."""

    ideas: tuple[Idea, ...]
    model: Text


@dataclass(frozen=True, slots=True)
class Ask:
    """One numeric part: a stage of the solver's table, some of its rows (from 1), how exactly."""

    stage: str
    rows: tuple[int, ...] = ()
    decimals: int | None = None
    points: int = 1


@dataclass(frozen=True, slots=True)
class Numeric:
    """Stages of a problem of a family, drawn within `ranges`; the family knows all else."""

    family: str
    ranges: Mapping[str, int]
    ask: tuple[Ask, ...]


Answer: TypeAlias = Choice | TrueFalse | Ordering | Matching | ShortAnswer | Numeric
ItemType = Literal[
    "single_choice",
    "multiple_choice",
    "true_false",
    "ordering",
    "matching",
    "short_answer",
    "numeric",
]
Level = Literal["recall", "apply", "transfer"]
