"""Losses: what an export cannot carry, item by item, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from quizengine.exchange.gift import FEW
from quizengine.exchange.moodle import type_of
from quizengine.exchange.rival_choice import rival_choice
from quizengine.items.catalogue import Catalogue
from quizengine.items.policy import Policy
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.problems.part import (
    EstimatePart,
    NumericPart,
    OrderPart,
    PairsPart,
    Part,
    TiersPart,
)
from quizengine.problems.problem import Problem


class Loss(NamedTuple):
    """Of which item, and what."""

    item: str
    code: str

    def told(self, lang: Lang) -> str:
        """The item and a sentence."""
        return f"{self.item}: {self._message(lang)}"

    def to_json(self, lang: Lang) -> dict[str, str]:
        """As `export --json` shows it."""
        return self._asdict() | {"message": self._message(lang)}

    def _message(self, lang: Lang) -> str:
        return t(lang, f"loss.{self.code}")


def moodle_losses(problems: Iterable[Problem]) -> list[Loss]:
    """What Moodle does not show or mark of these problems, each item and reason once."""
    return _once(problems, _moodle_codes)


def canvas_losses(problems: Iterable[Problem], policy: Policy, catalogue: Catalogue) -> list[Loss]:
    """What a quiz in Canvas leaves out or does not mark of these problems, each item and reason once."""
    return _once(problems, lambda problem: _canvas_codes(problem, policy, catalogue))


def qti_losses(problems: Iterable[Problem]) -> list[Loss]:
    """What QTI 2.1 does not mark of these problems as we do, each item and reason once."""
    return _once(problems, _qti_codes)


def _once(problems: Iterable[Problem], codes: Callable[[Problem], Iterable[str]]) -> list[Loss]:
    return list(dict.fromkeys(Loss(problem.item, code) for problem in problems for code in codes(problem)))


def _moodle_codes(problem: Problem) -> Iterator[str]:
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


def canvas_lacks(problem: Problem, policy: Policy, catalogue: Catalogue) -> str:
    """Why Canvas cannot ask a problem at all; nothing where it can."""
    part = problem.parts[0]
    if len(problem.parts) > 1 and len(problem.numeric) < len(problem.parts):
        return "several"
    if problem.numeric and rival_choice(problem, policy, catalogue) is None:
        return "few-rivals"
    return "few-pairs" if isinstance(part, PairsPart) and len(part.key) < FEW else ""


def _canvas_codes(problem: Problem, policy: Policy, catalogue: Catalogue) -> Iterator[str]:
    if lacks := canvas_lacks(problem, policy, catalogue):
        yield lacks
        return
    part = problem.parts[0]
    if problem.numeric:
        yield "chosen"
    if len(problem.parts) > 1:
        yield "one-part"
    if isinstance(part, OrderPart):
        yield "places"
        if part.also:
            yield "one-order"
    if isinstance(part, PairsPart) and _unpaired(part):
        yield "unpaired"
    yield from _typed_codes(part)
    if (isinstance(part, EstimatePart) and part.factor) or (isinstance(part, TiersPart) and part.shares):
        yield "all-or-nothing"
    if problem.rivals and part.kind not in ("choice", "choices", "number", "array"):
        yield "nameless"
    if problem.hints:
        yield "hints"


def _qti_codes(problem: Problem) -> Iterator[str]:
    kinds = {part.kind for part in problem.parts}
    if len(problem.numeric) > 1:
        yield "no-carry"
    if kinds & {"number", "array", "estimate"}:
        yield "decimals"
    if any(part.decimals for part in problem.numeric):
        yield "one-fewer"
    if "array" in kinds:
        yield "whole-row"
    if "order" in kinds:
        yield "whole-order"
    for part in problem.parts:
        if not isinstance(part, TiersPart):  # which has two questions of its own there
            yield from _typed_codes(part)
    if problem.hints:
        yield "hints"


def _typed_codes(part: Part) -> Iterator[str]:
    """What is lost where a text is typed."""
    if part.kind in ("shape", "gap", "tiers"):
        yield "spellings"
    if part.kind in ("words", "construct"):
        yield "by-hand"


def _unpaired(part: PairsPart) -> bool:
    """Is there a line that belongs to nothing?"""
    return any(not choice.label.isdecimal() and choice.label not in dict(part.key) for choice in part.choices)
