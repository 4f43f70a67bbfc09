"""Exchange: a learner's log as lines of JSON, to be taken to another machine. What comes in is checked
to the last field: the log is what all else is worked out from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, TypeAdapter, ValidationError

from quizengine.errors import InputError
from quizengine.items.policy import exact
from quizengine.lang.characters import harmless
from quizengine.problems.problem import Problem
from quizengine.sessions.event import CONTENT, Begun, Content, Event, Judged, Kind, Posed
from quizengine.sessions.session import Session, apply, fits

MOST_POINTS = 10**6  # of one item


_STRICT = ConfigDict(strict=True)
_CONTENT = {kind: TypeAdapter(content, config=_STRICT) for kind, content in CONTENT.items()}


def _check_stamp(text: str) -> str:
    if datetime.fromisoformat(text).tzinfo is None:
        raise ValueError("a stamp without a time zone")
    return text


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    session: int
    kind: Kind
    at: Annotated[str, AfterValidator(_check_stamp)]
    data: dict[str, Any]


def _check(content: Content) -> None:
    """What its types do not say of an event. Raises ValueError."""
    match content:
        case Begun(deadline=deadline) if deadline:
            _check_stamp(deadline)
        case Posed(problem=problem):
            try:
                Problem.from_json(problem)
            except (LookupError, TypeError, AttributeError) as error:
                raise ValueError(f"no whole problem: {error}") from None
        case Judged(credit=credit, points=points):
            exact(credit)
            if not 1 <= points <= MOST_POINTS:
                raise ValueError(f"points from 1 to {MOST_POINTS}")


def write(session: int, events: Iterable[Event]) -> Iterator[str]:
    """A line an event of this session."""
    for event in events:
        yield harmless(json.dumps({"session": session, **event._asdict()}, ensure_ascii=False))


def read(text: str, name: str) -> list[list[Event]]:
    """The sessions of what `write` wrote, each as its events. Raises InputError with the line."""
    sessions: dict[int, list[Event]] = {}
    folded: dict[int, Session] = {}
    for number, line in enumerate(text.removesuffix("\n").split("\n") if text else (), 1):
        try:
            found = _Line.model_validate_json(line)
            _CONTENT[found.kind].validate_json(json.dumps(found.data))
            event = Event(found.kind, found.at, found.data)
            _check(event.content)
        except (ValueError, TypeError) as error:
            where, why = "data", str(error)
            if isinstance(error, ValidationError):
                first = error.errors(include_url=False)[0]
                where, why = ".".join(map(str, first["loc"])) or "line", first["msg"]
            message = f"{name}:{number}: this is no line that progress export wrote ({where}: {why})"
            raise InputError(message) from None
        session = folded.setdefault(found.session, Session(found.session))
        if not fits(session, event):
            raise InputError(f"{name}:{number}: “{event.kind}” cannot stand here")
        apply(session, event)
        sessions.setdefault(found.session, []).append(event)
    return list(sessions.values())
