"""Ways of programs to make a mistake of the catalogue that its patch, made for what is worked by hand, does
not show: they stop where shapes do not fit."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from quizengine.attention.patches import VARIANTS
from quizengine.attention.stage import Array, Rule, shared, softmax, transposed

Patch = Mapping[str, Rule]


def _sums_and_maxima_across(masked: Array) -> Array:
    exponentials = np.exp(masked - masked.max(axis=-1)[..., None, :])
    shares: Array = exponentials / exponentials.sum(axis=-1)[..., None, :]
    return shares


def _far(masked: Array) -> Array:
    """Hidden by a large number: of scores that are all hidden the softmax is even then."""
    return np.where(np.isfinite(masked), masked, -1e9)


_TURNED: Patch = {
    "Q": lambda X, W_Q: X @ transposed(W_Q),
    "K": lambda C, W_K: C @ transposed(W_K),
    "V": lambda C, W_V: C @ transposed(W_V),
}

WAYS: dict[str, tuple[Patch, ...]] = {
    "projections-transposed": (
        _TURNED,
        *({stage: rule} for stage, rule in _TURNED.items()),
        {**_TURNED, "projected": lambda concat, W_O: concat @ transposed(W_O)},
    ),
    "softmax-sums-across": ({"weights": _sums_and_maxima_across},),
    "softmax-columns": ({"weights": lambda masked: softmax(_far(masked), axis=-2)},),
    "softmax-over-heads": ({"weights": lambda masked: softmax(_far(masked), axis=-3)},),
    "heads-reshaped-throughout": (
        {
            "q": lambda Q, h: Q.reshape(*Q.shape[:-2], int(h), Q.shape[-2], -1),
            "k": lambda K, g, h: shared(K.reshape(*K.shape[:-2], int(g), K.shape[-2], -1), h),
            "v": lambda V, g, h: shared(V.reshape(*V.shape[:-2], int(g), V.shape[-2], -1), h),
            "concat": lambda output, concat: output.reshape(concat.shape),
        },
    ),
    "heads-split-by-reshape": (
        {
            "q": lambda Q, h: Q.reshape(*Q.shape[:-2], int(h), Q.shape[-2], -1),
            "k": lambda K, g, h: shared(K.reshape(*K.shape[:-2], int(g), K.shape[-2], -1), h),
            "v": lambda V, g, h: shared(V.reshape(*V.shape[:-2], int(g), V.shape[-2], -1), h),
        },
    ),
}


def _own_causal(keep: Array) -> Array:
    return np.broadcast_to(np.tri(keep.shape[-2], keep.shape[-1], dtype=bool), keep.shape)


UNLISTED: dict[str, tuple[str, Patch]] = {
    "own-causal": ("mask", {"keep": _own_causal}),
    "softmax-unmasked": ("", {"weights": lambda weights: softmax(weights)}),
    "queries-by-keys": ("W_K", {"Q": lambda X, W_K: X @ W_K}),
    "values-by-queries": ("W_Q", {"V": lambda C, W_Q: C @ W_Q}),
    "past-uncounted": ("past_K", {"keep": _own_causal}),
    "past-unseen": (
        "past_K",
        {
            "k": lambda K, n_q: K[..., -int(n_q) :, :],
            "v": lambda V, n_q: V[..., -int(n_q) :, :],
            "keep": lambda keep, n_q: keep[..., -int(n_q) :],
            "masked": lambda scaled, keep: np.where(keep, scaled, -np.inf),
        },
    ),
}
"""Mistakes of programs that the catalogue does not list, each with an argument that its tasks have: what
is certain of a function that equals them."""


def ways_of(id_: str, patch: Patch) -> tuple[Patch, ...]:
    """The patch of a misconception, and the other ways in which the same mistake is made."""
    return patch, *VARIANTS.get(id_, ()), *WAYS.get(id_, ())
