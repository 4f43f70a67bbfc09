"""Properties that a function with right values may lack, each by a function that lacks it alone."""

from __future__ import annotations

import numpy as np
import pytest

from quizengine.checking.call import Call, Raised, Returned
from quizengine.checking.check import check
from quizengine.checking.growth import growth
from quizengine.checking.task import TASKS

from .conftest import as_function


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1])
    return softmax(scores if mask is None else np.where(mask, scores, -np.inf)) @ V


def no_maximum(Q, K, V, mask=None):
    e = np.exp(Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1]))
    e = e if mask is None else e * mask
    return e / e.sum(axis=-1, keepdims=True) @ V


def whole_maximum(Q, K, V, mask=None):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1])
    e = np.exp(s - s.max()) * (1 if mask is None else mask)
    return e / e.sum(axis=-1, keepdims=True) @ V


def in_place(Q, K, V, mask=None):
    Q /= np.asarray(K.shape[-1] ** 0.5, Q.dtype)
    return attention(Q * np.sqrt(K.shape[-1]), K, V, mask)


def half_precision_weights(Q, K, V, mask=None):
    return attention(Q.astype(np.float16), K.astype(np.float16), V.astype(np.float16), mask)


def needs_a_mask(Q, K, V, mask):
    return attention(Q, K, V, mask & True)


def turns_all_axes(Q, K, V, mask=None):
    return attention(Q, K.T.swapaxes(-1, -2), V, mask)


def noisy(Q, K, V, mask=None):
    return attention(Q, K, V, mask) + 1e-9 * np.random.random()


def single_inside(Q, K, V, mask=None):
    return attention(Q.astype(np.float32), K, V, mask)


@pytest.mark.parametrize(
    ("function", "lacks"),
    [
        (attention, set()),
        (no_maximum, {"large"}),
        (whole_maximum, {"large"}),
        (in_place, {"inputs"}),
        (needs_a_mask, {"mask-none"}),
        (turns_all_axes, {"batch"}),
        (noisy, {"random"}),
        (single_inside, {"precision"}),
    ],
    ids=lambda x: x.__name__ if callable(x) else "",
)
def test_a_right_function_lacks(bank, function, lacks: set[str]) -> None:
    verdict = check(TASKS["single"], as_function(function), bank.catalogue)
    assert verdict.verdict == "right"
    assert {p.id for p in verdict.lacking} == lacks


def minus_ten(Q, K, V, mask=None):
    return softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1]) - (0 if mask is None else 10 * ~mask)) @ V


def scores_kept(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / 3
    return (scores if mask is None else scores * mask) @ V


def by_place(Q, K, V, mask=None):
    return attention(Q, K + 0.1 * np.arange(K.shape[-2])[:, None], V, mask)


@pytest.mark.parametrize(
    ("function", "lacks"),
    [(minus_ten, {"hidden"}), (scores_kept, {"row-sum", "negative"}), (by_place, {"order"})],
    ids=lambda x: x.__name__ if callable(x) else "",
)
def test_a_wrong_function_lacks(bank, function, lacks: set[str]) -> None:
    verdict = check(TASKS["single"], as_function(function), bank.catalogue)
    assert (verdict.verdict, verdict.misconceptions) == ("wrong", ())
    assert lacks <= {p.id for p in verdict.lacking}


@pytest.mark.parametrize("function", [half_precision_weights, minus_ten])
def test_what_is_nearly_right_is_said_to_be_near(bank, function) -> None:
    verdict = check(TASKS["single"], as_function(function), bank.catalogue)
    assert verdict.verdict == "wrong"
    assert "near" in {reason.code for reason in verdict.observations}


def one_ahead(Q, K, V):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1])
    return softmax(np.where(np.tri(len(Q), k=1) > 0, s + 0.1 * s**2, -1e9)) @ V


def test_the_future_shows(bank) -> None:
    verdict = check(TASKS["causal"], as_function(one_ahead), bank.catalogue)
    assert "future" in {p.id for p in verdict.lacking}


def wrong_weights(Q, K, V, mask=None):
    return attention(Q, K, V, mask), softmax(Q @ K.swapaxes(-1, -2))


def test_right_values_with_other_weights_are_wrong_in_the_weights(bank) -> None:
    verdict = check(TASKS["single"], as_function(wrong_weights), bank.catalogue)
    assert (verdict.verdict, verdict.stage) == ("wrong", "weights")


def length(call: Call) -> int:
    return len(np.asarray(call.arguments["Q"]))


@pytest.mark.parametrize(("power", "holds"), [(2, True), (3, False)], ids=["square", "cube"])
def test_growth_is_told_by_its_exponent(power: int, *, holds: bool) -> None:
    def function(calls):
        lengths = [length(call) for call in calls]
        return [Returned({}, seconds=(n / 300) ** power / 50, bytes=n**power) for n in lengths]

    assert [(p.id, p.holds, p.detail) for p in growth(function, TASKS["single"])] == [
        ("time", holds, {"exponent": f"{power}.0"}),
        ("memory", holds, {"exponent": f"{power}.0"}),
    ]


def test_growth_of_what_stops_is_not_told() -> None:
    assert list(growth(lambda calls: [Raised("MemoryError", "")] * len(calls), TASKS["single"])) == []
