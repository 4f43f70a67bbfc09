"""Losses: what an export cannot carry, item by item, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from quizengine.exchange.moodle import type_of
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.problems.part import NumericPart, OrderPart, PairsPart
from quizengine.problems.problem import Problem


class Loss(NamedTuple):
    """Of which item, and what."""

    item: str
    code: str

    def told(self, lang: Lang) -> str:
        """The item and a sentence."""
        return f"{self.item}: {t(lang, f'loss.{self.code}')}"


def moodle_losses(problems: Iterable[Problem]) -> list[Loss]:
    """What Moodle does not show or mark of these problems, each item and reason once."""
    return list(dict.fromkeys(Loss(problem.item, code) for problem in problems for code in _codes(problem)))


def _codes(problem: Problem) -> Iterator[str]:
    boxes = [part for part in problem.parts if not isinstance(part, NumericPart)]
    kind = type_of(problem)
    if len(problem.numeric) > 1:
        yield "carry"
    if problem.numeric or kind == "numerical":
        yield "decimals"
    if problem.numeric:
        yield "one-cell"
    if kind == "shortanswer" or (
        kind == "cloze" and any(part.kind not in ("choice", "choices") for part in boxes)
    ):
        yield "box"
    if kind == "essay":
        yield "essay"
    if kind in ("ordering", "matching") and problem.rivals:
        yield "unnamed"
    if kind == "ordering" and any(isinstance(part, OrderPart) and part.also for part in problem.parts):
        yield "orders"
    if kind == "matching" and any(isinstance(part, PairsPart) and _unpaired(part) for part in problem.parts):
        yield "unpaired"
    if problem.hints:
        yield "hints"


def _unpaired(part: PairsPart) -> bool:
    """Is there a line that belongs to nothing?"""
    return any(not choice.label.isdecimal() and choice.label not in dict(part.key) for choice in part.choices)
