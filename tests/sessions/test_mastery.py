"""Mastery, streaks and what a learner gets wrong, from marks alone."""

from __future__ import annotations

from datetime import date, datetime
from fractions import Fraction

import pytest

from quizengine.items.item import Metadata
from quizengine.sessions.mastery import MASTERED, Mastery, day_of, mastery, met, streak, weak_first
from quizengine.sessions.session import Marked

HEAD = Metadata("", "single_choice", "t", "recall", 1, ("A1",), ("en",), "", ())


def marked(item: str = "a", credit: str = "1", day: int = 1, **values) -> Marked:
    at = datetime(2026, 1, day, 12).astimezone().isoformat()
    return Marked(item, "t", credit, 1, values.pop("misconceptions", ()), at, **values)


def level(*marks: Marked) -> Mastery:
    return mastery(marks, lambda mark: [mark.topic]).get("t", Mastery())


def test_five_right_answers_from_nothing_master() -> None:
    answers = [marked("ab"[n % 2], day=1 + n) for n in range(5)]
    assert not level(*answers[:4]).mastered
    assert level(*answers).mastered
    assert level(*answers, marked(credit="0", day=9)).level == level(*answers).level * Fraction(3, 4)


@pytest.mark.parametrize(
    ("answers", "mastered"),
    [
        ([marked("a", day=n) for n in range(1, 9)], False),
        ([marked("ab"[n % 2], day=1) for n in range(8)], False),
        ([marked("ab"[n % 2], day=1 + n % 2) for n in range(8)], True),
        ([marked("ab"[n % 2], day=1 + n % 2, hints=1) for n in range(20)], False),
        ([marked("ab"[n % 2], day=1 + n % 2)._replace(own=True) for n in range(20)], False),
        ([marked("ab"[n % 2], "0", day=1 + n % 2)._replace(points=0, open=2) for n in range(20)], False),
    ],
    ids=["one item", "one day", "two of each", "with hints", "own marks", "all open"],
)
def test_mastery_stands_on_two_items_and_two_days(answers: list[Marked], mastered: bool) -> None:
    assert level(*answers).mastered is mastered


def test_a_level_is_between_nothing_and_all_and_late_answers_count_most() -> None:
    falling, rising = [marked(day=1), marked(credit="0", day=2)], [marked(credit="0"), marked(day=2)]
    assert 0 < level(*falling).level < level(*rising).level < MASTERED
    assert level(*reversed(rising)) == level(*rising)  # in order of time, however they come


def test_what_went_wrong_comes_first_and_what_is_known_last() -> None:
    marks = [marked("right"), marked("wrong", "1/2"), marked("hinted", hints=1), marked("mended", "0", 1)]
    rank = weak_first([marked("mended", day=2), *marks], {"A9"})
    known = ["right", "wrong", "hinted", "mended", "new"]
    assert [rank(HEAD._replace(id=item)) for item in known] == [3, 0, 0, 3, 2]
    due = HEAD._replace(objectives=("A1", "A9"))
    assert [rank(due._replace(id=item)) for item in known] == [1, 0, 0, 1, 1]


def test_an_evening_that_ends_after_midnight_belongs_to_its_day() -> None:
    late = datetime(2026, 1, 2, 3, 59).astimezone().isoformat()
    early = datetime(2026, 1, 2, 4, 0).astimezone().isoformat()
    assert (day_of(late), day_of(early)) == (date(2026, 1, 1), date(2026, 1, 2))


@pytest.mark.parametrize(
    ("days", "today", "expected"),
    [([], 5, 0), ([5], 5, 1), ([4], 5, 1), ([3], 5, 0), ([2, 3, 4, 5], 5, 4), ([1, 3, 4, 4], 5, 2)],
)
def test_streak(days: list[int], today: int, expected: int) -> None:
    assert streak([marked(day=day) for day in days], date(2026, 1, today)) == expected


def test_a_mistake_counts_once_a_problem() -> None:
    marks = [
        marked("a", seed=1, misconceptions=("m", "n")),
        marked("a", seed=1, misconceptions=("m",)),
        marked("a", seed=2, misconceptions=("n",)),
    ]
    assert met(marks) == {"n": 2, "m": 1}
    assert list(met(marks)) == ["n", "m"]
