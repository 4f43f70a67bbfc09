"""What happens in a session, as a log that is only ever added to. What an event of each kind holds is
declared here once: the log is read, written and, when it comes from outside, checked by these classes."""

# mypy: disable-error-code="assignment"
# (In a log an index is a place, not the method of a tuple.)

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

from quizengine.lang.text import Lang

Mode = Literal["practice", "exam"]
Coach = Literal["", "again", "take", "start"]
Why = Literal["", "again", "placement", "lesson"]
Kind = Literal[
    "begun",
    "posed",
    "typed",
    "hinted",
    "skipped",
    "flagged",
    "submitted",
    "marked",
    "ungraded",
    "undone",
    "added",
    "swapped",
    "ended",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
Fields = Mapping[str, Any]  # of an event, a problem or a mark as JSON: their own classes read them


class Planned(NamedTuple):
    """One place in the plan: which item, by which seed."""

    item: str
    seed: int


class Boot(NamedTuple):
    """A start of the machine, empty where it tells none, and its count of seconds since some moment."""

    id: str = ""
    count: float = 0.0


class Begun(NamedTuple):
    """A session begins; an exam has a deadline (empty: none), a stamp like those of the events. A `coach`
    may bring back what went wrong (again), also choose by difficulty among the items that fit the `filters`
    (take), or lead over the map by so many questions, `size`, that are planned one by one (start). Practice
    in `steps` judges each part as it is typed."""

    plan: Sequence[Planned]
    lang: Lang
    seed: int = 0
    bank: str = ""
    mode: Mode = "practice"
    deadline: str = ""
    boot: Boot | None = None
    coach: Coach = ""
    size: int = 0
    filters: Mapping[str, Sequence[str]] = {}
    steps: bool | None = None


class Posed(NamedTuple):
    """A place of the plan has its problem, whole."""

    index: int
    problem: Fields


class Typed(NamedTuple):
    """An answer to a part, as it was typed; is it the second try, after the first was judged?"""

    index: int
    part: str
    raw: str
    second: bool | None = None


class Hinted(NamedTuple):
    """One more hint was shown, this one."""

    index: int
    text: str = ""


class Skipped(NamedTuple):
    """A question was passed over."""

    index: int


class Flagged(NamedTuple):
    """A flag was set or taken away."""

    index: int
    on: bool


class Submitted(NamedTuple):
    """An exam was handed in, by the learner or by the clock."""

    why: Literal["learner", "time"]


class Judged(NamedTuple):
    """A question was marked; `credit` is exact, such as 2/3, of `points`, beside which some may be `open`;
    `mark` is the mark part by part. Did the learner give it on `own` reading?"""

    index: int
    item: str
    topic: str
    credit: str
    points: int
    misconceptions: Sequence[str]
    mark: Mapping[str, Any] = {}
    open: int = 0
    own: bool = False


class Ungraded(NamedTuple):
    """A question cannot be marked, by a fault of ours."""

    index: int


class Undone(NamedTuple):
    """A part that was typed is taken back; without one, a whole question is."""

    index: int
    part: str | None = None


class Added(NamedTuple):
    """One more question, to be asked next: since the learner wanted it, or `why` else; of which objective, or
    for the question at which place it comes back; the item that is worked out before it is its `example`."""

    item: str
    seed: int
    why: Why = ""
    objective: str = ""
    back: int | None = None
    example: str = ""


class Swapped(NamedTuple):
    """Another item takes a place of the plan that is not posed yet."""

    index: int
    item: str
    seed: int


class Ended(NamedTuple):
    """A session is at its end."""


Content = (
    Begun
    | Posed
    | Typed
    | Hinted
    | Skipped
    | Flagged
    | Submitted
    | Judged
    | Ungraded
    | Undone
    | Added
    | Swapped
    | Ended
)
CONTENT: Mapping[Kind, type[Content]] = {
    "begun": Begun,
    "posed": Posed,
    "typed": Typed,
    "hinted": Hinted,
    "skipped": Skipped,
    "flagged": Flagged,
    "submitted": Submitted,
    "marked": Judged,
    "ungraded": Ungraded,
    "undone": Undone,
    "added": Added,
    "swapped": Swapped,
    "ended": Ended,
}
_KIND = {content: kind for kind, content in CONTENT.items()}


class Event(NamedTuple):
    """Something that happened at a moment (UTC in ISO form); `data` is the JSON of its content."""

    kind: Kind
    at: str
    data: Fields

    @property
    def content(self) -> Content:
        """What it holds. Raises TypeError and LookupError where that is not what this kind holds."""
        data = {**self.data}
        if self.kind == "begun":
            data["plan"] = [Planned(**place) for place in data["plan"]]
            data["boot"] = Boot(**data["boot"]) if data.get("boot") else None
        return CONTENT[self.kind](**data)


def event_of(content: Content, at: str) -> Event:
    """The event that holds this, at this moment; what is None is left out."""
    data: dict[str, object] = {name: value for name, value in content._asdict().items() if value is not None}
    if isinstance(content, Begun):
        data["plan"] = [place._asdict() for place in content.plan]
        data |= {"boot": content.boot._asdict()} if content.boot else {}
    return Event(_KIND[type(content)], at, data)
