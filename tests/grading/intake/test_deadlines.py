"""Who has more time than the others: read from a table, held to the minute, and told."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from quizengine.errors import FaultyFile
from quizengine.grading.intake.deadlines import Allowance, load_allowances
from quizengine.sheets.manifest import load_manifest
from quizengine.sheets.roster import Extra

BLUEPRINT = "format: 1\ntitle: x\nminutes: {minutes}\nformats: [md]\nsections: [{{items: [masking.where]}}]\n"
ROSTER = "id,name\ns01,Learner One\ns02,Learner Two\ns03,Learner Three\n"
DEADLINE = "2030-02-01T10:00Z"


@pytest.fixture
def marks(tmp_path: Path, run):
    """Grade right answers that came at these times; what is said, and who has points."""

    def call(deadlines: str, times: dict[str, str], *more: str, exit: int = 0, minutes: int = 40):
        text = BLUEPRINT.format(minutes=minutes) if minutes else BLUEPRINT.replace("minutes: {minutes}\n", "")
        (tmp_path / "b.yaml").write_text(text.replace("{{", "{").replace("}}", "}"), "utf-8")
        (tmp_path / "r.csv").write_text(ROSTER, "utf-8")
        words = (
            "--roster",
            tmp_path / "r.csv",
            "--spare",
            1,
            "--seed",
            1,
            "--out",
            tmp_path / "exam",
            "--force",
        )
        run("sheet", tmp_path / "b.yaml", *words)
        path = tmp_path / "exam" / "manifest.json"
        sheets = {sheet.student: sheet for sheet in load_manifest(path).sheets}
        rows = [["student", "code", "time", "1"]]
        for student, time in times.items():
            sheet = sheets.get(student, sheets["spare-1"])
            rows.append([student, sheet.code, time, sheet.problems[0].parts[0].key])
        with (tmp_path / "a.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)
        (tmp_path / "deadlines.csv").write_text(deadlines, "utf-8")
        words = (*(more or ("--deadline", DEADLINE)), "--deadlines", tmp_path / "deadlines.csv")
        said = run("grade", path, tmp_path / "a.csv", *words, "--out", tmp_path / "m", exit=exit)
        if exit:
            return said.stderr, []
        book = (tmp_path / "m" / "gradebook.csv").read_text("utf-8")
        return said.stdout, [row["student"] for row in csv.DictReader(io.StringIO(book))]

    return call


@pytest.mark.parametrize(
    ("given", "at", "counts"),
    [
        ("student,extra\ns01,15\n", "10:15:59.999999", True),
        ("student,extra\ns01,15\n", "10:16:00", False),
        ("student,extra\ns01,15m\n", "10:15:59", True),
        ("student,extra\ns01,1h30m\n", "11:30:59", True),
        ("student,extra\ns01,1h30m\n", "11:31:00", False),
        ("student,extra\ns01,25%\n", "10:10:59", True),
        ("student,extra\ns01,25 %\n", "10:11:00", False),
        ("student,extra\ns01,０\n", "10:00:59", True),
        ("student,deadline\ns01,2030-02-01T12:00+01:00\n", "11:00:59", True),
        ("student,deadline\ns01,2030-02-01T12:00+01:00\n", "11:01:00", False),
        ("student,deadline\ns01,2030-02-01T11:00:30Z\n", "11:00:30", True),
        ("student,deadline\ns01,2030-02-01T11:00:30Z\n", "11:00:30.000001", False),
        ("student,deadline\ns01,2030-02-01T09:00Z\n", "09:30:00", False),
        (
            "id,name,deadline,extra\ns02,Learner Two,,10\ns01,Learner One,2030-02-01T11:00Z,\n",
            "10:59:00",
            True,
        ),
        ("student;extra\ns01;15\n", "10:15:00", True),
        ("学籍番号,extra\ns01,15\n", "10:15:00", True),
    ],
)
def test_more_time_is_held_to_its_last_moment(marks, given: str, at: str, counts: bool) -> None:
    """And is nobody else's."""
    times = {"s01": f"2030-02-01T{at}Z", "s03": "2030-02-01T10:01:00Z"}
    said, graded = marks(given, times)
    assert graded == (["s01"] if counts else [])
    assert "a.csv:3: s03: came after the deadline" in said
    if counts and at > "10:01":
        assert "a.csv:2: s01: came after the deadline, but within this student’s own: 2030-02-01T1" in said


def test_a_time_without_a_zone_is_that_of_the_students_own_deadline(marks) -> None:
    given = "student,deadline\ns01,2030-02-01T12:00+09:00\n"
    assert marks(given, {"s01": "2030-02-01T12:00:59"}, "--deadline", "2030-02-01T10:00+09:00")[1] == ["s01"]


def test_a_late_comer_may_have_more_time(marks) -> None:
    assert marks("student,extra\ns99,15\n", {"s99": "2030-02-01T10:15:00Z"})[1] == ["s99"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("student\ns01\n", ":1:1: a table of deadlines has the columns student, and deadline or extra"),
        ("name,extra\nx,15\n", "the header has: name, extra"),
        ("student,extra,dealine\ns01,15,\n", "the header has: student, extra, dealine"),
        ("student,extra,extra\ns01,15,\n", "the header has: student, extra, extra"),
        ("student,extra\n,15\n", ":2:1: whose is it? The column student is empty"),
        ("student,extra\ns01,15\ns01,20\n", ":3:1: “s01” stands twice (first on line 2)"),
        ("student,deadline,extra\ns01,2030-02-01T10:00Z,15\n", ":2:1: there is a deadline and extra time"),
        ("student,extra\ns01,\n", ":2:1: there is neither a deadline nor extra time"),
        (
            "student,extra\ns01,a while\n",
            "“a while” is no extra time: write minutes (15 or 15m), 1h30m or a share",
        ),
        ("student,extra\ns01,-5\n", "“-5” is no extra time"),
        ("student,extra\ns01,1.25\n", "“1.25” is no extra time"),
        ("student,deadline\ns01,tomorrow\n", ":2:1: “tomorrow” is no moment: write 2030-02-01T23:59+09:00"),
        ("student,deadline\ns01,2030-02-01T10:00\n", "“2030-02-01T10:00” says no time zone"),
        ("student,extra\ns01,15,x\n", ":2:1: 3 cells under 2 headers"),
    ],
)
def test_tables_that_say_too_little_are_refused_with_their_lines(
    tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "d.csv").write_text(text, "utf-8")
    with pytest.raises(FaultyFile) as caught:
        load_allowances(tmp_path / "d.csv")
    assert message in caught.value.message


def test_every_fault_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("student,extra\ns01,x\ns02,15\ns03,y\n", "utf-8")
    with pytest.raises(FaultyFile) as caught:
        load_allowances(tmp_path / "d.csv")
    assert [fault.line for fault in caught.value.faults] == [2, 4]


def test_a_student_who_is_not_in_the_exam_is_refused_and_nothing_is_graded(marks, tmp_path: Path) -> None:
    said, _ = marks("student,extra\ns1,15\n", {"s01": "2030-02-01T09:00:00Z"}, exit=3)
    assert "deadlines.csv:2:1: “s1” is no student of this exam; did you mean s01" in said
    assert not (tmp_path / "m").exists()


def test_a_share_needs_the_minutes_of_the_exam(marks) -> None:
    said, _ = marks("student,extra\ns01,25%\n", {"s01": "2030-02-01T09:00:00Z"}, exit=3, minutes=0)
    assert "deadlines.csv:2:1: a share of what? The blueprint of this exam says no minutes" in said


def test_what_the_others_have_must_be_said_too(marks) -> None:
    said, _ = marks("student,extra\ns01,15\n", {"s01": "2030-02-01T09:00:00Z"}, "--excel", exit=2)
    assert "give --deadline, too" in said


def test_a_workbook_says_it_as_well(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (
        ["student", "deadline", "extra"],
        ["s01", None, 15],
        ["s02", "2030-02-01T11:00Z"],
        ["s03", "", "25%"],
    ):
        book.active.append(row)
    book.save(tmp_path / "d.xlsx")
    assert load_allowances(tmp_path / "d.xlsx") == {
        "s01": Allowance(2, extra=Extra(900)),
        "s02": Allowance(
            3, datetime(2030, 2, 1, 11, tzinfo=UTC) + timedelta(seconds=59, microseconds=999_999)
        ),
        "s03": Allowance(4, extra=Extra(share=Fraction(1, 4))),
    }


def test_a_share_is_rounded_up_to_a_second() -> None:
    assert Extra(share=Fraction("33.3") / 100).more(1000) == 333
    assert Extra(share=Fraction(1, 3)).more(1000) == 334
