"""Programs shown in items: they run, and do what the item says of them. (`bank check` executes nothing;
these are the shipped bank's own.)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from quizengine.attention.stage import softmax
from quizengine.items.bank import load

BANK = load()
WITH_CODE = [item.id for item in BANK if item.code and item.type != "gaps"]
N, H, D_K = 6, 2, 3
rng = np.random.default_rng(1)
Space = dict[str, Any]


def names() -> Space:
    q, k, v = (rng.normal(size=(N, D_K)) for _ in range(3))
    w_q, w_k, w_v = (rng.normal(size=(H * D_K, D_K)) for _ in range(3))
    return {
        "np": np, "softmax": softmax, "n": N, "h": H, "d": D_K, "d_k": D_K, "Q": q, "K": k, "V": v,
        "X": rng.normal(size=(N, H * D_K)), "S": q @ k.T, "ok": np.tril(np.ones((N, N))),
        "W": rng.normal(size=(D_K, D_K)), "W_Q": w_q, "W_K": w_k, "W_V": w_v,
    }  # fmt: skip


def not_normalised(space: Space) -> bool:
    """What was set to 0 afterwards is right once each row is divided again, and not before."""
    scores = space["Q"] @ space["K"].T / np.sqrt(D_K)
    right = softmax(np.where(space["ok"] > 0, scores, -np.inf))
    again = space["A"] / space["A"].sum(axis=-1, keepdims=True)
    return not np.allclose(space["A"], right) and np.allclose(again, right)


def mixed_heads(space: Space) -> bool:
    right = space["Q"].reshape(N, H, D_K).transpose(1, 0, 2)
    return space["heads"].shape == right.shape and not np.allclose(space["heads"], right)


def two_heads(width: int) -> Space:
    return {"Q": rng.normal(size=(H, N, width)), "K": rng.normal(size=(H, N, width))}


WHAT: dict[str, tuple[Space, Callable[[Space], bool]]] = {
    "roles.mixed-what": ({}, lambda s: np.allclose(s["out"], s["A"] @ s["K"])),
    "averaging.without-division": ({}, lambda s: np.allclose(s["out"], np.cumsum(s["X"], axis=0))),
    "masking.zero-afterwards": ({}, not_normalised),
    "head.split-by-reshape": ({"Q": rng.normal(size=(N, H * D_K))}, mixed_heads),
    "head.which-size": (
        two_heads(D_K),
        lambda s: np.allclose(s["S"] * np.sqrt(N), s["Q"] @ s["K"].transpose(0, 2, 1)),
    ),
    "head.triangle-with-k": ({}, lambda s: bool(np.isinf(s["S"][0]).all() and np.isfinite(s["S"][-1, 0]))),
    "head.keepdims": ({}, lambda s: np.allclose(s["A"][:, 2], s["E"][:, 2] / s["E"][2].sum())),
    "head.split-then-project": ({}, lambda s: np.allclose(s["Q"][:, 0], s["X"][:, :D_K] @ s["W"])),
    "head.whose-residual": ({}, lambda s: s["attend"](s["X"][:2], s["X"]).shape == (2, D_K)),
    "inference.top-left": ({}, lambda s: bool(s["ok"].sum() == 1 and s["ok"][0, 0])),
}


@pytest.mark.parametrize("id_", WITH_CODE)
def test_the_program_does_what_the_item_says(id_: str) -> None:
    given, holds = WHAT[id_]
    space = names() | given
    exec(BANK.item(id_).code, space)
    assert holds(space)


def test_every_program_is_tested() -> None:
    assert set(WITH_CODE) == set(WHAT)


CHOICES: dict[str, Space] = {  # programs that stand in choices
    "head.line-of-scores": {},
    "head.line-of-output": {x: rng.normal(size=(N, N)) for x in "AVK"},
    "head.which-where": {"m": np.tril(np.ones((N, N), dtype=bool))},
    "head.join-by-reshape": {"Y": rng.normal(size=(H, N, D_K))},
    "head.repeat-or-tile": {"K": rng.normal(size=(2, N, D_K))},
    "head.einsum": {"Q": rng.normal(size=(2, N, 3, D_K)), "K": rng.normal(size=(2, N, 3, D_K))},
}


@pytest.mark.parametrize("id_", CHOICES)
def test_the_program_of_the_key_differs_from_the_others(id_: str) -> None:
    space = names() | CHOICES[id_]
    options = BANK.item(id_).answer.options
    results = {o.id: np.asarray(eval(o.text.en.strip("`"), space), dtype=float) for o in options}
    [key] = [results[o.id] for o in options if o.right]
    for option in options:
        if not option.right:
            other = results[option.id]
            assert other.shape != key.shape or not np.allclose(other, key), option.id


@pytest.mark.parametrize(
    ("id_", "given"),
    [
        ("head.turned-with-a-batch", {x: rng.normal(size=(2, N, D_K)) for x in "QK"}),
        (
            "masking.padding-by-batch",
            {"scores": rng.normal(size=(2, 4, N, N)), "pad": rng.normal(size=(2, N))},
        ),
    ],
)
def test_of_lines_of_a_batch_only_the_key_is_right(id_: str, given: Space) -> None:
    """By plain loops: every text by itself; the others fail, or say something else."""
    if "pad" in given:
        wanted = np.stack([s + m for s, m in zip(given["scores"], given["pad"], strict=True)])
    else:
        wanted = np.stack([q @ k.T for q, k in zip(given["Q"], given["K"], strict=True)])
    for option in BANK.item(id_).answer.options:
        try:
            found = eval(option.text.en.strip("`"), dict(given))
        except ValueError:
            found = np.zeros(0)
        assert (found.shape == wanted.shape and np.allclose(found, wanted)) == option.right, option.id
