"""Variants: looked for one by one or together they are the same, to the last digit."""

from __future__ import annotations

import numpy as np
import pytest

from quizengine.errors import PosingError, UsageError
from quizengine.items.answer import Numeric
from quizengine.problems import variant
from quizengine.problems.calculation import variants_of, with_numbers
from quizengine.problems.families import FAMILIES
from quizengine.problems.variant import Wish, fair_variant, fair_variants

SEEDS = range(24)


def wishes(bank, seeds=SEEDS) -> list[Wish]:
    """Of every family, the items in turn."""
    answers = [(item.id, with_numbers(item.answer)) for item in bank if isinstance(item.answer, Numeric)]
    return [Wish(id_, a, seed) for seed in seeds for id_, a in answers if a.family in FAMILIES]


def test_together_as_alone(bank) -> None:
    asked = wishes(bank)
    for wish, found in zip(asked, fair_variants(asked, bank.catalogue), strict=True):
        alone = fair_variant(*wish, bank.catalogue)
        assert found is not None
        assert (found.draws, found.drawn.given, found.groups) == (
            alone.draws,
            alone.drawn.given,
            alone.groups,
        )
        assert [values.tobytes() for values in found.values] == [values.tobytes() for values in alone.values]
        assert found.drawn.second == alone.drawn.second


def test_some_are_refused_and_one_wish_is_granted_as_often_as_it_is_made(bank) -> None:
    asked = wishes(bank, [3])
    one, two = fair_variants(asked + asked, bank.catalogue)[:: len(asked)]
    assert one is two
    drawn = [found.draws for found in fair_variants(wishes(bank), bank.catalogue) if found]
    assert max(drawn) > 5


def test_what_cannot_be_had_is_none_and_the_rest_is_there(bank, monkeypatch) -> None:
    item = bank.item("head.from-input")
    bad = item.answer._replace(ranges={"n": 99})
    asked = [Wish(item.id, item.answer, 0), Wish(item.id, bad, 0), Wish(item.id, item.answer, 1)]
    there, missing, also = fair_variants(asked, bank.catalogue)
    assert (there is None, missing, also is None) == (False, None, False)
    with pytest.raises(UsageError, match="n = 99"):
        fair_variant(*asked[1], bank.catalogue)
    numbers = [fair_variant(item.id, item.answer, seed, bank.catalogue).draws for seed in SEEDS]
    assert min(numbers) == 1 < max(numbers)
    monkeypatch.setattr(variant, "DRAWS", 1)
    found = fair_variants([Wish(item.id, item.answer, seed) for seed in SEEDS], bank.catalogue)
    assert [one is not None for one in found] == [number == 1 for number in numbers]
    with pytest.raises(PosingError, match="no fair variant"):
        fair_variant(item.id, item.answer, numbers.index(max(numbers)), bank.catalogue)


def test_a_variant_keeps_its_own_numbers_only(bank) -> None:
    item = bank.item("masking.one-row")
    for found in variants_of([(item, seed) for seed in SEEDS], bank.catalogue):
        assert found is not None
        assert all(values.base is None or values.base.size == values.size for values in found.values)
        assert all(np.isfinite(values).all() for values in found.values)
