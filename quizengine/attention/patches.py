"""Every misconception that can be computed, as replacements of a few rules of the tables.

An entry of the same id in the bank's `misconceptions.yaml` says what it is called, how it is put
right and where it was seen. Patches give numbers, never NaN.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from quizengine.attention.cuts import as_one_head, each_head, interleaved, reshaped, tiled
from quizengine.attention.shares import (
    equal_shares,
    first_best,
    powers,
    shares_of,
    sigmoid,
    softmax_of_all,
    softmax_plus_one,
    sums_across,
    tied_best,
)
from quizengine.attention.stage import (
    merged,
    pairwise_sums,
    reads,
    shape_of,
    shared,
    softmax,
    split,
    transposed,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from quizengine.attention.stage import Array, Rule, Table


def _triangle(keep: Array, k: int = 0) -> Array:
    """Lower triangle of the shape of a mask, up to the k-th diagonal above the main one."""
    n_q, n_k = keep.shape[-2:]
    return np.broadcast_to(np.tri(n_q, n_k, k, dtype=bool), keep.shape)


def _turned(rows: Array, projection: Array, right: Array) -> Array:
    """The rows projected by the transposed matrix, where that has the shape of what is `right`."""
    square = projection.shape[-1] == projection.shape[-2]
    return rows @ transposed(projection) if square else right


def _distances(queries: Array, keys: Array) -> Array:
    """The squared distance of every query from every key: (…, n_q, n_k)."""
    squares: Array = (pairwise_sums(queries, -keys) ** 2).sum(axis=-1)
    return squares


def _cosines(queries: Array, keys: Array) -> Array:
    """The cosine of every query with every key, 0 where one of them is 0: (…, n_q, n_k)."""
    lengths = np.sqrt((queries**2).sum(axis=-1))[..., :, None] * np.sqrt((keys**2).sum(axis=-1))[..., None, :]
    cosines: Array = queries @ transposed(keys) / np.where(lengths == 0.0, 1.0, lengths)
    return cosines


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
    "scale-by-queries": dict(scaled=lambda scores, n_q: scores / np.sqrt(n_q)),
    "scale-by-half-width": dict(
        scaled=lambda scores, d_k: scores / (d_k / 2),
        scaled_deviation=lambda deviation, d_k: deviation / (d_k / 2),
        predicted_scaled=lambda measured, d_old: measured / (d_old / 2),
    ),
    "scale-by-dv": dict(scaled=lambda scores, d_v: scores / np.sqrt(d_v)),
    "scale-by-model": dict(scaled=lambda scores, d_k, h: scores / np.sqrt(d_k * h)),
    "scale-after-softmax": dict(
        scaled=lambda scores: scores,
        weights=lambda weights, d_k: weights / np.sqrt(d_k),
    ),
    # the softmax
    "softmax-columns": dict(weights=lambda masked: softmax(masked, axis=-2)),
    "softmax-sums-across": dict(weights=lambda masked: sums_across(masked)),
    "softmax-twice": dict(
        weights=lambda masked, weights: softmax(np.where(np.isfinite(masked), weights, -np.inf)),
        sharpened=lambda sharpened: softmax(sharpened),
    ),
    "softmax-base-two": dict(
        weights=lambda masked: softmax(masked * np.log(2.0)),
        sharpened=lambda scores, c: softmax(c * scores * np.log(2.0)),
    ),
    "sigmoid-for-softmax": dict(
        weights=lambda masked: sigmoid(masked),
        sharpened=lambda scores, c: sigmoid(c * scores),
    ),
    "softmax-global": dict(weights=lambda masked: softmax_of_all(masked)),
    "softmax-not-normalised": dict(
        weights=lambda masked: np.exp(masked),
        sharpened=lambda scores, c: np.exp(c * scores),
    ),
    "softmax-negated": dict(weights=lambda masked, keep: softmax(np.where(keep, -masked, -np.inf))),
    "softmax-plus-one": dict(
        weights=lambda masked: softmax_plus_one(masked),
        sharpened=lambda scores, c: softmax_plus_one(c * scores),
    ),
    "softmax-left-out": dict(
        weights=lambda masked: np.where(np.isfinite(masked), masked, 0.0),
        sharpened=lambda scores, c: c * scores,
    ),
    "exponential-left-out": dict(
        weights=lambda masked: shares_of(masked),
        sharpened=lambda scores, c: shares_of(c * scores),
    ),
    "winner-takes-all": dict(
        weights=lambda masked: tied_best(masked),
        sharpened=lambda scores: tied_best(scores),
    ),
    "plain-average": dict(
        weights=lambda keep, weights: equal_shares(np.broadcast_to(keep, weights.shape)),
    ),
    # the roles
    "factor-left-out": dict(scores=lambda scores: scores / np.log(2.0)),
    "scores-transposed": dict(scores=lambda scores: transposed(scores)),
    "keys-not-transposed": dict(scores=lambda q, k: q @ k),
    "keys-reshaped": dict(scores=lambda q, k: q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])),
    "scores-are-cosines": dict(scores=lambda q, k: _cosines(q, k)),
    "scores-are-distances": dict(scores=lambda q, k: -_distances(q, k)),
    "scores-added": dict(scores=lambda q, k: pairwise_sums(q, k).sum(axis=-1)),
    "keys-are-queries": dict(k=lambda q: q),
    "queries-are-keys": dict(scores=lambda k: k @ transposed(k)),
    "values-compared": dict(scores=lambda v: v @ transposed(v)),
    "keys-values-swapped": dict(k=lambda V: V, v=lambda K: K),
    "keys-mixed": dict(output=lambda weights, k: weights @ k),
    "weights-transposed": dict(output=lambda weights, v: transposed(weights) @ v),
    "projection-shared": dict(K=lambda C, W_Q: C @ W_Q),
    # where queries, keys and values come from
    "projections-transposed": dict(
        Q=lambda X, W_Q, Q: _turned(X, W_Q, Q),
        K=lambda C, W_K, K: _turned(C, W_K, K),
        V=lambda C, W_V, V: _turned(C, W_V, V),
    ),
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
        q=lambda q: reshaped(q),
        k=lambda k: reshaped(k),
        v=lambda v: reshaped(v),
    ),
    "heads-merged-by-reshape": dict(concat=lambda output, concat: output.reshape(concat.shape)),
    "heads-reshaped-throughout": dict(
        q=lambda q: reshaped(q),
        k=lambda k: reshaped(k),
        v=lambda v: reshaped(v),
        concat=lambda output, concat: output.reshape(concat.shape),
    ),
    "heads-interleaved": dict(
        q=lambda Q, h: interleaved(Q, h),
        k=lambda K, g, h: shared(interleaved(K, g), h),
        v=lambda V, g, h: shared(interleaved(V, g), h),
    ),
    "heads-not-split": dict(scores=lambda scores: as_one_head(scores)),
    "softmax-over-heads": dict(weights=lambda masked: softmax(masked, axis=-3)),
    "heads-averaged": dict(concat=lambda output: each_head(output.mean(axis=-3, keepdims=True), output)),
    "heads-summed": dict(concat=lambda output: each_head(output.sum(axis=-3, keepdims=True), output)),
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
        k=lambda K, g, h: tiled(split(K, g), h),
        v=lambda V, g, h: tiled(split(V, g), h),
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
    "additive-is-dot": dict(scores=lambda Q, K: Q @ transposed(K)),
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
    "shapes-scores-wide": dict(scores_shape=lambda n_q, d_k: shape_of(n_q, d_k)),
    "shapes-output-square": dict(output_shape=lambda n_q, n_k: shape_of(n_q, n_k)),
    "shapes-output-like-keys": dict(output_shape=lambda n_k, d_v: shape_of(n_k, d_v)),
    "shapes-output-by-dk": dict(output_shape=lambda n_q, d_k: shape_of(n_q, d_k)),
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
            weights=lambda masked: first_best(masked),
            sharpened=lambda scores: first_best(scores),
        ),
    ),
    "mask-added": (
        dict(scaled=lambda scores, keep, divisor: (scores + keep) / divisor, masked=lambda scaled: scaled),
    ),
    "sigmoid-for-softmax": (
        dict(
            weights=lambda masked: powers(sigmoid(masked), 1),
            sharpened=lambda scores, c: powers(sigmoid(c * scores), 1),
        ),
    ),
    "softmax-sums-across": (
        dict(weights=lambda masked: sums_across(masked - masked.max(axis=-1, keepdims=True))),
    ),
    "scores-are-cosines": (dict(scores=lambda q, k: _cosines(q, k), scaled=lambda scores: scores),),
    "scores-are-distances": (dict(scores=lambda q, k: -np.sqrt(_distances(q, k))),),
    "projections-transposed": (dict(V=lambda C, W_V, V: _turned(C, W_V, V)),),
    "heads-interleaved": (
        dict(
            q=lambda Q, h: interleaved(Q, h),
            k=lambda K, g, h: shared(interleaved(K, g), h),
            v=lambda V, g, h: shared(interleaved(V, g), h),
            concat=lambda output, concat: np.moveaxis(output, -3, -1).reshape(concat.shape),
        ),
    ),
    "heads-not-split": (
        dict(
            scores=lambda scores: as_one_head(scores),
            scaled=lambda scores, d_k, h: scores / np.sqrt(d_k * h),
        ),
    ),
    "additive-is-dot": (
        dict(
            scores=lambda Q, K: Q @ transposed(K), scaled=lambda scores, v_a: scores / np.sqrt(v_a.shape[-1])
        ),
    ),
    "triangle-counted": (
        dict(pairs=lambda n: n * (n - 1) / 2),
        dict(pairs=lambda n: n * n / 2),
    ),
}
"""Other ways in which the same mistake is made."""


ROUTES: dict[str, Rule] = {
    "sharpened": lambda weights, c: powers(weights, c),
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
