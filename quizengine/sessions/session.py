"""A session is the fold of its events: no clock, no chance, no disk in here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from quizengine.lang.text import Lang
from quizengine.sessions.event import Event


class Planned(NamedTuple):
    """One place in the plan: which item, by which seed."""

    item: str
    seed: int


class Marked(NamedTuple):
    """An answered problem: where it belongs, what it earned, which mistakes it showed."""

    item: str
    topic: str
    credit: str  # exact, such as 2/3
    points: int
    misconceptions: tuple[str, ...]
    at: str


class Session:
    """Where a session stands."""

    def __init__(self, id_: int) -> None:
        self.id = id_
        self.begun = ""
        self.lang: Lang = "en"
        self.plan: list[Planned] = []
        self.problem: Mapping[str, Any] | None = None  # the one being asked, as JSON
        self.typed: dict[str, str] = {}
        self.hints = 0
        self.done: set[int] = set()
        self.marks: list[Marked] = []
        self.ended = False

    @property
    def at(self) -> int | None:
        """The index of the next question; None when all are answered or skipped."""
        return next((i for i in range(len(self.plan)) if i not in self.done), None)


def fold(id_: int, events: Iterable[Event]) -> Session:
    """The session that these events make."""
    session = Session(id_)
    for event in events:
        apply(session, event)
    return session


def apply(session: Session, event: Event) -> None:
    """One more event."""
    data = event.data
    match event.kind:
        case "begun":
            session.begun, session.lang = event.at, data["lang"]
            session.plan = [Planned(p["item"], p["seed"]) for p in data["plan"]]
        case "posed":
            session.problem, session.typed, session.hints = data["problem"], {}, 0
        case "typed":
            session.typed[data["part"]] = data["raw"]
        case "hinted":
            session.hints += 1
        case "skipped":
            session.done.add(data["index"])
            session.problem, session.typed = None, {}
        case "marked":
            session.done.add(data["index"])
            session.marks.append(_marked(data, event.at))
            session.problem, session.typed = None, {}
        case "ended":
            session.ended = True


def _marked(data: Mapping[str, Any], at: str) -> Marked:
    named = tuple(data["misconceptions"])
    return Marked(data["item"], data["topic"], data["credit"], data["points"], named, at)
