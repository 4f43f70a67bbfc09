"""The families of numeric problems, by the name an item uses."""

from __future__ import annotations

from quizengine.problems.families.additive import BAHDANAU
from quizengine.problems.families.dot import CAUSAL, PADDING, SELF, SMALL, SQUARE
from quizengine.problems.families.family import Family
from quizengine.problems.families.heads import MULTI
from quizengine.problems.families.scalar import CACHES, COSTS, SCALING, TRENDS
from quizengine.problems.families.sources import CROSS, HEAD
from quizengine.problems.families.steps import AVERAGING, SCORES, SHAPE, SOFTMAX

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
