"""Fields of bank files that items of every type have, and the texts in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NotRequired, Required, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, GetPydanticSchema, ValidationInfo
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from quizengine.items.answer import Level
from quizengine.items.markup import TextFault, parse

_LANGUAGE_NAMES = {"en": "English", "ja": "Japanese"}
Id = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]


class Strict(BaseModel):
    """A mapping of a file, in which nothing is unknown and nothing is converted."""

    model_config = ConfigDict(extra="forbid", strict=True)


def refuse(code: str, message: str, **values: object) -> PydanticCustomError:
    """A fault that a validator finds, as pydantic reports it."""
    return PydanticCustomError(code, message, values or None)


def _parsed(text: str) -> str:
    """Bank text, if it is one."""
    if not text.strip():
        raise refuse("empty_text", "the text is empty")
    try:
        parse(text)
    except TextFault as fault:
        raise refuse("text", "character {at}: {what}", at=fault.at + 1, what=str(fault)) from None
    return text


_Worded = TypeVar("_Worded", bound=Mapping[str, object])


def complete(words: _Worded, info: ValidationInfo, what: str) -> _Worded:
    """What is said in every language that the file declares."""
    for lang in (info.context or {}).get("languages", ()):
        if lang not in words:
            said = {"name": _LANGUAGE_NAMES[lang], "what": what, "lang": lang}
            raise refuse("missing_language", "no {name} {what}: add “{lang}”", **said)
    return words


def worded(words: _Worded, info: ValidationInfo) -> _Worded:
    """A text in every language that the file declares."""
    return complete(words, info, "text")


_Line = Annotated[str, AfterValidator(_parsed)]


class AnyWords(TypedDict, total=False):
    """A text in some of the languages."""

    en: _Line
    ja: _Line


Words = Annotated[AnyWords, AfterValidator(worded)]  # a text in every language that the file declares
Is = TypedDict("Is", {"is": Id}, total=False)


class Option(AnyWords, Is):
    """A choice: its words, which misconception it is, or why it is wrong."""

    why: NotRequired[Words]


_Taught = TypeVar("_Taught", bound=Option)


def teaches(option: _Taught) -> _Taught:
    """A wrong choice that says what it shows."""
    if "is" not in option and "why" not in option:
        raise refuse("untold", "a wrong choice says which misconception it “is”, or “why” it is wrong")
    return option


Wrong = Annotated[Option, AfterValidator(worded), AfterValidator(teaches)]  # it must teach something
Table = list[list[str | int | float]]


def _even(rows: Table) -> Table:
    if len({len(row) for row in rows}) > 1:
        raise refuse("uneven_table", "every row of a table has as many cells as its first")
    return rows


class Common(TypedDict, total=False):
    """What an item of any type may say of itself."""

    id: Required[Id]
    level: Level
    difficulty: Annotated[int, Field(ge=1, le=5)]
    objectives: list[str]
    points: Annotated[int, Field(ge=1, le=100)]
    hints: list[Words]
    explain: Words
    code: Annotated[str, Field(min_length=1, max_length=1000)]
    table: Annotated[Table, Field(min_length=2, max_length=20), AfterValidator(_even)]
    check: Annotated[list[Annotated[str, Field(max_length=160)]], Field(min_length=1)]
    allow: dict[Id, str]  # rules of style not kept, each with the reason


class _Family(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)
    __pydantic_extra__: dict[str, int | Annotated[list[int], Field(min_length=2, max_length=2)]]
    name: Id
    of: Annotated[list[Id], Field(min_length=1)] | None = None


Family = Annotated[  # its name, sizes, each fixed or from … to, and what it may be drawn `of`
    dict[str, str | int | list[int] | list[str]], GetPydanticSchema(lambda _, schema: schema(_Family))
]
