"""Marks of concept items: every kind, its shares, what a wrong answer shows."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizengine.items.policy import Policy
from quizengine.marking.judge import judge
from quizengine.marking.mark import rounded
from quizengine.problems.part import (
    ChoicePart,
    ChoicesPart,
    Idea,
    Label,
    OrderPart,
    PairsPart,
    Part,
    WordsPart,
)
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem, Rival
from quizengine.responses.read import read


def problem(part: Part, *rivals: tuple[str, object]) -> Problem:
    return Problem(
        "t.x", 0, 1, "d", "en", "t", "t", "?", parts=(part,),
        rivals=tuple(Rival(m, {"answer": v}) for m, v in rivals),
    )  # fmt: skip


def mark_of(asked: Problem, text: str):
    return judge(asked, {"answer": read(asked.parts[0], text)}).parts[0]


LETTERS = tuple(Label(x, x) for x in "ABCDE")
ONE = problem(ChoicePart("answer", "", 2, "B", choices=(*LETTERS[:3], Label("D", "D", "no"))), ("m", "A"))
MANY = problem(ChoicesPart("answer", "", 1, ("A", "C"), choices=LETTERS), ("m", ("B",)), ("o", ("D",)))
ORDER = problem(
    OrderPart("answer", "", 1, tuple("ABCDE"), choices=LETTERS, also=(tuple("BACDE"),)),
    ("m", tuple("ABDCE")),
)
PAIRS = problem(
    PairsPart(
        "answer",
        "",
        3,
        (("A", "2"), ("B", "1"), ("C", "3")),
        choices=tuple(Label(x, x) for x in "ABC1234"),
    ),
    ("m", (("A", "4"),)),
    ("m", (("B", "4"),)),
)
WORDS = problem(
    WordsPart("answer", "", 1, "", ideas=(Idea("leak", ("next", "future")), Idea("copy", ("copy", "写す"))))
)


@pytest.mark.parametrize(
    ("asked", "text", "verdict", "share", "shown"),
    [
        (ONE, "B", "right", "1", ()),
        (ONE, "A", "wrong", "0", ("m",)),
        (ONE, "C", "wrong", "0", ()),
        (ONE, "", "blank", "0", ()),
        (ONE, "Z", "unreadable", "0", ()),
        (MANY, "A, C", "right", "1", ()),
        (MANY, "A", "partial", "1/2", ()),
        (MANY, "A C B", "partial", "2/3", ("m",)),
        (MANY, "A B", "partial", "1/6", ("m",)),
        (MANY, "A B D", "wrong", "0", ("m", "o")),
        (MANY, "ABCDE", "wrong", "0", ("m", "o")),
        (ORDER, "ABCDE", "right", "1", ()),
        (ORDER, "BACDE", "right", "1", ()),
        (ORDER, "ABDCE", "partial", "1/4", ("m",)),
        (ORDER, "EDCBA", "partial", "1/4", ()),
        (ORDER, "CADBE", "wrong", "0", ()),
        (PAIRS, "A-2 B-1 C-3", "right", "1", ()),
        (PAIRS, "A-4 B-1 C-3", "partial", "2/3", ("m",)),
        (PAIRS, "A-4 B-3 C-2", "wrong", "0", ("m",)),
        (WORDS, "It would copy the NEXT token", "open", "0", ()),
        (WORDS, "copying is not the word, but nextness neither", "open", "0", ()),
    ],
)
def test_shares(asked: Problem, text: str, verdict: str, share: str, shown: tuple[str, ...]) -> None:
    mark = mark_of(asked, text)
    assert (mark.verdict, mark.share, mark.misconceptions) == (verdict, Fraction(share), shown)
    assert mark.credit == mark.share * asked.parts[0].points


def test_a_reason_says_why() -> None:
    assert mark_of(ONE, "D").reasons[0].values == {"label": "D", "why": "no"}


def test_a_spare_that_says_why_tells_it(bank) -> None:
    asked = pose(bank.item("order.shapes"), 1, "en", bank.catalogue)
    [spare] = [choice.label for choice in asked.parts[0].choices if choice.why]
    assert "4 queries" in mark_of(asked, f"A-{spare}").reasons[-1].values["why"]


@pytest.mark.parametrize(
    ("text", "letters"),
    [("A-1 B-2 C-3", "A, B"), ("A-4 B-3 C-2", "B, C"), ("A-4 B-1 C-3", None), ("A-2 B-1 C-3", None)],
    ids=["two", "two-and-a-spare", "a-spare", "right"],
)
def test_right_partners_that_are_mixed_up_are_told(text: str, letters: str | None) -> None:
    told = {reason.code: reason.values for reason in mark_of(PAIRS, text).reasons}
    assert told.get("partners") == (None if letters is None else {"letters": letters})


def test_a_part_without_a_response_is_blank() -> None:
    assert judge(ONE, {}).parts[0].verdict == "blank"


@given(st.data())
def test_shuffling_choices_never_changes_credit(bank, data) -> None:
    item = bank.item(
        data.draw(st.sampled_from(["roles.what-is-learned", "masking.causal-facts", "scaling.equivalent"]))
    )
    chosen = data.draw(st.sets(st.sampled_from([o.id for o in item.answer.options]), min_size=1))
    credits = set()
    for seed in (1, 2, 3):
        asked = pose(item, seed, "en", bank.catalogue)
        by_text = {choice.text: choice.label for choice in asked.parts[0].choices}
        labels = [by_text[o.text["en"]] for o in item.answer.options if o.id in chosen]
        credits.add(mark_of(asked, " ".join(labels)).credit)
    assert len(credits) == 1


def test_credit_is_rounded_half_up_outside() -> None:
    assert [rounded(Fraction(n, 200)) for n in (1, 3, 199)] == [0.01, 0.02, 1.0]
    assert [rounded(Fraction(n, 3)) for n in (0, 1, 2, 149)] == [0.0, 0.33, 0.67, 49.67]
    assert [rounded(Fraction(n, 1000)) for n in (4, 5, 14, 15)] == [0.0, 0.01, 0.01, 0.02]


def test_a_policy_passes_through_json() -> None:
    policy = Policy(coarse=Fraction(1, 3))
    assert Policy.from_json(policy.to_json()) == policy
    assert Policy.from_json({"window": "51/100", "unknown": 1}).window == Fraction(51, 100)
