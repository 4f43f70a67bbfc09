"""A call of a learner's function, and what came of it: all that passes between the judge, who never runs
foreign code, and the child process, which runs nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Argument = NDArray[np.generic] | int | float | bool | None


class Call(NamedTuple):
    """The arguments in the order in which a task's contract names them; `seed` is what NumPy's own random
    state is set to beforehand."""

    arguments: Mapping[str, Argument]
    seed: int = 0


class Returned(NamedTuple):
    """The arrays by stage (a bare array is `output`, a pair `output` and `weights`), of the dtype that the
    function gave; which arguments it changed, what it printed; seconds and the bytes it had at most."""

    stages: Mapping[str, NDArray[np.generic]]
    changed: frozenset[str] = frozenset()
    printed: str = ""
    seconds: float = 0.0
    bytes: int = 0


class Raised(NamedTuple):
    """It raised: the exception's name, its words, the learner's own line (0: none) and that line's text."""

    kind: str
    message: str
    line: int = 0
    text: str = ""


class Broken(NamedTuple):
    """It gave nothing that can be compared: a message of the catalogue with its values ("check.too-long",
    "check.not-an-array", …)."""

    message: str
    values: Mapping[str, object] = {}


Outcome = Returned | Raised | Broken
Function = Callable[[Sequence[Call]], Sequence[Outcome]]
"""The learner's function, wherever it runs: many calls at once, an outcome for each in order."""
