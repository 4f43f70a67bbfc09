"""The format of tasks: what a learner constructs, and what is answered together with its reason."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from quizengine.items.close import number
from quizengine.items.fields import Common, Family, Id, Is, Option, Words, Wrong, refuse, teaches, worded

Number = int | float | Annotated[str, Field(pattern=r"^-?[0-9]{1,9}/[1-9][0-9]{0,8}$")]
MOST = 12  # rows or columns of what a learner writes


def _oblong(rows: list[list[Number]]) -> list[list[Number]]:
    if len({len(row) for row in rows}) > 1:
        raise refuse("uneven_rows", "every row of an array has as many numbers as its first")
    return rows


_Row = Annotated[list[Number], Field(min_length=1, max_length=MOST)]
Rows = Annotated[list[_Row], Field(min_length=1, max_length=MOST), AfterValidator(_oblong)]
Place = Annotated[int, Field(ge=1, le=MOST)]


class Array(TypedDict):
    """What the learner gives: its name in the solver's table, its rows and columns."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z_]+$")]
    shape: Annotated[list[Place], Field(min_length=2, max_length=2)]


_Requirement = TypedDict(
    "_Requirement",
    {
        "stage": str,
        "at": NotRequired[Annotated[list[Place], Field(min_length=2, max_length=2)]],
        "row": NotRequired[Place],
        "equals": NotRequired[Number | Rows],
        "at-least": NotRequired[Number],
        "at-most": NotRequired[Number],
        "within": NotRequired[Number],
    },
)


def _one_relation(requirement: _Requirement) -> _Requirement:
    said = [name for name in ("equals", "at-least", "at-most") if name in requirement]
    if len(said) != 1:
        raise refuse("relation", "a requirement says one of “equals”, “at-least” and “at-most”")
    if "within" in requirement and said != ["equals"]:
        raise refuse("within", "“within” goes with “equals” alone")
    if "at" in requirement and "row" in requirement:
        raise refuse("place", "a requirement is of “at: [row, column]” or of a “row”, not of both")
    return requirement


Requirement = Annotated[_Requirement, AfterValidator(_one_relation)]
WrongArray = TypedDict("WrongArray", {"array": Rows, "is": Id})


class _Construct(Common):
    type: Literal["construct"]
    prompt: NotRequired[Words]
    array: NotRequired[Array]
    given: NotRequired[dict[str, int | float | Rows]]
    require: NotRequired[Annotated[list[Requirement], Field(min_length=1, max_length=9)]]
    sample: NotRequired[Rows]
    wrong: NotRequired[list[WrongArray]]
    family: NotRequired[Family]


_WRITTEN = ("prompt", "array", "require", "sample")


def _whole(item: _Construct) -> _Construct:
    missing = [name for name in _WRITTEN if name not in item]
    if "family" in item and len(missing) < len(_WRITTEN):
        raise refuse("drawn", "a family draws the whole task: leave {names} out", names=", ".join(_WRITTEN))
    if "family" not in item and missing:
        raise refuse("missing_field", "“{name}” is missing", name=missing[0])
    if "array" in item and "sample" in item:
        rows, columns = item["array"]["shape"]
        for array in (item["sample"], *(wrong["array"] for wrong in item.get("wrong", ()))):
            if (len(array), len(array[0])) != (rows, columns):
                raise refuse(
                    "shape", "an array is not {rows} × {columns} as asked", rows=rows, columns=columns
                )
    return item


Construct = Annotated[_Construct, AfterValidator(_whole)]


WrongValue = TypedDict("WrongValue", {"value": Number, "is": Id})


class _Estimate(Common):
    type: Literal["estimate"]
    prompt: Words
    value: Number
    factor: NotRequired[Number]
    within: NotRequired[Number]
    unit: NotRequired[Annotated[str, Field(pattern=r"^[A-Za-zµ]{1,12}$")]]
    wrong: NotRequired[list[WrongValue]]


def _sizable(item: _Estimate) -> _Estimate:
    if ("factor" in item) == ("within" in item):
        raise refuse("factor", "a number is right within a “factor” of the value, or “within” so much of it")
    if "within" in item:
        if number(item["within"]) < 0:
            raise refuse("within", "“within” is 0 or more")
        return item
    if number(item["value"]) <= 0:
        raise refuse("value", "what is estimated is more than 0")
    if not 1 < number(item["factor"]) <= 10:
        raise refuse("factor", "the factor is more than 1, and 10 at most")
    return item


Estimate = Annotated[_Estimate, AfterValidator(_sizable)]


class _WrongReason(Option):
    share: NotRequired[Number]


def _partial(reason: _WrongReason) -> _WrongReason:
    if "share" in reason and not 0 < number(reason["share"]) < 1:
        raise refuse("share", "the share of a wrong reason lies between 0 and 1: leave it out for 0")
    return reason


WrongReason = Annotated[
    _WrongReason, AfterValidator(worded), AfterValidator(teaches), AfterValidator(_partial)
]


class Answers(TypedDict):
    """Answers to choose from."""

    right: Annotated[dict[Id, Words], Field(min_length=1, max_length=1)]
    wrong: Annotated[dict[Id, Wrong], Field(min_length=1, max_length=8)]


class Reasons(TypedDict):
    """Reasons to choose from."""

    right: Annotated[dict[Id, Words], Field(min_length=1, max_length=1)]
    wrong: Annotated[dict[Id, WrongReason], Field(min_length=1, max_length=8)]


class _AnswerReason(Common, Is):
    type: Literal["answer_and_reason"]
    prompt: Words
    right: NotRequired[bool]
    answers: NotRequired[Answers]
    reasons: Reasons


def _either(item: _AnswerReason) -> _AnswerReason:
    if ("right" in item) == ("answers" in item):
        raise refuse("answers", "the answer is “right: true” or “right: false”, or one of “answers”")
    if "is" in item and "answers" in item:
        raise refuse("is", "“is” goes with “right”: each of the “answers” says its own")
    return item


AnswerReason = Annotated[_AnswerReason, AfterValidator(_either)]
