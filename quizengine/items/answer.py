"""Answer specifications: what an item asks for and what its wrong answers mean.

`Answer` is the union of their kinds. The format of their files is `items.form`; what a
learner is asked of them are the kinds of parts (`problems.part`).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from quizengine.items.close import Sealed
from quizengine.lang.text import Lang, Text


class Option(NamedTuple):
    """A choice; a wrong one says which misconception it shows, or why it is wrong."""

    id: str
    text: Text
    right: bool = False
    misconception: str = ""
    why: Text | None = None


class Choice(NamedTuple):
    """Choose one option, or with `many` every right one."""

    options: tuple[Option, ...]
    many: bool = False


class TrueFalse(NamedTuple):
    """Is the statement true? A wrong answer shows `misconception`."""

    right: bool
    misconception: str = ""


class AnswerReason(NamedTuple):
    """Choose an answer and the reason for it, marked together. With the right answer, a wrong reason may earn
    one of the `shares`, by its id. Is it of a statement that is true or false (`truth`)?"""

    answers: tuple[Option, ...]
    reasons: tuple[Option, ...]
    shares: Mapping[str, Fraction] = {}
    truth: bool = False


class Ordering(NamedTuple):
    """Steps in the right order, other harmless orders, and orders that show a misconception."""

    steps: tuple[Option, ...]
    also_right: tuple[tuple[str, ...], ...] = ()
    wrong: tuple[tuple[tuple[str, ...], str], ...] = ()


class Matching(NamedTuple):
    """Pairs (id, left, right); `spare` right sides belong to nothing."""

    pairs: tuple[tuple[str, Text, Text], ...]
    spare: tuple[Option, ...] = ()


class Idea(NamedTuple):
    """An idea that an answer in words must contain: any of these words, per language. `also_denied`: they
    show it in a negative sentence too (“leaves no gradient”)."""

    name: Text
    words: Mapping[Lang, tuple[str, ...]]
    also_denied: bool = False


class Samples(NamedTuple):
    """Answers as learners give them, that say every idea and that do not: the evidence for the ideas."""

    right: tuple[Text, ...] = ()
    wrong: tuple[Text, ...] = ()


class ShortAnswer(NamedTuple):
    """Words that contain every idea; `model` is one such answer, `refutations` are by misconception phrases
    that show it."""

    ideas: tuple[Idea, ...]
    model: Text
    refutations: tuple[tuple[str, Mapping[Lang, tuple[str, ...]]], ...] = ()
    samples: Samples = Samples()


class Gap(NamedTuple):
    """A gap of a program: every spelling that is right, the first as it is told, and by misconception such as
    show it."""

    id: str
    accept: tuple[str, ...]
    wrong: tuple[tuple[str, tuple[str, ...]], ...] = ()
    points: int = 1


class Gaps(NamedTuple):
    """What stands in each gap of the program, __1__, __2__ …"""

    gaps: tuple[Gap, ...]


class Ask(NamedTuple):
    """One numeric part: a stage of the solver's table, some of its rows (from 1), how exactly."""

    stage: str
    rows: tuple[int, ...] = ()
    decimals: int | None = None
    points: int = 1


class Numeric(NamedTuple):
    """Stages of a problem of a family; `ranges` gives its sizes, each fixed or from … to, `of` what it may
    draw, by name (none: whatever it can). The family knows all else."""

    family: str
    ranges: Mapping[str, int | tuple[int, int]]
    ask: tuple[Ask, ...]
    of: tuple[str, ...] = ()


Relation = Literal["equals", "at-least", "at-most"]


class Requirement(NamedTuple):
    """What a stage of the solver's table must be, in sealed numbers: the whole of it, or a `row` (from 1), or
    in that a `column`; one number for every entry, or (rows, columns). To equal it is to be `within` so much
    of it."""

    stage: str
    relation: Relation
    value: Sealed
    row: int = 0
    column: int = 0
    within: int = 0


class Construct(NamedTuple):
    """An array of (rows, columns) that, with what is `given`, meets every requirement; `sample` is one, and a
    `wrong` one shows its misconception. A `family` draws all of these instead."""

    array: str = ""
    shape: tuple[int, int] = (1, 1)
    given: Mapping[str, float | list[list[float]]] = {}
    require: tuple[Requirement, ...] = ()
    sample: Sealed = ()
    wrong: tuple[tuple[Sealed, str], ...] = ()
    family: str = ""
    ranges: Mapping[str, int | tuple[int, int]] = {}


class Estimate(NamedTuple):
    """A positive number, sealed, that is right within a `factor`; where that is 0, any number, right `within`
    so much (sealed). In a `unit` if it has one; a `wrong` value shows its misconception."""

    value: Sealed
    factor: Fraction = Fraction(0)
    unit: str = ""
    wrong: tuple[tuple[Sealed, str], ...] = ()
    within: int = 0


Single: TypeAlias = Choice | TrueFalse | AnswerReason | Ordering | Matching | ShortAnswer | Estimate


class Question(NamedTuple):
    """A question of a case."""

    id: str
    type: ItemType
    prompt: Text
    answer: Single
    points: int
    explanation: Text


class Case(NamedTuple):
    """Questions about one situation, which are asked together."""

    questions: tuple[Question, ...]


Answer: TypeAlias = Single | Gaps | Numeric | Construct | Case
ItemType = Literal[
    "single_choice",
    "multiple_choice",
    "true_false",
    "ordering",
    "matching",
    "short_answer",
    "gaps",
    "numeric",
    "construct",
    "answer_and_reason",
    "estimate",
    "case",
]
Level = Literal["recall", "apply", "transfer"]
