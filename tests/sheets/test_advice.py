"""Advice on an exam: its time, questions that answer others, what neighbours share, what is left out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import get_args

import pytest

from quizengine.items.answer import Numeric
from quizengine.problems.effort import (
    SECONDS,
    largest_denominator,
    multiplications,
    multiplications_of,
    seconds,
)
from quizengine.problems.families import FAMILIES
from quizengine.problems.part import ChoicePart, Kind, Label, NumericPart
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.problems.variant import sized
from quizengine.sheets.advice import advice, told


def posed(bank, *ids: str) -> list[Problem]:
    return [pose(bank.item(id_), 1, "en", bank.catalogue) for id_ in ids]


def said(bank, problems, minutes: int = 40, neighbours=()) -> Iterator[str]:
    return (told(one, "en") for one in advice(bank, problems, neighbours or problems, minutes))


@pytest.mark.parametrize(
    ("minutes", "message"),
    [
        (0, "about 7 minutes for somebody who knows the matter."),
        (60, "about 7 of 60 minutes for somebody who knows the matter."),
        (8, "which leaves little to think"),
        (5, "more than the 5 there are"),
    ],
)
def test_the_time_it_takes(bank, minutes: int, message: str) -> None:
    [problem] = posed(bank, "masking.one-row")
    assert seconds(problem) == 60 + 6 * multiplications(problem)
    assert message in next(said(bank, [problem], minutes))


def test_a_question_that_answers_another_is_named(bank) -> None:
    one, other = posed(bank, "masking.where", "masking.one-row")
    key = "Attention hides padded tokens from queries"
    [part] = one.parts
    asked = one._replace(
        parts=(
            ChoicePart(
                part.id,
                "",
                1,
                "A",
                (Label("A", key), Label("B", "No")),
            ),
        )
    )
    tells = other._replace(worked=(f"As {key.lower()}, nothing comes of them.",))
    assert "Question 2, or its solution, uses all the telling words of the answer to question 1." in list(
        said(bank, [asked, tells])
    )
    assert not any("telling words" in line for line in said(bank, [asked, other]))


def test_what_neighbours_share_and_what_is_left_out(bank) -> None:
    lines = list(said(bank, posed(bank, "masking.where", "masking.one-row")))
    assert any(line.startswith("Questions 1, 2 (") for line in lines)
    others = [pose(bank.item(id_), 2, "en", bank.catalogue) for id_ in ("masking.where", "masking.one-row")]
    lines = list(said(bank, posed(bank, "masking.where", "masking.one-row"), neighbours=others))
    assert any(line.startswith("Questions 1 (1 of ") for line in lines)
    assert any(line.startswith("Objectives of these topics that are not asked: ") for line in lines)


def by_hand(queries: int, keys: int, d_k: int, d_v: int) -> int:
    """Multiplications of scores, scaling, shares and mixture where every key is seen."""
    return queries * keys * (d_k + 1 + 1 + d_v)


def test_multiplications_are_those_of_a_hand(bank) -> None:
    [problem] = posed(bank, "order.whole-row")
    q, k, v = (problem.matrix(name) for name in "QKV")
    assert q is not None
    assert k is not None
    assert v is not None
    assert multiplications(problem) == by_hand(1, len(k), len(q[0]), len(v[0]))


def test_sizes_and_what_is_asked_tell_the_work(bank) -> None:
    """Without the numbers it is what it is of the problem."""
    items = [i for i in bank if isinstance(i.answer, Numeric) and i.answer.family in FAMILIES]
    for item, seed in product(items, range(12)):
        sizes, asks = sized(item.id, item.answer, seed)
        work = multiplications_of(item.answer.family, tuple(sizes.items()), asks)
        assert work == multiplications(pose(item, seed, "en", bank.catalogue)), item.id


@pytest.mark.parametrize(
    ("key", "expected"),
    [((125_000_000, 333_333_333), 8), ((2_000_000_000,), 1), ((76_923_077, 693_147_181), 13)],
    ids=["eighths and thirds", "whole", "thirteenths and ln 2"],
)
def test_the_largest_denominator_is_that_of_a_key(bank, key: tuple[int, ...], expected: int) -> None:
    [problem] = posed(bank, "roles.mix-by-hand")
    part = NumericPart("x", "", 1, (key,), (1, len(key)), 3)
    assert largest_denominator(problem._replace(parts=(part,))) == expected


def test_every_kind_of_part_takes_its_time() -> None:
    assert {*SECONDS} == {*get_args(Kind)} - {"number", "array"}
