"""Matrices side by side: bands, what is cut, row numbers, the rows that are asked."""

from __future__ import annotations

import re

import pytest

from quizengine.lang.characters import cells
from quizengine.lang.emphasis import Emphasis
from quizengine.problems.pose import pose
from quizengine.render.bands import band_lines
from quizengine.render.blocks import Matrix, givens


def matrix(name: str, rows: int, columns: int, **more) -> Matrix:
    return Matrix(
        name, "", tuple(tuple(str(i * j % 10) for j in range(columns)) for i in range(rows)), **more
    )


TWO, THREE = matrix("A", 2, 3), matrix("B", 3, 2)
WIDE = Matrix("Q", "ln 2", (("−1",) * 6 + ("2",) * 5,))


@pytest.mark.parametrize(
    ("matrices", "width", "expected"),
    [
        ([TWO, TWO], 30, ["", "     A =   │ A =", "  1: 0 0 0 │ 0 0 0", "  2: 0 1 2 │ 0 1 2"]),
        ([TWO, TWO], 14, ["", "   A =  │A =", "1: 0 0 0│0 0 0", "2: 0 1 2│0 1 2"]),
        (
            [TWO, THREE],
            30,
            ["", "     A =   │    B =", "  1: 0 0 0 │ 1: 0 0", "  2: 0 1 2 │ 2: 0 1", "           │ 3: 0 2"],
        ),
        ([TWO, TWO], 12, ["", "     A =", "  1: 0 0 0", "  2: 0 1 2"] * 2),
        (
            [WIDE],
            30,
            [
                "",
                "     Q, columns 1–6 = ln 2 ×",
                "  1: −1 −1 −1 −1 −1 −1",
                "",
                "     Q, columns 7–11 = ln 2 ×",
                "  1:  2  2  2  2  2",
            ],
        ),
    ],
    ids=["abreast", "tight", "own numbers", "one under the other", "cut by columns"],
)
def test_a_band_holds_what_has_room(matrices, width: int, expected: list[str]) -> None:
    assert band_lines(matrices, width) == expected


def test_they_keep_their_order_unless_that_takes_more_lines() -> None:
    wide, small, tall = matrix("W", 2, 14), matrix("A", 2, 3), matrix("T", 4, 14)
    titles = [line.replace(" ", "") for line in band_lines([wide, wide, small], 42) if "=" in line]
    assert titles == ["W=", "W=│A="]
    titles = [line.replace(" ", "") for line in band_lines([wide, tall, small, small], 42) if "=" in line]
    assert len(titles) == 2


def test_columns_are_numbered_in_japanese() -> None:
    shown = band_lines([WIDE._replace(lang="ja", factor="")], 30)
    assert [line.strip() for line in shown if "Q" in line] == ["Q（第 1–6 列） =", "Q（第 7–11 列） ="]


def test_for_a_voice_they_stand_under_each_other() -> None:
    assert band_lines([TWO, TWO], 80, abreast=False) == ["", "     A =", "  1: 0 0 0", "  2: 0 1 2"] * 2


def test_the_rows_that_are_asked_catch_the_eye() -> None:
    shown = band_lines([TWO._replace(marked=(2,)), TWO, TWO._replace(marked=(2,))], 40)
    [line] = [line for line in shown if isinstance(line, Emphasis)]
    assert [line[start:end] for start, end in line.stretches] == ["2: 0 1 2", "0 1 2"]


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("width", [40, 60, 80])
def test_every_matrix_of_the_bank_is_shown_whole(bank, width: int, lang: str) -> None:
    for item in bank:
        if item.type != "numeric":
            continue
        problem = pose(item, 1, lang, bank.catalogue)
        blocks = [block for block in givens(problem) if isinstance(block, Matrix)]
        shown = band_lines(blocks, width)
        assert max(map(cells, shown), default=0) <= width
        body = [re.sub(r"\d+:|│", " ", line) for line in shown if "=" not in line]
        entries = [entry for line in body for entry in line.split()]
        assert sorted(entries) == sorted(x for block in blocks for row in block.rows for x in row)
