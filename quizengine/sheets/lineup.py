"""A line-up: which item stands at which place of an exam, and the secret that its numbers come from. It is
written beside the blueprint, as YAML that an instructor may read and change."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import Field, field_validator

from quizengine.errors import FaultyFile, UnknownName, UsageError
from quizengine.files.document import check, read_file
from quizengine.files.failure import failed
from quizengine.files.whole import write_whole
from quizengine.items.bank import Bank
from quizengine.items.fields import Strict
from quizengine.items.form import this_format
from quizengine.items.item import Metadata
from quizengine.lang.text import Lang
from quizengine.problems.dice import Dice
from quizengine.problems.pose import pose
from quizengine.sheets.draw import Slots, draw
from quizengine.sheets.plan import Blueprint, Question, Section, unfit

HEX = r"^[0-9a-f]{64}$"


class LineUp(NamedTuple):
    """The questions in order, and the exam's own secret."""

    secret: bytes
    questions: tuple[Question, ...]


class _Question(Strict):
    item: str
    numbers: Annotated[int, Field(ge=1, le=1_000_000)] = 1


class _File(Strict):
    format: int
    secret: Annotated[str, Field(pattern=HEX)]
    questions: Annotated[list[_Question], Field(min_length=1)]

    _known = field_validator("format")(this_format)


def beside(blueprint: Path) -> Path:
    """Where the line-up of a blueprint is written.

    >>> beside(Path("exams/midterm.yaml")).name
    'midterm.drawn.yaml'
    """
    return blueprint.with_name(f"{blueprint.stem}.drawn.yaml")


def secret_of(seed: int) -> bytes:
    """The secret that a seed gives, always the same."""
    return hashlib.sha256(f"sheet {seed}".encode()).digest()


def drawn(plan: Blueprint, secret: bytes | None = None) -> LineUp:
    """A line-up by this secret, else by a new one. Raises UsageError where the bank has not enough."""
    secret = secret or secrets.token_bytes(32)
    slots = draw(plan.sections, Dice("sheet", secret.hex()))
    return LineUp(secret, tuple(Question(metadata.id) for _, metadata in slots))


def places(plan: Blueprint) -> list[Section]:
    """The section of every place."""
    return [section for section in plan.sections for _ in range(section.size)]


def slots(plan: Blueprint, bank: Bank, questions: Sequence[Question]) -> Slots:
    """The section and the item of every place."""
    return [
        (section, bank.item(question.item).metadata)
        for section, question in zip(places(plan), questions, strict=True)
    ]


def load_lineup(path: Path, plan: Blueprint, bank: Bank) -> LineUp | None:
    """What is written there for this blueprint; None where nothing is. Raises FaultyFile with every fault."""
    if not path.exists():
        return None
    try:
        document = read_file(str(path), str(path))
    except OSError as error:
        raise failed(path, error) from None
    form = check(document, _File, {}) if document.data is not None else None
    seen: set[str] = set()
    for i, question in enumerate(form.questions if form else ()):
        place = ("questions", i, "item")
        try:
            metadata = bank.item(question.item).metadata
        except UnknownName as error:
            document.fault(place, "unknown-name", error.message)
            continue
        if question.item in seen:
            document.fault(place, "twice", f"{question.item} is asked twice: name it once")
        elif why := unfit(metadata, plan.heading.languages):
            document.fault(place, "language", why)
        seen.add(question.item)
    asked = len(places(plan))
    if form and len(form.questions) != asked:
        message = f"{len(form.questions)} questions stand here, and the blueprint asks {asked}: draw it anew"
        document.fault(("questions",), "count", message)
    if document.faults or form is None:
        document.drop_echoes()
        raise FaultyFile(document.faults)
    questions = tuple(Question(question.item, question.numbers) for question in form.questions)
    return LineUp(bytes.fromhex(form.secret), questions)


def save_lineup(path: Path, plan: Blueprint, bank: Bank, lineup: LineUp) -> None:
    """Write it for the owner's eyes alone. Raises InputError."""
    text = "\n".join(_lines(plan, bank, lineup)) + "\n"
    try:
        write_whole(path, text.encode(), mode=0o600)
    except OSError as error:
        raise failed(path, error, code="not-written") from None


def _lines(plan: Blueprint, bank: Bank, lineup: LineUp) -> Iterator[str]:
    lang: Lang = plan.heading.languages[0]
    yield "# The questions of an exam, in order: change them here, or by `quizengine blueprint swap` and"
    yield "# `quizengine blueprint numbers`. Keep this file to yourself: the keys come from the secret."
    yield "format: 1"
    yield f"secret: '{lineup.secret.hex()}'"
    yield "questions:"
    before: Section | None = None
    for number, (section, question) in enumerate(zip(places(plan), lineup.questions, strict=True), 1):
        if section is not before and section.title[lang]:
            yield "# " + " ".join(section.title[lang].split())
        before = section
        metadata = bank.item(question.item).metadata
        yield f"- item: {question.item}  # {number}: {metadata.type}, {metadata.level}"
        if question.numbers > 1:
            yield f"  numbers: {question.numbers}"


def swapped(plan: Blueprint, bank: Bank, lineup: LineUp, number: int, item: str | None = None) -> LineUp:
    """With another item at place `number` (from 1): the one named, else the next of its section in an order
    that goes through all of them before any comes again. Raises UsageError, UnknownName, PosingError."""
    section, now = places(plan)[_index(lineup, number)], lineup.questions[number - 1]
    asked = {question.item: place for place, question in enumerate(lineup.questions, 1)}
    if item is not None:
        metadata = bank.item(item).metadata
        if item in asked:
            raise UsageError(f"{item} is question {asked[item]} already")
        if why := unfit(metadata, plan.heading.languages):
            raise UsageError(why)
        pose(section.of(bank.item(item)), 1, plan.heading.languages[0], bank.catalogue)
        return _with(lineup, number, Question(item))
    others = [metadata for metadata in _after(now.item, section, lineup) if metadata.id not in asked]
    if section.named or not others:
        raise UsageError(
            f"question {number} has no other item that fits its section: name one, `swap {number} ITEM`"
        )
    return _with(lineup, number, Question(others[0].id))


def _after(item: str, section: Section, lineup: LineUp) -> list[Metadata]:
    """The items of the section in an order by chance, from the one after this."""
    order = Dice("swap", lineup.secret.hex()).shuffled(sorted(section.pool, key=lambda each: each.id))
    at = next((place for place, metadata in enumerate(order) if metadata.id == item), -1)
    return [*order[at + 1 :], *order[: at + 1]]


def renumbered(lineup: LineUp, number: int | None = None) -> LineUp:
    """With new numbers at this place (from 1), else everywhere. Raises UsageError."""
    if number is None:
        return LineUp(secrets.token_bytes(32), lineup.questions)
    question = lineup.questions[_index(lineup, number)]
    return _with(lineup, number, question._replace(numbers=question.numbers + 1))


def _index(lineup: LineUp, number: int) -> int:
    if not 1 <= number <= len(lineup.questions):
        raise UsageError(f"there is no question {number}: the exam has {len(lineup.questions)}")
    return number - 1


def _with(lineup: LineUp, number: int, question: Question) -> LineUp:
    questions = list(lineup.questions)
    questions[number - 1] = question
    return lineup._replace(questions=tuple(questions))
