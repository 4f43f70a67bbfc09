"""The table of one causal head as a program, a line a stage, in NumPy and in PyTorch; and the lines that a
patch puts in their place. Programs are shown, never run.

A patch whose mistake can stand in one line of a program bears that line here: an empty one is left out, so
that what is done too early or too late stands where it is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Spelling = Literal["numpy", "torch"]


class Line(NamedTuple):
    """One line in either spelling; both empty where the line is left out."""

    numpy: str
    torch: str


NONE = Line("", "")
OPENING: Mapping[Spelling, str] = {
    "numpy": "import numpy as np\nfrom scipy.special import softmax\n",
    "torch": "import math\nimport torch\n",
}
HEAD = "def head(X, W_Q, W_K, W_V):\n    n, d_k = len(X), W_K.shape[1]"
CLOSING = "    return output"

LINES: Mapping[str, Line] = {
    "Q": Line("Q = X @ W_Q", "Q = X @ W_Q"),
    "K": Line("K = X @ W_K", "K = X @ W_K"),
    "V": Line("V = X @ W_V", "V = X @ W_V"),
    "keep": Line("keep = np.tril(np.ones((n, n), dtype=bool))", "keep = torch.ones(n, n).tril().bool()"),
    "scores": Line("scores = Q @ K.T", "scores = Q @ K.transpose(-2, -1)"),
    "scaled": Line("scores = scores / np.sqrt(d_k)", "scores = scores / math.sqrt(d_k)"),
    "masked": Line(
        "scores = np.where(keep, scores, -np.inf)", "scores = scores.masked_fill(~keep, -math.inf)"
    ),
    "weights": Line("weights = softmax(scores, axis=-1)", "weights = scores.softmax(dim=-1)"),
    "output": Line("output = weights @ V", "output = weights @ V"),
}
"""By stage of the table of one head; the stages left out only rename."""

BUGS: Mapping[str, Mapping[str, Line]] = {
    "projection-shared": {"K": Line("K = X @ W_Q", "K = X @ W_Q")},
    "mask-one-late": {
        "keep": Line(
            "keep = np.tril(np.ones((n, n), dtype=bool), 1)", "keep = torch.ones(n, n).tril(1).bool()"
        )
    },
    "mask-past": {
        "keep": Line("keep = np.triu(np.ones((n, n), dtype=bool))", "keep = torch.ones(n, n).triu().bool()")
    },
    "diagonal-masked": {
        "keep": Line(
            "keep = np.tril(np.ones((n, n), dtype=bool), -1)", "keep = torch.ones(n, n).tril(-1).bool()"
        )
    },
    "mask-inverted": {
        "masked": Line(
            "scores = np.where(keep, -np.inf, scores)", "scores = scores.masked_fill(keep, -math.inf)"
        )
    },
    "scores-transposed": {"scores": Line("scores = K @ Q.T", "scores = K @ Q.transpose(-2, -1)")},
    "queries-are-keys": {"scores": Line("scores = K @ K.T", "scores = K @ K.transpose(-2, -1)")},
    "values-compared": {"scores": Line("scores = V @ V.T", "scores = V @ V.transpose(-2, -1)")},
    "keys-reshaped": {"scores": Line("scores = Q @ K.reshape(d_k, n)", "scores = Q @ K.view(d_k, n)")},
    "scale-by-dk": {"scaled": Line("scores = scores / d_k", "scores = scores / d_k")},
    "scale-multiplied": {
        "scaled": Line("scores = scores * np.sqrt(d_k)", "scores = scores * math.sqrt(d_k)")
    },
    "scale-by-length": {"scaled": Line("scores = scores / np.sqrt(n)", "scores = scores / math.sqrt(n)")},
    "scale-after-softmax": {
        "scaled": NONE,
        "weights": Line(
            "weights = softmax(scores, axis=-1) / np.sqrt(d_k)",
            "weights = scores.softmax(dim=-1) / math.sqrt(d_k)",
        ),
    },
    "mask-multiplied": {"masked": Line("scores = scores * keep", "scores = scores * keep")},
    "mask-added": {"masked": Line("scores = scores + keep", "scores = scores + keep")},
    "mask-after-softmax": {
        "masked": NONE,
        "weights": Line(
            "weights = softmax(scores, axis=-1) * keep", "weights = scores.softmax(dim=-1) * keep"
        ),
    },
    "softmax-columns": {
        "weights": Line("weights = softmax(scores, axis=0)", "weights = scores.softmax(dim=0)")
    },
    "softmax-global": {
        "weights": Line(
            "weights = softmax(scores, axis=None)", "weights = scores.flatten().softmax(dim=0).view(n, n)"
        )
    },
    "softmax-not-normalised": {"weights": Line("weights = np.exp(scores)", "weights = scores.exp()")},
    "sigmoid-for-softmax": {
        "weights": Line("weights = 1 / (1 + np.exp(-scores))", "weights = scores.sigmoid()")
    },
    "plain-average": {
        "weights": Line(
            "weights = keep / keep.sum(axis=-1, keepdims=True)", "weights = keep / keep.sum(-1, True)"
        )
    },
    "keys-mixed": {"output": Line("output = weights @ K", "output = weights @ K")},
    "weights-transposed": {
        "output": Line("output = weights.T @ V", "output = weights.transpose(-2, -1) @ V")
    },
}
"""Misconception → what its program says in place of the right lines, one of them that is not left out."""


def program(spelling: Spelling, bug: str = "") -> str:
    """The program of one head, with the lines of this bug."""
    lines = {**LINES, **BUGS.get(bug, {})}
    body = [f"    {line}" for stage in lines if (line := getattr(lines[stage], spelling))]
    return "\n".join([OPENING[spelling], HEAD, *body, CLOSING])


def planted(bug: str) -> str:
    """The stage in whose line the mistake stands."""
    return next(stage for stage, line in BUGS[bug].items() if line.numpy)
