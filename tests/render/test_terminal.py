"""Blocks on a terminal: widths, line breaks, formulae in two storeys, shades."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizengine.lang.characters import cells
from quizengine.render.blocks import Matrix
from quizengine.render.terminal import lines, wrapped

JAPANESE = "「重み」は、隠した位置も含めて softmax（行ごと）の後に 0 にするのではなく、前に −∞ を足します。"


@given(st.integers(20, 200), st.text("注意機構、。「」（）ab c1−√ー", max_size=120))
def test_no_line_is_wider_than_asked_and_nothing_is_lost(width: int, text: str) -> None:
    out = wrapped(text, width, first="  ")
    assert "".join("".join(out).split()) == "".join(text.split())
    longest = max((cells(word) for word in text.split()), default=0)
    assert all(cells(line) <= max(width, longest + 4) for line in out)


@pytest.mark.parametrize("width", range(20, 81, 3))
def test_no_japanese_line_begins_with_a_closing_sign_or_ends_with_an_opening_one(width: int) -> None:
    out = wrapped(JAPANESE, width)
    assert not [line for line in out if line.lstrip()[0] in "、。」）ー"]
    assert not [line for line in out if line[-1] in "「（"]
    assert max(map(cells, out)) <= width


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"$\frac{QK^T}{\sqrt{d_k}}$", ["  QKᵀ", "  ───", "  √dₖ"]),
        (r"$x=\frac{1}{2}-\frac{3}{4}$", ["      1   3", "  x = ─ − ─", "      2   4"]),
        (r"$\frac{1}{2}$ or $\frac{1}{3}$", ["1/2 or 1/3"]),
        (r"the half, $\frac{1}{2}$", ["the half, 1/2"]),
        (r"$QK^T/\sqrt{d_k}$", ["QKᵀ/√dₖ"]),
    ],
    ids=["alone", "two", "two in a sentence", "in a sentence", "no fraction"],
)
def test_a_fraction_that_stands_alone_has_two_storeys(text: str, expected: list[str]) -> None:
    assert wrapped(text, 60) == expected


def test_where_two_storeys_are_too_wide_the_formula_stays_on_one_line() -> None:
    text = r"$\frac{aaaa+bbbb+cccc+dddd}{2}$"
    assert len(wrapped(text, 40)) == 3
    assert "───" not in "".join(wrapped(text, 20))


def test_weights_bear_their_shade() -> None:
    shown = lines([Matrix("weights", "", (("0", "0.25"), ("0.5", "1")))], 80)
    assert shown[1:] == ["     weights =", "  1:     0 ░0.25", "  2:  ▒0.5    █1"]
    assert lines([Matrix("Q", "", (("0", "1"),))], 80)[2] == "  1: 0 1"
