"""The tables of stages: what attention computes, in order, one rule a stage.

A rule's argument names are what it reads: earlier stages, inputs, or dimensions. Everything else
in the engine (keys, worked solutions, misconceptions, follow-through) is a reading of a table.
Shapes: any leading batch axes, then as the trailing comments say.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Rule = Callable[..., Array]
Table = Mapping[str, Rule]  # in order of computation
Trace = dict[str, Array]


@cache
def reads(rule: Rule) -> tuple[str, ...]:
    """The names of the values that `rule` reads: those of its arguments."""
    return tuple(inspect.signature(rule).parameters)


def softmax(scores: Array, axis: int = -1) -> Array:
    """exp(scores) shared out to sum 1 along `axis`; a line that is all −∞ becomes all 0.

    Subtracting the largest score first changes nothing and keeps exp within range.
    """
    top = scores.max(axis=axis, keepdims=True)
    exponentials = np.exp(scores - np.where(np.isfinite(top), top, 0.0))
    total = exponentials.sum(axis=axis, keepdims=True)
    shares: Array = exponentials / np.where(total == 0.0, 1.0, total)
    return shares


def transposed(matrix: Array) -> Array:
    """The last two axes exchanged."""
    return matrix.swapaxes(-1, -2)


ONE_HEAD: Table = {
    "Q": lambda X, W_Q: X @ W_Q,  # (…, n_q, d_k)
    "K": lambda C, W_K: C @ W_K,  # (…, n_k, d_k)
    "V": lambda C, W_V: C @ W_V,  # (…, n_k, d_v)
    "q": lambda Q: Q,
    "k": lambda K: K,
    "v": lambda V: V,
    "keep": lambda mask: mask,  # (…, n_q, n_k), True = may attend
    "scores": lambda q, k: q @ transposed(k),  # (…, n_q, n_k)
    "scaled": lambda scores, d_k: scores / np.sqrt(d_k),  # (…, n_q, n_k)
    "masked": lambda scaled, keep: np.where(keep, scaled, -np.inf),  # (…, n_q, n_k)
    "weights": lambda masked: softmax(masked),  # (…, n_q, n_k)
    "output": lambda weights, v: weights @ v,  # (…, n_q, d_v)
}
"""softmax(QKᵀ/√d_k + M) V for one head; X asks, C (the same X in self-attention) is asked."""

SPREAD: Table = {
    "variance": lambda d_k, sd_q, sd_k: d_k * sd_q**2 * sd_k**2,
    "deviation": lambda variance: np.sqrt(variance),
    "scaled_deviation": lambda deviation, d_k: deviation / np.sqrt(d_k),
}
"""How far q·k swings: d_k independent products of mean 0, each of variance sd_q² sd_k²."""

COST: Table = {
    "pairs": lambda n: n * n,
    "score_entries": lambda h, pairs: h * pairs,
    "projection_flops": lambda n, d_model: 8 * n * d_model**2,
    "attention_flops": lambda n, d_model: 4 * n**2 * d_model,
    "total_flops": lambda projection_flops, attention_flops: projection_flops + attention_flops,
    "growth": lambda g: g**2,
}
"""What one multi-head layer costs (1 multiply-add = 2 FLOPs): four projections of 2nd² each,
QKᵀ and weights·V of 2n²d each; `growth` is the factor of the scores when n grows g-fold."""
