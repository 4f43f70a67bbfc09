"""Repose: the same seed once more, with the points and decimals that a problem had."""

from __future__ import annotations

from quizengine.items.answer import Case, Gaps, Numeric
from quizengine.items.catalogue import Catalogue
from quizengine.items.item import Item
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem


def repose(item: Item, problem: Problem, catalogue: Catalogue) -> Problem:
    """What the item poses today by the seed of this problem. Raises PosingError, UsageError."""
    return pose(as_asked(item, problem), problem.seed, problem.lang, catalogue)


def as_asked(item: Item, problem: Problem) -> Item:
    """The item with the points and decimals that a section of an exam gave it."""
    answer, parts = item.answer, problem.parts
    if isinstance(answer, Gaps) and len(answer.gaps) == len(parts):
        gaps = (gap._replace(points=part.points) for gap, part in zip(answer.gaps, parts, strict=True))
        return item._replace(answer=Gaps(tuple(gaps)), points=problem.points)
    if isinstance(answer, Case) and len(answer.questions) == len(parts):
        return item.pointed([part.points for part in parts])
    if not isinstance(answer, Numeric) or len(answer.ask) != len(parts):
        return item._replace(points=problem.points)
    asks = tuple(
        ask._replace(points=part.points, decimals=getattr(part, "decimals", ask.decimals))
        for ask, part in zip(answer.ask, parts, strict=True)
    )
    return item._replace(answer=answer._replace(ask=asks), points=problem.points)
