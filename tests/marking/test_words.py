"""Answers in words: ideas said, denied, missing."""

from __future__ import annotations

import pytest

from quizengine.lang.quotation import Quoted
from quizengine.marking.words import missing_ideas
from quizengine.problems.part import Idea

SATURATED = Idea("what the softmax does", ("saturate", "saturates", "one-hot", "飽和"))
GRADIENT = Idea("what is left", ("gradient", "勾配"), also_denied=True)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("The softmax saturates and hardly any gradient is left.", []),
        ("softmax saturates", ["missing-idea"]),
        ("it saturates: no gradient", []),
        ("It does not saturate; the gradient is fine.", ["denied-idea"]),
        ("it doesn't really saturate, gradient", ["denied-idea"]),
        ("it doesn’t saturate, gradient", ["denied-idea"]),
        ("It never saturates (gradient)", ["denied-idea"]),
        ("no longer saturates, so the gradient flows", ["denied-idea"]),
        ("not only saturates but kills the gradient", []),
        ("We cannot see from outside that it saturates; no gradient.", []),
        ("Not large. It saturates, gradient", []),
        ("It does not saturate at first, later it saturates; gradient", []),
        ("unsaturated gradients", ["missing-idea", "missing-idea"]),
        ("SATURATE GRADIENT", []),
        ("softmax が飽和し、勾配が流れなくなる", []),
        ("softmax は飽和しないので、勾配は残る", ["denied-idea"]),
        ("飽和せず、勾配は残る", ["denied-idea"]),
        ("飽和しません。勾配は残ります。", ["denied-idea"]),
        ("飽和しなかったので勾配が残る", ["denied-idea"]),
        ("飽和は必ず起こり、勾配が消える", []),
        ("飽和がまず起こり、勾配が消える", []),
        ("飽和するだけでなく、勾配も消える", []),
        ("飽和するしかない。勾配は小さい。", []),
        ("飽和、ない、勾配", []),
        ("one-hot にならない。勾配は残る", ["denied-idea"]),
        ("We divide so that it cannot saturate: gradient", []),
        ("It must not saturate, gradient", []),
        ("Scaled, it wouldn't saturate; gradient", []),
        ("It can't saturate then. gradient", []),
        ("It isn't saturated, doesn't saturate; gradient", ["denied-idea"]),
        ("飽和しないようにして、勾配を保つ", []),
        ("飽和させられない。勾配", []),
        ("飽和させない。勾配", ["denied-idea"]),
        ("", ["missing-idea", "missing-idea"]),
    ],
)
def test_ideas(text: str, codes: list[str]) -> None:
    assert [reason.code for reason in missing_ideas((SATURATED, GRADIENT), text)] == codes


SCALED = Idea("scale", ("√d_k", "square root"))
COMPARED = Idea("compare", ("QK^T", "QKᵀ", "内積"))
SHARED = Idea("softmax", ("softmax", "ソフトマックス"))


@pytest.mark.parametrize(
    ("idea", "text"),
    [
        (SHARED, "ｓｏｆｔｍａｘ"),
        (SHARED, "ｿﾌﾄﾏｯｸｽを取る"),
        (SHARED, "soft\u00admax"),
        (SHARED, "soft\u200bmax"),
        (SCALED, "divide by √dₖ"),
        (SCALED, "divide by √d_k"),
        (SCALED, "divide by √d_{k}"),
        (SCALED, "the ｓｑｕａｒｅ root"),
        (COMPARED, "q @ k.T"),
        (COMPARED, "softmax(q@k.T / d**0.5) @ v"),
        (COMPARED, "Q·Kᵀ"),
        (COMPARED, "Q @ K.transpose(-2, -1)"),
        (COMPARED, "QK^{T}"),
        (Idea("hot", ("one-hot",)), "one‑hot"),
    ],
)
def test_an_idea_is_seen_however_its_letters_are_encoded(idea: Idea, text: str) -> None:
    assert missing_ideas((idea,), text) == ()


@pytest.mark.parametrize(
    ("idea", "text"),
    [
        (COMPARED, "q @ v"),
        (COMPARED, "kq"),
        (SCALED, "divide by d_k"),
        (SHARED, "max"),
        (SHARED, "weights @ V"),
    ],
)
def test_another_idea_is_not_seen_in_its_letters(idea: Idea, text: str) -> None:
    assert [reason.code for reason in missing_ideas((idea,), text)] == ["missing-idea"]


def test_a_missing_idea_is_told_by_its_name_and_a_denied_one_by_the_word() -> None:
    missing, denied = missing_ideas((GRADIENT, SATURATED), "It does not Saturate.")
    assert missing.values == {"name": "what is left"}
    assert denied.values == {"name": "what the softmax does", "word": Quoted("Saturate")}


def test_long_texts_of_negations_take_no_time() -> None:
    """Nothing here looks back further than a few words."""
    assert missing_ideas((SATURATED, GRADIENT), "not " * 5000)[0].code == "missing-idea"
