"""The history of a sheet: an instructor's reason is told, else that an answer came late."""

from __future__ import annotations

from fractions import Fraction

from quizengine.grading.record.effective import Result, effective, was_late
from quizengine.grading.record.history import history_json, history_lines

LATE = Result(
    *("AB12", "1", "graded", "an\nanswer", "right", Fraction(1, 2), 1, (), "masking.where", "", "{}", "t"),
    late=True,
)
MENDED = LATE._replace(kind="regraded", why="a mended key", credit=Fraction(2, 3))
DROPPED = LATE._replace(kind="discount", verdict="dropped", points=0, why="late", late=False)


def test_every_result_is_a_line() -> None:
    late, mended, dropped = history_lines([LATE, MENDED, DROPPED], "en")
    assert late == "t  1  graded: 0.5 of 1, right (late)   an answer"
    assert "0.67 of 1, right (a mended key)" in mended
    assert "of 0, dropped (late)" in dropped


def test_a_program_reads_lateness_apart_from_the_reason() -> None:
    late, mended, dropped = history_json([LATE, MENDED, DROPPED])
    assert (late["late"], late["why"], late["credit"]) == (True, "", "1/2")
    assert (mended["late"], mended["why"]) == (True, "a mended key")
    assert (dropped["late"], dropped["why"]) == (False, "late")


def test_only_the_first_grading_says_whether_a_sheet_came_late() -> None:
    assert was_late([LATE, MENDED._replace(late=False)])
    assert not was_late([LATE, LATE._replace(late=False)])
    assert not was_late([DROPPED])


def test_what_an_instructor_decided_counts_whatever_comes_later() -> None:
    own = LATE._replace(kind="override", credit=Fraction(1))
    for history in ([own, DROPPED, LATE, MENDED], [LATE, MENDED, DROPPED, own], [DROPPED, own, MENDED]):
        assert effective(history) == {"1": own}
    assert effective([DROPPED, LATE, MENDED]) == {"1": DROPPED}
    assert effective([LATE, MENDED]) == {"1": MENDED}
