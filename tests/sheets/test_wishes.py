"""Accommodations: what a row of the roster asks for is printed, kept, and known when marks are given."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from quizengine.errors import FaultyFile
from quizengine.grading.intake.deadlines import printed_deadlines
from quizengine.sheets.manifest import load_manifest
from quizengine.sheets.roster import Extra, Student, class_of, extra_of, load_roster

EXAM = """format: 1
title: Midterm
languages: [en, ja]
formats: [md, pdf, html]
minutes: 40
sections: [{items: [masking.where, masking.one-row]}]
"""
ROSTER = """id,name,room,seat,large,language,extra
s01,Learner One,B2,10,,,
s02,Learner Two,B2,9,yes,,25%
s03,Learner Three,A1,3,,ja,15
"""


@pytest.fixture
def made(tmp_path: Path, run) -> Path:
    (tmp_path / "exam.yaml").write_text(EXAM, "utf-8")
    (tmp_path / "roster.csv").write_text(ROSTER, "utf-8")
    out = tmp_path / "exam"
    run("sheet", tmp_path / "exam.yaml", "--roster", tmp_path / "roster.csv", "--order", "room", "--out", out)
    return out


def test_what_was_asked_for_is_kept(made: Path) -> None:
    sheets = {sheet.student: sheet for sheet in load_manifest(made / "manifest.json").sheets}
    assert list(sheets) == ["s03", "s02", "s01"]
    assert [(s.large, s.own, s.extra) for s in sheets.values()] == [
        (False, "ja", "15"),
        (True, None, "25%"),
        (False, None, ""),
    ]
    raw = json.loads((made / "manifest.json").read_text("utf-8"))["sheets"]
    assert {"extra", "own", "large"}.isdisjoint(raw[2])


def test_it_stands_on_the_sheets(made: Path, run) -> None:
    code = {who.student: who.code for who in load_manifest(made / "manifest.json").who}
    assert "15 分延長" in (made / "sheets" / f"{code['s03']}.md").read_text("utf-8")
    assert "10 minutes more" in (made / "sheets" / f"{code['s02']}.md").read_text("utf-8")
    assert "more" not in (made / "sheets" / f"{code['s01']}.md").read_text("utf-8").split("##")[0]
    page = (made / "sheets" / f"{code['s03']}.html").read_text("utf-8")
    assert page.index('data-lang="ja"') < page.index('data-lang="en"')
    assert (made / "sheets" / f"{code['s03']}.en.pdf").exists()


def test_more_time_is_known_to_grade(made: Path) -> None:
    moment = datetime(2030, 2, 1, 12, tzinfo=UTC)
    assert printed_deadlines(load_manifest(made / "manifest.json"), moment) == {
        "s02": moment + timedelta(minutes=10),
        "s03": moment + timedelta(minutes=15),
    }


def test_only_those_with_more_time_may_use_it(made: Path, tmp_path: Path, run) -> None:
    answers = tmp_path / "answers.csv"
    times = "s02,B,2030-02-01T12:09:00+00:00\ns01,B,2030-02-01T12:09:00+00:00\n"
    answers.write_text("student,1,submitted\n" + times, "utf-8")
    run(
        "grade",
        made / "manifest.json",
        answers,
        "--deadline",
        "2030-02-01T12:00:00Z",
        "--out",
        tmp_path / "m",
    )
    with (tmp_path / "m" / "gradebook.csv").open(encoding="utf-8") as stream:
        rows = {row["student"]: row["1"] for row in csv.DictReader(stream)}
    assert list(rows) == ["s02"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("s01,Learner,,,maybe,,", ":2:1: large: “maybe” is neither yes nor no"),
        ("s01,Learner,,,,fr,", ":2:1: language: “fr” is neither en nor ja"),
        ("s01,Learner,,,,,soon", ":2:1: “soon” is no extra time"),
    ],
)
def test_a_wish_that_is_not_understood_is_named(tmp_path: Path, row: str, message: str) -> None:
    path = tmp_path / "roster.csv"
    path.write_text(ROSTER.splitlines()[0] + "\n" + row + "\n", "utf-8")
    with pytest.raises(FaultyFile, match=message):
        load_roster(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("languages: [en, ja]", "languages: [en]"), "s03 is to have the exam in ja, and it is in en"),
        (("minutes: 40", ""), "s02 has 25% more time, a share of what?"),
    ],
)
def test_a_wish_that_the_exam_cannot_meet(tmp_path: Path, run, change, message: str) -> None:
    (tmp_path / "exam.yaml").write_text(EXAM.replace(*change), "utf-8")
    (tmp_path / "roster.csv").write_text(ROSTER, "utf-8")
    words = ("sheet", tmp_path / "exam.yaml", "--roster", tmp_path / "roster.csv", "--out", tmp_path / "x")
    assert message in run(*words, exit=2).stderr


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("roster", ["c", "a", "d", "b"]),
        ("name", ["b", "c", "a", "d"]),
        ("seat", ["d", "b", "a", "c"]),
        ("room", ["b", "a", "d", "c"]),
        ("group", ["d", "c", "a", "b"]),
    ],
)
def test_sheets_are_printed_in_this_order(order, expected: list[str]) -> None:
    students = [
        Student("c", "Two", room="", seat="", group="2"),
        Student("a", "Zwei", room="A", seat="10", group="2"),
        Student("d", "", room="B", seat="1", group="1"),
        Student("b", "One", room="A", seat="9"),
    ]
    assert [student.id for student in class_of(students, 0, order)] == expected


@pytest.mark.parametrize(
    ("text", "minutes"), [("", 0), ("15", 15), ("15m", 15), ("1h30m", 90), ("25%", 10), ("12.5 %", 5)]
)
def test_more_time_in_minutes(text: str, minutes: int) -> None:
    assert extra_of(text).minutes(40) == minutes
    assert Extra().minutes(40) == 0
