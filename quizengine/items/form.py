"""The format of bank files: what is checked, what `bank schema` prints, what the compiled bank holds, and
what `items.item` builds of. Entries are plain JSON of a known type; files are pydantic models.
"""

from __future__ import annotations

from itertools import chain
from typing import Annotated, Literal, NotRequired, Required

from pydantic import (
    AfterValidator,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)
from typing_extensions import TypedDict

from quizengine.items.answer import Level
from quizengine.items.catalogue import Kind
from quizengine.items.expression import unfit
from quizengine.items.fields import (
    AnyWords,
    Common,
    Family,
    Id,
    Is,
    Strict,
    Words,
    Wrong,
    complete,
    refuse,
    worded,
)
from quizengine.items.tasks import AnswerReason, Construct, Estimate
from quizengine.lang.text import LANGUAGES, Lang

FORMAT = 1


def this_format(value: int) -> int:
    """The format of a file, which must be the one that is read here. Raises PydanticCustomError."""
    if value > FORMAT:
        raise refuse("format", "format {v} is newer than this engine reads (1): update quizengine", v=value)
    if value < FORMAT:
        raise refuse("format", "format {v} is older than this engine reads (1): rewrite it as 1", v=value)
    return value


class SingleChoice(Common):
    type: Literal["single_choice"]
    prompt: Words
    right: Annotated[dict[Id, Words], Field(min_length=1, max_length=1)]
    wrong: Annotated[dict[Id, Wrong], Field(min_length=1, max_length=12)]


class MultipleChoice(Common):
    type: Literal["multiple_choice"]
    prompt: Words
    right: Annotated[dict[Id, Words], Field(min_length=1, max_length=12)]
    wrong: Annotated[dict[Id, Wrong], Field(min_length=1, max_length=12)]


class TrueFalse(Common, Is):
    type: Literal["true_false"]
    prompt: Words
    right: bool


WrongOrder = TypedDict("WrongOrder", {"order": list[Id], "is": Id})


class _Ordering(Common):
    type: Literal["ordering"]
    prompt: Words
    steps: Annotated[dict[Id, Words], Field(min_length=3, max_length=12)]
    also_right: NotRequired[list[list[Id]]]
    wrong: NotRequired[list[WrongOrder]]


def _ordered(item: _Ordering) -> _Ordering:
    for order in (*item.get("also_right", ()), *(wrong["order"] for wrong in item.get("wrong", ()))):
        if sorted(order) != sorted(item["steps"]):
            raise refuse(
                "order", "an order must name every step once: {steps}", steps=", ".join(item["steps"])
            )
    return item


Ordering = Annotated[_Ordering, AfterValidator(_ordered)]


def _paired(pairs: dict[str, list[AnyWords]]) -> dict[str, list[AnyWords]]:
    for id_, sides in pairs.items():
        if len(sides) != 2:
            raise refuse("pair", "pair “{id}” has {n} sides, not 2", id=id_, n=len(sides))
    return pairs


class Matching(Common):
    type: Literal["matching"]
    prompt: Words
    pairs: Annotated[dict[Id, list[Words]], Field(min_length=2, max_length=9), AfterValidator(_paired)]
    spare: NotRequired[dict[Id, Wrong]]


class AnyIdea(TypedDict, total=False):
    name: Required[Words]
    also_denied: bool
    en: Annotated[list[str], Field(min_length=1)]
    ja: Annotated[list[str], Field(min_length=1)]


def _shown(idea: AnyIdea, info: ValidationInfo) -> AnyIdea:
    complete(idea, info, "words")
    return {"name": idea["name"], "also_denied": False, **idea}


_WholeIdea = Annotated[AnyIdea, AfterValidator(_shown)]


class AnyPhrases(TypedDict, total=False):
    en: Annotated[list[str], Field(min_length=1)]
    ja: Annotated[list[str], Field(min_length=1)]


def _phrased(phrases: AnyPhrases, info: ValidationInfo) -> AnyPhrases:
    return complete(phrases, info, "phrases")


class Samples(TypedDict):
    right: list[Words]
    wrong: list[Words]


class ShortAnswer(Common):
    type: Literal["short_answer"]
    prompt: Words
    ideas: Annotated[dict[Id, _WholeIdea], Field(min_length=1, max_length=9)]
    model: Words
    refutations: NotRequired[dict[Id, Annotated[AnyPhrases, AfterValidator(_phrased)]]]
    samples: NotRequired[Samples]


class Gap(TypedDict, total=False):
    accept: Required[Annotated[list[str], Field(min_length=1)]]
    wrong: dict[Id, Annotated[list[str], Field(min_length=1)]]
    points: Annotated[int, Field(ge=1, le=100)]


class _Gaps(Common):
    type: Literal["gaps"]
    prompt: Words
    gaps: Annotated[dict[Id, Gap], Field(min_length=1, max_length=4)]


def _filled(item: _Gaps) -> _Gaps:
    spellings = {
        id_: [*gap["accept"], *chain(*gap.get("wrong", {}).values())] for id_, gap in item["gaps"].items()
    }
    if why := unfit(item.get("code", ""), spellings):
        raise refuse("gap", "{why}", why=why)
    return item


Gaps = Annotated[_Gaps, AfterValidator(_filled)]


class Ask(TypedDict, total=False):
    stage: Required[str]
    rows: Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=1)]
    decimals: Annotated[int, Field(ge=0, le=6)]
    points: Annotated[int, Field(ge=1, le=100)]


class Numeric(Common):
    type: Literal["numeric"]
    family: Family
    ask: Annotated[list[Ask], Field(min_length=1, max_length=12)]


Question = (
    SingleChoice | MultipleChoice | TrueFalse | AnswerReason | Ordering | Matching | ShortAnswer | Estimate
)
_OF_THE_CASE = ("level", "difficulty", "objectives", "hints", "code", "table", "check", "allow")


def _own(questions: list[Question]) -> list[Question]:
    seen: set[str] = set()
    for question in questions:
        if question["id"] in seen:
            raise refuse("question", "two questions are called “{id}”", id=question["id"])
        seen.add(question["id"])
        if said := [name for name in _OF_THE_CASE if name in question]:
            raise refuse("question", "“{name}” belongs to the case, not to a question of it", name=said[0])
        if any("\n\n" in str(text) for text in question["prompt"].values()):
            raise refuse("question", "the text of a question is one paragraph")
    return questions


class Case(Common):
    type: Literal["case"]
    prompt: Words
    questions: Annotated[
        list[Annotated[Question, Field(discriminator="type")]],
        Field(min_length=2, max_length=8),
        AfterValidator(_own),
    ]


Task = AnswerReason | Estimate | Gaps | Numeric | Construct | Case
AnyItem = Question | Task


class Entry(TypedDict):
    """An item of the compiled bank, with what its file says of it."""

    item: AnyItem
    namespace: str
    topic: str
    languages: list[Lang]
    level: Level
    difficulty: int
    objectives: list[str]
    file: str
    line: int
    column: int


class Defaults(Strict):
    level: Level = "recall"
    difficulty: Annotated[int, Field(ge=1, le=5)] = 2
    objectives: list[str] = Field(default_factory=list)


class TopicFile(Strict):
    """One topic of the bank."""

    format: int
    namespace: Id | None = None
    topic: Id
    languages: Annotated[list[Lang], Field(min_length=1)]
    defaults: Defaults = Defaults()
    items: list[Annotated[AnyItem, Field(discriminator="type")]]

    _known = field_validator("format")(this_format)

    @model_validator(mode="before")
    @classmethod
    def _has_format(cls, data: object) -> object:
        if isinstance(data, dict) and "format" not in data:
            raise refuse("format", "“format: 1” is missing at the top")
        return data


class Misconception(TypedDict, total=False):
    kind: Required[Kind]
    name: Required[Words]
    looks: Required[Words]
    remedy: Required[Words]
    stages: list[str]
    premise: list[str]
    aliases: list[Id]
    benign: list[Id]
    source: list[str]


class CatalogueEntry(Misconception, total=False):
    """A misconception of the compiled bank, and where it stands."""

    file: str
    line: int


class MisconceptionFile(Strict):
    """The catalogue of misconceptions."""

    format: int
    misconceptions: dict[Id, Misconception]

    _known = field_validator("format")(this_format)


CheckTask = Literal[  # what `check` can be asked to look at
    "single", "causal", "padding", "cross", "multi-head", "grouped", "additive", "averaging", "cache"
]


class Objective(AnyWords, total=False):
    topic: Required[Id]
    after: list[str]
    tasks: list[CheckTask]


class ObjectiveFile(Strict):
    """What is taught and examined."""

    format: int
    objectives: dict[str, Annotated[Objective, AfterValidator(worded)]]

    _known = field_validator("format")(this_format)


class Term(TypedDict):
    en: str
    ja: str
    avoid: NotRequired[list[str]]


class GlossaryFile(Strict):
    """What things are called, and what they are not called."""

    format: int
    terms: dict[Id, Term]

    _known = field_validator("format")(this_format)


MODELS: dict[str, type[Strict]] = {
    "misconceptions.yaml": MisconceptionFile,
    "objectives.yaml": ObjectiveFile,
    "glossary.yaml": GlossaryFile,
}


def languages(data: object) -> list[Lang]:
    """The languages a file declares (all of the house where it declares none)."""
    declared = data.get("languages") if isinstance(data, dict) else None
    if not isinstance(declared, list):
        return list(LANGUAGES)
    return [lang for lang in LANGUAGES if lang in declared]
