"""Rosters as they come: every export is read to the same students."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from quizengine.errors import FaultyFile, UsageError
from quizengine.sheets.manifest import load_manifest
from quizengine.sheets.roster import Student, class_of, load_roster, without_names

ROSTERS = Path(__file__).with_name("rosters")
CLASS = [
    Student("s01", "Learner One", "s01@example.edu", "Section 10"),
    Student("s02", "Learner Two", "s02@example.edu", "Section 9"),
    Student("s03", "学習者 三", "s03@example.edu", "Section 9"),
]
COLUMNS = "id=Matriculation,given=Called, at school,family=Surname,email=mail,group=Lab"
EXPORTS = {path.stem: (path, "") for path in sorted(ROSTERS.glob("*.csv"))}
EXPORTS["other"] = ROSTERS / "other.csv", COLUMNS
EXPORTS["moodle-grades"] = (
    ROSTERS / "moodle-grades.csv",
    "id=ID number,given=First name,family=Last name,email=Email address,group=Department",
)


@pytest.mark.parametrize(("path", "columns"), EXPORTS.values(), ids=EXPORTS)
def test_every_export_is_read_to_the_same_roster(path: Path, columns: str) -> None:
    assert load_roster(path, columns).students == CLASS


def test_grades_of_moodle_say_no_group() -> None:
    found = load_roster(ROSTERS / "moodle-grades.csv").students
    assert found == [Student(s.id, s.name, s.email) for s in CLASS]


@pytest.mark.parametrize(("path", "columns"), EXPORTS.values(), ids=EXPORTS)
def test_every_export_may_be_a_workbook(path: Path, columns: str, run, tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    text = path.read_text("utf-8")
    for row in csv.reader(text.splitlines(), delimiter=max(";,", key=text.count)):
        book.active.append(row)
    book.save(tmp_path / "class.xlsx")
    words = ("--roster", tmp_path / "class.xlsx", *(("--columns", columns) if columns else ()))
    run("sheet", *words, "--item", "masking.where", "--seed", 1, "--out", tmp_path / "exam")
    who = load_manifest(tmp_path / "exam" / "manifest.json").who
    assert [(one.student, one.name) for one in who] == [
        ("s02", "Learner Two"),
        ("s03", "学習者 三"),
        ("s01", "Learner One"),
    ]


def test_what_is_no_student_is_told(run, tmp_path: Path) -> None:
    for name, told in {
        "canvas-gradebook": ["2: “Manual Posting”", "3: “Points Possible”", "7: “Student, Test”"],
        "gradescope-roster": ["5: “An”"],
        "own": [],
    }.items():
        path = ROSTERS / f"{name}.csv"
        words = ("--item", "masking.where", "--seed", 1, "--out", tmp_path / name)
        said = run("sheet", "--roster", path, *words).stderr
        lines = [line for line in said.splitlines() if "is no student" in line]
        assert lines == [f"{path}:{where} is no student and gets no sheet" for where in told]


def test_a_class_in_a_further_worksheet_is_not_read_and_that_is_told(run, tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (["id", "name"], ["s01", "Learner One"]):
        book.active.append(row)
    book.create_sheet("Lab 2").append(["s02", "Learner Two"])
    book.save(tmp_path / "r.xlsx")
    words = ("--item", "masking.where", "--seed", 1, "--out", tmp_path / "exam")
    said = run("sheet", "--roster", tmp_path / "r.xlsx", *words).stderr
    assert "r.xlsx: further worksheets are not read: Lab 2" in said


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ('Student,ID,SIS Login ID,Section\n"A, B",7,,S\n"C, D",8,,S\n', ["7", "8"]),
        ('Student,ID,SIS User ID,SIS Login ID,Section\n"A, B",7,,ab,S\n', ["ab"]),
        ("First name,Surname,Email address\nA,B,a@x.org\n", ["a@x.org"]),
        ("First name,Last name,ID number,Email address\nA,B,,a@x.org\n", ["a@x.org"]),
        ("学籍番号,氏名\ns01,学習者\n", ["s01"]),
    ],
    ids=["canvas-id", "canvas-login", "moodle-address", "moodle-no-number", "japanese"],
)
def test_the_first_column_of_ids_that_says_anything_counts(tmp_path: Path, text: str, ids) -> None:
    (tmp_path / "r.csv").write_text(text, "utf-8")
    assert [student.id for student in load_roster(tmp_path / "r.csv").students] == ids


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "Matr.,Nachname\n1,A\n",
            "r.csv:1:1: the column “id” is missing; the header has: Matr., Nachname. Give an export",
        ),
        ("id,Nachname\n1,A\n", "the column “name” is missing; the header has: id, Nachname"),
        ("Name,Email\nA,a@x.org\n", "the column “id” is missing"),
        (
            "id,name,email\n1,A,a@x.org\n2,B,b@x.org\n3,C,A@x.org\n",
            "r.csv:4:1: the e-mail “A@x.org” stands twice (first on line 2)",
        ),
        (
            "First name,Last name,ID number,Email address\nA,B,1,a@x.org\nC,D,,c@x.org\n",
            ":3:1: the id is empty",
        ),
        ("id,name\n1.23E+16,A\n", ":2:1: a spreadsheet has rounded the id “1.23E+16”"),
        ("id,name\nspare-1,A\n", ":2:1: the id “spare-1” is what sheets for late-comers are called"),
        ("Student,ID,Section\nPoints Possible,,\n", "there is nobody in the roster"),
    ],
    ids=["unknown", "no-name", "no-id", "one-address", "no-number", "rounded", "spare", "nobody"],
)
def test_rosters_that_cannot_be_used(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "r.csv").write_text(text, "utf-8")
    with pytest.raises(FaultyFile) as caught:
        load_roster(tmp_path / "r.csv")
    assert message in caught.value.message


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("id=Matriculation", "say where the id and the name stand"),
        ("id=Matriculation,family=Surname", "say where the id and the name stand"),
        ("id=Matrikulation,name=Surname", "no column “Matrikulation”; did you mean Matriculation?"),
        ("id=Matriculation,name", "no column “Matriculation,name”"),
        ("id=Lab,id=Mail,name=Surname", "“id=Mail” is not understood"),
        ("number=Lab,name=Surname", "“number=Lab” is not understood"),
    ],
)
def test_columns_that_do_not_fit(columns: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_roster(ROSTERS / "other.csv", columns)
    assert message in caught.value.message


def test_columns_without_a_roster_are_a_word_too_many(run, tmp_path: Path) -> None:
    words = ("sheet", "--variants", 1, "--columns", "id=a,name=b", "--out", tmp_path / "x")
    assert "give --roster FILE, too" in run(*words, exit=2).stderr


def test_sheets_are_printed_by_group_and_then_as_the_roster_has_them() -> None:
    groups = {"a": "Lab 10", "b": "", "c": "Lab 9", "d": "lab 9", "e": "Lab 10", "f": "9"}
    order = class_of([Student(id_, group=group) for id_, group in groups.items()], 2)
    assert [student.id for student in order] == ["f", "c", "d", "a", "e", "b", "spare-1", "spare-2"]
    assert class_of(without_names(3), 0) == without_names(3)


def test_the_printed_key_is_in_the_order_of_the_groups(run, tmp_path: Path) -> None:
    words = ("--item", "masking.where", "--seed", 1, "--out", tmp_path / "exam")
    run("sheet", "--roster", ROSTERS / "own.csv", *words)
    text = (tmp_path / "exam" / "key.md").read_text("utf-8")
    assert text.index("s02") < text.index("s03") < text.index("s01")
