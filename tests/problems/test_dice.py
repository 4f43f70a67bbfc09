"""Chance is frozen: golden draws, uniformity, independence of labels."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizengine.problems.dice import SEED_BITS, Dice, exam_seed, seed_of


def test_golden_draws() -> None:
    """These numbers are for ever: another scheme is another name."""
    dice = Dice("golden", 1)
    assert [dice.below(2**64) for _ in range(5)] == [
        15654381967460044651,
        6215877793368208993,
        3169363875608052281,
        876491401788227030,
        7932668685964003122,
    ]
    assert Dice("golden", 2).shuffled(range(8)) == [6, 7, 3, 5, 1, 0, 2, 4]
    assert seed_of("golden", 3) == 6161353471835572
    assert exam_seed(b"secret", "s01", "masking.where") == 4740563526831012


@given(st.integers(1, 2**64), st.integers(0, 40), st.integers())
def test_many_at_once_are_those_that_come_one_by_one(n: int, count: int, label: int) -> None:
    many, one = Dice("many", label), Dice("many", label)
    assert many.many_below(n, count) == [one.below(n) for _ in range(count)]
    assert many.below(100) == one.below(100)  # and the dice lie where they would


def test_labels_have_boundaries() -> None:
    assert Dice("ab", "c").below(2**64) != Dice("a", "bc").below(2**64)
    assert exam_seed(b"k", "ab", "c") != exam_seed(b"k", "a", "bc")


@pytest.mark.parametrize("sides", [2, 3, 6, 7, 10])
def test_every_outcome_is_equally_likely(sides: int) -> None:
    dice = Dice("uniform", sides)
    counts = Counter(dice.below(sides) for _ in range(2000 * sides))
    chi_square = sum((counts[i] - 2000) ** 2 / 2000 for i in range(sides))
    assert len(counts) == sides
    assert chi_square < 30


@given(st.integers(1, 2**64))
def test_below_stays_below(n: int) -> None:
    assert 0 <= Dice("bound", n).below(n) < n


@given(st.lists(st.integers(), max_size=9))
def test_shuffling_keeps_everything(options: list[int]) -> None:
    assert sorted(Dice("shuffle", len(options)).shuffled(options)) == sorted(options)


def test_seeds_pass_through_json() -> None:
    assert all(seed_of("x", i) < 2**SEED_BITS for i in range(100))
