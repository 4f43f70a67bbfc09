"""A session is the fold of its events: no clock, no chance, no disk in here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

from quizengine.lang.text import Lang
from quizengine.sessions.event import Event

Mode = Literal["practice", "exam"]
State = Literal["open", "partly", "answered"]


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
    seed: int = 0
    hints: int = 0


class Session:
    """Where a session stands. Per place in the plan: the problem as JSON, what was typed, hints, the mark;
    in an exam also what came after the deadline."""

    def __init__(self, id_: int) -> None:
        self.id = id_
        self.begun = self.latest = ""  # when it began, and when something last happened
        self.events = 0  # how many there were so far
        self.seed = 0
        self.boot: Mapping[str, Any] = {}  # the machine's own count at the beginning
        self.lang: Lang = "en"
        self.mode: Mode = "practice"
        self.bank = ""  # the digest of the bank it was planned from
        self.deadline = ""  # of an exam, a stamp like those of the events
        self.plan: list[Planned] = []
        self.posed: dict[int, Mapping[str, Any]] = {}
        self.typed: dict[int, dict[str, str]] = {}
        self.hints: dict[int, int] = {}
        self.marked: dict[int, Marked] = {}
        self.details: dict[int, Mapping[str, Any]] = {}  # the marks part by part, as JSON
        self.done: list[int] = []  # answered or skipped, in this order
        self.added: list[int] = []  # the newest is asked next
        self.late: dict[int, dict[str, str]] = {}
        self.flagged: set[int] = set()
        self.ungraded: set[int] = set()
        self.submitted: Event | None = None
        self.ended = False

    @property
    def at(self) -> int | None:
        """The index of the next question; None when all are answered or skipped."""
        order = [*reversed(self.added), *range(len(self.plan))]
        return next((i for i in order if i not in self.done), None)

    @property
    def last(self) -> int | None:
        """The index of the question answered last; None when the last one was skipped, or there is none."""
        return self.done[-1] if self.done and self.done[-1] in self.marked else None

    @property
    def skipped(self) -> list[int]:
        """The questions that were skipped, in this order."""
        return [index for index in self.done if index not in self.marked and index not in self.ungraded]

    @property
    def sealed(self) -> bool:
        """Is it an exam that can still be handed in, so that its keys are nobody's yet?"""
        return self.mode == "exam" and self.submitted is None and not self.ended

    def state(self, index: int) -> State:
        """Is this question answered, in all its parts?"""
        typed = self.typed.get(index, {})
        given = [bool(typed.get(part["id"], "").strip()) for part in self.posed[index]["parts"]]
        return "answered" if all(given) else "partly" if any(given) else "open"

    @property
    def marks(self) -> list[Marked]:
        """The marks, in the order in which they were given."""
        return list(self.marked.values())


def fold(id_: int, events: Iterable[Event]) -> Session:
    """The session that these events make. What does not fit any more is passed over."""
    session = Session(id_)
    for event in events:
        step(session, event)
    return session


def step(session: Session, event: Event) -> None:
    """The next event of the log, whether it fits or not."""
    if fits(session, event):
        apply(session, event)
    else:
        session.events += 1


def fits(session: Session, event: Event) -> bool:
    """Can this still happen, as the session stands? (Another terminal may have gone on with it.)"""
    if event.kind == "begun":
        return not session.events
    if session.ended or not session.events:
        return False
    if event.kind in ("added", "ended"):
        return True
    if event.kind == "submitted":
        return session.submitted is None
    index = event.data["index"]
    done, typed = index in session.done, session.typed.get(index, {})
    match event.kind:
        case "undone" if part := event.data.get("part"):
            fitting = not done and part in typed
        case "undone":
            fitting = done
        case "posed":
            fitting = index not in session.posed
        case "typed" | "flagged" | "hinted":
            fitting = not done and session.submitted is None
        case _:
            fitting = not done
    return 0 <= index < len(session.plan) and fitting


def apply(session: Session, event: Event) -> None:
    """One more event."""
    data = event.data
    session.latest = event.at
    session.events += 1
    match event.kind:
        case "begun":
            session.begun, session.lang = event.at, data["lang"]
            session.seed, session.boot = data.get("seed", 0), data.get("boot", {})
            session.plan = [Planned(p["item"], p["seed"]) for p in data["plan"]]
            session.mode, session.bank = data.get("mode", "practice"), data.get("bank", "")
            session.deadline = data.get("deadline", "")
        case "added":
            session.plan.append(Planned(data["item"], data["seed"]))
            session.added.append(len(session.plan) - 1)
        case "undone":
            _undo(session, data["index"], data.get("part"))
        case "submitted":
            session.submitted = event
        case "ended":
            session.ended = True
        case _:
            _apply_at(session, event, data["index"])


def _apply_at(session: Session, event: Event, index: int) -> None:
    """One more event at a place of the plan."""
    data = event.data
    match event.kind:
        case "posed":
            session.posed[index] = data["problem"]
        case "typed":
            in_time = not session.deadline or event.at <= session.deadline
            typed = session.typed if in_time else session.late
            typed.setdefault(index, {})[data["part"]] = data["raw"]
        case "hinted":
            session.hints[index] = session.hints.get(index, 0) + 1
        case "flagged":
            (session.flagged.add if data["on"] else session.flagged.discard)(index)
        case "skipped":
            session.done.append(index)
            session.typed.pop(index, None)
        case "ungraded":
            session.done.append(index)
            session.ungraded.add(index)
        case "marked":
            session.done.append(index)
            session.marked[index] = marked(session, event)
            session.details[index] = data.get("mark", {})


def _undo(session: Session, index: int, part: str | None) -> None:
    """Take back one typed part, or a whole answered or skipped question."""
    if part is not None:
        del session.typed[index][part]
        return
    session.done.remove(index)
    session.marked.pop(index, None)
    session.ungraded.discard(index)
    session.typed.pop(index, None)


def marked(session: Session, event: Event) -> Marked:
    """The mark that this event gives, before it is applied."""
    data, index = event.data, event.data["index"]
    named, hints = tuple(data["misconceptions"]), session.hints.get(index, 0)
    seed = session.plan[index].seed
    return Marked(data["item"], data["topic"], data["credit"], data["points"], named, event.at, seed, hints)
