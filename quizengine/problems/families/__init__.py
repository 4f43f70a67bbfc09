"""The families of numeric problems, by the name an item uses."""

from __future__ import annotations

from quizengine.problems.families.dot import CAUSAL, PADDING, SELF
from quizengine.problems.families.family import Family
from quizengine.problems.families.scalar import COSTS, SCALING

FAMILIES: dict[str, Family] = {f.name: f for f in (SELF, CAUSAL, PADDING, SCALING, COSTS)}
