"""Columns of plain decimals: the numbers that `read` finds, or nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizengine.problems.part import NumericPart, Part
from quizengine.responses.columns import read_columns
from quizengine.responses.read import read
from quizengine.responses.response import Value

SHAPES = [(), (1, 1), (1, 3), (2, 2), (3, 1)]
signs = st.text("0123456789.,-+[] ;_e/x√−０\t\n\x00é", max_size=24)
decimals = st.from_regex(r"-?[0-9]{1,7}(\.[0-9]{0,10})?", fullmatch=True)


def part(shape: tuple[int, ...]) -> Part:
    key = tuple((0,) * (shape[1] if shape else 1) for _ in range(shape[0] if shape else 1))
    return NumericPart("x", "", 1, key, shape=shape, decimals=3)


@st.composite
def nearly(draw, shape: tuple[int, ...]) -> str:
    """A text that mostly is plain."""
    rows, columns = shape or (1, 1)
    cells = [[draw(decimals) for _ in range(columns)] for _ in range(rows)]
    apart = draw(st.sampled_from([", ", ",", " ", ",  "]))
    text = "[" + apart.join("[" + apart.join(row) + "]" for row in cells) + "]" if shape else cells[0][0]
    return text + draw(st.sampled_from(["", "", " ", "]", "0"]))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@given(data=st.data())
def test_what_is_plain_is_what_read_finds(shape: tuple[int, ...], data) -> None:
    texts = data.draw(st.lists(st.one_of(signs, nearly(shape)), min_size=1, max_size=6))
    known, units = read_columns(texts, shape)
    found = iter(units.tolist())
    for text, plain in zip(texts, known, strict=True):
        if plain:
            reading = read(part(shape), text).reading
            assert isinstance(reading, Value), text
            assert [cell.units for row in reading.content for cell in row] == next(found)
    assert next(found, None) is None


@pytest.mark.parametrize(
    ("text", "shape", "units"),
    [
        ("0.5", (), [500_000_000]),
        ("-0.000000001", (), [-1]),
        ("999999.999999999", (), [999_999_999_999_999]),
        ("-999999.999999999", (), [-999_999_999_999_999]),
        ("007", (), [7_000_000_000]),
        ("[[1, -2.5],[0.1,3]]", (2, 2), [10**9, -2_500_000_000, 100_000_000, 3 * 10**9]),
    ],
)
def test_edges(text: str, shape: tuple[int, ...], units: list[int]) -> None:
    known, found = read_columns([text, text], shape)
    assert known.all()
    assert found.tolist() == [units, units]


@pytest.mark.parametrize(
    "text", ["", "1.", ".5", "1,5", "1e3", "1234567", "0.0123456789", "1 ", "[1]", "−1", "1/2", "１", "1\n"]
)
def test_all_else_is_left_to_read(text: str) -> None:
    known, found = read_columns([text], ())
    assert not known.any()
    assert found.shape == (0, 1)
