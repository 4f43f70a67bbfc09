"""Estimates: equal steps of the logarithm, exactly."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from quizengine.items.close import SEAL
from quizengine.marking.judge import judge
from quizengine.problems.part import EstimatePart
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem, Rival
from quizengine.responses.read import read
from quizengine.responses.response import Unreadable


def problem_of(value: int, factor: Fraction, unit: str = "") -> Problem:
    part = EstimatePart("answer", "", 2, ((value * SEAL,),), factor, unit)
    return Problem("x", 1, 3, "", "en", "estimate", "roles", "", parts=(part,))


@pytest.mark.parametrize(
    ("text", "credit", "code"),
    [
        ("40", 2, ""),
        ("80", 2, ""),
        ("20", 2, ""),
        ("80.000001", 1, "estimate-large"),
        ("19.999999", 1, "estimate-small"),
        ("160", 1, "estimate-large"),
        ("10", 1, "estimate-small"),
        ("161", 0, "estimate-large"),
        ("9.99", 0, "estimate-small"),
        ("4e1", 2, ""),
        ("40 GiB", 2, ""),
        ("2^5", 2, ""),
        ("0", 0, "estimate-sign"),
        ("-40", 0, "estimate-sign"),
        ("1e12", 0, "estimate-large"),
    ],
)
def test_within_the_factor_all_within_its_square_half(text: str, credit: int, code: str) -> None:
    problem = problem_of(40, Fraction(2), "GiB")
    [part] = judge(problem, {"answer": read(problem.parts[0], text)}).parts
    assert part.credit == credit
    assert code == (part.reasons[0].code if part.reasons else "")


@pytest.mark.parametrize("text", ["40 MB", "about 40", "40,000", "40 GiB 2"])
def test_another_unit_or_two_readings_are_no_guess(text: str) -> None:
    assert isinstance(read(problem_of(40, Fraction(2), "GiB").parts[0], text).reading, Unreadable)


@pytest.mark.parametrize(
    ("text", "misconceptions"),
    [
        ("320", ("cache-query-heads",)),
        ("325", ("cache-query-heads",)),
        ("0.5", ("cache-one-layer",)),
        ("300", ()),
    ],
)
def test_the_value_of_a_misconception_is_named(bank, text: str, misconceptions: tuple[str, ...]) -> None:
    problem = pose(bank.item("inference.cache-of-a-long-text"), 1, "en", bank.catalogue)
    assert judge(problem, {"answer": read(problem.parts[0], text)}).parts[0].misconceptions == misconceptions


@pytest.mark.parametrize(("text", "credit"), [("50.3", 0), ("50", 0), ("47", 1), ("60", 2)])
def test_a_known_mistake_earns_nothing_however_near_it_comes(bank, text: str, credit: int) -> None:
    """Without W_O there are 50.3 million: within the square of the factor, but no rough estimate."""
    problem = pose(bank.item("multi-head.parameters-of-a-layer"), 1, "en", bank.catalogue)
    problem = problem._replace(parts=(problem.parts[0]._replace(points=2),))
    assert judge(problem, {"answer": read(problem.parts[0], text)}).credit == credit


def test_it_is_whole_in_its_json_and_tells_no_value_without_the_key(bank) -> None:
    problem = pose(bank.item("inference.cache-of-a-long-text"), 1, "en", bank.catalogue)
    assert Problem.from_json(json.loads(json.dumps(problem.to_json()))) == problem
    [part] = problem.to_json(key=False)["parts"]
    assert (part["factor"], part["unit"]) == ("5/4", "GiB")
    assert "accept" not in part


def exactly(value: str, within: str, wrong: str = "0") -> Problem:
    key, reach = (round(Fraction(text) * SEAL) for text in (value, within))
    part = EstimatePart("answer", "", 2, ((key,),), within=reach)
    rivals = (Rival("mask-past", {"answer": ((round(Fraction(wrong) * SEAL),),)}),)
    return Problem("x", 1, 3, "", "en", "estimate", "roles", "", parts=(part,), rivals=rivals)


@pytest.mark.parametrize(
    ("value", "within", "text", "credit"),
    [
        ("6.25", "0.05", "6.2", 2),
        ("6.25", "0.05", "6.3", 2),
        ("6.25", "0.05", "25/4", 2),
        ("6.25", "0.05", "6.300001", 0),
        ("6.25", "0.05", "6.199999", 0),
        ("6.25", "0", "6.25", 2),
        ("6.25", "0", "6.2500001", 0),
        ("-3", "1", "-2", 2),
        ("-3", "1", "-4.1", 0),
        ("0", "0.5", "-0.5", 2),
    ],
)
def test_within_so_much_of_any_number_all_and_beyond_it_nothing(value, within, text, credit) -> None:
    problem = exactly(value, within, wrong="100")
    [part] = judge(problem, {"answer": read(problem.parts[0], text)}).parts
    assert part.credit == credit
    assert Problem.from_json(problem.to_json()) == problem


@pytest.mark.parametrize(
    ("text", "names"), [("-6.2", ("mask-past",)), ("-6", ()), ("6.25", ()), ("6.21", ())]
)
def test_a_wrong_value_names_its_misconception_as_near_as_the_right_one_is(text: str, names) -> None:
    problem = exactly("6.25", "0.05", wrong="-6.25")
    [part] = judge(problem, {"answer": read(problem.parts[0], text)}).parts
    assert part.misconceptions == names
