"""Every misconception that can be computed, as replacements of a few rules of the tables.

An entry of the same id in the bank's `misconceptions.yaml` says what it is called, how it is put
right and where it was seen. Patches give numbers, never NaN.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from quizengine.attention.stage import softmax, transposed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from quizengine.attention.stage import Array, Rule, Table


def _shared(chosen: Array) -> Array:
    """Each row's weight in equal shares to the chosen keys; nothing where none is."""
    shares: Array = chosen / np.maximum(chosen.sum(axis=-1, keepdims=True), 1)
    return shares


def _triangle(keep: Array, k: int = 0) -> Array:
    """Lower triangle of the shape of a mask, up to the k-th diagonal above the main one."""
    n_q, n_k = keep.shape[-2:]
    return np.broadcast_to(np.tri(n_q, n_k, k, dtype=bool), keep.shape)


PATCHES: dict[str, Mapping[str, Rule]] = {
    # the divisor
    "scale-forgotten": dict(
        scaled=lambda scores: scores,
        scaled_deviation=lambda deviation: deviation,
    ),
    "scale-by-dk": dict(
        scaled=lambda scores, d_k: scores / d_k,
        scaled_deviation=lambda deviation, d_k: deviation / d_k,
    ),
    "scale-multiplied": dict(
        scaled=lambda scores, d_k: scores * np.sqrt(d_k),
        scaled_deviation=lambda deviation, d_k: deviation * np.sqrt(d_k),
    ),
    "scale-fourth-root": dict(
        scaled=lambda scores, d_k: scores / d_k**0.25,
        scaled_deviation=lambda deviation, d_k: deviation / d_k**0.25,
    ),
    "scale-by-length": dict(scaled=lambda scores, n_k: scores / np.sqrt(n_k)),
    "scale-after-softmax": dict(
        scaled=lambda scores: scores,
        weights=lambda weights, d_k: weights / np.sqrt(d_k),
    ),
    # the softmax
    "softmax-columns": dict(weights=lambda masked: softmax(masked, axis=-2)),
    "softmax-not-normalised": dict(weights=lambda masked: np.exp(masked)),
    "softmax-negated": dict(weights=lambda masked, keep: softmax(np.where(keep, -masked, -np.inf))),
    "winner-takes-all": dict(
        weights=lambda masked: _shared(masked == masked.max(axis=-1, keepdims=True)),
    ),
    "plain-average": dict(
        weights=lambda keep, weights: _shared(np.broadcast_to(keep, weights.shape)),
    ),
    # the roles
    "factor-left-out": dict(scores=lambda scores: scores / np.log(2.0)),
    "scores-transposed": dict(scores=lambda scores: transposed(scores)),
    "weights-transposed": dict(output=lambda weights, v: transposed(weights) @ v),
    # the mask
    "mask-ignored": dict(masked=lambda scaled: scaled),
    "mask-multiplied": dict(masked=lambda scaled, keep: scaled * keep),
    "mask-added": dict(masked=lambda scaled, keep: scaled + keep),
    "mask-after-softmax": dict(
        masked=lambda scaled: scaled,
        weights=lambda weights, keep: weights * keep,
    ),
    "mask-on-values": dict(
        masked=lambda scaled: scaled,
        output=lambda weights, keep, v: (weights * keep) @ v,
    ),
    "mask-inverted": dict(keep=lambda keep: ~keep),
    "diagonal-masked": dict(keep=lambda keep: keep & (_triangle(keep, -1) | ~_triangle(keep))),
    "mask-one-late": dict(keep=lambda keep: keep | _triangle(keep, 1)),
    "mask-past": dict(keep=lambda keep: ~_triangle(keep, -1)),
    # the spread of q·k
    "variance-ignores-width": dict(variance=lambda sd_q, sd_k: sd_q**2 * sd_k**2),
    "variance-is-root": dict(variance=lambda d_k, sd_q, sd_k: np.sqrt(d_k) * sd_q**2 * sd_k**2),
    "variances-added": dict(variance=lambda d_k, sd_q, sd_k: d_k * (sd_q**2 + sd_k**2)),
    "deviation-is-variance": dict(deviation=lambda variance: variance),
    # the cost
    "cost-linear": dict(pairs=lambda n: n, growth=lambda g: g),
    "scores-like-inputs": dict(pairs=lambda n, d_model: n * d_model),
    "triangle-counted": dict(pairs=lambda n: n * (n + 1) / 2),
    "heads-share-scores": dict(score_entries=lambda pairs: pairs),
    "heads-multiply-cost": dict(
        projection_flops=lambda projection_flops, h: projection_flops * h,
        attention_flops=lambda attention_flops, h: attention_flops * h,
    ),
    "products-counted-once": dict(
        projection_flops=lambda projection_flops: projection_flops / 2,
        attention_flops=lambda attention_flops: attention_flops / 2,
    ),
    "output-projection-forgotten": dict(projection_flops=lambda n, d_model: 6 * n * d_model**2),
    "mixing-not-counted": dict(attention_flops=lambda n, d_model: 2 * n**2 * d_model),
    "projections-not-counted": dict(total_flops=lambda attention_flops: attention_flops),
    "attention-not-counted": dict(total_flops=lambda projection_flops: projection_flops),
}


def stages_struck(patch: Mapping[str, Rule], table: Table) -> tuple[str, ...]:
    """The stages of `table` that `patch` replaces, in order; none: it does not apply there."""
    return tuple(stage for stage in table if stage in patch)
