"""Specifications of tasks and of choices, from checked entries of the bank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from quizengine.items.answer import AnswerReason, Construct, Estimate, Option, Relation, Requirement
from quizengine.items.close import Sealed, number, seal
from quizengine.lang.text import Text

if TYPE_CHECKING:
    from quizengine.items import fields, tasks

_RELATIONS: tuple[Relation, ...] = ("equals", "at-least", "at-most")


def sizes(family: Mapping[str, str | int | list[int] | list[str]]) -> Mapping[str, int | tuple[int, int]]:
    """What an entry says of the sizes of a family: each fixed, or from … to."""
    return {
        name: (int(size[0]), int(size[1])) if isinstance(size, list) else size
        for name, size in family.items()
        if not isinstance(size, str) and name != "of"
    }


def construct(data: tasks.Construct) -> Construct:
    """What is to be constructed, from its entry."""
    if "family" in data:
        return Construct(family=str(data["family"]["name"]), ranges=sizes(data["family"]))
    rows, columns = data["array"]["shape"]
    return Construct(
        data["array"]["name"],
        (rows, columns),
        {
            name: [[float(number(x)) for x in row] for row in value] if isinstance(value, list) else value
            for name, value in data.get("given", {}).items()
        },
        tuple(map(_requirement, data["require"])),
        _sealed(data["sample"]),
        tuple((_sealed(wrong["array"]), wrong["is"]) for wrong in data.get("wrong", ())),
    )


def estimate(data: tasks.Estimate) -> Estimate:
    """What is estimated, from its entry."""
    wrong = tuple((_sealed([[wrong["value"]]]), wrong["is"]) for wrong in data.get("wrong", ()))
    factor, within = number(data.get("factor", 0)), seal(number(data.get("within", 0)))
    return Estimate(_sealed([[data["value"]]]), factor, data.get("unit", ""), wrong, within)


def _sealed(rows: Sequence[Sequence[tasks.Number]]) -> Sealed:
    return tuple(tuple(seal(number(x)) for x in row) for row in rows)


def _requirement(data: tasks.Requirement) -> Requirement:
    relation = next(name for name in _RELATIONS if name in data)
    value = data[relation]
    rows = value if isinstance(value, list) else [[value]]
    row, column = data.get("at", (data.get("row", 0), 0))
    return Requirement(
        data["stage"], relation, _sealed(rows), row, column, seal(number(data.get("within", 0)))
    )


def text(words: fields.AnyWords) -> Text:
    """A text, from its entry; a language that is missing is left empty."""
    return Text(words.get("en", ""), words.get("ja", ""))


def option(id_: str, data: fields.Option) -> Option:
    """A wrong choice, from its entry."""
    return Option(id_, text(data), False, data.get("is", ""), text(data["why"]) if "why" in data else None)


def answer_reason(data: tasks.AnswerReason) -> AnswerReason:
    """What is answered together with its reason, from its entry; true comes before false."""
    if "answers" in data:
        answers = _options(data["answers"])
    else:
        right, is_ = data["right"], data.get("is", "")
        answers = tuple(
            Option(str(truth), Text(), truth == right, "" if truth == right else is_)
            for truth in (True, False)
        )
    wrong = data["reasons"]["wrong"]
    shares = {id_: number(reason["share"]) for id_, reason in wrong.items() if "share" in reason}
    return AnswerReason(answers, _options(data["reasons"]), shares, "right" in data)


def _options(data: tasks.Answers | tasks.Reasons) -> tuple[Option, ...]:
    right = (Option(id_, text(words), True) for id_, words in data["right"].items())
    return (*right, *(option(id_, wrong) for id_, wrong in data["wrong"].items()))
