"""Strategies: what a guesser earns who reads no question and goes by the look of the choices alone.

Each strategy puts the choices in an order and answers by it. Its answers go through the reader and the judge,
over seeds and languages, and stand beside what answers of the same form earn that are drawn at random.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import combinations, product
from typing import NamedTuple

from quizengine.errors import QuizError
from quizengine.items.bank import Bank
from quizengine.items.item import Item
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.marking.judge import judge_concept
from quizengine.problems.memory import once
from quizengine.problems.part import (
    ChoicePart,
    ChoicesPart,
    Key,
    Label,
    LabelledPart,
    OrderPart,
    PairsPart,
    TiersPart,
    key_text,
)
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.render.terminal import plain_text
from quizengine.responses.read import read

SEEDS, DRAWS = 12, 60  # of what an author wrote, and of what a family draws anew each time
MARGIN = 0.03  # above chance, that is no cue yet
_NUMBER = re.compile(r"(\D*)(\d+(?:[, ]\d{3})*(?:\.\d+)?)(?:/(\d+))?(\D*)")  # and what stands beside it
_Labels = Sequence[Label]
_Tried = Mapping[str, list[tuple[Fraction, Fraction]]]  # by strategy, what it and chance earn of each part
Each = Callable[[Callable[[Item], _Tried], Sequence[Item]], Iterable[_Tried]]


class Strategy(NamedTuple):
    """What a strategy earns on the mean of the questions of one type (of 1), what chance earns of the same
    ones, and of how many."""

    type: str
    name: str
    share: float
    chance: float
    items: int

    @property
    def tells(self) -> bool:
        """Does it earn more than chance, by more than so few questions let happen?"""
        scatter = 3 * (self.chance * (1 - self.chance) / self.items) ** 0.5
        return bool(self.share > self.chance + MARGIN + scatter)

    def to_json(self) -> dict[str, object]:
        """As `bank stats --json` shows it."""
        return self._asdict() | {"share": round(self.share, 4), "chance": round(self.chance, 4)}


def numbers(texts: Sequence[str]) -> list[float]:
    """What these texts are, where all are numbers and differ in nothing else; nothing where they are not.

    >>> numbers(["1/2 of it", "3 of it"]), numbers(["3 rows", "4 columns"])
    ([0.5, 3.0], [])
    """
    found = [_NUMBER.fullmatch(text) for text in texts]
    if not all(found) or len({(m[1], m[4].strip()) for m in found if m}) > 1:
        return []
    return [float(re.sub("[, ]", "", m[2])) / float(m[3] or 1) for m in found if m]


def strategies(bank: Bank, items: Iterable[Item], each: Each = map) -> list[Strategy]:
    """What each strategy earns, by type, over these items; of a case, over its questions. `each` tries them,
    here or in other processes."""
    earned: dict[tuple[str, str], list[tuple[Fraction, Fraction]]] = {}
    questions = [question for item in items for question in item.questions]
    for question, tried in zip(questions, each(partial(_tried, bank), questions), strict=True):
        for name, pairs in tried.items():
            earned.setdefault((question.type, name), []).append(_both(pairs))
    found = []
    for (type_, name), pairs in sorted(earned.items()):
        share, chance = _both(pairs)
        found.append(Strategy(type_, name, float(share), float(chance), len(pairs)))
    return found


def _tried(bank: Bank, item: Item) -> _Tried:
    """What the strategies earn of each part of each problem."""
    from quizengine.problems.calculation import variants_of
    from quizengine.problems.families import FAMILIES

    tried: dict[str, list[tuple[Fraction, Fraction]]] = {}
    if item.family in FAMILIES:  # numbers are written
        return tried
    draws = [(item, seed) for seed in range(DRAWS if item.family else SEEDS)]
    variants = zip(draws, variants_of(draws, bank.catalogue), strict=True)
    earned = once(_earned)  # for several seeds pose the same
    for ((_, seed), variant), lang in product(variants, item.languages):
        try:
            problem = pose(item, seed, lang, bank.catalogue, variant)._replace(rivals=())
        except QuizError:  # what cannot be posed is told by `examine`
            break
        pairs = earned(problem, lang)
        if not pairs:
            break
        for name, pair in pairs:
            tried.setdefault(name, []).append(pair)
    return tried


def _earned(problem: Problem, lang: Lang) -> list[tuple[str, tuple[Fraction, Fraction]]]:
    """What each strategy earns of each part that it can answer, and what chance does."""
    found = []
    for part in problem.parts:
        if isinstance(part, LabelledPart):
            share = cache(partial(_share, problem, part))  # many strategies give the same answer
            chance = _chance(part, share)
            for name, keys in _answers(part, lang):
                found.append((name, (_mean(share, keys), chance)))
    return found


def _both(pairs: Sequence[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """The means of either side."""
    one, other = (sum(side, Fraction(0)) / len(pairs) for side in zip(*pairs, strict=True))
    return one, other


def _share(problem: Problem, part: LabelledPart, key: Key) -> Fraction:
    """What an answer earns."""
    return judge_concept(problem, part, read(part, key_text(part, key))).share


def _mean(share: Callable[[Key], Fraction], keys: Iterable[Key]) -> Fraction:
    """What these answers earn on the mean."""
    shares = list(map(share, keys))
    return sum(shares, Fraction(0)) / len(shares)


def _chance(part: LabelledPart, share: Callable[[Key], Fraction]) -> Fraction:
    """What an answer of this form earns that is drawn at random. (Of n steps any two stand next to each other
    in this order once in n times, and so of a right order one pair in n.)"""
    letters, digits = map(len, _sides(part))
    match part:
        case ChoicePart() | OrderPart():
            return Fraction(1, letters)
        case PairsPart():
            return Fraction(1, digits)
        case TiersPart(shares=shares):
            return sum((share for _, share in shares), Fraction(1)) / (letters * digits)
        case ChoicesPart(choices=choices):
            return _mean(share, combinations([choice.label for choice in choices], _half(choices)))


def _sides(part: LabelledPart) -> tuple[_Labels, _Labels]:
    """The choices with letters and those with numbers."""
    letters, digits = ([c for c in part.choices if c.label.isdecimal() == side] for side in (False, True))
    return letters, digits


def _half(labels: Sequence[object]) -> int:
    return (len(labels) + 1) // 2


def _answers(part: LabelledPart, lang: Lang) -> Iterator[tuple[str, Sequence[Key]]]:
    """What each strategy answers; one that leaves something open, every such answer."""
    letters, digits = _sides(part)
    truths = [choice.text for choice in letters] == [t(lang, "true"), t(lang, "false")]
    for name, truth in zip(("true", "false"), letters, strict=False) if truths else ():
        yield name, [((truth.label, reason.label),) for reason in digits] if digits else [truth.label]
    if isinstance(part, ChoicesPart):
        yield "all", [tuple(choice.label for choice in letters)]
    for name, look in LOOKS.items():
        one, other = (tuple(choice.label for choice in look(side)) for side in (letters, digits))
        match part:
            case ChoicePart() if one and not truths:
                yield name, [one[0]]
            case ChoicesPart() if one:
                yield name, [one[: _half(one)]]
            case OrderPart() if one:
                yield name, [one]
            case TiersPart() if other:
                yield name, [((letter.label, other[0]),) for letter in letters]
            case PairsPart() if one and other:
                yield name, [tuple(zip(one, other, strict=False))]


def _by_number(place: Callable[[float, Sequence[float]], float]) -> Callable[[_Labels], _Labels]:
    """The choices by the place that each has among all, where all are numbers."""

    def look(labels: _Labels) -> _Labels:
        found = numbers([_plain(one.text) for one in labels])
        order = sorted(range(len(found)), key=lambda n: place(found[n], sorted(found)))
        return [labels[n] for n in order]

    return look


def _length(label: Label) -> int:
    return len(_plain(label.text))


_plain = lru_cache(2**12)(plain_text)


LOOKS: Mapping[str, Callable[[_Labels], _Labels]] = {
    "first": lambda labels: labels,
    "last": lambda labels: labels[::-1],
    "longest": lambda labels: sorted(labels, key=_length, reverse=True),
    "shortest": lambda labels: sorted(labels, key=_length),
    "smallest": _by_number(lambda x, _: x),
    "largest": _by_number(lambda x, _: -x),
    "middle": _by_number(lambda x, every: abs(2 * every.index(x) + 1 - len(every))),
}
"""How a guesser puts choices in order; where all look alike, they stay as shown. Of one choice the first is
taken, of several the first half."""
