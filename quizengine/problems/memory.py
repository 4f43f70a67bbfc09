"""Memory: many have the same problem where it has no numbers, and what is made of it is made once."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

from quizengine.problems.problem import Problem

MANY = 4096  # problems, each with what else it is made of
P = ParamSpec("P")
T = TypeVar("T")


def once(make: Callable[Concatenate[Problem, P], T]) -> Callable[Concatenate[Problem, P], T]:
    """The same, and what it makes of a problem without numbers, whatever its seed, is remembered for equal
    arguments, which must have a hash; `kept` is where."""
    kept = lru_cache(MANY)(make)

    @wraps(make)
    def made(problem: Problem, /, *args: P.args, **more: P.kwargs) -> T:
        same = problem.unseeded()
        return make(problem, *args, **more) if same is None else kept(same, *args, **more)  # type: ignore[arg-type]

    made.kept = kept  # type: ignore[attr-defined]
    return made
