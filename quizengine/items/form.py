"""The format of bank files, as pydantic models: they check; `items.item` builds.

`bank schema` prints their JSON schema.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticCustomError

from quizengine.items.answer import Level
from quizengine.items.markup import TextFault, parse
from quizengine.lang.text import LANGUAGES, Lang

FORMAT = 1
_LANGUAGE_NAMES = {"en": "English", "ja": "Japanese"}
Id = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]


class Strict(BaseModel):
    """A mapping of a file, in which nothing is unknown and nothing is converted."""

    model_config = ConfigDict(extra="forbid", strict=True)


def refuse(code: str, message: str, **values: Any) -> PydanticCustomError:
    """A fault that a validator finds, as pydantic reports it."""
    return PydanticCustomError(code, message, values or None)


def this_format(value: int) -> int:
    """The format of a file, which must be the one that is read here. Raises PydanticCustomError."""
    if value > FORMAT:
        raise refuse("format", "format {v} is newer than this engine reads (1): update quizengine", v=value)
    if value < FORMAT:
        raise refuse("format", "format {v} is older than this engine reads (1): rewrite it as 1", v=value)
    return value


class Words(Strict):
    """A text in every language that the file declares."""

    en: str | None = None
    ja: str | None = None

    @field_validator("en", "ja")
    @classmethod
    def _parses(cls, text: str | None) -> str | None:
        if text is not None and not text.strip():
            raise refuse("empty_text", "the text is empty")
        try:
            parse(text or "")
        except TextFault as fault:
            raise refuse("text", "character {at}: {what}", at=fault.at + 1, what=str(fault)) from None
        return text

    @model_validator(mode="after")
    def _all_languages(self, info: ValidationInfo) -> Words:
        for lang in (info.context or {}).get("languages", ()):
            if getattr(self, lang) is None:
                raise refuse(
                    "missing_language",
                    "no {name} text: add “{lang}”",
                    name=_LANGUAGE_NAMES[lang],
                    lang=lang,
                )
        return self


class Choice(Words):
    """A choice; a wrong one says `is` (a misconception) or `why`."""

    is_: Id | None = Field(None, alias="is")
    why: Words | None = None


class Wrong(Choice):
    """A wrong choice must teach something."""

    @model_validator(mode="after")
    def _teaches(self) -> Wrong:
        if self.is_ is None and self.why is None:
            raise refuse("untold", "a wrong choice says which misconception it “is”, or “why” it is wrong")
        return self


class _Item(Strict):
    id: Id
    level: Level | None = None
    difficulty: Annotated[int, Field(ge=1, le=5)] | None = None
    objectives: list[str] | None = None
    points: Annotated[int, Field(ge=1, le=100)] | None = None
    hints: list[Words] | None = None
    explain: Words | None = None
    code: Annotated[str, Field(min_length=1, max_length=1000)] | None = None
    table: Annotated[list[list[str | int | float]], Field(min_length=2, max_length=20)] | None = None
    check: Annotated[list[Annotated[str, Field(max_length=160)]], Field(min_length=1)] | None = None
    allow: dict[Id, str] | None = None  # rules of style not kept, each with the reason

    @field_validator("table")
    @classmethod
    def _even(cls, rows: list[list[str | int | float]] | None) -> list[list[str | int | float]] | None:
        if rows and len({len(row) for row in rows}) > 1:
            raise refuse("uneven_table", "every row of a table has as many cells as its first")
        return rows


class SingleChoice(_Item):
    type: Literal["single_choice"]
    prompt: Words
    right: Annotated[dict[Id, Words], Field(min_length=1, max_length=1)]
    wrong: Annotated[dict[Id, Wrong], Field(min_length=1, max_length=12)]


class MultipleChoice(_Item):
    type: Literal["multiple_choice"]
    prompt: Words
    right: Annotated[dict[Id, Words], Field(min_length=1, max_length=12)]
    wrong: Annotated[dict[Id, Wrong], Field(min_length=1, max_length=12)]


class TrueFalse(_Item):
    type: Literal["true_false"]
    prompt: Words
    right: bool
    is_: Id | None = Field(None, alias="is")


class WrongOrder(Strict):
    order: list[Id]
    is_: Id = Field(alias="is")


class Ordering(_Item):
    type: Literal["ordering"]
    prompt: Words
    steps: Annotated[dict[Id, Words], Field(min_length=3, max_length=12)]
    also_right: list[list[Id]] | None = None
    wrong: list[WrongOrder] | None = None

    @model_validator(mode="after")
    def _orders(self) -> Ordering:
        orders = [*(self.also_right or []), *(w.order for w in self.wrong or [])]
        for order in orders:
            if sorted(order) != sorted(self.steps):
                raise refuse(
                    "order",
                    "an order must name every step once: {steps}",
                    steps=", ".join(self.steps),
                )
        return self


class Matching(_Item):
    type: Literal["matching"]
    prompt: Words
    pairs: Annotated[dict[Id, list[Words]], Field(min_length=2, max_length=9)]
    spare: dict[Id, Wrong] | None = None

    @field_validator("pairs")
    @classmethod
    def _two(cls, pairs: dict[str, list[Words]]) -> dict[str, list[Words]]:
        for id_, sides in pairs.items():
            if len(sides) != 2:
                raise refuse("pair", "pair “{id}” has {n} sides, not 2", id=id_, n=len(sides))
        return pairs


class Idea(Strict):
    name: Words
    also_denied: bool = False
    en: Annotated[list[str], Field(min_length=1)] | None = None
    ja: Annotated[list[str], Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _all_languages(self, info: ValidationInfo) -> Idea:
        for lang in (info.context or {}).get("languages", ()):
            if getattr(self, lang) is None:
                raise refuse(
                    "missing_language",
                    "no {name} words: add “{lang}”",
                    name=_LANGUAGE_NAMES[lang],
                    lang=lang,
                )
        return self


class ShortAnswer(_Item):
    type: Literal["short_answer"]
    prompt: Words
    ideas: Annotated[dict[Id, Idea], Field(min_length=1, max_length=9)]
    model: Words


class Family(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)
    __pydantic_extra__: dict[str, int | Annotated[list[int], Field(min_length=2, max_length=2)]]
    name: Id


class Ask(Strict):
    stage: str
    rows: Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=1)] | None = None
    decimals: Annotated[int, Field(ge=0, le=6)] | None = None
    points: Annotated[int, Field(ge=1, le=100)] | None = None


class Numeric(_Item):
    type: Literal["numeric"]
    family: Family
    ask: Annotated[list[Ask], Field(min_length=1, max_length=12)]


AnyItem = Annotated[
    SingleChoice | MultipleChoice | TrueFalse | Ordering | Matching | ShortAnswer | Numeric,
    Field(discriminator="type"),
]


class Defaults(Strict):
    level: Level = "recall"
    difficulty: Annotated[int, Field(ge=1, le=5)] = 2
    objectives: list[str] = []


class TopicFile(Strict):
    """One topic of the bank."""

    format: int
    namespace: Id | None = None
    topic: Id
    languages: Annotated[list[Lang], Field(min_length=1)]
    defaults: Defaults = Defaults()
    items: list[AnyItem]

    _known = field_validator("format")(this_format)

    @model_validator(mode="before")
    @classmethod
    def _has_format(cls, data: Any) -> Any:
        if isinstance(data, dict) and "format" not in data:
            raise refuse("format", "“format: 1” is missing at the top")
        return data


class Misconception(Strict):
    kind: Literal["patch", "numeric", "cost", "concept"]
    name: Words
    looks: Words
    remedy: Words
    stages: list[str] = []
    premise: list[str] = []
    aliases: list[Id] = []
    benign: list[Id] = []
    source: list[str] = []


class MisconceptionFile(Strict):
    """The catalogue of misconceptions."""

    format: int
    misconceptions: dict[Id, Misconception]

    _known = field_validator("format")(this_format)


class Objective(Words):
    topic: Id
    after: list[str] = []


class ObjectiveFile(Strict):
    """What is taught and examined."""

    format: int
    objectives: dict[str, Objective]

    _known = field_validator("format")(this_format)


class Term(Strict):
    en: str
    ja: str
    avoid: list[str] = []


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


def languages(data: Any) -> list[Lang]:
    """The languages a file declares (all of the house where it declares none)."""
    declared = data.get("languages") if isinstance(data, dict) else None
    if not isinstance(declared, list):
        return list(LANGUAGES)
    return [lang for lang in LANGUAGES if lang in declared]
