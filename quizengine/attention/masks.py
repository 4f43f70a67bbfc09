"""Boolean masks: True = may attend; rows are queries, columns are keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from quizengine.attention.stage import Array


def causal(n_q: int, n_k: int) -> Array:
    """Position i sees 1…i (both sequences start together: the alignment is top-left)."""
    return np.tri(n_q, n_k, dtype=bool)  # (n_q, n_k)


def padding(n_q: int, real: Sequence[bool]) -> Array:
    """Keys that only fill up the length are hidden from every query."""
    return np.broadcast_to(np.asarray(real, dtype=bool), (n_q, len(real)))  # (n_q, n_k)
