"""An array that is pasted at a terminal is complete when its rows are there."""

from __future__ import annotations

import pytest

from quizengine.cli import screen


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        (2, "1 2\n3 4"),
        (2, "[1 2]\n[3 4]"),
        (2, "[1, 2],\n[3, 4]"),
        (2, "［１ ２］\n［３ ４］"),
        (2, "(1, 2)\n(3, 4)"),
        (2, "(1, 2), (3, 4)"),
        (2, "[1 2], [3 4]"),
        (2, "1 2;\n3 4;"),
        (2, "1 2; 3 4"),
        (2, "[1 2; 3 4]"),
        (2, "| 1 | 2 |\n| 3 | 4 |"),
        (2, "|---|---|\n| 1 | 2 |\n| 3 | 4 |"),
        (2, "[[1, 2],\n [3, 4]]"),
        (2, "array([[1, 2],\n       [3, 4]])"),
        (2, "ln(2) 1\n(1+2)/3 4"),
        (2, "\\begin{pmatrix}\n1 & 2 \\\\\n3 & 4\n\\end{pmatrix}"),
        (2, "2×2 Matrix{Float64}:\n 1.0  2.0\n 3.0  4.0"),
        (2, "w =\n\n   1   2\n   3   4"),
        (3, "1\n2\n3"),
        (1, "1 2 3"),
        (1, "[1, 2, 3]"),
        (1, "1; 2; 3"),
        (1, "[\n1 2 3\n]"),
        (2, "[1, 2, 3; 4]"),
        (2, "[[1, 2, 3, 4]]"),
    ],
)
def test_no_line_is_left_and_none_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, rows: int, text: str
) -> None:
    coming = [*text.split("\n"), "the next answer"]
    monkeypatch.setattr(screen, "interactive", lambda: True)
    monkeypatch.setattr(screen, "_line", lambda prompt: coming.pop(0))
    assert screen.answer(rows=rows) == text
    assert coming == ["the next answer"]


@pytest.mark.parametrize(
    ("typed", "answer", "left"),
    [
        (["1 2", "", "x"], "1 2", ["x"]),
        (["[1 2]", "", "x"], "[1 2]", ["x"]),
        (["w =", "", "", "x"], "w =\n", ["x"]),
        (["?", "x"], "?", ["x"]),
        ([":s", "x"], ":s", ["x"]),
        (["-", "", "x"], "-", ["x"]),
    ],
)
def test_an_empty_line_ends_what_is_not_complete(
    monkeypatch: pytest.MonkeyPatch, typed: list[str], answer: str, left: list[str]
) -> None:
    monkeypatch.setattr(screen, "interactive", lambda: True)
    monkeypatch.setattr(screen, "_line", lambda prompt: typed.pop(0))
    assert screen.answer(rows=2) == answer
    assert typed == left
