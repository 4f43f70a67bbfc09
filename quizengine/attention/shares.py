"""Ways to make weights of scores that are not the softmax: what misconceptions do.

Every function takes scores (…, n_q, n_k), −∞ where a key is hidden, and gives numbers, never NaN.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from quizengine.attention.stage import shared_out, softmax, transposed

if TYPE_CHECKING:
    from quizengine.attention.stage import Array

_TIE = 1e-9  # scores so near each other are equal: floats of one sum differ by far less


def equal_shares(chosen: Array) -> Array:
    """Each row's weight in equal shares to the chosen keys; nothing where none is."""
    shares: Array = chosen / np.maximum(chosen.sum(axis=-1, keepdims=True), 1)
    return shares


def tied_best(masked: Array) -> Array:
    """All weight to the best keys, in equal shares."""
    return equal_shares(masked >= masked.max(axis=-1, keepdims=True) - _TIE)


def first_best(masked: Array) -> Array:
    """All weight to the first of the best keys."""
    best = masked >= masked.max(axis=-1, keepdims=True) - _TIE
    first: Array = best & (np.cumsum(best, axis=-1) == 1)
    return first.astype(float)


def softmax_of_all(masked: Array) -> Array:
    """One softmax over the whole matrix."""
    flat = softmax(masked.reshape(*masked.shape[:-2], -1))
    return flat.reshape(masked.shape)


def softmax_plus_one(masked: Array) -> Array:
    """exp(s) shared out with 1 more in the sum."""
    top = np.maximum(masked.max(axis=-1, keepdims=True), 0.0)  # of the scores and of the 1, which is exp(0)
    exponentials = np.exp(masked - top)
    shares: Array = exponentials / (np.exp(-top) + exponentials.sum(axis=-1, keepdims=True))
    return shares


def sums_across(masked: Array) -> Array:
    """exp(s) of as many queries as keys, column j divided by the sum of row j: what a sum that loses its axis
    does."""
    top = masked.max(axis=-1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    total = np.exp(masked - top).sum(axis=-1, keepdims=True)
    logarithms = top + np.log(np.where(total == 0.0, 1.0, total))
    shares: Array = np.exp(masked - transposed(logarithms))
    return shares


def sigmoid(masked: Array) -> Array:
    """1/(1 + exp(−s)) of every score by itself; 0 where a key is hidden."""
    return (1.0 + np.tanh(masked / 2.0)) / 2.0


def powers(weights: Array, c: Array | float) -> Array:
    """Weights to the power c, shared out again to sum 1."""
    return shared_out(np.abs(weights) ** c)


def shares_of(masked: Array) -> Array:
    """The visible scores themselves, divided by their sum (0 where that is 0)."""
    seen = np.where(np.isfinite(masked), masked, 0.0)
    total = seen.sum(axis=-1, keepdims=True)
    shares: Array = np.where(np.abs(total) < 1e-9, 0.0, seen / np.where(np.abs(total) < 1e-9, 1.0, total))
    return shares
