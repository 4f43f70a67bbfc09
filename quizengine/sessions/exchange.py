"""Exchange: a learner's log as lines of JSON, to be taken to another machine. What comes in is checked
to the last field: the log is what all else is worked out from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from quizengine.errors import InputError
from quizengine.items.policy import exact
from quizengine.lang.characters import harmless
from quizengine.lang.text import Lang
from quizengine.problems.problem import Problem
from quizengine.sessions.event import Event, Kind
from quizengine.sessions.session import Mode, Session, apply, fits

MOST_POINTS = 10**6  # of one item


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Planned(_Strict):
    item: str
    seed: int


def _stamp(text: str) -> str:
    if datetime.fromisoformat(text).tzinfo is None:
        raise ValueError("a stamp without a time zone")
    return text


class _Begun(_Strict):
    plan: list[_Planned]
    lang: Lang
    seed: int = 0
    bank: str = ""
    mode: Mode = "practice"
    deadline: str = ""
    boot: dict[str, Any] = {}

    @field_validator("deadline")
    @classmethod
    def _a_stamp(cls, text: str) -> str:
        return _stamp(text) if text else ""


class _At(_Strict):
    index: int


class _Posed(_At):
    problem: dict[str, Any]

    @field_validator("problem")
    @classmethod
    def _whole(cls, problem: dict[str, Any]) -> dict[str, Any]:
        try:
            Problem.from_json(problem)
        except (LookupError, TypeError, AttributeError) as error:
            raise ValueError(f"no whole problem: {error}") from None
        return problem


class _Typed(_At):
    part: str
    raw: str


class _Flagged(_At):
    on: bool


class _Submitted(_Strict):
    why: Literal["learner", "time"]


class _Marked(_At):
    item: str
    topic: str
    credit: str
    points: int = Field(ge=1, le=MOST_POINTS)
    misconceptions: list[str]
    mark: dict[str, Any] = {}

    @field_validator("credit")
    @classmethod
    def _a_share(cls, credit: str) -> str:
        exact(credit)
        return credit


class _Undone(_At):
    part: str | None = None


class _Nothing(_Strict):
    pass


_DATA: dict[Kind, type[_Strict]] = {
    "begun": _Begun,
    "posed": _Posed,
    "typed": _Typed,
    "hinted": _At,
    "skipped": _At,
    "flagged": _Flagged,
    "submitted": _Submitted,
    "marked": _Marked,
    "ungraded": _At,
    "undone": _Undone,
    "added": _Planned,
    "ended": _Nothing,
}


class _Line(_Strict):
    session: int
    kind: Kind
    at: str
    data: dict[str, Any]

    @field_validator("at")
    @classmethod
    def _a_stamp(cls, text: str) -> str:
        return _stamp(text)


def write(session: int, events: Iterable[Event]) -> Iterator[str]:
    """A line an event of this session."""
    for event in events:
        yield harmless(json.dumps({"session": session, **event._asdict()}, ensure_ascii=False))


def read(text: str, name: str) -> list[list[Event]]:
    """The sessions of what `write` wrote, each as its events. Raises InputError with the line."""
    sessions: dict[int, list[Event]] = {}
    folded: dict[int, Session] = {}
    for number, line in enumerate(text.splitlines(), 1):
        try:
            found = _Line.model_validate_json(line)
            _DATA[found.kind].model_validate(found.data)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"])) or "line"
            message = f"{name}:{number}: this is no line that progress export wrote ({where}: {first['msg']})"
            raise InputError(message) from None
        event = Event(found.kind, found.at, found.data)
        session = folded.setdefault(found.session, Session(found.session))
        if not fits(session, event):
            raise InputError(f"{name}:{number}: “{event.kind}” cannot stand here")
        apply(session, event)
        sessions.setdefault(found.session, []).append(event)
    return list(sessions.values())
