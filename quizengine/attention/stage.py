"""The tables of stages: what attention computes, in order, one rule a stage.

One table for one head, one for many heads, one for additive attention, one for plain averaging.

A rule's argument names are what it reads: earlier stages, inputs, or dimensions. Everything else
in the engine (keys, worked solutions, misconceptions, follow-through) is a reading of a table.
Shapes: any leading batch axes, then as the trailing comments say.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Rule = Callable[..., Array]
Table = Mapping[str, Rule]  # in order of computation
Trace = dict[str, Array]


def reads(rule: Rule) -> tuple[str, ...]:
    """The names of the values that `rule` reads: those that `reading` gave it, else of its arguments."""
    names: tuple[str, ...] | None = getattr(rule, "reads", None)
    if names is None:
        names = tuple(inspect.signature(rule).parameters)
        reading(names, rule)
    return names


def reading(names: Iterable[str], rule: Rule) -> Rule:
    """The rule, which may take arguments by any name, said to read the values of these. It keeps them itself:
    many are made for one answer, and forgotten with it."""
    rule.reads = tuple(names)  # type: ignore[attr-defined]
    return rule


def softmax(scores: Array, axis: int = -1) -> Array:
    """exp(scores) shared out to sum 1 along `axis`; a line that is all −∞ becomes all 0.

    Subtracting the largest score first changes nothing and keeps exp within range.
    """
    top = scores.max(axis=axis, keepdims=True)
    return shared_out(np.exp(scores - np.where(np.isfinite(top), top, 0.0)), axis)


def shared_out(parts: Array, axis: int = -1) -> Array:
    """The parts divided by their sum along `axis`; a line that is all 0 stays so."""
    total = parts.sum(axis=axis, keepdims=True)
    shares: Array = parts / np.where(total == 0.0, 1.0, total)
    return shares


def transposed(matrix: Array) -> Array:
    """The last two axes exchanged."""
    return matrix.swapaxes(-1, -2)


def split(rows: Array, h: Array) -> Array:
    """The features shared out to h heads: (…, n, h·d) → (…, h, n, d)."""
    *batch, n, width = rows.shape
    return rows.reshape(*batch, n, int(h), width // int(h)).swapaxes(-2, -3)


def merged(heads: Array) -> Array:
    """The heads side by side again: (…, h, n, d) → (…, n, h·d)."""
    *batch, h, n, d = heads.shape
    return heads.swapaxes(-2, -3).reshape(*batch, n, h * d)


def shared(heads: Array, h: Array) -> Array:
    """Each of g key/value heads serves h/g query heads in a row: (…, g, n, d) → (…, h, n, d)."""
    return np.repeat(heads, int(h) // heads.shape[-3], axis=-3)


def pairwise_sums(queries: Array, keys: Array) -> Array:
    """Every query plus every key: (…, n_q, n_k, d)."""
    return queries[..., :, None, :] + keys[..., None, :, :]


def shape_of(rows: Array, columns: Array) -> Array:
    """A shape as one row of two numbers: (…, 1, 2)."""
    return np.stack([rows, columns], axis=-1)[..., None, :]


ONE_HEAD: Table = {
    "Q": lambda X, W_Q: X @ W_Q,  # (…, n_q, d_k)
    "K": lambda C, W_K: C @ W_K,  # (…, n_k, d_k)
    "V": lambda C, W_V: C @ W_V,  # (…, n_k, d_v)
    "q": lambda Q: Q,
    "k": lambda K: K,
    "v": lambda V: V,
    "keep": lambda mask: mask,  # (…, n_q, n_k), True = may attend
    "scores": lambda q, k: q @ transposed(k),  # (…, n_q, n_k)
    "scaled": lambda scores, divisor: scores / divisor,  # (…, n_q, n_k)
    "masked": lambda scaled, bias, keep: np.where(keep, scaled + bias, -np.inf),  # (…, n_q, n_k)
    "weights": lambda masked: softmax(masked),  # (…, n_q, n_k)
    "output": lambda weights, v: weights @ v,  # (…, n_q, d_v)
}
"""softmax(QKᵀ/√d_k + M) V for one head; X asks, C (the same X in self-attention) is asked. The divisor
is √d_k unless a scale is given; the bias is what an additive mask adds."""

MULTI_HEAD: Table = {
    **ONE_HEAD,
    "q": lambda Q, h: split(Q, h),  # (…, h, n_q, d_k)
    "k": lambda K, g, h: shared(split(K, g), h),  # (…, h, n_k, d_k)
    "v": lambda V, g, h: shared(split(V, g), h),  # (…, h, n_k, d_v)
    "concat": lambda output: merged(output),  # (…, n_q, h·d_v)
    "projected": lambda concat, W_O: concat @ W_O,  # (…, n_q, d_model)
}
"""h heads, each with its own features; g < h key/value heads are shared (grouped-query, g = 1:
multi-query). From `q` to `output` every stage has a head axis before its rows."""

ADDITIVE: Table = {
    "Q": lambda X, W_Q: X @ W_Q,  # (…, n_q, d_a)
    "K": lambda C, W_K: C @ W_K,  # (…, n_k, d_a)
    "V": lambda C, W_V: C @ W_V,  # (…, n_k, d_v)
    "v": lambda V: V,
    "keep": lambda mask: mask,
    "hidden": lambda Q, K: np.tanh(pairwise_sums(Q, K)),  # (…, n_q, n_k, d_a)
    "scores": lambda hidden, v_a: hidden @ v_a,  # (…, n_q, n_k)
    "scaled": lambda scores: scores,  # nothing to scale
    "masked": lambda scaled, bias, keep: np.where(keep, scaled + bias, -np.inf),
    "weights": lambda masked: softmax(masked),
    "output": lambda weights, v: weights @ v,
}
"""Additive (Bahdanau) attention: a score is v_a · tanh(q + k), a small network."""

AVERAGE: Table = {
    "v": lambda X: X,
    "keep": lambda mask: mask,
    "weights": lambda keep: keep / np.maximum(keep.sum(axis=-1, keepdims=True), 1),
    "output": lambda weights, v: weights @ v,
}
"""Plain averaging of what is visible: where attention starts from."""

SHARPEN: Table = {
    "masked": lambda scores: scores,  # nothing is hidden
    "weights": lambda masked: softmax(masked),
    "sharpened": lambda scores, c: softmax(c * scores),
}
"""What multiplying all scores by c does to the weights."""

SHAPES: Table = {
    "queries_shape": lambda n_q, d_k: shape_of(n_q, d_k),
    "keys_shape": lambda n_k, d_k: shape_of(n_k, d_k),
    "values_shape": lambda n_k, d_v: shape_of(n_k, d_v),
    "scores_shape": lambda n_q, n_k: shape_of(n_q, n_k),
    "weights_shape": lambda scores_shape: scores_shape,
    "output_shape": lambda n_q, d_v: shape_of(n_q, d_v),
}
"""The shape of every tensor of one head, as (1, 2): rows and columns."""
