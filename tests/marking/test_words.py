"""Answers in words: what the lists suggest, and the marks that a person gives."""

from __future__ import annotations

from fractions import Fraction

import pytest

from quizengine.marking.judge import judge
from quizengine.marking.words import read_mark, suggestion
from quizengine.problems.part import Idea, WordsPart
from quizengine.problems.pose import pose
from quizengine.responses.read import read

SATURATED = Idea("what the softmax does", ("saturate", "saturates", "one-hot", "飽和"))
GRADIENT = Idea("what is left", ("gradient", "勾配"), also_denied=True)
PHRASES = ("query is the label", "クエリが見出し")
PART = WordsPart("answer", "", 2, "", (SATURATED, GRADIENT), (("roles-swapped", PHRASES),))


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
    assert len(suggestion(PART, text).said) == 2 - len(codes)


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("The query is the label.", [("roles-swapped", "query is the label")]),
        ("The QUERY is the label, and a label is a query", [("roles-swapped", "QUERY is the label")]),
        ("クエリが見出しになる", [("roles-swapped", "クエリが見出し")]),
        ("The query is not the label", []),
    ],
)
def test_a_phrase_that_shows_a_misconception_is_pointed_out(
    text: str, phrases: list[tuple[str, str]]
) -> None:
    assert list(suggestion(PART, text).refuted) == phrases


def _of(idea: Idea) -> WordsPart:
    return WordsPart("answer", "", 1, "", (idea,))


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
    assert suggestion(_of(idea), text).said == (0,)


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
    assert suggestion(_of(idea), text).said == ()


def test_long_texts_of_negations_take_no_time() -> None:
    """Nothing here looks back further than a few words."""
    assert suggestion(PART, "not " * 5000).said == ()


@pytest.mark.parametrize(
    ("said", "verdict", "share", "missing"),
    [
        (set(), "wrong", Fraction(0), ["what the softmax does", "what is left"]),
        ({1}, "partial", Fraction(1, 2), ["what the softmax does"]),
        ({0, 1}, "right", Fraction(1), []),
    ],
)
def test_a_person_marks_by_the_ideas_that_are_said(said, verdict, share, missing) -> None:
    mark = read_mark(PART, "any words", said)
    assert (mark.verdict, mark.share) == (verdict, share)
    assert [reason.values["name"] for reason in mark.reasons] == missing


def test_no_words_earn_or_cost_anything_before_a_person_has_read_them(bank) -> None:
    """Not the model, not a text of jargon, not a denial."""
    for item in bank:
        if item.type == "short_answer":
            for lang in item.languages:
                problem = pose(item, 1, lang, bank.catalogue)
                (part,) = problem.parts
                for text in (part.key, "softmax √d_k weights keys values", "It does not"):
                    mark = judge(problem, {part.id: read(part, text)})
                    assert (mark.parts[0].verdict, mark.credit, mark.open) == ("open", 0, part.points)
                assert judge(problem, {}).parts[0].verdict == "blank"
