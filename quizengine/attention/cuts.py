"""Ways to cut features into heads and to join them that are not the right one: what misconceptions do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from quizengine.attention.stage import merged

if TYPE_CHECKING:
    from quizengine.attention.stage import Array


def reshaped(heads: Array) -> Array:
    """Heads cut out of the rows as they lie in memory, without exchanging axes."""
    return merged(heads).reshape(heads.shape)


def each_head(one: Array, heads: Array) -> Array:
    """The same block in every head's place."""
    return merged(np.broadcast_to(one, heads.shape))


def tiled(heads: Array, h: Array) -> Array:
    """Key/value heads repeated one after the other instead of each in a row."""
    return np.concatenate([heads] * (int(h) // heads.shape[-3]), axis=-3)


def interleaved(rows: Array, h: Array) -> Array:
    """Head i made of every h-th feature from the i-th on: (…, n, h·d) → (…, h, n, d)."""
    *batch, n, width = rows.shape
    return np.moveaxis(rows.reshape(*batch, n, width // int(h), int(h)), -1, -3)


def as_one_head(scores: Array) -> Array:
    """The dot products over all features in every head's place: (…, h, n_q, n_k)."""
    return np.broadcast_to(scores.sum(axis=-3, keepdims=True), scores.shape)
