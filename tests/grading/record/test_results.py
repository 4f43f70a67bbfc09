"""The file of marks: what is damaged in it is noticed, and never graded by."""

from __future__ import annotations

import sqlite3
from fractions import Fraction
from pathlib import Path

import pytest

from quizengine.errors import InputError
from quizengine.files.checksum import FUNCTION, expression
from quizengine.grading.record.effective import Result
from quizengine.grading.record.results import Results

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
    for column in ("late", "crc"):
        spoil(record, f"alter table mark drop column {column}")
    spoil(record, "pragma user_version = 1")
    for _ in range(2):
        assert read(record) == before


def made_old(record: Path, change: str = "") -> None:
    """As version 2 had it: the engine's reason said “late”, and no column did."""
    db = sqlite3.connect(record)
    db.create_function(*FUNCTION, deterministic=True)
    db.execute("update mark set why = 'late' where late")
    db.execute("alter table mark drop column late")
    fields = [name for name in Result._fields if name != "late"]
    db.execute(f"update mark set crc = {expression(['id', *fields])}")
    if change:
        db.execute(change)
    db.execute("pragma user_version = 2")
    db.commit()
    db.close()


@pytest.fixture
def late(record: Path) -> Path:
    """A record with marks that came late, and an instructor's whose reason is the very word."""
    results = Results(record.with_name("manifest.json"))
    results.add(
        [
            MARK._replace(label="late", late=True),
            MARK._replace(label="own", kind="override", why="late"),
            MARK._replace(label="again", kind="regraded", why="a mended key"),
        ]
    )
    results.close()
    return record


def test_lateness_is_read_out_of_the_reason_once(late: Path) -> None:
    before = read(late)
    made_old(late)
    for _ in range(2):
        assert read(late) == before
    found = {result.label: (result.late, result.why) for result in read(late)["AB12"]}
    assert found["late"] == (True, "")
    assert found["own"] == (False, "late")
    assert found["again"] == (False, "a mended key")
    assert found["3"] == (False, "")


def test_what_was_damaged_before_is_damaged_after(late: Path) -> None:
    made_old(late, "update mark set credit = '1' where code = 'AB12' and label = '3'")
    for _ in range(2):
        with pytest.raises(InputError, match="22 of 23 marks are intact, but not all of sheet AB12"):
            read(late)
