"""Parts as JSON: written for the machine interface, and read from what was kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, get_args

from quizengine.items.answer import Requirement
from quizengine.items.close import sealed_text
from quizengine.items.policy import exact
from quizengine.lang.json import Json
from quizengine.problems.part import Condition, Idea, Key, Kind, Label, NumericPart, Part, labels_of


def key_from(kind: Kind, text: str) -> Key:
    """The key that `key_text` wrote; a learner's text goes through responses instead. Raises ValueError."""
    match kind:
        case "number" | "estimate":
            return ((_units(text),),)
        case "array" | "construct":
            return _rows(text)
        case "choice" | "words" | "shape" | "gap":
            return text
        case "pairs" | "tiers":
            return tuple((a, b) for a, b in (pair.split("-") for pair in text.split(", ") if pair))
        case "choices" | "order":
            return tuple(label for label in text.split(", ") if label)


def _units(text: str) -> int:
    whole, _, after = text.partition(".")
    return int(whole + after[:9].ljust(9, "0"))  # sealed units are of 10⁻⁹


_ARRAY = json.JSONDecoder(parse_float=_units, parse_int=_units)
_EXACT = 10**6  # below, a float and its product with 10⁹ are off by less than a quarter of a unit together


@lru_cache(4096)
def _rows(text: str) -> tuple[tuple[int, ...], ...]:
    """The sealed numbers of nested lists: by floats, which is sooner, where that is exact."""
    rows = json.loads(text)
    if all(min(row) > -_EXACT and max(row) < _EXACT for row in rows):
        return tuple([tuple([round(x * 10**9) for x in row]) for row in rows])
    return tuple(map(tuple, _ARRAY.decode(text)))


def _condition(data: Mapping[str, Any]) -> Condition:
    fields = {name: value for name, value in data.items() if name != "says"}
    value = tuple(map(tuple, data["value"]))
    return Condition(data["says"], Requirement(**{**fields, "value": value}))


class _Field(NamedTuple):
    """How a field of a part stands in its JSON, where it is not empty: beside the prompt, or under `accept`
    with what only a marker may see."""

    write: Callable[[Any], Json]
    read: Callable[[Any], Any]
    secret: bool = False


_FIELDS = {
    "stage": _Field(str, str),
    "rows": _Field(list, tuple),
    "of": _Field(int, int),
    "array": _Field(str, str),
    "factor": _Field(str, exact),
    "unit": _Field(str, str),
    "within": _Field(sealed_text, _units),
    "choices": _Field(
        lambda choices: [{"label": choice.label, "text": choice.text} for choice in choices],
        lambda choices: tuple(Label(choice["label"], choice["text"]) for choice in choices),
    ),
    "free": _Field(
        lambda rows: [list(map(int, row)) for row in rows],
        lambda rows: tuple(tuple(map(bool, row)) for row in rows),
        secret=True,
    ),
    "shares": _Field(
        lambda shares: {pair: str(share) for pair, share in shares},
        lambda shares: tuple((pair, exact(share)) for pair, share in shares.items()),
        secret=True,
    ),
    "also": _Field(
        lambda orders: list(map(list, orders)), lambda orders: tuple(map(tuple, orders)), secret=True
    ),
    "conditions": _Field(
        lambda conditions: [
            {"says": says, **requirement._asdict(), "value": [list(row) for row in requirement.value]}
            for says, requirement in conditions
        ],
        lambda conditions: tuple(map(_condition, conditions)),
        secret=True,
    ),
    "ideas": _Field(
        lambda ideas: [idea._asdict() | {"words": list(idea.words)} for idea in ideas],
        lambda ideas: tuple(Idea(**idea | {"words": tuple(idea["words"])}) for idea in ideas),
        secret=True,
    ),
    "spellings": _Field(list, tuple, secret=True),
    "refutations": _Field(
        lambda refutations: {id_: list(words) for id_, words in refutations},
        lambda refutations: tuple((id_, tuple(words)) for id_, words in refutations.items()),
        secret=True,
    ),
}
_CLASSES: dict[str, type[Part]] = {
    "number": NumericPart,
    "array": NumericPart,
    **{cls._field_defaults["kind"]: cls for cls in get_args(Part) if cls is not NumericPart},
}
_FIELDS_OF = {
    cls: [(name, field) for name, field in _FIELDS.items() if name in cls._fields]
    for cls in _CLASSES.values()
}


def part_json(part: Part, *, key: bool) -> dict[str, Json]:
    """The part as `pose --json` shows it; without `key` nothing in it tells the answer. The key itself is
    written by `key_text`, and stands elsewhere."""
    fields: dict[str, Any] = part._asdict()
    out: dict[str, Json] = {
        "id": part.id,
        "kind": part.kind,
        "prompt": part.prompt,
        "shape": list(fields.get("shape", ())),
        "decimals": fields.get("decimals"),
        "points": part.points,
    }
    written = {name: field for name, field in _FIELDS_OF[type(part)] if fields[name]}
    out |= {name: field.write(fields[name]) for name, field in written.items() if not field.secret}
    accept = {name: field.write(fields[name]) for name, field in written.items() if field.secret}
    if why := {choice.label: choice.why for choice in labels_of(part) if choice.why}:
        accept["why"] = why
    return out | {"accept": accept} if key and accept else out


def part_from(data: Mapping[str, Any], key: str) -> Part:
    """The part that `part_json` and `key_text` wrote.

    Raises LookupError, TypeError and ValueError for what they did not write.
    """
    cls, accept = _CLASSES[data["kind"]], data.get("accept", {})
    fields: dict[str, Any] = {name: data[name] for name in ("id", "prompt", "points")}
    fields["key"] = key_from(data["kind"], key)
    for name, field in _FIELDS_OF[cls]:
        source = accept if field.secret else data
        if name in source:
            fields[name] = field.read(source[name])
    fields |= {name: data[name] for name in ("decimals",) if name in cls._fields}
    fields |= {name: tuple(data[name]) for name in ("shape",) if name in cls._fields}
    if why := accept.get("why"):
        fields["choices"] = tuple(
            Label(label, text, why.get(label, "")) for label, text, _ in fields["choices"]
        )
    part = cls(**fields)
    if part.kind != data["kind"]:
        raise ValueError(f"the part “{part.id}” is of kind {part.kind}, not {data['kind']}")
    return part
