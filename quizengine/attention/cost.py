"""Tables of single numbers: how far q·k swings, what a layer costs, what a cache holds."""

from __future__ import annotations

import numpy as np

from quizengine.attention.stage import Table

SPREAD: Table = {
    "variance": lambda d_k, sd_q, sd_k: d_k * sd_q**2 * sd_k**2,
    "deviation": lambda variance: np.sqrt(variance),
    "scaled_deviation": lambda deviation, d_k: deviation / np.sqrt(d_k),
}
"""How far q·k swings: d_k independent products of mean 0, each of variance sd_q² sd_k²."""

TREND: Table = {
    "predicted": lambda measured, d_old, d_new: measured * np.sqrt(d_new / d_old),
    "predicted_scaled": lambda measured, d_old: measured / np.sqrt(d_old),
}
"""From a measured standard deviation of q·k at one width to what another width will show, unscaled
and divided by the root of its width."""

COST: Table = {
    "pairs": lambda n: n * n,
    "score_entries": lambda h, pairs: h * pairs,
    "score_bytes": lambda score_entries, size: size * score_entries,
    "projection_flops": lambda n, d_model: 8 * n * d_model**2,
    "attention_flops": lambda n, d_model: 4 * n**2 * d_model,
    "total_flops": lambda projection_flops, attention_flops: projection_flops + attention_flops,
    "growth": lambda g: g**2,
    "crossover": lambda d_model: 2 * d_model,
}
"""What one multi-head layer costs (1 multiply-add = 2 FLOPs): four projections of 2nd² each,
QKᵀ and weights·V of 2n²d each; `growth` is the factor of the scores when n grows g-fold, `crossover`
the length at which attention costs as much as the projections."""

CACHE: Table = {
    "token_bytes": lambda layers, kv_heads, d_head, size: 2 * layers * kv_heads * d_head * size,
    "cache_bytes": lambda token_bytes, n: token_bytes * n,
    "saving": lambda heads, kv_heads: heads / kv_heads,
}
"""What a key/value cache holds: a key and a value for every layer, key/value head and token; `saving`
is the factor against one key/value head for every query head."""
