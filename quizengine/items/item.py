"""An item: what an author wrote, checked and frozen."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from quizengine.items.answer import (
    Answer,
    Ask,
    Choice,
    Idea,
    ItemType,
    Level,
    Matching,
    Numeric,
    Option,
    Ordering,
    ShortAnswer,
    TrueFalse,
)
from quizengine.lang.text import LANGUAGES, Lang, Text

_WORDING = (
    "type",
    "prompt",
    "right",
    "wrong",
    "is",
    "steps",
    "also_right",
    "pairs",
    "spare",
    "ideas",
    "family",
    "ask",
    "code",
    "table",
)


class Objective(NamedTuple):
    """A fact that is taught and examined, and the objectives to be met before it."""

    topic: str
    text: Text
    after: tuple[str, ...] = ()


class Term(NamedTuple):
    """What a thing is called in either language, and what it is not called."""

    en: str
    ja: str
    avoid: tuple[str, ...] = ()


class Metadata(NamedTuple):
    """What an item is chosen by; the rest of it is built when it is asked."""

    id: str
    type: ItemType
    topic: str
    level: Level
    difficulty: int
    objectives: tuple[str, ...]
    languages: tuple[Lang, ...]
    family: str
    misconceptions: tuple[str, ...]


class Item(NamedTuple):
    """A question of the bank; `digest` names its wording and key, `id` its history. `code` and `table` (its
    first row is the head) are shown with the prompt; `check` holds claims that `bank check` works out,
    `allow` the rules of style that it breaks, with reasons."""

    id: str
    type: ItemType
    topic: str
    level: Level
    difficulty: int
    objectives: tuple[str, ...]
    prompt: Text
    answer: Answer
    hints: tuple[Text, ...]
    explanation: Text
    points: int
    languages: tuple[Lang, ...]
    digest: str
    file: str
    line: int
    column: int
    code: str = ""
    table: tuple[tuple[str, ...], ...] = ()
    check: tuple[str, ...] = ()
    allow: Mapping[str, str] = {}

    @property
    def metadata(self) -> Metadata:
        """What it is chosen by."""
        return Metadata(*(getattr(self, field) for field in Metadata._fields))

    @property
    def family(self) -> str:
        """The family of a numeric item; empty for a concept item."""
        return self.answer.family if isinstance(self.answer, Numeric) else ""

    @property
    def misconceptions(self) -> tuple[str, ...]:
        """The ids that this item's wrong answers name, in order, once each."""
        return tuple(dict.fromkeys(filter(None, _named(self.answer))))


def _named(answer: Answer) -> Iterator[str]:
    match answer:
        case Choice(options=options) | Matching(spare=options):
            yield from (option.misconception for option in options)
        case TrueFalse(misconception=misconception):
            yield misconception
        case Ordering(wrong=wrong):
            yield from (misconception for _, misconception in wrong)


def full_id(data: Mapping[str, Any]) -> str:
    """topic.id, after the namespace of the file if it has one."""
    return ".".join(str(data[name]) for name in ("namespace", "topic", "id") if data.get(name))


def build(data: Mapping[str, Any]) -> Item:
    """An Item from a checked entry of a bank file, as `items.bank` reads it."""
    kind: ItemType = data["type"]
    return Item(
        id=full_id(data),
        type=kind,
        topic=data["topic"],
        level=data["level"],
        difficulty=data["difficulty"],
        objectives=tuple(data["objectives"]),
        prompt=_text(data.get("prompt", {})),
        answer=_ANSWERS[kind](data),
        hints=tuple(map(_text, data.get("hints", ()))),
        explanation=_text(data.get("explain", {})),
        points=data.get("points", 1),
        languages=tuple(data["languages"]),
        digest=_digest(data),
        file=data["file"],
        line=data["line"],
        column=data["column"],
        code=data.get("code", "").strip("\n"),
        table=tuple(tuple(map(str, row)) for row in data.get("table", ())),
        check=tuple(data.get("check", ())),
        allow=data.get("allow", {}),
    )


def build_objective(_: str, data: Mapping[str, Any]) -> Objective:
    """An Objective from a checked entry of `objectives.yaml`."""
    return Objective(data["topic"], _text(data), tuple(data.get("after", ())))


def _text(data: Mapping[str, Any]) -> Text:
    return Text(**{lang: data[lang] for lang in LANGUAGES if lang in data})


def _option(id_: str, data: Mapping[str, Any], *, right: bool = False) -> Option:
    why = _text(data["why"]) if "why" in data else None
    return Option(id_, _text(data), right, data.get("is", ""), why)


def _choice(data: Mapping[str, Any]) -> Choice:
    right = [_option(id_, o, right=True) for id_, o in data["right"].items()]
    wrong = [_option(id_, o) for id_, o in data["wrong"].items()]
    return Choice((*right, *wrong), many=data["type"] == "multiple_choice")


def _true_false(data: Mapping[str, Any]) -> TrueFalse:
    return TrueFalse(data["right"], data.get("is", ""))


def _ordering(data: Mapping[str, Any]) -> Ordering:
    return Ordering(
        tuple(_option(id_, step) for id_, step in data["steps"].items()),
        tuple(map(tuple, data.get("also_right", ()))),
        tuple((tuple(w["order"]), w.get("is", "")) for w in data.get("wrong", ())),
    )


def _matching(data: Mapping[str, Any]) -> Matching:
    return Matching(
        tuple((id_, _text(left), _text(right)) for id_, (left, right) in data["pairs"].items()),
        tuple(_option(id_, o) for id_, o in data.get("spare", {}).items()),
    )


def _short_answer(data: Mapping[str, Any]) -> ShortAnswer:
    ideas = (
        Idea(
            _text(idea["name"]),
            {lang: tuple(idea[lang]) for lang in LANGUAGES if lang in idea},
            idea.get("also_denied", False),
        )
        for idea in data["ideas"].values()
    )
    return ShortAnswer(tuple(ideas), _text(data["model"]))


def _numeric(data: Mapping[str, Any]) -> Numeric:
    ranges = {
        name: (size[0], size[1]) if isinstance(size, list) else size
        for name, size in data["family"].items()
        if name != "name"
    }
    asks = tuple(
        Ask(a["stage"], tuple(a.get("rows", ())), a.get("decimals"), a.get("points", 1)) for a in data["ask"]
    )
    return Numeric(data["family"]["name"], ranges, asks)


_ANSWERS: dict[ItemType, Callable[[Mapping[str, Any]], Answer]] = {
    "single_choice": _choice,
    "multiple_choice": _choice,
    "true_false": _true_false,
    "ordering": _ordering,
    "matching": _matching,
    "short_answer": _short_answer,
    "numeric": _numeric,
}


def _digest(data: Mapping[str, Any]) -> str:
    """Of prompt, choices, key and family; not of hints, explanations or white space."""
    wording = json.dumps([[k, data[k]] for k in _WORDING if k in data], ensure_ascii=False)
    return hashlib.sha256(" ".join(wording.split()).encode()).hexdigest()[:16]
