"""Right functions in other styles: none of them may be called wrong."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

RIGHT: dict[str, tuple[str, Callable[..., Any]]] = {}


def right(task: str) -> Callable[[Any], Any]:
    def keep(function: Callable[..., Any]) -> Callable[..., Any]:
        RIGHT[function.__name__] = (task, function)
        return function

    return keep


@right("single")
def textbook(Q, K, V, mask=None):
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ V


@right("single")
def einsum(Q, K, V, mask=None):
    s = np.einsum("...id,...jd->...ij", Q, K) * K.shape[-1] ** -0.5
    s = s if mask is None else s + np.where(mask, 0.0, -1e9)
    e = np.exp(s - np.max(s, -1, keepdims=True))
    return np.einsum("...ij,...jv->...iv", e / np.sum(e, -1, keepdims=True), V)


@right("single")
def loops(Q, K, V, mask=None):
    out = []
    for i in range(len(Q)):
        seen = [j for j in range(len(K)) if mask is None or mask[i, j]]
        scores = [sum(a * b for a, b in zip(Q[i], K[j], strict=True)) / math.sqrt(len(Q[i])) for j in seen]
        top = max(scores)
        shares = [math.exp(s - top) for s in scores]
        out.append(
            [
                sum(w * V[j][c] for w, j in zip(shares, seen, strict=True)) / sum(shares)
                for c in range(V.shape[1])
            ]
        )
    return out


@right("single")
def single_precision(Q, K, V, mask=None):
    Q, K, V = (x.astype(np.float32) for x in (Q, K, V))
    scores = Q @ K.T / np.float32(math.sqrt(K.shape[-1]))
    scores = scores if mask is None else np.where(mask, scores, np.float32(-1e9))
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ V


@right("single")
def single_precision_inside(Q, K, V, mask=None):
    scores = (Q.astype(np.float32) @ K.T.astype(np.float32)) / math.sqrt(K.shape[-1])
    scores = scores if mask is None else np.where(mask, scores, -1e9)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ V


@right("single")
def log_sum_exp(Q, K, V, mask=None):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    s = s if mask is None else s - 1e9 * (1 - mask)
    top = s.max(axis=1)
    total = top + np.log(np.exp(s - top[:, None]).sum(axis=1))
    w = np.exp(s - total[:, None])
    return w @ V, w


@right("single")
def queries_first(Q, K, V, mask=None):
    s = (Q / np.sqrt(Q.shape[-1])) @ K.swapaxes(-1, -2)
    e = np.exp(s - s.max(-1, keepdims=True))
    e = e if mask is None else e * mask
    return {"scores": s, "weights": (w := e / e.sum(-1, keepdims=True)), "output": w @ V}


@right("single")
def both_by_the_fourth_root(Q, K, V, mask=None):
    root = Q.shape[-1] ** 0.25
    e = np.exp((Q / root) @ (K / root).T)
    e[~mask if mask is not None else slice(0)] = 0
    return e @ V / e.sum(axis=1, keepdims=True)


@right("single")
def renormalised_late(Q, K, V, mask=None):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    w = np.exp(s) / np.exp(s).sum(axis=1, keepdims=True)
    w = w if mask is None else w * mask
    return w / w.sum(axis=1, keepdims=True) @ V


@right("single")
def keys_as_columns(Q, K, V, mask=None):
    s = K @ Q.T / np.sqrt(Q.shape[1])
    s = s if mask is None else np.where(mask.T, s, -1e30)
    e = np.exp(s - s.max(axis=0))
    return (e / e.sum(axis=0)).T @ V


@right("single")
def key_by_key(Q, K, V, mask=None):
    """The running maximum and sum of fast kernels."""
    top = np.full((len(Q), 1), -1e300)
    total, out = np.zeros((len(Q), 1)), np.zeros((len(Q), V.shape[1]))
    for j in range(len(K)):
        s = Q @ K[j : j + 1].T / np.sqrt(Q.shape[1])
        s = s if mask is None else np.where(mask[:, j : j + 1], s, -1e200)
        new = np.maximum(top, s)
        total = total * np.exp(top - new) + np.exp(s - new)
        out = out * np.exp(top - new) + np.exp(s - new) * V[j]
        top = new
    return out / total


@right("single")
def batches_only(Q, K, V, mask=None):
    _batch, _rows, d_k = Q.shape
    s = np.matmul(Q, K.transpose(0, 2, 1)) / math.sqrt(d_k)
    s = s if mask is None else np.where(mask, s, -1e9)
    e = np.exp(s - s.max(axis=2, keepdims=True))
    return np.matmul(e / e.sum(axis=2, keepdims=True), V)


@right("single")
def half_precision_result(Q, K, V, mask=None):
    return textbook(Q, K, V, mask).astype(np.float16)


@right("causal")
def row_by_row(Q, K, V):
    out = np.empty((len(Q), V.shape[1]))
    for i in range(len(Q)):
        e = np.exp(K[: i + 1] @ Q[i] / np.sqrt(len(Q[i])))
        out[i] = e @ V[: i + 1] / e.sum()
    return out


@right("causal")
def triangle_of_exponentials(Q, K, V):
    e = np.tril(np.exp(Q @ K.T / Q.shape[1] ** 0.5))
    return e / e.sum(-1, keepdims=True) @ V


@right("padding")
def padding_cut_off(Q, K, V, real):
    return textbook(Q, K[real], V[real])


@right("cross")
def cross(X, C, W_Q, W_K, W_V, mask=None):
    return textbook(X @ W_Q, C @ W_K, C @ W_V, mask)


@right("cross")
def projections_folded(X, C, W_Q, W_K, W_V, mask=None):
    s = X @ (W_Q @ W_K.T) @ C.T / math.sqrt(W_K.shape[1])
    return textbook(s, np.eye(len(C)) * math.sqrt(len(C)), C @ W_V, mask)


@right("multi-head")
def one_head_at_a_time(X, W_Q, W_K, W_V, W_O, heads, mask=None):
    d = X.shape[-1] // heads
    cuts = [slice(i * d, (i + 1) * d) for i in range(heads)]
    return (
        np.concatenate([textbook(X @ W_Q[:, c], X @ W_K[:, c], X @ W_V[:, c], mask) for c in cuts], 1) @ W_O
    )


@right("multi-head")
def summed_after_projection(X, W_Q, W_K, W_V, W_O, heads, mask=None):
    d = X.shape[-1] // heads
    cuts = [slice(i * d, (i + 1) * d) for i in range(heads)]
    return sum(textbook(X @ W_Q[:, c], X @ W_K[:, c], X @ W_V[:, c], mask) @ W_O[c] for c in cuts)


@right("multi-head")
def all_heads(X, W_Q, W_K, W_V, W_O, heads, mask=None):
    *batch, n, d = X.shape
    q, k, v = ((X @ W).reshape(*batch, n, heads, -1).swapaxes(-2, -3) for W in (W_Q, W_K, W_V))
    s = q @ k.swapaxes(-1, -2) / np.sqrt(d // heads)
    s = s if mask is None else np.where(mask, s, -1e9)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return (w @ v).swapaxes(-2, -3).reshape(*batch, n, d) @ W_O, w.mean(axis=-3)


@right("grouped")
def repeated(X, W_Q, W_K, W_V, W_O, heads, kv_heads, mask=None):
    n = len(X)
    q = (X @ W_Q).reshape(n, heads, -1)
    k, v = ((X @ W).reshape(n, kv_heads, -1).repeat(heads // kv_heads, axis=1) for W in (W_K, W_V))
    out = [textbook(q[:, i], k[:, i], v[:, i], mask) for i in range(heads)]
    return np.hstack(out) @ W_O


@right("additive")
def bahdanau(Q, K, V, v_a, mask=None):
    s = np.array([[v_a @ np.tanh(q + k) for k in K] for q in Q])
    e = np.exp(s if mask is None else np.where(mask, s, -np.inf))
    return e @ V / e.sum(axis=1, keepdims=True)


@right("averaging")
def average(X, mask=None):
    return np.array(
        [X[row].mean(axis=0) for row in (np.ones((len(X), len(X)), bool) if mask is None else mask)]
    )


@right("averaging")
def softmax_of_zeros(X, mask=None):
    s = np.zeros((len(X), len(X)))
    e = np.exp(s if mask is None else np.where(mask, s, -np.inf))
    return e / e.sum(-1, keepdims=True) @ X


@right("cache")
def cached(Q, K, V, past_K, past_V):
    K, V = np.concatenate([past_K, K], axis=-2), np.concatenate([past_V, V], axis=-2)
    past = len(past_K)
    return np.array([textbook(Q[i : i + 1], K[: past + i + 1], V[: past + i + 1])[0] for i in range(len(Q))])
