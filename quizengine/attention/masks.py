"""Boolean masks: True = may attend; rows are queries, columns are keys."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from quizengine.attention.stage import Array


def causal(n_q: int, n_k: int, offset: int = 0) -> Array:
    """The mask (n_q, n_k) in which position i sees 1…i + offset. With offset 0 both sequences start together
    (top-left); a cache of earlier keys, or n_k − n_q (bottom-right), lets the first query see more."""
    return np.tri(n_q, n_k, offset, dtype=bool)  # (n_q, n_k)


def padding(n_q: int, real: Sequence[bool]) -> Array:
    """The mask (n_q, n_k) that hides the keys which only fill up the length: those that are not `real`."""
    return np.broadcast_to(np.asarray(real, dtype=bool), (n_q, len(real)))  # (n_q, n_k)
