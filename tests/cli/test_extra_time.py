"""Exams at the terminal: who has more time than the others, or a deadline of their own."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from pathlib import Path

import pytest

from quizengine.sessions import clock
from quizengine.sessions.store import Store, data_folder

EXAM = ("take", "--new", "--mode", "exam", "--item", "masking.where", "--seed", 1)
TABLE = """\
student,deadline,extra
s01,,10
s02,,25%
s03,2030-01-01T12:20Z,
s04,2030-01-01T13:30+01:00,
s05,2030-01-01T11:59:59Z,
s06,2030-01-01T12:00Z,
"""


class Noon(datetime):
    """The time of day stands still."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:
        return datetime(2030, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def table(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(clock, "_seconds", lambda: 0.0)
    monkeypatch.setattr(clock, "datetime", Noon)
    path = home / "deadlines.csv"
    path.write_text(TABLE, "utf-8")
    return path


def until() -> str:
    """The deadline of the newest exam."""
    store = Store(data_folder(None))
    [*_, session] = store.sessions()
    store.close()
    return session.deadline


@pytest.mark.parametrize(
    ("student", "time", "ends", "told"),
    [
        ("s01", "40m", "12:50:00.000", "s01 has extra time: 10 min."),
        ("s02", "40m", "12:50:00.000", "s02 has extra time: 10 min."),
        ("s02", "50s", "12:01:03.000", "s02 has extra time:"),
        ("s03", "40m", "12:20:59.999", "s03 has a deadline of their own."),
        ("s03", "15m", "12:15:00.000", "s03 has a deadline of their own."),
        ("s04", "", "12:30:59.999", "s04 has a deadline of their own."),
        ("s06", "", "12:00:59.999", "s06 has a deadline of their own."),
        ("s99", "40m", "12:40:00.000", "s99 is not in deadlines.csv: the time is that of everyone."),
    ],
)
def test_an_exam_ends_when_the_students_time_does(
    run, table: Path, monkeypatch, student: str, time: str, ends: str, told: str
) -> None:
    monkeypatch.chdir(table.parent)
    words = (*(("--time", time) if time else ()), "--deadlines", table.name, "--student", student)
    assert told in run(*EXAM, *words, input="", exit=130).stderr
    assert until().startswith(f"2030-01-01T{ends}")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--student", "s05"), "The time for this exam was over at 2030-01-01"),
        (
            ("--student", "s01"),
            "s01 has extra time, but the exam has no time to add it to: give --time, too.",
        ),
        ((), "--deadlines FILE and --student ID belong together: give both."),
    ],
    ids=["over", "no-time", "nobody"],
)
def test_time_that_is_none_is_told(run, table: Path, words, message: str) -> None:
    assert message in run(*EXAM, "--deadlines", table, *words, exit=2).stderr


def test_a_table_is_called_as_paths_are(run, table: Path, monkeypatch) -> None:
    monkeypatch.chdir(table.parent)
    words = ("--time", "40m", "--deadlines", f"./{table.name}", "--student", "s99")
    assert "s99 is not in deadlines.csv:" in run(*EXAM, *words, input="", exit=130).stderr


def test_a_table_without_a_name_is_not_passed_over(run) -> None:
    assert "belong together" in run(*EXAM, "--time", "40m", "--deadlines", "", exit=2).stderr


def test_practice_has_no_deadlines(run, table: Path) -> None:
    said = run("take", "--deadlines", table, "--student", "s01", exit=2).stderr
    assert "--deadlines belongs to an exam: give --mode exam, too." in said


def test_a_faulty_table_begins_nothing(run, table: Path) -> None:
    table.write_text("student,extra\ns01,soon\n", "utf-8")
    said = run(*EXAM, "--time", "40m", "--deadlines", table, "--student", "s02", exit=3).stderr
    assert "deadlines.csv:2:1: “soon” is no extra time" in said


def test_japanese(run, table: Path) -> None:
    words = ("--time", "40m", "--deadlines", table, "--student", "s01", "--lang", "ja")
    assert "s01 さんの試験時間を 10 分延長します。" in run(*EXAM, *words, input="", exit=130).stderr
