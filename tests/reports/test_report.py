"""What the marks of a class say: little of a small class, the numbers of NumPy, the same in any order."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import numpy as np
import pytest

from quizengine.problems.dice import Dice
from quizengine.reports.observation import Observation
from quizengine.reports.report import Report, report
from quizengine.reports.tally import Cell, ClassTally, Row


def analyse(rows: Iterable[Row]) -> Report:
    return report(ClassTally(rows))


def cell(share: float, **more) -> Cell:
    return Cell(Fraction(share), 1, "right" if share == 1 else "wrong", **more)


def test_a_small_class_is_said_to_be_small_and_judged_about_nothing() -> None:
    found = analyse([Row(f"s{i}", {("a", "x"): cell(0), ("b", "x"): cell(1)}) for i in range(9)])
    assert all(item.remarks == () and item.discrimination is None for item in found.items)
    more = analyse([Row(f"s{i}", {("a", "x"): cell(0), ("b", "x"): cell(1)}) for i in range(10)])
    assert [item.remarks for item in more.items] == [("hard",), ("easy",)]


def test_items_to_look_at() -> None:
    rows = [
        Row(
            f"s{i:02}",
            {
                ("good", "x"): cell(float(i >= 10)),
                ("weak", "x"): cell(float(i % 2)),
                ("back", "x"): cell(float(i < 10)),
                ("odd", "x"): cell(
                    float(i > 4), observations=() if i > 4 else (Observation("multiple", "1/2"),)
                ),
            },
        )
        for i in range(20)
    ]
    remarks = {item.place[0]: item.remarks for item in analyse(rows).items}
    assert "weak" in remarks["back"]
    assert remarks["odd"] == ("odd",)


def test_the_order_of_the_rows_does_not_matter() -> None:
    rows = [
        Row(f"s{i}", {("a", "x"): cell(i % 2, misconceptions=("m",) if i % 2 else ())}) for i in range(12)
    ]
    assert analyse(rows) == analyse(rows[::-1])
    assert analyse([]).students == 0


@pytest.mark.parametrize("seed", range(5))
def test_the_discrimination_is_numpys(seed: int) -> None:
    dice = Dice("correlation", seed)
    xs, ys = ([dice.between(0, 9) for _ in range(30)] for _ in range(2))
    rows = [
        Row(f"s{i}", {("a", "x"): Cell(Fraction(x, 3), 3, ""), ("b", "x"): Cell(Fraction(y, 7), 2, "")})
        for i, (x, y) in enumerate(zip(xs, ys, strict=True))
    ]
    expected = pytest.approx(np.corrcoef(xs, ys)[0, 1])
    assert [item.discrimination for item in analyse(rows).items] == [expected, expected]


@pytest.mark.parametrize("seed", range(5))
def test_what_is_gathered_in_two_places_adds_up(seed: int) -> None:
    dice, whole, halves = Dice("gathered", seed), ClassTally(), [ClassTally(), ClassTally()]
    for i in range(40):
        cells = {
            (item, "x"): Cell(
                Fraction(dice.below(7), 6), 2, dice.pick(["right", "wrong"]), ("m",) if dice.below(2) else ()
            )
            for item in "abc"
        }
        whole.add(Row(f"s{i}", cells))
        halves[dice.below(2)].add(Row(f"s{i}", cells))
    halves[1].merge(halves[0])
    assert report(halves[1]) == report(whole)


def test_what_two_showed_is_counted_by_its_value_and_what_is_possible_apart() -> None:
    three, four = Observation("divided", "3"), Observation("divided", "4")
    seen = {"s0": (three,), "s1": (three, four), "s2": (three,)}
    rows = [
        Row(
            who,
            {("a", "x"): cell(0, observations=what, possible=("p",)), ("b", "x"): cell(0, observations=what)},
        )
        for who, what in seen.items()
    ]
    found = analyse(rows)
    [divided] = found.observations
    assert (divided.what, divided.students) == (three, ("s0", "s1", "s2"))
    assert divided.places == {("a", "x"): 3, ("b", "x"): 3}
    assert [(one.id, len(one.students)) for one in found.possible] == [("p", 3)]
    assert found.misconceptions == ()
    halves = [ClassTally(rows[:1]), ClassTally(rows[1:])]
    halves[1].merge(halves[0])
    assert report(halves[1]) == found
