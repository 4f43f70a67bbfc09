"""Claims: numbers that items state are worked out again, and nothing is executed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizengine.authoring.claims import FUNCTIONS, wrong_claim


@pytest.mark.parametrize(
    "claim",
    [
        "2 * 3 = 6",
        "2 + 3 * 4 = 14",
        "(2 + 3) * 4 = 20",
        "2^3^2 = 512",
        "-2^2 = -4",
        "1/3 = 0.333",
        "1/3 = 0.33",
        "sqrt(128) = 11.3",
        "softmax([1, 0]) = [0.731, 0.269]",
        "dot([1, 2], [3, 4]) = 11",
        "mix(softmax([0, 0]), [2, 6]) = 4",
        "exp(8) = 2981",
        "8192^2 * 32 * 2 / 2^30 = 4",
        "log2(8) - ln(exp(1)) = 2",
        "floor(13 / 4) = 3",
        "tanh(ln(2)) = 0.6",
        "0.30000000000000004 = 0.3",
    ],
)
def test_true_claims(claim: str) -> None:
    assert wrong_claim(claim) == ""


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("2 * 3 = 7", "comes to 6"),
        ("1/3 = 0.34", "comes to 0.333333"),
        ("1/0 = 1", "comes to inf"),
        ("softmax([1, 0]) = 0.731", "comes to 2 numbers"),
        ("2 * 3", "has no “=”"),
        ("2 * = 3", "ends too early"),
        ("2 3 = 5", "has “3” where it should end"),
        ("(2 = 2", "lacks a “)”"),
        ("open(1) = 1", "has “open”, which is not known here: " + ", ".join(FUNCTIONS)),
        ("__import__ = 1", "has “_”, which is no part of a claim"),
        ("2 = two", "states no plain number after “=”"),
        (
            "dot([1, 2], [3]) = 1",
            "does not fit together: lists of different lengths, or a wrong number of arguments",
        ),
        (
            "sqrt(1, 2, 3, 4) = 1",
            "does not fit together: lists of different lengths, or a wrong number of arguments",
        ),
        ("9^9^9^9 = 1", "has too large a power"),
    ],
)
def test_claims_that_do_not_hold(claim: str, said: str) -> None:
    assert wrong_claim(claim) == said


@given(st.text(alphabet="0123456789.+-*/^(),[] =softmaxdt", max_size=40))
def test_any_text_is_judged_without_an_exception(text: str) -> None:
    assert isinstance(wrong_claim(text), str)


def test_a_false_claim_is_a_fault_of_the_bank(bank) -> None:
    from quizengine.authoring.examine import item_faults

    item = bank.item("scaling.two-scores")._replace(check=("2 + 2 = 5",))
    assert [fault.code for fault in item_faults(bank, item, 1)] == ["claim"]
