"""Sealing: the key computed twice, by the solver and exactly; then integers of 10⁻⁹ for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from quizengine.attention.stage import Array
from quizengine.errors import PosingError
from quizengine.items.answer import Ask
from quizengine.items.close import SEAL, Sealed, seal

if TYPE_CHECKING:
    from quizengine.problems.families.family import Drawn

_AGREE = 1e-9  # how far the two computations may differ, for values near 1
_FINER = 1000  # a sealed unit is rounded from steps so much finer, where no machine's noise shows
_INT64 = 9e6  # beyond it, these steps do not fit 64 bits


def sealed_key(drawn: Drawn, ask: Ask, solved: Array) -> Sealed:
    """The asked rows from the exact computation. Raises PosingError when the solver disagrees."""
    exact = drawn.second[ask.stage]
    rows = [exact[row] for row in ask.rows or (0,)]
    floats = np.array([[float(x) for x in row] for row in rows])
    if floats.shape != solved.shape or (np.abs(floats - solved) > _AGREE * (1 + np.abs(floats))).any():
        raise PosingError(f"the two computations of “{ask.stage}” disagree: {floats} and {solved}")
    return tuple(tuple(seal(x) for x in row) for row in rows)


def sealed_array(solved: Array) -> Sealed:
    """The solver's numbers (rows, columns), sealed alike on every machine: an exact half, which one
    machine has a little above and another a little below, goes up."""
    return sealed_worlds(solved[None])[0]


def sealed_worlds(solved: Array) -> list[Sealed]:
    """The same for many: (worlds, rows, columns)."""
    fits = np.abs(solved).max(axis=(1, 2)) < _INT64
    steps = np.rint(np.where(fits[:, None, None], solved, 0.0) * (SEAL * _FINER)).astype(np.int64)
    units = ((steps + _FINER // 2) // _FINER).tolist()
    return [
        tuple(map(tuple, units[world]))
        if fits[world]
        else tuple(tuple(seal(float(x)) for x in row) for row in solved[world])
        for world in range(len(solved))
    ]
