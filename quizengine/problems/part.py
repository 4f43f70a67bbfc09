"""A part: one thing to answer. `Part` is the union of its kinds, each with a key of its own type.

Every kind is known to five places: here, the reader (responses), its sample, the judge (marking) and the
blocks (render); a test over the union names any that is missing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeAlias, TypeGuard, get_args

from quizengine.items.answer import Requirement
from quizengine.items.close import Sealed, sealed_text
from quizengine.items.policy import exact
from quizengine.lang.json import Json

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
    """A positive number, right within a `factor` of the key; it may be written with its `unit`."""

    id: str
    prompt: str
    points: int
    key: Sealed
    factor: Fraction
    unit: str = ""
    kind: Literal["estimate"] = "estimate"

    @property
    def shape(self) -> tuple[int, ...]:
        """It is one number."""
        return ()


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
    rows = [
        [piece] if isinstance(piece, str) else [x if isinstance(x, str) else number(x) for x in piece]
        for piece in key
    ]
    match part.kind:
        case "number" | "estimate":
            return rows[0][0]
        case "array" | "construct":
            return "[" + ", ".join("[" + ", ".join(row) + "]" for row in rows) + "]"
        case _:
            return ", ".join(map("-".join, rows))


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


def _rows(text: str) -> tuple[tuple[int, ...], ...]:
    """The sealed numbers of nested lists: by floats, which is sooner, where that is exact."""
    rows = json.loads(text)
    if all(-_EXACT < x < _EXACT for row in rows for x in row):
        return tuple(tuple([round(x * 10**9) for x in row]) for row in rows)
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
