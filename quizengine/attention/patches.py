"""Every misconception that can be computed, as replacements of a few rules of the tables.

An entry of the same id in the bank's `misconceptions.yaml` says what it is called, how it is put
right and where it was seen. Patches give numbers, never NaN.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from quizengine.attention.stage import merged, pairwise_sums, reads, shared, softmax, split, transposed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from quizengine.attention.stage import Array, Rule, Table


_TIE = 1e-9  # scores so near each other are equal: floats of one sum differ by far less


def _shared(chosen: Array) -> Array:
    """Each row's weight in equal shares to the chosen keys; nothing where none is."""
    shares: Array = chosen / np.maximum(chosen.sum(axis=-1, keepdims=True), 1)
    return shares


def _triangle(keep: Array, k: int = 0) -> Array:
    """Lower triangle of the shape of a mask, up to the k-th diagonal above the main one."""
    n_q, n_k = keep.shape[-2:]
    return np.broadcast_to(np.tri(n_q, n_k, k, dtype=bool), keep.shape)


def _softmax_of_all(masked: Array) -> Array:
    """One softmax over the whole matrix."""
    flat = softmax(masked.reshape(*masked.shape[:-2], -1))
    return flat.reshape(masked.shape)


def _softmax_plus_one(masked: Array) -> Array:
    """exp(s) shared out with 1 more in the sum."""
    top = np.maximum(masked.max(axis=-1, keepdims=True), 0.0)  # of the scores and of the 1, which is exp(0)
    exponentials = np.exp(masked - top)
    shares: Array = exponentials / (np.exp(-top) + exponentials.sum(axis=-1, keepdims=True))
    return shares


def _first_best(masked: Array) -> Array:
    """All weight to the first of the best keys."""
    best = masked >= masked.max(axis=-1, keepdims=True) - _TIE
    first: Array = best & (np.cumsum(best, axis=-1) == 1)
    return first.astype(float)


def _powers(weights: Array, c: Array) -> Array:
    """Weights to the power c, shared out again to sum 1."""
    raised = np.abs(weights) ** c
    total: Array = raised.sum(axis=-1, keepdims=True)
    shares: Array = raised / np.where(total == 0.0, 1.0, total)
    return shares


def _shares_of(masked: Array) -> Array:
    """The visible scores themselves, divided by their sum (0 where that is 0)."""
    seen = np.where(np.isfinite(masked), masked, 0.0)
    total = seen.sum(axis=-1, keepdims=True)
    shares: Array = np.where(np.abs(total) < 1e-9, 0.0, seen / np.where(np.abs(total) < 1e-9, 1.0, total))
    return shares


def _reshaped(heads: Array) -> Array:
    """Heads cut out of the rows as they lie in memory, without exchanging axes."""
    return merged(heads).reshape(heads.shape)


def _each_head(one: Array, heads: Array) -> Array:
    """The same block in every head's place."""
    return merged(np.broadcast_to(one, heads.shape))


def _tiled(heads: Array, h: Array) -> Array:
    """Key/value heads repeated one after the other instead of each in a row."""
    return np.concatenate([heads] * (int(h) // heads.shape[-3]), axis=-3)


PATCHES: dict[str, Mapping[str, Rule]] = {
    # the divisor
    "scale-forgotten": dict(
        scaled=lambda scores: scores,
        scaled_deviation=lambda deviation: deviation,
        predicted_scaled=lambda measured: measured,
    ),
    "scale-by-dk": dict(
        scaled=lambda scores, d_k: scores / d_k,
        scaled_deviation=lambda deviation, d_k: deviation / d_k,
        predicted_scaled=lambda measured, d_old: measured / d_old,
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
    "scale-by-dv": dict(scaled=lambda scores, d_v: scores / np.sqrt(d_v)),
    "scale-by-model": dict(scaled=lambda scores, d_k, h: scores / np.sqrt(d_k * h)),
    "scale-after-softmax": dict(
        scaled=lambda scores: scores,
        weights=lambda weights, d_k: weights / np.sqrt(d_k),
    ),
    # the softmax
    "softmax-columns": dict(weights=lambda masked: softmax(masked, axis=-2)),
    "softmax-global": dict(weights=lambda masked: _softmax_of_all(masked)),
    "softmax-not-normalised": dict(
        weights=lambda masked: np.exp(masked),
        sharpened=lambda scores, c: np.exp(c * scores),
    ),
    "softmax-negated": dict(weights=lambda masked, keep: softmax(np.where(keep, -masked, -np.inf))),
    "softmax-plus-one": dict(
        weights=lambda masked: _softmax_plus_one(masked),
        sharpened=lambda scores, c: _softmax_plus_one(c * scores),
    ),
    "softmax-left-out": dict(
        weights=lambda masked: np.where(np.isfinite(masked), masked, 0.0),
        sharpened=lambda scores, c: c * scores,
    ),
    "exponential-left-out": dict(
        weights=lambda masked: _shares_of(masked),
        sharpened=lambda scores, c: _shares_of(c * scores),
    ),
    "winner-takes-all": dict(
        weights=lambda masked: _shared(masked >= masked.max(axis=-1, keepdims=True) - _TIE),
        sharpened=lambda scores: _shared(scores >= scores.max(axis=-1, keepdims=True) - _TIE),
    ),
    "plain-average": dict(
        weights=lambda keep, weights: _shared(np.broadcast_to(keep, weights.shape)),
    ),
    # the roles
    "factor-left-out": dict(scores=lambda scores: scores / np.log(2.0)),
    "scores-transposed": dict(scores=lambda scores: transposed(scores)),
    "keys-not-transposed": dict(scores=lambda q, k: q @ k),
    "scores-added": dict(scores=lambda q, k: pairwise_sums(q, k).sum(axis=-1)),
    "keys-are-queries": dict(k=lambda q: q),
    "values-compared": dict(scores=lambda v: v @ transposed(v)),
    "keys-values-swapped": dict(k=lambda V: V, v=lambda K: K),
    "keys-mixed": dict(output=lambda weights, k: weights @ k),
    "weights-transposed": dict(output=lambda weights, v: transposed(weights) @ v),
    "projection-shared": dict(K=lambda C, W_Q: C @ W_Q),
    # where queries, keys and values come from
    "cross-is-self": dict(K=lambda X, W_K: X @ W_K, V=lambda X, W_V: X @ W_V),
    "cross-sources-swapped": dict(
        Q=lambda C, W_Q: C @ W_Q,
        K=lambda X, W_K: X @ W_K,
        V=lambda X, W_V: X @ W_V,
    ),
    "cross-values-from-queries": dict(V=lambda X, W_V: X @ W_V),
    # the mask
    "mask-ignored": dict(keep=lambda keep: np.ones_like(keep)),
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
    # heads
    "heads-split-by-reshape": dict(
        q=lambda q: _reshaped(q),
        k=lambda k: _reshaped(k),
        v=lambda v: _reshaped(v),
    ),
    "heads-merged-by-reshape": dict(concat=lambda output, concat: output.reshape(concat.shape)),
    "heads-averaged": dict(concat=lambda output: _each_head(output.mean(axis=-3, keepdims=True), output)),
    "heads-summed": dict(concat=lambda output: _each_head(output.sum(axis=-3, keepdims=True), output)),
    "heads-reversed": dict(concat=lambda output: merged(output[..., ::-1, :, :])),
    "heads-share-weights": dict(
        weights=lambda weights: np.broadcast_to(weights[..., :1, :, :], weights.shape)
    ),
    "heads-averaged-scores": dict(
        scaled=lambda scaled: np.broadcast_to(scaled.mean(axis=-3, keepdims=True), scaled.shape)
    ),
    "output-projection-skipped": dict(projected=lambda concat: concat),
    "output-projection-transposed": dict(projected=lambda concat, W_O: concat @ transposed(W_O)),
    "groups-tiled": dict(
        k=lambda K, g, h: _tiled(split(K, g), h),
        v=lambda V, g, h: _tiled(split(V, g), h),
    ),
    "first-group-only": dict(
        k=lambda K, g, h: shared(split(K, g)[..., :1, :, :], h),
        v=lambda V, g, h: shared(split(V, g)[..., :1, :, :], h),
    ),
    # additive attention
    "additive-no-tanh": dict(hidden=lambda Q, K: pairwise_sums(Q, K)),
    "additive-relu": dict(hidden=lambda Q, K: np.maximum(pairwise_sums(Q, K), 0.0)),
    "additive-product": dict(hidden=lambda Q, K: np.tanh(Q[..., :, None, :] * K[..., None, :, :])),
    "additive-tanh-apart": dict(hidden=lambda Q, K: pairwise_sums(np.tanh(Q), np.tanh(K))),
    "additive-query-forgotten": dict(
        hidden=lambda K, hidden: np.tanh(K[..., None, :, :]) + np.zeros_like(hidden)
    ),
    "additive-vector-forgotten": dict(scores=lambda hidden: hidden.sum(axis=-1)),
    "additive-plain-sum": dict(
        hidden=lambda Q, K: pairwise_sums(Q, K),
        scores=lambda hidden: hidden.sum(axis=-1),
    ),
    "additive-scaled": dict(scaled=lambda scores, v_a: scores / np.sqrt(v_a.shape[-1])),
    # plain averaging and sharpening
    "average-not-divided": dict(weights=lambda keep, weights: keep + 0.0 * weights),
    "average-over-all": dict(weights=lambda keep, weights: keep / keep.shape[-1] + 0.0 * weights),
    "sharpen-weights": dict(sharpened=lambda weights, c: c * weights),
    "sharpen-nothing": dict(sharpened=lambda weights: weights),
    "sharpen-flattens": dict(sharpened=lambda scores, c: softmax(scores / c)),
    "sharpen-powers": dict(sharpened=lambda weights, c: weights**c),
    # shapes
    "shapes-scores-turned": dict(scores_shape=lambda scores_shape: scores_shape[..., ::-1]),
    "shapes-scores-wide": dict(scores_shape=lambda n_q, d_k: np.stack([n_q, d_k])[None]),
    "shapes-output-square": dict(output_shape=lambda n_q, n_k: np.stack([n_q, n_k])[None]),
    "shapes-output-like-keys": dict(output_shape=lambda n_k, d_v: np.stack([n_k, d_v])[None]),
    "shapes-output-by-dk": dict(output_shape=lambda n_q, d_k: np.stack([n_q, d_k])[None]),
    # the spread of q·k
    "variance-ignores-width": dict(
        variance=lambda sd_q, sd_k: sd_q**2 * sd_k**2,
        predicted=lambda measured: measured,
    ),
    "variance-is-root": dict(variance=lambda d_k, sd_q, sd_k: np.sqrt(d_k) * sd_q**2 * sd_k**2),
    "variances-added": dict(variance=lambda d_k, sd_q, sd_k: d_k * (sd_q**2 + sd_k**2)),
    "deviation-is-variance": dict(
        deviation=lambda variance: variance,
        predicted=lambda measured, d_old, d_new: measured * d_new / d_old,
    ),
    # the cost
    "cost-linear": dict(pairs=lambda n: n, growth=lambda g: g),
    "scores-like-inputs": dict(pairs=lambda n, d_model: n * d_model),
    "triangle-counted": dict(pairs=lambda n: n * (n + 1) / 2),
    "heads-share-scores": dict(score_entries=lambda pairs: pairs),
    "bits-for-bytes": dict(
        score_bytes=lambda score_bytes: 8 * score_bytes,
        token_bytes=lambda token_bytes: 8 * token_bytes,
    ),
    "heads-multiply-cost": dict(
        projection_flops=lambda projection_flops, h: projection_flops * h,
        attention_flops=lambda attention_flops, h: attention_flops * h,
    ),
    "products-counted-once": dict(
        projection_flops=lambda projection_flops: projection_flops / 2,
        attention_flops=lambda attention_flops: attention_flops / 2,
    ),
    "output-projection-forgotten": dict(
        projection_flops=lambda n, d_model: 6 * n * d_model**2,
        crossover=lambda d_model: 3 * d_model / 2,
    ),
    "mixing-not-counted": dict(
        attention_flops=lambda n, d_model: 2 * n**2 * d_model,
        crossover=lambda d_model: 4 * d_model,
    ),
    "projections-not-counted": dict(total_flops=lambda attention_flops: attention_flops),
    "attention-not-counted": dict(total_flops=lambda projection_flops: projection_flops),
    "crossover-at-width": dict(crossover=lambda d_model: d_model),
    # the cache
    "cache-query-heads": dict(
        token_bytes=lambda layers, heads, d_head, size: 2 * layers * heads * d_head * size,
        saving=lambda saving: saving / saving,
    ),
    "cache-one-tensor": dict(token_bytes=lambda token_bytes: token_bytes / 2),
    "cache-one-layer": dict(token_bytes=lambda token_bytes, layers: token_bytes / layers),
    "cache-quadratic": dict(cache_bytes=lambda token_bytes, n: token_bytes * n**2),
    "cache-groups-for-size": dict(saving=lambda kv_heads: kv_heads),
}


VARIANTS: dict[str, tuple[Mapping[str, Rule], ...]] = {
    "winner-takes-all": (
        dict(
            weights=lambda masked: _first_best(masked),
            sharpened=lambda scores: _first_best(scores),
        ),
    ),
    "mask-added": (
        dict(scaled=lambda scores, keep, divisor: (scores + keep) / divisor, masked=lambda scaled: scaled),
    ),
    "triangle-counted": (
        dict(pairs=lambda n: n * (n - 1) / 2),
        dict(pairs=lambda n: n * n / 2),
    ),
}
"""Other ways in which the same mistake is made."""


ROUTES: dict[str, Rule] = {
    "sharpened": lambda weights, c: _powers(weights, c),
    "predicted_scaled": lambda predicted, d_new: predicted / np.sqrt(d_new),
}
"""Another right rule of a stage, from an earlier result that the table's own rule does not read."""


BENIGN: dict[str, Mapping[str, Rule]] = {
    "scale-queries-first": dict(
        scores=lambda q, k, d_k: (q / np.sqrt(d_k)) @ transposed(k), scaled=lambda scores: scores
    ),
    "scale-both-by-fourth-root": dict(
        scores=lambda q, k, d_k: (q / d_k**0.25) @ transposed(k / d_k**0.25),
        scaled=lambda scores: scores,
    ),
    "row-maximum-subtracted": dict(scaled=lambda scaled: scaled - scaled.max(axis=-1, keepdims=True)),
    "mask-before-scaling": dict(
        scaled=lambda scores, keep, d_k: np.where(keep, scores, -np.inf) / np.sqrt(d_k),
        masked=lambda scaled: scaled,
    ),
    "mask-late-but-renormalised": dict(
        masked=lambda scaled: scaled,
        weights=lambda weights, keep: weights * keep / (weights * keep).sum(axis=-1, keepdims=True),
    ),
    "mask-by-large-number": dict(masked=lambda scaled, keep: np.where(keep, scaled, -1e9)),
    "heads-summed-after-projection": dict(
        projected=lambda output, W_O: (output @ W_O.reshape(output.shape[-3], output.shape[-1], -1)).sum(
            axis=-3
        )
    ),
}
"""Other ways to the right numbers, which look like mistakes and must never be called wrong."""


def stages_struck(patch: Mapping[str, Rule], table: Table) -> tuple[str, ...]:
    """The stages of `table` that `patch` replaces, in order; none: it does not apply there."""
    return tuple(stage for stage in table if stage in patch)


def applies(patch: Mapping[str, Rule], table: Table, known: Iterable[str]) -> bool:
    """Does the patch strike the table, and is all that its rules read among the `known` names?"""
    struck = stages_struck(patch, table)
    return bool(struck) and {name for stage in struck for name in reads(patch[stage])} <= set(known)
