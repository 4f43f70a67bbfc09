"""Every misconception is live wherever its rules make a difference, or it is said why not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from quizengine.attention.patches import PATCHES, applies, stages_struck
from quizengine.attention.solver import World, solve, solve_worlds
from quizengine.errors import ArrayError
from quizengine.problems.distinct import candidates
from quizengine.problems.families import FAMILIES
from quizengine.problems.families.family import Family, Sizes

NO_CAUSAL_MASK = "no causal mask is there to be built wrongly"
NO_MASK = "no mask is there to be read the wrong way round"
SCORED = "where there are scores, plain-average is what a mean of the visible rows is called"
NOT_SCALED = "nothing is scaled: additive-scaled is the mistake there"
AS_MANY = (
    "scale-by-length is the mistake where queries are as many as keys, and nothing is scaled in additive"
)
UNMASKED = ("self", "square", "small", "cross", "multi-head", "additive")
SCORING = (*UNMASKED, "causal", "padding", "head")
DIVISORS = (
    "fourth-root", "multiplied", "after-softmax", "by-dk", "by-dv", "by-half-width", "by-length",
    "by-model",
)  # fmt: skip
EXCEPTIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "diagonal-masked": (NO_CAUSAL_MASK, (*UNMASKED, "padding")),
    "mask-one-late": (NO_CAUSAL_MASK, ("padding",)),
    "mask-past": (NO_CAUSAL_MASK, (*UNMASKED, "padding")),
    "mask-inverted": (NO_MASK, UNMASKED),
    "average-not-divided": (SCORED, SCORING),
    "average-over-all": (SCORED, SCORING),
    **{f"scale-{by}": (NOT_SCALED, ("additive",)) for by in DIVISORS},
    "scale-by-queries": (AS_MANY, ("self", "causal", "small", "head", "cross", "multi-head", "additive")),
    "factor-left-out": ("no factor stands before the scores", ("scores", "additive")),
    "first-group-only": ("no key/value heads are shared", ("multi-head",)),
    "heads-not-split": ("shared heads have fewer features of keys than of queries", ("multi-head",)),
    "keys-values-swapped": ("its scores are not read from the stage k", ("additive",)),
}


def pairs() -> Iterator[tuple[str, Family, Sizes]]:
    """Every misconception with every family, at all its sizes, that has all its rules read."""
    for family in FAMILIES.values():
        stages = list(family.table)
        asked = stages[: 1 + max(map(stages.index, family.stages))]
        for sizes in family.every({}):
            inputs = family.generic(sizes)
            known = {*inputs, *solve(inputs, family.table)}
            for id_, patch in PATCHES.items():
                struck = stages_struck(patch, family.table)
                if set(struck) & set(asked) & known and applies(patch, family.table, known):
                    yield id_, family, sizes


def differs(family: Family, sizes: Sizes, id_: str) -> bool:
    """Does the mistake fit the shapes, and change what can be asked?"""
    inputs = family.generic(sizes)
    rows = [row - 1 for row in family.rows(sizes)] or ...
    try:
        worlds = solve_worlds(inputs, [World(), World(PATCHES[id_])], family.table)
    except (ArrayError, IndexError):
        return False
    stages = [worlds.all(stage)[:, rows] for stage in family.stages]
    return any(not np.allclose(stage[0], stage[1]) for stage in stages)


def test_what_makes_a_difference_is_tried(bank) -> None:
    shut_out = {
        (id_, family.name)
        for id_, family, sizes in pairs()
        if id_ not in candidates(bank.catalogue, family, sizes) and differs(family, sizes, id_)
    }
    excepted = {(id_, name) for id_, (_, names) in EXCEPTIONS.items() for name in names}
    assert shut_out - excepted == set(), "give them the premise, or an exception with its reason"
    assert excepted - shut_out == set(), "these need no exception"
