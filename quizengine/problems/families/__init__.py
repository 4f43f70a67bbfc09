"""The families of numeric problems, by the name an item uses."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from quizengine.items.answer import Numeric
from quizengine.items.catalogue import Catalogue
from quizengine.problems.families.additive import BAHDANAU
from quizengine.problems.families.broadcast import shaped
from quizengine.problems.families.bug import hunted
from quizengine.problems.families.dot import CAUSAL, PADDING, SELF, SMALL, SQUARE
from quizengine.problems.families.family import Family
from quizengine.problems.families.heads import MULTI
from quizengine.problems.families.picture import pictured
from quizengine.problems.families.scalar import CACHES, COSTS, SCALING, TRENDS
from quizengine.problems.families.sources import CROSS, HEAD
from quizengine.problems.families.steps import AVERAGING, SCORES, SHAPE, SOFTMAX
from quizengine.problems.problem import Problem

FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        AVERAGING, SCORES, SOFTMAX, SCALING, TRENDS, SELF, CAUSAL, PADDING, SQUARE, SMALL, HEAD, CROSS,
        MULTI, BAHDANAU, SHAPE, COSTS, CACHES,
    )
}  # fmt: skip

CHOICES: dict[str, tuple[str, tuple[str, ...]]] = {
    "spot": ("causal", ("scores", "scaled", "weights", "output")),
    "pick": ("causal", ("output",)),
}
"""Name of a family in which is chosen, not written → the family that its numbers come from, and the stages
that are worked out."""

POSED: dict[str, Callable[[Problem, Numeric, Catalogue], Problem]] = {
    "picture": lambda bare, answer, _: pictured(bare, answer),
    "numpy-bug": partial(hunted, spelling="numpy"),
    "broadcast": lambda bare, answer, _: shaped(bare, answer),
    "torch-bug": partial(hunted, spelling="torch"),
}
"""Name of a family that works out no stage of a problem's own numbers → how it poses one."""
