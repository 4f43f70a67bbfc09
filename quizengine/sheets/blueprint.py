"""A blueprint: what an exam is to hold, as an instructor writes it down in YAML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, field_validator, model_validator

from quizengine.errors import FaultyFile, InputError, PosingError, UnknownName, UsageError
from quizengine.items import load
from quizengine.items.answer import Numeric
from quizengine.items.bank import Bank
from quizengine.items.form import Strict, refuse, this_format
from quizengine.items.item import Head, Item
from quizengine.items.policy import Policy
from quizengine.lang.text import Lang, Text
from quizengine.problems.pose import pose

FILTERS = ("topic", "type", "level", "objective", "family", "misconception")
Format = Literal["pdf", "html", "md"]


class _Phrase(Strict):
    """Words of the instructor, as they are printed; one language may stand for both."""

    en: str | None = None
    ja: str | None = None


class _Section(Strict):
    title: str | _Phrase | None = None
    items: Annotated[list[str], Field(min_length=1)] | None = None
    topic: list[str] | None = None
    type: list[str] | None = None
    level: list[str] | None = None
    objective: list[str] | None = None
    family: list[str] | None = None
    misconception: list[str] | None = None
    count: Annotated[int, Field(ge=1, le=200)] | None = None
    points: Annotated[int, Field(ge=1, le=100)] | None = None
    decimals: Annotated[int, Field(ge=1, le=6)] | None = None

    @model_validator(mode="after")
    def _whole(self) -> _Section:
        if self.items is not None and self.count is not None:
            raise refuse("both", "a section names its items, or says how many are drawn: not both")
        if self.items is None and self.count is None:
            raise refuse("neither", "a section names its “items”, or says how many are drawn: “count”")
        return self


class _Policy(Strict):
    window: Annotated[float, Field(gt=0.5, le=1.01)] | None = None
    coarse: Annotated[float, Field(ge=0, le=1)] | None = None
    carry: Annotated[float, Field(ge=0, le=1)] | None = None

    @field_validator("window", "coarse", "carry", mode="before")
    @classmethod
    def _number(cls, value: Any) -> Any:
        return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


class _File(Strict):
    format: int
    title: str | _Phrase
    course: str | _Phrase | None = None
    date: str | None = None
    instructions: str | _Phrase | None = None
    minutes: Annotated[int, Field(ge=1, le=1440)] | None = None
    languages: Annotated[list[Lang], Field(min_length=1, max_length=2)] | None = None
    formats: Annotated[list[Format], Field(min_length=1)] | None = None
    same_items: bool = True
    policy: _Policy = _Policy()
    sections: Annotated[list[_Section], Field(min_length=1)]

    _known = field_validator("format")(this_format)


class Heading(NamedTuple):
    """What stands at the top of every sheet."""

    title: Text = Text()
    course: Text = Text()
    date: str = ""
    instructions: Text = Text()
    minutes: int = 0
    languages: tuple[Lang, ...] = ("en",)

    def to_json(self) -> dict[str, Any]:
        """As the manifest keeps it."""
        texts = {name: getattr(self, name)._asdict() for name in ("title", "course", "instructions")}
        return {**self._asdict(), **texts, "languages": list(self.languages)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Heading:
        """What `to_json` wrote."""
        texts = {name: Text(**data[name]) for name in ("title", "course", "instructions")}
        return cls(**{**data, **texts, "languages": tuple(data["languages"])})


class Section(NamedTuple):
    """A part of a sheet: the items that fit, of which `size` are drawn (all, where they are named)."""

    pool: tuple[Head, ...]
    size: int
    named: bool = False
    title: Text = Text()
    points: int = 0  # of every item; 0: what the bank says
    decimals: int = 0  # 0: what the bank says

    def of(self, item: Item) -> Item:
        """The item with the points and decimals of this section. Points of an item with several parts
        are shared out as the bank shares them, at least one each. Raises UsageError."""
        answer = item.answer
        if not isinstance(answer, Numeric):
            return item._replace(points=self.points or item.points)
        asks = answer.ask
        if self.points:
            shares = _shared(self.points, [ask.points for ask in asks], item.id)
            asks = tuple(ask._replace(points=share) for ask, share in zip(asks, shares, strict=True))
        if self.decimals:
            asks = tuple(ask if ask.decimals == 0 else ask._replace(decimals=self.decimals) for ask in asks)
        return item._replace(answer=answer._replace(ask=asks), points=self.points or item.points)


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


class Blueprint(NamedTuple):
    """All of it."""

    heading: Heading
    sections: tuple[Section, ...]
    formats: tuple[Format, ...] = ("md",)
    same_items: bool = True
    policy: Policy = Policy()


def load_blueprint(path: Path, bank: Bank) -> Blueprint:
    """What the file asks of this bank. Raises FaultyFile with every fault, InputError."""
    try:
        document = load.read_file(str(path), str(path))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}", code="no-file") from None
    form = load.check(document, _File, {}) if document.data is not None else None
    sections: list[Section] = []
    if form is not None:
        taken: set[str] = set()
        for index, section in enumerate(form.sections):
            found = _section(section, bank, form.languages or ["en"], taken, document, index)
            sections += [found] if found else []
    if document.faults:
        document.drop_echoes()
        raise FaultyFile(document.faults)
    assert form is not None
    policy = {name: Fraction(str(v)) for name, v in form.policy.model_dump().items() if v is not None}
    heading = Heading(
        _text(form.title),
        _text(form.course),
        form.date or "",
        _text(form.instructions),
        form.minutes or 0,
        tuple(dict.fromkeys(form.languages or ["en"])),
    )
    formats = tuple(dict.fromkeys(form.formats or ["pdf", "html"]))
    return Blueprint(heading, tuple(sections), formats, form.same_items, Policy()._replace(**policy))


def _text(words: str | _Phrase | None) -> Text:
    if words is None:
        return Text()
    if isinstance(words, str):
        return Text(words, words)
    return Text(words.en or "", words.ja or "")


def _section(
    section: _Section,
    bank: Bank,
    languages: Sequence[Lang],
    taken: set[str],
    document: load.Document,
    index: int,
) -> Section | None:
    """The section, or None with its faults noted; `taken` are the ids that earlier sections ask."""
    path = ("sections", index)
    try:
        pool = _pool(section, bank, document, path)
    except UnknownName:
        return None
    if lacking := [head for head in pool if not {*languages} <= {*head.languages}] if section.items else []:
        document.fault((*path, "items"), "language", f"{lacking[0].id} is not in {', '.join(languages)}")
    pool = [head for head in pool if {*languages} <= {*head.languages} and head.id not in taken]
    count = len(pool) if section.items else section.count or 0
    if section.items and len({head.id for head in pool}) < len(section.items):
        document.fault((*path, "items"), "twice", "an item is asked twice: name it once")
    if count > len(pool):
        asked = ", ".join(f"{name} {' or '.join(v)}" for name in FILTERS if (v := getattr(section, name)))
        left = " that no earlier section asks" if taken else ""
        message = f"{count} items of {asked or 'any kind'} asked, {len(pool)} exist{left}"
        document.fault((*path, "count"), "too-few", message)
        return None
    if section.items or section.count == len(pool):
        taken |= {head.id for head in pool}
    try:
        made = Section(
            tuple(pool),
            count,
            section.items is not None,
            _text(section.title),
            section.points or 0,
            section.decimals or 0,
        )
        for head in pool if section.points or section.decimals else ():
            pose(made.of(bank.item(head.id)), 1, languages[0], bank.catalogue)
    except UsageError as error:
        document.fault((*path, "points"), "points", error.message)
        return None
    except PosingError as error:
        message = (
            f"with {section.decimals} decimals wrong answers are too close to right ones ({error.message})"
        )
        document.fault((*path, "decimals"), "decimals", message)
        return None
    return made


def _pool(section: _Section, bank: Bank, document: load.Document, path: tuple[Any, ...]) -> list[Head]:
    """The items that fit. Raises UnknownName, noted already, for what the bank does not have."""
    if section.items:
        heads = []
        for i, id_ in enumerate(section.items):
            try:
                heads.append(bank.item(id_).head)
            except UnknownName as error:
                document.fault((*path, "items", i), "unknown-name", error.message)
        if len(heads) < len(section.items):
            raise UnknownName("item", "", ())
        return heads
    wanted = {name: getattr(section, name) or [] for name in FILTERS}
    for name, values in wanted.items():
        for i, value in enumerate(values):
            try:
                bank.select(**{name: [value]})
            except UnknownName as error:
                document.fault((*path, name, i), "unknown-name", error.message)
                raise
    return bank.select(**wanted)
