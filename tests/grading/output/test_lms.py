"""Gradebooks of learning platforms: one column filled, nothing else touched."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from pathlib import Path

import pytest

from quizengine.errors import InputError, UnknownName
from quizengine.grading.output.lms import canvas, moodle
from quizengine.problems.part import key_text
from quizengine.reports.tally import Total
from quizengine.sheets.manifest import load_manifest

EXPORT = """\
Student,ID,SIS User ID,SIS Login ID,Section,Lab 01 (150834),Midterm (157892),Midterm B (15),Labs Current Score
,,,,,Manual Posting,Manual Posting,,
    Points Possible,,,,,10.00,6.00,5.00,(read only)
"One, Learner",1001,s01,one@example.com,"A, morning",9.50,,,95.0
"=cmd|x",1002,s02,two@example.com,A,EX,2.00,,
"Three, Learner",1003,S03,s03,A,,,N/A,
"Student, Test",9999,,abc123,A,,,,
"""
MARKS = {
    student: Total(Fraction(credit), 6)
    for student, credit in (("s01", Fraction(5, 3)), ("s02", 0), ("s03", 6), ("s09", 1))
}


def written(tmp_path: Path, text: str = EXPORT, encoding: str = "utf-8") -> Path:
    path = tmp_path / "canvas.csv"
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("column", ["Midterm", "Midterm (157892)"])
def test_one_column_is_filled_and_nothing_else_changes(tmp_path: Path, encoding: str, column: str) -> None:
    filled = canvas(written(tmp_path, encoding=encoding), column, MARKS)
    assert filled.text.startswith("\ufeff") == (encoding == "utf-8-sig")
    plain = filled.text.removeprefix("\ufeff")
    before, after = (list(csv.reader(io.StringIO(text))) for text in (EXPORT, plain))
    assert [row[6] for row in after] == ["Midterm (157892)", "Manual Posting", "6.00", "1.67", "0", "6", ""]
    assert [[*row[:6], *row[7:]] for row in after] == [[*row[:6], *row[7:]] for row in before]
    assert filled.column == "Midterm (157892)"
    assert filled.possible == "6.00"
    assert filled.without_row == ("s09",)
    assert filled.without_mark == ("Student, Test",)
    assert filled.replaced == ("=cmd|x 2.00 → 0",)


def test_a_file_with_semicolons_stays_one(tmp_path: Path) -> None:
    text = "Student;ID;SIS Login ID;Section;Midterm (1);Total\n;;;;;\n"
    text += "    Points Possible;;;;6.00;(read only)\nA;1;s01;A;;\n"
    filled = canvas(written(tmp_path, text), "Midterm", MARKS)
    assert filled.text.splitlines()[-1] == "A;1;s01;A;1.67;"


@pytest.mark.parametrize(
    ("text", "column", "error", "message"),
    [
        (EXPORT, "Final", UnknownName, "there is no one column in this gradebook “Final”"),
        (EXPORT, "Labs Current Score", UnknownName, "there is no one column"),
        (EXPORT, "Section", UnknownName, "there is no one column"),
        ("a,b\n1,2\n", "Midterm", InputError, "is no gradebook that Canvas exported"),
        (
            EXPORT.replace("S03,s03", "s01,s03"),
            "Midterm",
            InputError,
            "bears the ids of two students: s01, s03",
        ),
    ],
)
def test_what_is_in_doubt_is_refused(
    tmp_path: Path, text: str, column: str, error: type, message: str
) -> None:
    with pytest.raises(error, match=message):
        canvas(written(tmp_path, text), column, MARKS)


def test_moodle_gets_guarded_text_and_plain_numbers() -> None:
    text = moodle(
        {"=s1": Total(Fraction(5, 2), 9), "s2": Total(Fraction(1001), 9)}, "Mid, term", {"=s1": "+1: x"}
    )
    assert list(csv.reader(io.StringIO(text))) == [
        ["ID number", "Mid, term", "Mid, term (Feedback)"],
        ["=s1", "2.5", "'+1: x"],
        ["s2", "1001", ""],
    ]


def test_from_the_record_to_the_platform(tmp_path: Path, run) -> None:
    (tmp_path / "r.csv").write_text("id,name\ns01,One\ns02,Two\ns03,Three\n", "utf-8")
    words = (
        "--roster",
        tmp_path / "r.csv",
        "--item",
        "masking.one-row",
        "--item",
        "masking.where",
        "--seed",
        2,
    )
    run("sheet", *words, "--out", tmp_path / "exam")
    manifest = tmp_path / "exam" / "manifest.json"
    sheet = load_manifest(manifest).sheets[0]
    right = [
        key_text(sheet.problems[i].part(id_), sheet.problems[i].part(id_).key)
        for _, i, id_ in sheet.labelled()
    ]
    out = io.StringIO()
    csv.writer(out).writerows(
        [["student", "1a", "1b", "1c", "2"], ["s01", *right], ["s02", "1", "", "", right[3]]]
    )
    (tmp_path / "a.csv").write_text(out.getvalue(), "utf-8")
    run("grade", manifest, tmp_path / "a.csv", "--out", tmp_path / "marks")
    run("marks", "override", manifest, "s02", "1b", "--credit", "1", "--why", "seen on paper")
    said = run(
        "marks", "canvas", manifest, written(tmp_path), "--column", "Midterm", "--out", tmp_path / "c.csv"
    )
    cells = [row[6] for row in csv.reader(io.StringIO((tmp_path / "c.csv").read_text("utf-8")))]
    assert cells[3] == "5"
    assert float(cells[4]) >= 1
    assert cells[5] == ""
    assert "Canvas has 6.00 points for it, the exam 5" in said.stdout
    assert "In the export, without a mark: Three, Learner; Student, Test" in said.stdout
    again = (
        "marks",
        "canvas",
        manifest,
        written(tmp_path),
        "--column",
        "Midterm",
        "--out",
        tmp_path / "c.csv",
    )
    assert "is there already: name another file" in run(*again, exit=2).stderr
    run("marks", "moodle", manifest, "--out", tmp_path / "m.csv", "--title", "Midterm")
    rows = list(csv.reader(io.StringIO((tmp_path / "m.csv").read_text("utf-8"))))
    assert rows[1] == ["s01", "5", ""]
    assert rows[2][2].startswith("1a: ")
