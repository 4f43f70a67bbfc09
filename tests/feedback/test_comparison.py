"""A learner's own steps beside the right ones."""

from __future__ import annotations

import pytest

from quizengine.feedback.comparison import own_trace, trace_lines
from quizengine.marking.judge import judge
from quizengine.problems.pose import pose
from quizengine.responses.read import read


@pytest.fixture
def row(bank):
    return pose(bank.item("masking.one-row"), 3, "en", bank.catalogue)


RIGHT = {
    "scaled": "0.00000, -1.38629, 0.69315, 0.00000, -0.92420, -1.38629",
    "weights": "4/17 1/17 8/17 4/17 0 0",
    "output": "33/17 101/17 59/17",
}


def steps(problem, **texts: str):
    responses = {part.id: read(part, (RIGHT | texts)[part.id]) for part in problem.parts}
    return own_trace(problem, responses, judge(problem, responses))


def test_nothing_is_shown_where_all_is_right(row) -> None:
    assert steps(row) == ()
    assert steps(row, output="", weights="what?") == ()


def test_the_first_step_that_differs_is_marked(row) -> None:
    shown = steps(row, weights="0.2 0.5 0.1 0.2 0 0", output="5 _ 1/3")
    assert [step.first for step in shown] == [False, True, False]
    assert shown[2].to_json() == {
        "part": "output",
        "yours": [["5.000", "_", "0.33333"]],
        "right": [["1.941", "5.941", "3.471"]],
        "first_difference": False,
    }


def test_what_could_not_be_read_is_no_difference(row) -> None:
    shown = steps(row, scaled="?", weights="0.2 0.5 0.1 0.2 0 0")
    assert [step.first for step in shown] == [False, True, False]
    assert shown[0].yours == ()


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_lines(row, assert_golden, lang: str) -> None:
    shown = steps(row, scaled="0, -1.38629, 0.34657, 0, -inf, −∞", weights="", output="1.941 5.941 -12.5")
    assert_golden(f"trace-{lang}.txt", "\n".join(trace_lines(shown, lang, 80)) + "\n")


def test_many_rows_and_single_numbers(bank) -> None:
    rows = pose(bank.item("head.dot-products"), 1, "en", bank.catalogue)
    assert own_trace(rows, {}, judge(rows, {})) == ()  # a single part has its key told instead
    spread = pose(bank.item("scaling.spread"), 2, "en", bank.catalogue)
    responses = {part.id: read(part, "48") for part in spread.parts}
    lines = trace_lines(own_trace(spread, responses, judge(spread, responses)), "en", 80)
    assert lines[:3] == ["  variance   ← here they part ways", "    yours    48.00✗", "    right 36864.00"]
