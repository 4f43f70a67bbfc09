"""Neighbours have the same work by hand, and other numbers: the first seeds that do are taken."""

from __future__ import annotations

from functools import partial

import pytest

from quizengine.problems.effort import multiplications
from quizengine.problems.pose import pose
from quizengine.sheets import neighbours
from quizengine.sheets.apart import apart
from quizengine.sheets.neighbours import TRIES, planned, seed_beside


def seed_of(item: str, student: int, attempt: int) -> int:
    return sum(map(ord, item)) + 1000 * student + attempt


def chosen(bank, id_: str, students: int) -> list[int]:
    """As sheets are composed: planned, then looked at beside the neighbour."""
    item = bank.item(id_)
    places = [[(item, partial(seed_of, id_, student))] for student in range(students)]
    before, found = None, []
    for [place], [(_, seed)] in zip(places, planned(places), strict=True):
        first = pose(item, seed, "en", bank.catalogue)
        found.append(seed_beside(place, first, before, bank.catalogue))
        before = pose(item, found[-1], "en", bank.catalogue)
    return found


def by_trying(bank, id_: str, students: int) -> list[int]:
    """Every attempt is posed, and what it asks for is counted."""
    item, before, found = bank.item(id_), None, []
    for student in range(students):
        tried = [pose(item, seed_of(id_, student, n), "en", bank.catalogue) for n in range(TRIES)]
        fit = [
            problem
            for problem in tried
            if before is None
            or item.type != "numeric"
            or (multiplications(problem) == multiplications(before) and apart(problem, before))
        ]
        before = (fit or tried)[0]
        found.append(before.seed)
    return found


IDS = (
    "masking.one-row",
    "masking.padded-keys",
    "head.dot-products",
    "head.spot-the-error",
    "head.shape-turned",
)


@pytest.mark.parametrize("id_", [*IDS, "masking.where"])
def test_the_first_seed_that_fits_is_taken(bank, id_: str) -> None:
    assert chosen(bank, id_, 12) == by_trying(bank, id_, 12)


@pytest.mark.parametrize("unlike", [0, 2, TRIES + 1])
def test_also_where_numbers_could_be_copied(bank, monkeypatch, unlike: int) -> None:
    """Every so many pairs only are taken to be unlike: then others are tried, or none is left."""
    pairs: dict[tuple[int, int], bool] = {}

    def seldom(one, other) -> bool:
        return pairs.setdefault((one.seed, other.seed), unlike > 0 and (one.seed + other.seed) % unlike == 0)

    monkeypatch.setattr(neighbours, "apart", seldom)
    monkeypatch.setitem(globals(), "apart", seldom)
    assert chosen(bank, "masking.one-row", 8) == by_trying(bank, "masking.one-row", 8)
