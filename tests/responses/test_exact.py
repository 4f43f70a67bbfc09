"""Exact forms as learners type them: roots, logarithms, powers, mixed numbers, LaTeX."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quizengine.marking.judge import judge
from quizengine.problems.pose import pose
from quizengine.responses.numbers import read_number
from quizengine.responses.read import read
from quizengine.responses.response import CannotRead

PIECES = [
    "1", "2", "12", "0.5", "9999", "10", "１", "½", ".", ",", "_", "-", "ー", "+", "*", "×", "x", "/", "^",
    "**", "²", "⁻", "(", ")", "{", "}", "√", "ln", "exp", "e", "e^", "π", "pi", "log", "log2", "%", "!", "$",
    " ", r"\frac", r"\sqrt", r"\(", r"\left",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=16).map("".join))
def test_any_pieces_are_a_number_or_refused_with_a_place(text: str) -> None:
    try:
        assert abs(read_number(text).value) <= 10**30
    except CannotRead as cannot:
        at = cannot.reading.at
    else:
        return
    assert 0 <= at <= len(text)


def test_an_exact_form_is_marked_as_its_value(bank) -> None:
    """ln 2 where a multiple of ln 2 is the key: full marks, and the echo is a number one can read."""
    problem = pose(bank.item("head.three-positions"), 3, "en", bank.catalogue)
    part = problem.part("scaled")
    response = read(part, "[ln(2), -2/2·ln(2), -2ln(2)]")
    assert judge(problem, {"scaled": response}).parts[0].credit == part.points
    assert response.reading.echo == "1×3 [[0.693147181, -0.693147181, -1.386294361]]"
