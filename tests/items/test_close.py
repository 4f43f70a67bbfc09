"""Two numbers meet: exact edges, and how sealed numbers are written."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quizengine.items.close import SEAL, close, rounded_text, seal, sealed_text, unit

WINDOW = Fraction(101, 100)


@pytest.mark.parametrize(
    ("typed", "decimals", "right"),
    [
        ("0.125", 3, True),
        ("0.12", 2, True),
        ("0.13", 2, True),
        ("0.11", 2, False),
        ("0.1351", 2, True),
        ("0.13511", 2, False),
        ("0.1149", 2, True),
        ("0.11489", 2, False),
    ],
)
def test_the_edge_counts(typed: str, decimals: int, right: bool) -> None:
    assert close(Fraction(typed) * SEAL, seal(0.125), WINDOW * unit(decimals)) is right


def test_whole_numbers_are_counted() -> None:
    assert unit(0) == 0
    assert close(100 * SEAL, seal(100), WINDOW * unit(0))
    assert not close(101 * SEAL, seal(100), WINDOW * unit(0))


@given(st.one_of(st.integers(-(10**19), 10**19), st.integers(10**15 - 99, 10**17)))
@example(0)
@example(-1)
@example(1 - 10**15)
def test_sealed_text_is_the_number(units: int) -> None:
    text = sealed_text(units)
    assert Fraction(text) * SEAL == units
    assert text == f"{Decimal(units).scaleb(-9).normalize() + 0:f}"


@given(st.integers(-(10**19), 10**19), st.integers(0, 9))
def test_rounded_text_is_the_nearest(units: int, decimals: int) -> None:
    assert abs(Fraction(rounded_text(units, decimals)) * SEAL - units) * 2 <= Fraction(SEAL, 10**decimals)
