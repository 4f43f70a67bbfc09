"""An answer and its reason are marked as one."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from quizengine.marking.judge import judge
from quizengine.problems.part import TiersPart
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.responses.read import read
from quizengine.responses.response import PairsValue, Unreadable


@pytest.fixture
def problem(bank) -> Problem:
    """A false statement; by this seed the reasons are: 1 has a share, 2 is right, 4 is a misconception."""
    return pose(bank.item("inference.old-keys-stay-good"), 3, "en", bank.catalogue)


@pytest.mark.parametrize(
    ("text", "share", "misconceptions", "code"),
    [
        ("B-2", Fraction(1), (), ""),
        ("B-1", Fraction(1, 4), (), "tier-reason"),
        ("A-1", Fraction(0), (), "why"),
        ("A-2", Fraction(0), (), "tier-answer"),
        ("B-4", Fraction(0), ("keys-depend-on-query",), "tier-reason"),
        ("A-4", Fraction(0), ("keys-depend-on-query",), ""),
    ],
)
def test_the_pair_has_one_share(problem: Problem, text: str, share, misconceptions, code: str) -> None:
    [part] = judge(problem, {"answer": read(problem.parts[0], text)}).parts
    assert (part.share, part.misconceptions) == (share, misconceptions)
    assert code == (part.reasons[0].code if part.reasons else "")


@pytest.mark.parametrize(
    "text", ["B-2", "b2", "B 2", "Ｂ，２", "false 2", "誤り-2", "×②", "偽 2", "(B, 2)", "イ-2", "B→2"]
)
def test_a_pair_in_many_ways(problem: Problem, text: str) -> None:
    assert read(problem.parts[0], text).reading == PairsValue((("B", "2"),))


@pytest.mark.parametrize(
    ("text", "code"),
    [("B", "tiers"), ("2", "tiers"), ("B-", "tiers"), ("B-7", "label"), ("E-2", "label"), ("A B-2", "tiers"),
     ("B-2-3", "label"), ("false", "tiers")],
)  # fmt: skip
def test_half_a_pair_is_no_answer(problem: Problem, text: str, code: str) -> None:
    reading = read(problem.parts[0], text).reading
    assert isinstance(reading, Unreadable)
    assert reading.code == code


def test_without_true_and_false_only_letters_are_answers(bank) -> None:
    problem = pose(bank.item("softmax.one-exponential-doubles"), 1, "en", bank.catalogue)
    assert isinstance(read(problem.parts[0], "true 2").reading, Unreadable)
    assert {label.label for label in problem.parts[0].choices} == set("ABCD1234")


def test_it_is_whole_in_its_json_and_tells_nothing_without_the_key(problem: Problem) -> None:
    assert Problem.from_json(json.loads(json.dumps(problem.to_json()))) == problem
    assert "accept" not in str(problem.to_json(key=False))
    assert isinstance(problem.parts[0], TiersPart)
    assert problem.to_json()["key"] == {"answer": "B-2"}
    assert "B-2" not in str(problem.to_json(key=False))


def test_as_many_statements_are_true_as_false(bank) -> None:
    truths = [option.right for item in bank if item.type == "answer_and_reason" and item.answer.truth
              for option in item.answer.answers[:1]]  # fmt: skip
    assert len(truths) >= 10
    assert abs(2 * sum(truths) - len(truths)) <= 2
