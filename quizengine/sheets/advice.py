"""Advice: what an instructor should know of an exam before it is printed. Nothing of it is a fault."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple, get_args

from quizengine.items.answer import Level
from quizengine.items.bank import Bank
from quizengine.items.item import Metadata
from quizengine.lang.messages import name, t
from quizengine.lang.text import Lang
from quizengine.problems.effort import seconds
from quizengine.problems.part import ChoicePart, ChoicesPart, WordsPart, labels_of
from quizengine.problems.problem import Problem

FEW = 3  # telling words that a key must have, all of which another question says
SPARE = 0.8  # of the time that there is, as much as the answers should need
_WORD = re.compile(r"[A-Za-zÀ-ɏ]{5,}|[一-鿿]{2,}|[ァ-ヶー]{3,}|\d+(?:/\d+)?")


class Advice(NamedTuple):
    """A message of the catalogue, `advice.<code>`, with its values."""

    code: str
    values: dict[str, object]


def advice(
    bank: Bank, problems: Sequence[Problem], neighbours: Sequence[Problem], minutes: int
) -> Iterator[Advice]:
    """Of the problems of one sheet, in order, those of a sheet beside it, and the time (0: not said)."""
    yield _time(problems, minutes)
    yield from _clues(bank, problems)
    yield from _shared(problems, neighbours)
    yield from _gaps(bank, [bank.item(problem.item).metadata for problem in problems])


def _time(problems: Sequence[Problem], minutes: int) -> Advice:
    needed = -(-sum(map(seconds, problems)) // 60)
    if not minutes:
        return Advice("time", {"needed": needed})
    code = "time-long" if needed > minutes else "time-tight" if needed > SPARE * minutes else "time-fine"
    return Advice(code, {"needed": needed, "minutes": minutes})


def _clues(bank: Bank, problems: Sequence[Problem]) -> Iterator[Advice]:
    """Questions whose text, or whose solution, says what another one asks; and those on one mistake."""
    for (i, one), (j, other) in permutations(enumerate(problems, 1), 2):
        told = " ".join(_read(one))
        if any(_says(told, key) for key in _keys(other)):
            yield Advice("clue", {"one": i, "other": j})
        elif i < j and _same_point(bank.item(one.item).metadata, bank.item(other.item).metadata):
            yield Advice("same-point", {"one": i, "other": j})


def _read(problem: Problem) -> Iterator[str]:
    """All that somebody reads who is asked it, and its solution."""
    yield from (problem.prompt, problem.code, *problem.conventions, *problem.worked)
    for part in problem.parts:
        yield part.prompt
        if isinstance(part, ChoicePart | ChoicesPart):
            yield from (choice.text for choice in part.choices)


def _keys(problem: Problem) -> Iterator[str]:
    """What is right, in words."""
    for part in problem.parts:
        match part:
            case ChoicePart() | ChoicesPart():
                yield from (choice.text for choice in part.choices if choice.label in part.key)
            case WordsPart():
                yield part.key


def _says(told: str, key: str) -> bool:
    """Are all telling words of the key there, and are they a few at least?"""
    words = {word.lower() for word in _WORD.findall(key)}
    return len(words) >= FEW and words <= {word.lower() for word in _WORD.findall(told)}


def _same_point(one: Metadata, other: Metadata) -> bool:
    return bool(
        {*one.objectives} & {*other.objectives} and {*one.misconceptions} & {*other.misconceptions}
    ) and (one.type == other.type)


def _shared(problems: Sequence[Problem], neighbours: Sequence[Problem]) -> Iterator[Advice]:
    """Questions that are the same on both sheets, in another order at most."""
    pairs = enumerate(zip(problems, neighbours, strict=True), 1)
    same = [(number, one) for number, (one, other) in pairs if _shown(one) == _shown(other)]
    if same:
        numbers = ", ".join(str(number) for number, _ in same)
        points, of = (sum(p.points for p in group) for group in ([p for _, p in same], problems))
        yield Advice("shared", {"numbers": numbers, "points": points, "of": of})


def _shown(problem: Problem) -> tuple[object, ...]:
    """What a student sees of a problem, whatever the order of its choices."""
    choices = {choice.text for part in problem.parts for choice in labels_of(part)}
    prompts = tuple(part.prompt for part in problem.parts)
    return problem.prompt, problem.code, dict(problem.given), problem.drawn, prompts, choices


def _gaps(bank: Bank, asked: Sequence[Metadata]) -> Iterator[Advice]:
    """Levels that are not asked, and objectives of the topics asked."""
    levels = [level for level in get_args(Level) if level not in {item.level for item in asked}]
    if levels:
        yield Advice("levels", {"levels": levels})
    topics, met = {item.topic for item in asked}, {o for item in asked for o in item.objectives}
    left = [id_ for id_, o in bank.objectives.items() if o.topic in topics and id_ not in met]
    if left:
        yield Advice("objectives", {"objectives": left})


def told(one: Advice, lang: Lang) -> str:
    """In a sentence."""
    between = t(lang, "rows.between")
    values = {
        what: between.join(name("level", each, lang) for each in value) if isinstance(value, list) else value
        for what, value in one.values.items()
    }
    return t(lang, f"advice.{one.code}", **values)
