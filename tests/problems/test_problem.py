"""A problem as it is kept: nothing of a key is lost on the way."""

from __future__ import annotations

import json

from hypothesis import example, given
from hypothesis import strategies as st

from quizengine.problems.part import NumericPart, key_text
from quizengine.problems.part_json import key_from
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem

units = st.one_of(
    st.integers(-(10**10), 10**10), st.integers(-(10**15), 10**15), st.integers(-(10**22), 10**22)
)


@given(st.lists(st.lists(units, min_size=2, max_size=2), min_size=1, max_size=3))
@example([[999_999_999_999_999, -999_999_999_999_999]])
@example([[10**15, 1], [-1, 10**15 + 1]])
def test_sealed_numbers_come_back_exactly(rows: list[list[int]]) -> None:
    part = NumericPart("x", "", 1, (), shape=(len(rows), 2), decimals=3)
    key = tuple(map(tuple, rows))
    assert key_from(part.kind, key_text(part, key)) == key


def test_rivals_are_built_when_they_are_looked_at(bank) -> None:
    posed = pose(bank.item("masking.one-row"), 1, "en", bank.catalogue)
    kept = Problem.from_json(json.loads(json.dumps(posed.to_json())))
    assert kept.rivals == posed.rivals
    assert kept.rivals != posed.rivals[1:]
    assert kept.rivals[0] == posed.rivals[0]
    assert kept.rivals[-2:] == posed.rivals[-2:]
    assert len(kept.rivals) == len(posed.rivals)


def test_keys_that_only_look_alike_are_kept_apart() -> None:
    """Whatever a damaged file holds, one key never becomes another."""
    assert [str(key_from("choice", key)) for key in (1, 1.0, True)] == ["1", "1.0", "True"]
    assert key_from("choice", ["A"]) == ["A"]
