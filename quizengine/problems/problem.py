"""A problem: what one learner is asked, with all that is needed to mark it later.

It is whole: stores and manifests keep its JSON, and marking needs neither the bank nor the dice.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, cast, overload

if TYPE_CHECKING:
    from quizengine.items.close import Sealed
from quizengine.lang.text import Lang

POSING = 2  # what a seed poses may change when rules are added: then this number does
Kind = Literal["number", "array", "choice", "choices", "order", "pairs", "words"]
Pair: TypeAlias = tuple[str, str]
Key: TypeAlias = "Sealed | str | tuple[str, ...] | tuple[Pair, ...]"


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


class Part(NamedTuple):
    """One thing to answer. `key`: sealed numbers, a label, labels, pairs, or a model answer.

    `free` are the live entries of an array: those that neither the mask nor the question gives
    away. `also` are other right orders.
    """

    id: str
    kind: Kind
    prompt: str
    points: int
    key: Key
    shape: tuple[int, ...] = ()
    decimals: int | None = None
    stage: str = ""
    rows: tuple[int, ...] = ()
    choices: tuple[Label, ...] = ()
    free: tuple[tuple[bool, ...], ...] = ()
    also: tuple[tuple[str, ...], ...] = ()
    ideas: tuple[Idea, ...] = ()

    @property
    def sealed(self) -> Sealed:
        """The key of a part whose key is made of numbers."""
        return cast("Sealed", self.key)

    @property
    def is_number(self) -> bool:
        """Is the key made of numbers?"""
        return self.kind in ("number", "array")

    @property
    def lines(self) -> int:
        """How many lines an answer has that is typed row by row; 0 where it is one line."""
        return len(self.key) if self.kind == "array" else 0


class Rival(NamedTuple):
    """What a believer of `misconception` answers, part by part."""

    misconception: str
    values: Mapping[str, Key]


class _Kept(Sequence[Rival]):
    """Rivals as they were written down, each built when it is looked at: for a right answer none is."""

    def __init__(self, raw: Sequence[Mapping[str, Any]], parts: Sequence[Part]):
        self.raw, self.parts = raw, parts
        self._built: tuple[Rival, ...] | None = None

    def _all(self) -> tuple[Rival, ...]:
        if self._built is None:
            by_id = {part.id: part for part in self.parts}
            self._built = tuple(
                Rival(
                    r["misconception"],
                    {id_: key_from(by_id[id_], text) for id_, text in r["values"].items()},
                )
                for r in self.raw
            )
        return self._built

    def __len__(self) -> int:
        return len(self.raw)

    @overload
    def __getitem__(self, place: int) -> Rival: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Rival, ...]: ...
    def __getitem__(self, place: int | slice) -> Rival | tuple[Rival, ...]:
        return self._all()[place]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._all() == tuple(other)

    __hash__ = None  # type: ignore[assignment]


class Problem(NamedTuple):
    """An item drawn by a seed, in one language. `given` holds what is shown, as plain numbers;
    `exact` says how it is written (a factor and integers) where that is not the same."""

    item: str
    seed: int
    posing: int
    digest: str
    lang: Lang
    type: str
    topic: str
    prompt: str
    conventions: tuple[str, ...] = ()
    given: Mapping[str, Any] = {}
    exact: Mapping[str, Any] = {}
    parts: tuple[Part, ...] = ()
    rivals: Sequence[Rival] = ()
    worked: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()

    @property
    def points(self) -> int:
        """All parts' points."""
        return sum(part.points for part in self.parts)

    def part(self, id_: str) -> Part:
        """The part of this id."""
        return next(part for part in self.parts if part.id == id_)

    def to_json(self, *, key: bool = True) -> dict[str, Any]:
        """As `pose --json` shows it; without `key` nothing in it tells the answer."""
        out: dict[str, Any] = {
            name: getattr(self, name)
            for name in ("item", "seed", "posing", "digest", "lang", "type", "topic", "prompt")
        }
        out["conventions"] = list(self.conventions)
        out["given"] = dict(self.given)
        if self.exact:
            out["given_exact"] = dict(self.exact)
        out["parts"] = [_part_json(part, key=key) for part in self.parts]
        out["hints"] = list(self.hints)
        if key:
            out["key"] = {part.id: key_text(part, part.key) for part in self.parts}
            out["rivals"] = [
                {
                    "misconception": rival.misconception,
                    "values": {id_: key_text(self.part(id_), v) for id_, v in rival.values.items()},
                }
                for rival in self.rivals
            ]
            out["worked"] = list(self.worked)
        return out

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Problem:
        """What `to_json` wrote with the key."""
        parts = tuple(_part_from(p, data["key"][p["id"]]) for p in data["parts"])
        fields: dict[str, Any] = {
            n: data[n] for n in ("item", "seed", "posing", "digest", "lang", "type", "topic", "prompt")
        }
        fields |= {n: tuple(data.get(n, ())) for n in ("conventions", "worked", "hints")}
        return cls(
            **fields,
            given=data["given"],
            exact=data.get("given_exact", {}),
            parts=parts,
            rivals=_Kept(data["rivals"], parts),
        )


def key_text(part: Part, key: Key) -> str:
    """A key as text that `mark` accepts unchanged: "[[0.125, 0.5]]", "0.25", "B", "A, C", "A-2"."""
    match part.kind:
        case "number" | "array":
            return _numbers_text(part.kind, key)
        case "choice" | "words":
            return str(key)
        case "pairs":
            return ", ".join("-".join(pair) for pair in key)  # type: ignore[arg-type]
        case _:
            return ", ".join(key)  # type: ignore[arg-type]


def _numbers_text(kind: str, rows: Any) -> str:
    from quizengine.items.close import sealed_text  # and with it fractions, which words do without

    if kind == "number":
        return sealed_text(rows[0][0])
    return "[" + ", ".join("[" + ", ".join(map(sealed_text, row)) + "]" for row in rows) + "]"


def key_from(part: Part, text: str) -> Key:
    """The key that `key_text` wrote. (Only ours: a learner's text goes through responses.)"""
    match part.kind:
        case "number":
            return ((_units(text),),)
        case "array":
            return _rows(text)
        case "choice" | "words":
            return text
        case "pairs":
            return tuple((a, b) for a, b in (pair.split("-") for pair in text.split(", ") if pair))
        case _:
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


def _part_json(part: Part, *, key: bool) -> dict[str, Any]:
    out: dict[str, Any] = {
        "id": part.id,
        "kind": part.kind,
        "prompt": part.prompt,
        "shape": list(part.shape),
        "decimals": part.decimals,
        "points": part.points,
    }
    if part.stage:
        out["stage"] = part.stage
    if part.rows:
        out["rows"] = list(part.rows)
    if part.choices:
        out["choices"] = [{"label": c.label, "text": c.text} for c in part.choices]
    if key:
        why = {c.label: c.why for c in part.choices if c.why}
        ideas = [{**idea._asdict(), "words": list(idea.words)} for idea in part.ideas]
        free = [list(map(int, row)) for row in part.free]
        accept = {"free": free, "also": [list(o) for o in part.also], "ideas": ideas, "why": why}
        if any(accept.values()):
            out["accept"] = {name: value for name, value in accept.items() if value}
    return out


def _part_from(data: Mapping[str, Any], text: str) -> Part:
    accept = data.get("accept", {})
    why = accept.get("why", {})
    part = Part(
        id=data["id"],
        kind=data["kind"],
        prompt=data["prompt"],
        points=data["points"],
        key="",
        shape=tuple(data["shape"]),
        decimals=data["decimals"],
        stage=data.get("stage", ""),
        rows=tuple(data.get("rows", ())),
        choices=tuple(Label(c["label"], c["text"], why.get(c["label"], "")) for c in data.get("choices", ())),
        free=tuple(tuple(map(bool, row)) for row in accept.get("free", ())),
        also=tuple(map(tuple, accept.get("also", ()))),
        ideas=tuple(Idea(i["name"], tuple(i["words"]), i["also_denied"]) for i in accept.get("ideas", ())),
    )
    return part._replace(key=key_from(part, text))
