"""Memory: a problem without numbers is the same on many sheets, and what is made of it there is made once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeVar

from quizengine.items.policy import Policy
from quizengine.problems.problem import Problem

MANY = 4096  # problems in their places
T = TypeVar("T")
Labels = Mapping[str, str]  # part id → label
Make = Callable[[Problem, int, Labels, Policy | None], T]  # of a problem in its place, with its labels


def once(make: Make[T]) -> Make[T]:
    """The same, and what it makes of a problem without numbers, which no policy concerns, is remembered."""

    @lru_cache(MANY)
    def kept(problem: Problem, number: int, labels: tuple[tuple[str, str], ...]) -> T:
        return make(problem, number, dict(labels), None)

    def made(problem: Problem, number: int, labels: Labels, policy: Policy | None) -> T:
        same = problem.unseeded()
        if same is None:
            return make(problem, number, labels, policy)
        return kept(same, number, tuple(labels.items()))

    return made
