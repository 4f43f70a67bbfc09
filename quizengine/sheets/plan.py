"""A plan: what an exam is to hold, checked against a bank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from quizengine.errors import UsageError
from quizengine.items.answer import Case, Gaps, Numeric
from quizengine.items.bank import Bank
from quizengine.items.item import Item, Metadata
from quizengine.items.policy import Policy
from quizengine.lang.text import Lang, Text

Format = Literal["pdf", "html", "md"]
Size = Literal["a4", "letter"]
COUNT = 6  # items, where nothing says how many


class Heading(NamedTuple):
    """What stands at the top of every sheet."""

    title: Text = Text()
    course: Text = Text()
    date: str = ""
    instructions: Text = Text()
    minutes: int = 0
    languages: tuple[Lang, ...] = ("en",)
    room: float | None = None  # centimetres to work in, for a problem of numbers; None: by its work
    paper: Size = "a4"

    def to_json(self) -> dict[str, object]:
        """As the manifest keeps it."""
        texts = {name: getattr(self, name)._asdict() for name in ("title", "course", "instructions")}
        return {**self._asdict(), **texts, "languages": list(self.languages)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Heading:
        """The heading that `to_json` wrote. Raises LookupError and TypeError where it is not whole."""
        texts = {name: Text(**data[name]) for name in ("title", "course", "instructions")}
        known = {name: value for name, value in data.items() if name != "space"}  # of older manifests
        return cls(**{**known, **texts, "languages": tuple(data["languages"])})


class Section(NamedTuple):
    """A part of a sheet: the items that fit, of which `size` are drawn (all, where they are named)."""

    pool: tuple[Metadata, ...]
    size: int
    named: bool = False
    title: Text = Text()
    points: int = 0  # of every item; 0: what the bank says
    decimals: int = 0  # 0: what the bank says

    def of(self, item: Item) -> Item:
        """The item with the points and decimals of this section. Points of an item with several parts
        are shared out as the bank shares them, at least one each. Raises UsageError."""
        answer = item.answer
        if isinstance(answer, Gaps) and self.points:
            shares = _shared(self.points, [gap.points for gap in answer.gaps], item.id)
            gaps = (gap._replace(points=share) for gap, share in zip(answer.gaps, shares, strict=True))
            return item._replace(answer=Gaps(tuple(gaps)), points=self.points)
        if isinstance(answer, Case) and self.points:
            return item.pointed(_shared(self.points, [one.points for one in answer.questions], item.id))
        if not isinstance(answer, Numeric):
            return item._replace(points=self.points or item.points)
        asks = answer.ask
        if self.points:
            shares = _shared(self.points, [ask.points for ask in asks], item.id)
            asks = tuple(ask._replace(points=share) for ask, share in zip(asks, shares, strict=True))
        if self.decimals:
            asks = tuple(ask if ask.decimals == 0 else ask._replace(decimals=self.decimals) for ask in asks)
        return item._replace(answer=answer._replace(ask=asks), points=self.points or item.points)


def unfit(item: Metadata, languages: Iterable[Lang]) -> str:
    """Why an item cannot stand in an exam in these languages; empty where it can."""
    lacking = {*languages} - {*item.languages}
    return f"{item.id} is not in {', '.join(sorted(lacking))}" if lacking else ""


def _shared(points: int, weights: Sequence[int], item: str) -> list[int]:
    """Whole points in these proportions, by the largest remainder."""
    if points < len(weights):
        raise UsageError(f"{item} has {len(weights)} parts: give it {len(weights)} points at least")
    exact = [Fraction((points - len(weights)) * w, sum(weights)) for w in weights]
    shares = [1 + int(x) for x in exact]
    by_rest = sorted(range(len(weights)), key=lambda i: exact[i] - int(exact[i]), reverse=True)
    for i in by_rest[: points - sum(shares)]:
        shares[i] += 1
    return shares


class Question(NamedTuple):
    """A place of an exam: the id of its item, and the how manieth set of numbers is drawn for it."""

    item: str
    numbers: int = 1


class Blueprint(NamedTuple):
    """What an exam is to hold, in which formats it is written, and by which policy it is marked."""

    heading: Heading
    sections: tuple[Section, ...]
    formats: tuple[Format, ...] = ("md",)
    same_items: bool = True
    policy: Policy = Policy()


def of_one_section(
    bank: Bank, ids: Sequence[str], count: int | None, filters: Mapping[str, Sequence[str]], lang: Lang
) -> Blueprint:
    """A blueprint of one section: these items by id, or so many of those that fit the filters. Raises
    UsageError, UnknownName."""
    if ids and count is not None:
        raise UsageError("give either --item or --count: every named item is asked once")
    pool = [bank.item(id_).metadata for id_ in dict.fromkeys(ids)] if ids else bank.select(**filters)
    wanted = len(pool) if ids else count or COUNT
    if len(pool) < wanted:
        raise UsageError(f"{wanted} items are asked, and {len(pool)} fit: ask fewer, or widen the filters")
    return Blueprint(Heading(languages=(lang,)), (Section(tuple(pool), wanted, bool(ids)),))
