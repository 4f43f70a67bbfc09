"""A session is the fold of its events: no clock, no chance, no disk in here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

from quizengine.lang.text import Lang
from quizengine.sessions.event import (
    Added,
    Begun,
    Boot,
    Coach,
    Content,
    Ended,
    Event,
    Fields,
    Flagged,
    Hinted,
    Judged,
    Mode,
    Planned,
    Posed,
    Skipped,
    Submitted,
    Swapped,
    Typed,
    Undone,
    Ungraded,
)

State = Literal["open", "partly", "answered"]


class Marked(NamedTuple):
    """An answered problem: where it belongs, what it earned, which mistakes it showed. The points that are
    `open` are not among `points`; `own`: the learner gave the mark."""

    item: str
    topic: str
    credit: str  # exact, such as 2/3
    points: int
    misconceptions: tuple[str, ...]
    at: str
    seed: int = 0
    hints: int = 0
    open: int = 0
    own: bool = False

    @property
    def helped(self) -> bool:
        """Does it count half of what it earned: after a hint, or by the learner's own reading?"""
        return self.hints > 0 or self.own

    @property
    def earned(self) -> Fraction:
        """The points earned."""
        return _exact(self.credit)

    @property
    def full(self) -> bool:
        """Did it earn all of its points?"""
        return self.earned == self.points


_exact = lru_cache(1024)(Fraction)  # of years of answers, few differ in what they earned


class Session:
    """Where a session stands. Per place in the plan: the problem as JSON, what was typed, hints, the mark;
    in an exam also what came after the deadline."""

    def __init__(self, id_: int) -> None:
        self.id = id_
        self.begun = self.latest = ""  # when it began, and when something last happened
        self.events = 0  # how many there were so far
        self.seed = 0
        self.boot: Boot | None = None  # the machine's own count at the beginning
        self.lang: Lang = "en"
        self.mode: Mode = "practice"
        self.bank = ""  # the digest of the bank it was planned from
        self.deadline = ""  # of an exam, a stamp like those of the events
        self.plan: list[Planned] = []
        self.posed: dict[int, Fields] = {}
        self.typed: dict[int, dict[str, str]] = {}
        self.steps = False  # is each part judged as it is typed?
        self.tried: dict[int, dict[str, str]] = {}  # the first tries of parts that were tried twice
        self.hints: dict[int, list[str]] = {}
        self.marked: dict[int, Marked] = {}
        self.details: dict[int, Fields] = {}  # the marks part by part, as JSON
        self.done: list[int] = []  # answered or skipped, in this order
        self.added: dict[int, Added] = {}  # by their places
        self.urgent: list[int] = []  # what was added or taken back; the newest is asked next
        self.coach: Coach = ""
        self.size = 0  # of a session that is planned question by question: how many there are to be
        self.filters: Mapping[str, Sequence[str]] = {}
        self.skips: dict[int, int] = {}  # how often
        self.late: dict[int, dict[str, str]] = {}
        self.flagged: set[int] = set()
        self.ungraded: set[int] = set()
        self.submitted: Submitted | None = None
        self.submitted_at = ""
        self.ended = False

    @property
    def at(self) -> int | None:
        """The index of the next question; None when all are answered or skipped."""
        order = [*reversed(self.urgent), *range(len(self.plan))]
        return next((i for i in order if i not in self.done), None)

    @property
    def last(self) -> int | None:
        """The index of the question answered last; None when the last one was skipped, or there is none."""
        return self.done[-1] if self.done and self.done[-1] in self.marked else None

    @property
    def told(self) -> int | None:
        """The index of the newest question with a mark; None when there is none."""
        return next((index for index in reversed(self.done) if index in self.marked), None)

    @property
    def skipped(self) -> list[int]:
        """The questions that were skipped, in this order."""
        return [index for index in self.done if index not in self.marked and index not in self.ungraded]

    @property
    def placement(self) -> list[int]:
        """The questions of its placement, in this order."""
        return [index for index, added in self.added.items() if added.why == "placement"]

    @property
    def examples(self) -> set[str]:
        """The items that were worked out in it."""
        return {added.example for added in self.added.values() if added.example}

    @property
    def answered(self) -> int:
        """How many questions are answered: with something, and not skipped."""
        return sum(any(map(str.strip, self.typed.get(index, {}).values())) for index in self.done)

    @property
    def to_come_back(self) -> list[int]:
        """The questions that went wrong and come back once in this session, oldest first; not those of a
        placement, nor what has come back before."""
        there = {added.back for added in self.added.values()}
        return [
            index
            for index in (self.done if self.coach else ())
            if index in self.marked and not self.marked[index].full and index not in there
            if index not in self.added or self.added[index].why in ("", "lesson")
        ]

    @property
    def count(self) -> int:
        """How many questions there are, as far as it is known now."""
        extra = sum(added.why in ("", "again") for added in self.added.values())
        return max(self.size + extra, len(self.plan)) + len(self.to_come_back)

    @property
    def sum(self) -> list[Marked]:
        """The marks that its sum is made of: what came back and was right then counts in place of the first
        answer."""
        better = {self.added[i].back for i, mark in self.marked.items() if i in self.added and mark.full}
        return [mark for index, mark in self.marked.items() if index not in better]

    @property
    def once_more(self) -> int | None:
        """The first question that was skipped once: at the end it is asked once more. (One that the bank has
        lost was never posed.) Where the way in is skipped, it is not known yet: it does not come again."""
        if self.coach == "start":
            return None
        return next((i for i in self.skipped if self.skips[i] == 1 and i in self.posed), None)

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
    """Can this still happen, as the session stands? (Another terminal may have gone on with it.) Raises
    TypeError and LookupError where the event does not hold what its kind holds."""
    content = event.content
    if isinstance(content, Begun):
        return not session.events
    if session.ended or not session.events:
        return False
    if isinstance(content, Added | Ended):
        return True
    if isinstance(content, Submitted):
        return session.submitted is None
    if isinstance(content, Swapped):
        return 0 <= content.index < len(session.plan) and content.index not in session.posed
    index = content.index
    typed = session.typed.get(index, {})
    return 0 <= index < len(session.plan) and _fits_there(session, content, index, typed)


def _fits_there(session: Session, content: Content, index: int, typed: Mapping[str, str]) -> bool:
    """Can this happen to the question at this place, of which so much is typed?"""
    done = index in session.done
    match content:
        case Undone(part=str(part)) if part:
            return not done and part in typed
        case Undone():
            return done
        case Posed():
            return index not in session.posed
        case Typed(part=str(part), second=True):
            first = part in typed and part not in session.tried.get(index, {})
            return session.steps and not done and first
        case Typed() | Flagged() | Hinted():
            return not done and session.submitted is None
    return not done


def apply(session: Session, event: Event) -> None:
    """One more event. Raises TypeError and LookupError where it does not hold what its kind holds."""
    content = event.content
    session.latest = event.at
    session.events += 1
    match content:
        case Begun():
            session.begun, session.lang = event.at, content.lang
            session.seed, session.boot = content.seed, content.boot
            session.plan = list(content.plan)
            session.mode, session.bank = content.mode, content.bank
            session.deadline, session.steps = content.deadline, bool(content.steps)
            session.coach, session.size, session.filters = content.coach, content.size, content.filters
        case Added(item, seed):
            session.plan.append(Planned(item, seed))
            session.added[len(session.plan) - 1] = content
            session.urgent.append(len(session.plan) - 1)
        case Swapped(index, item, seed):
            session.plan[index] = Planned(item, seed)
        case Undone(index, part):
            _undo(session, index, part)
        case Submitted():
            session.submitted, session.submitted_at = content, event.at
        case Ended():
            session.ended = True
        case _:
            _apply_at(session, content, event.at)


def _apply_at(session: Session, content: Content, at: str) -> None:
    """One more thing at a place of the plan."""
    match content:
        case Posed(index, problem):
            session.posed[index] = problem
        case Typed(index, part, raw, second):
            if second:
                session.tried.setdefault(index, {})[part] = session.typed[index][part]
            in_time = not session.deadline or at <= session.deadline
            typed = session.typed if in_time else session.late
            typed.setdefault(index, {})[part] = raw
        case Hinted(index, text):
            session.hints.setdefault(index, []).append(text)
        case Flagged(index, on):
            (session.flagged.add if on else session.flagged.discard)(index)
        case Skipped(index):
            session.done.append(index)
            session.skips[index] = session.skips.get(index, 0) + 1
            session.typed.pop(index, None)
            session.tried.pop(index, None)
        case Ungraded(index):
            session.done.append(index)
            session.ungraded.add(index)
        case Judged(index):
            session.done.append(index)
            session.marked[index] = marked(session, content, at)
            session.details[index] = content.mark


def _undo(session: Session, index: int, part: str | None) -> None:
    """Take back one typed part, or a whole answered or skipped question."""
    if part is not None:
        del session.typed[index][part]
        session.tried.get(index, {}).pop(part, None)
        return
    session.done.remove(index)
    session.urgent.append(index)
    session.marked.pop(index, None)
    session.ungraded.discard(index)
    session.typed.pop(index, None)
    session.tried.pop(index, None)


def marked(session: Session, given: Judged, at: str) -> Marked:
    """The mark that is given at this moment, before it is applied."""
    named, hints = tuple(given.misconceptions), len(session.hints.get(given.index, ()))
    seed = session.plan[given.index].seed
    earned = (given.credit, given.points, named)
    return Marked(given.item, given.topic, *earned, at, seed, hints, given.open, given.own)
