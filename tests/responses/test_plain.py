"""The short way for plain decimals reads what the whole grammar reads, to the last bit."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizengine.responses import arrays, numbers
from quizengine.responses.response import CannotRead

NEVER = re.compile(r"(?!)")
PLAIN = st.from_regex(r"-?[0-9]{1,13}(\.[0-9]{0,10})?", fullmatch=True)
ROWS = st.integers(1, 5).flatmap(
    lambda n: st.lists(st.lists(PLAIN, min_size=1, max_size=n), min_size=1, max_size=4)
)


def outcome(read: Callable[[str], object], text: str) -> object:
    try:
        return read(text)
    except CannotRead as cannot:
        return cannot.reading


def both(read: Callable[[str], object], text: str) -> tuple[object, object]:
    short = outcome(read, text)
    with pytest.MonkeyPatch.context() as patch:
        for module, name in ((numbers, "PLAIN"), (arrays, "PLAIN"), (arrays, "_NESTED")):
            patch.setattr(module, name, NEVER)
        return short, outcome(read, text)


@given(PLAIN)
def test_numbers(text: str) -> None:
    short, whole = both(numbers.read_number, text)
    assert repr(short) == repr(whole)


@given(ROWS, st.sampled_from([", ", ",", " , "]), st.sampled_from(["[[{}]]", "[{}]", "{}"]))
def test_arrays(rows: list[list[str]], between: str, frame: str) -> None:
    """Of rows of any lengths: ragged ones are refused at the same place."""
    text = frame.format(f"]{between}[".join(between.join(row) for row in rows))
    short, whole = both(arrays.read_array, text)
    assert repr(short) == repr(whole)
