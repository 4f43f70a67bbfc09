"""A blueprint: what an exam is to hold, as an instructor writes it down in YAML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, ValidationError, field_validator, model_validator

from quizengine.errors import FaultyFile, PosingError, UnknownName, UsageError
from quizengine.files.document import Document, Raw, check, read_file
from quizengine.files.document import Path as Place
from quizengine.files.failure import failed
from quizengine.items.bank import Bank
from quizengine.items.fields import Strict, refuse
from quizengine.items.form import this_format
from quizengine.items.item import Metadata
from quizengine.items.policy import Policy
from quizengine.lang.text import LANGUAGES, Lang, Text
from quizengine.problems.dice import Dice
from quizengine.problems.pose import pose
from quizengine.sheets.draw import draw
from quizengine.sheets.plan import Blueprint, Format, Heading, Section, Size, unfit

INCH = 2.54  # centimetres
_LENGTH = re.compile(r"(\d{1,3}(?:\.\d+)?) ?(cm|in)?")


def _real(value: object) -> object:
    return float(value) if type(value) is int else value


def _centimetres(value: object) -> object:
    """Such as 6, “6 cm” or “2.5 in”. Raises PydanticCustomError."""
    if type(value) in (int, float):
        return float(str(value))
    found = _LENGTH.fullmatch(value) if isinstance(value, str) else None
    if not found:
        raise refuse("room", "“{said}” is no length: write such as 6 cm or 2.5 in", said=value)
    return float(found[1]) * (INCH if found[2] == "in" else 1)


_Real = Annotated[float, BeforeValidator(_real)]
_Share = Annotated[_Real, Field(ge=0, le=1)]


class _Phrase(Strict):
    """Words of the instructor, as they are printed; one language may stand for both."""

    en: str | None = None
    ja: str | None = None


class _Filters(Strict):
    topic: list[str] | None = None
    type: list[str] | None = None
    level: list[str] | None = None
    objective: list[str] | None = None
    family: list[str] | None = None
    misconception: list[str] | None = None


class _Section(_Filters):
    title: str | _Phrase | None = None
    items: Annotated[list[str], Field(min_length=1)] | None = None
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
    window: Annotated[_Real, Field(gt=0.5, le=1.01)] | None = None
    coarse: _Share | None = None
    carry: _Share | None = None
    carry_unexplained: _Share | None = None
    late: _Share | None = None


class _File(Strict):
    format: int
    title: str | _Phrase
    course: str | _Phrase | None = None
    date: str | None = None
    instructions: str | _Phrase | None = None
    minutes: Annotated[int, Field(ge=1, le=1440)] | None = None
    room: Annotated[float, BeforeValidator(_centimetres), Field(ge=0, le=22)] | None = None
    paper: Size = "a4"
    languages: Annotated[list[Lang], Field(min_length=1, max_length=2)] | None = None
    formats: Annotated[list[Format], Field(min_length=1)] | None = None
    same_items: bool = True
    policy: _Policy = _Policy()
    sections: Annotated[list[_Section], Field(min_length=1)]

    _known = field_validator("format")(this_format)


_LANGUAGES: tuple[Lang, ...] = ("en",)
_FORMATS: tuple[Format, ...] = ("pdf", "html")


def load_blueprint(path: Path, bank: Bank) -> Blueprint:
    """What the file asks of this bank. Raises FaultyFile with every fault, InputError."""
    try:
        document = read_file(str(path), str(path))
    except OSError as error:
        raise failed(path, error) from None
    form = check(document, _File, {}) if document.data is not None else None
    sections: list[Section] = []
    languages = (
        tuple(dict.fromkeys(form.languages or _LANGUAGES)) if form else _sound_languages(document.data)
    )
    reader = _Reader(bank, document, languages)
    forms = enumerate(form.sections) if form else _sound_sections(document.data)
    found = [reader.section(section, ("sections", i)) for i, section in forms]
    sections = [section for section in found if section]
    if form is not None and len(sections) == len(found):
        reader.enough(sections)
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
        languages,
        form.room,
        form.paper,
    )
    formats = tuple(dict.fromkeys(form.formats or _FORMATS))
    return Blueprint(heading, tuple(sections), formats, form.same_items, Policy()._replace(**policy))


def _sound_sections(data: Raw) -> Iterator[tuple[int, _Section]]:
    """The sections of a faulty file that have no fault of form themselves, each with its place."""
    held = data.get("sections") if isinstance(data, dict) else None
    for i, section in enumerate(held if isinstance(held, list) else ()):
        with suppress(ValidationError):
            yield i, _Section.model_validate(section, strict=True)


def _sound_languages(data: Raw) -> tuple[Lang, ...]:
    held = data.get("languages") if isinstance(data, dict) else None
    return tuple(lang for lang in LANGUAGES if isinstance(held, list) and lang in held) or _LANGUAGES


def _text(words: str | _Phrase | None) -> Text:
    if words is None:
        return Text()
    if isinstance(words, str):
        return Text(words, words)
    return Text(words.en or "", words.ja or "")


class _Reader:
    """The sections of a file against a bank; faults are noted in the document."""

    def __init__(self, bank: Bank, document: Document, languages: tuple[Lang, ...]):
        self.bank, self.document, self.languages = bank, document, languages
        self.named: set[str] = set()

    def section(self, form: _Section, path: Place) -> Section | None:
        """The section; None where it cannot be had."""
        pool = self.named_items(form.items, path) if form.items else self.fitting(form, path)
        if pool is None:
            return None
        size = len(pool) if form.items else form.count or 0
        if size > len(pool):
            asked = ", ".join(
                f"{name} {' or '.join(v)}" for name in _Filters.model_fields if (v := getattr(form, name))
            )
            message = f"{size} items of {asked or 'any kind'} asked, {len(pool)} exist"
            self.document.fault((*path, "count"), "too-few", message)
            return None
        title, points, decimals = _text(form.title), form.points or 0, form.decimals or 0
        made = Section(tuple(pool), size, form.items is not None, title, points, decimals)
        return made if not (points or decimals) or self.posable(made, path) else None

    def named_items(self, ids: Sequence[str], path: Place) -> list[Metadata] | None:
        """The items of these ids, in this order."""
        found: list[Metadata] = []
        for i, id_ in enumerate(ids):
            place = (*path, "items", i)
            try:
                metadata = self.bank.item(id_).metadata
            except UnknownName as error:
                self.document.fault(place, "unknown-name", error.message)
                continue
            if id_ in self.named:
                self.document.fault(place, "twice", f"{id_} is asked twice: name it once")
            elif why := unfit(metadata, self.languages):
                self.document.fault(place, "language", why)
            else:
                self.named.add(id_)
                found.append(metadata)
        return found if len(found) == len(ids) else None

    def fitting(self, form: _Section, path: Place) -> list[Metadata] | None:
        """The items that fit every filter."""
        wanted = {name: getattr(form, name) or [] for name in _Filters.model_fields}
        fine = True
        for name, values in wanted.items():
            for i, value in enumerate(values):
                if value not in (known := self.bank.known(name)):
                    fine = False
                    message = UnknownName(name, value, known).message
                    self.document.fault((*path, name, i), "unknown-name", message)
        if not fine:
            return None
        return [
            metadata for metadata in self.bank.select(**wanted) if {*self.languages} <= {*metadata.languages}
        ]

    def posable(self, section: Section, path: Place) -> bool:
        """Can its items be had with these points and decimals?"""
        for metadata in section.pool:
            try:
                pose(section.of(self.bank.item(metadata.id)), 1, self.languages[0], self.bank.catalogue)
            except UsageError as error:
                self.document.fault((*path, "points"), "points", error.message)
                return False
            except PosingError as error:
                said = f"with decimals: {section.decimals}, wrong answers are too close to right ones"
                self.document.fault((*path, "decimals"), "decimals", f"{said} ({error.message})")
                return False
        return True

    def enough(self, sections: Sequence[Section]) -> None:
        """Can all sections be filled at once?"""
        try:
            draw(sections, Dice("enough"))
        except UsageError as error:
            self.document.fault(("sections",), "too-few", error.message)
