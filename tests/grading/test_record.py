"""The file of marks: what is damaged in it is noticed, and never graded by."""

from __future__ import annotations

import sqlite3
from fractions import Fraction
from pathlib import Path

import pytest

from quizengine.errors import InputError
from quizengine.grading.results import Result, Results

MARK = Result(
    "AB12", "1", "graded", "an answer", "right", Fraction(1, 2), 1, (), "masking.where", "", "{}", "t"
)
CODES = ["AB12", "CD34"]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Twenty marks of two sheets; the file."""
    results = Results(tmp_path / "manifest.json")
    results.add(MARK._replace(code=code, label=str(n)) for code in CODES for n in range(10))
    results.close()
    return tmp_path / "results.sqlite"


def spoil(path: Path, change: str) -> None:
    db = sqlite3.connect(path)
    db.execute(change)
    db.commit()
    db.close()


def read(path: Path) -> dict[str, list[Result]]:
    results = Results(path.with_name("manifest.json"))
    try:
        return results.histories(CODES)
    finally:
        results.close()


@pytest.mark.parametrize(
    ("change", "intact"),
    [
        ("update mark set credit = '1' where code = 'AB12' and label = '3'", "19 of 20 marks are intact"),
        ("update mark set raw = 'bn answer' where label = '3'", "18 of 20 marks are intact"),
        ("update mark set raw = cast(x'ff41' as text) where id = 20", "19 of 20 marks are intact"),
        ("update mark set code = 'AB13' where id = 1", "19 of 20 marks are intact"),
        ("update mark set id = 99 where id = 4", "19 of 20 marks are intact"),
        ("delete from mark where id = 4", "19 of 20 marks are intact"),
    ],
)
def test_a_damaged_mark_is_refused_and_what_is_intact_is_said(record: Path, change: str, intact: str) -> None:
    spoil(record, change)
    with pytest.raises(InputError, match=intact) as told:
        read(record)
    assert (told.value.exit, told.value.message.count("\n")) == (3, 0)


def test_no_flipped_bit_changes_a_mark(record: Path) -> None:
    before, whole = read(record), record.read_bytes()
    refused = 0
    for place in range(0, len(whole), 29):
        spoilt = bytearray(whole)
        spoilt[place] ^= 1 << place % 8
        record.write_bytes(spoilt)
        try:
            found = read(record)
        except InputError:
            refused += 1
        else:
            assert found == before
        for beside in record.parent.glob("results.sqlite-*"):
            beside.unlink()
    assert refused > 50


def test_an_older_record_is_brought_up_to_date_and_keeps_its_marks(record: Path) -> None:
    before = read(record)
    spoil(record, "alter table mark drop column crc")
    spoil(record, "pragma user_version = 1")
    for _ in range(2):
        assert read(record) == before
