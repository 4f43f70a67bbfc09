"""Separate: a variant on which misconceptions that could not be told apart answer differently."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from quizengine.items.catalogue import Catalogue
from quizengine.items.item import Item
from quizengine.lang.text import Lang
from quizengine.problems.dice import SEED_BITS
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem

TRIES = 8  # whether an item separates two classes hardly depends on the seed


def separating_variant(
    items: Iterable[Item], ids: Collection[str], after: int, lang: Lang, catalogue: Catalogue
) -> tuple[str, int] | None:
    """The first of the items, and the first seed after `after`, on which all of `ids` give different
    answers; None where no item does."""
    for item in items:
        if item.family and lang in item.languages:
            for step in range(1, TRIES + 1):
                seed = (after + step) % 2**SEED_BITS
                if tells_apart(pose(item, seed, lang, catalogue), ids):
                    return item.id, seed
    return None


def tells_apart(problem: Problem, ids: Collection[str]) -> bool:
    """Do these misconceptions all show, and answer differently in some part?"""
    answers = {
        rival.misconception: tuple(rival.values.items())
        for rival in problem.rivals
        if rival.misconception in ids
    }
    return len(answers) == len(set(ids)) == len(set(answers.values()))
