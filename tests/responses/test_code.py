"""Code and shapes as learners type them."""

from __future__ import annotations

import pytest

from quizengine.problems.part import GapPart, ShapePart
from quizengine.responses.read import read
from quizengine.responses.response import Blank, TextValue, Unreadable

SHAPE, GAP = ShapePart("shape", "", 1, "(2, 3)"), GapPart("gap", "", 1, "~mask")


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("(2, 3)", "(2, 3)"),
        ("2,3", "(2, 3)"),
        ("2 3", "(2, 3)"),
        ("2×3", "(2, 3)"),
        ("2 x 3", "(2, 3)"),
        ("[2, 3]", "(2, 3)"),
        ("（２，３）", "(2, 3)"),
        ("torch.Size([2, 3])", "(2, 3)"),
        ("R.shape = (2, 3)", "(2, 3)"),
        ("(4,)", "(4,)"),
        ("4", "(4,)"),
        ("()", "()"),
        ("error", "error"),
        ("It fails.", "error"),
        ("ValueError", "error"),
        ("エラー", "error"),
        ("エラーになる", "error"),
        ("失敗する", "error"),
    ],
)
def test_a_shape(text: str, means: str) -> None:
    assert read(SHAPE, text).reading == TextValue(means)


@pytest.mark.parametrize(
    "text", ["(2, 3", "2.5, 3", "two", "(2, -3)", "(B, T)", "2 : 3", "9" * 9, "((((2))))"]
)
def test_no_shape(text: str) -> None:
    reading = read(SHAPE, text).reading
    assert isinstance(reading, Unreadable)
    assert reading.code == "sizes"


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("~mask", "~mask"),
        (" ( ~ mask ) ", "~mask"),
        ("～mask", "~mask"),
        ("-2,-1", "-2, -1"),
        ("－２、－１", "-2, -1"),
        ("dtype = int, dim= -1", "dim=-1, dtype=int"),
        ('float("-inf")', "float('-inf')"),
        ("float(“-inf”)", "float('-inf')"),
        ("mask==0  # hidden", "mask == 0"),
    ],
)
def test_a_gap(text: str, means: str) -> None:
    assert read(GAP, text).reading == TextValue(means)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("~mask)", 5),
        ("a)(b", 0),
        ("a) + f(b", 0),
        ("x if", 3),
        ("a b", 0),
        ("'", 0),
        ("#", 0),
        ("(" * 150, None),
        ("-" * 300, 200),
        ("a\0b", None),
        ("1_0000_" * 20, None),
    ],
)
def test_no_code(text: str, at: int | None) -> None:
    """And no text is run, warns or raises."""
    reading = read(GAP, text).reading
    assert isinstance(reading, Unreadable)
    assert reading.code == "code"
    assert 0 <= reading.at <= len(text)
    assert at is None or reading.at == at


@pytest.mark.parametrize("text", ["1is 2", r"'\d'", "0xfor x", "__import__('os').abort()"])
def test_what_python_warns_of_is_only_read(text: str) -> None:
    assert isinstance(read(GAP, text).reading, TextValue)


def test_a_blank_is_a_blank() -> None:
    assert read(GAP, " ").reading == read(SHAPE, "_").reading == Blank()
