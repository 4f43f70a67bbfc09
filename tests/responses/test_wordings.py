"""Choices that are given by their words, as forms export them and people paste them."""

from __future__ import annotations

from typing import get_args

import pytest

from quizengine.problems.part import Label, LabelledPart
from quizengine.responses.read import read
from quizengine.responses.response import Unreadable, Value

WORDED = (
    Label("A", "It sets the **scores** to $-\\infty$."),
    Label("B", "It divides them by $\\sqrt{d_k}$"),
    Label("C", "4"),
    Label("D", "3 × 8"),
)


def worded(kind: str) -> LabelledPart:
    """A part of this kind with those choices."""
    [cls] = [cls for cls in get_args(LabelledPart) if cls._field_defaults["kind"] == kind]
    return cls("answer", "", 1, ("A",), WORDED)


@pytest.mark.parametrize(
    ("kind", "text", "content"),
    [
        ("choice", "It sets the scores to −∞.", "A"),
        ("choice", "it sets the scores to -∞", "A"),
        ("choice", "Ｉｔ ｓｅｔｓ the\u200b scores to −∞", "A"),
        ("choice", "B  It divides them by √dₖ", "B"),
        ("choice", "(b) It divides them by sqrt(d_k).", "B"),
        ("choice", "3x8", "D"),
        ("choice", "D. 3 × 8", "D"),
        ("choice", "3", "C"),
        ("choices", "It sets the scores to −∞; 3 × 8", ("A", "D")),
        ("choices", "It divides them by √d_k, It sets the scores to −∞", ("A", "B")),
        ("choices", "B It divides them by √d_k\nD 3x8", ("B", "D")),
        ("order", "3 × 8\n4\nIt divides them by √d_k\nIt sets the scores to −∞", tuple("DCBA")),
        (
            "order",
            "1. D 3 × 8\n2. C 4\n3. B It divides them by √d_k\n4. A It sets the scores to −∞",
            tuple("DCBA"),
        ),
    ],
)
def test_a_choice_may_be_given_by_its_words(kind: str, text: str, content: object) -> None:
    reading = read(worded(kind), text).reading
    assert isinstance(reading, Value)
    assert reading.content == content


@pytest.mark.parametrize(
    ("text", "either"),
    [("4", ("D", "C")), ("A  It divides them by √d_k", ("A", "B")), ("(4)", ("D", "C"))],
    ids=["the fourth or the one that says 4", "another's words", "in brackets"],
)
def test_a_choice_in_doubt_is_refused_with_both(text: str, either: tuple[str, str]) -> None:
    reading = read(worded("choice"), text).reading
    assert isinstance(reading, Unreadable)
    assert (reading.values["point"].text, reading.values["none"].text) == either


@pytest.mark.parametrize(
    "text", ["It sets", "It sets the scores", "scores", "It sets the scores to −∞, perhaps"]
)
def test_a_piece_of_a_choice_is_none(text: str) -> None:
    assert isinstance(read(worded("choice"), text).reading, Unreadable)


def test_choices_of_the_same_words_are_told_apart_by_their_labels_only() -> None:
    twice = worded("choice")._replace(
        choices=(Label("A", "**one** way"), Label("B", "one way"), Label("C", "c"))
    )
    assert isinstance(read(twice, "one way").reading, Unreadable)
