"""Whose answers are these, where a form knows an e-mail address alone, and where a late-comer got a spare
sheet?"""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from quizengine.errors import InputError
from quizengine.grading.record.results import Results, claims_on_record
from quizengine.sheets.manifest import Manifest, load_manifest

ROSTER = (
    "id,name,email\ns01,Learner One,one@example.edu\ns02,Learner Two,Two@example.edu\ns03,Learner Three,\n"
)


class Class:
    """An exam of one question with two spare sheets, and what came of grading a table of answers."""

    def __init__(self, folder: Path, run) -> None:
        self.folder, self.run, self.path = folder, run, folder / "exam" / "manifest.json"
        (folder / "r.csv").write_text(ROSTER, "utf-8")
        words = ("--item", "masking.where", "--spare", 2, "--seed", 1, "--out", folder / "exam")
        run("sheet", "--roster", folder / "r.csv", *words)

    @property
    def manifest(self) -> Manifest:
        return load_manifest(self.path)

    @property
    def code(self) -> dict[str, str]:
        return {who.student: who.code for who in self.manifest.who}

    @property
    def key(self) -> dict[str, str]:
        return {sheet.student: sheet.problems[0].parts[0].key for sheet in self.manifest.sheets}

    def grade(self, rows: Sequence[Sequence[str]], *words: object, lang: str = "en") -> str:
        with (self.folder / "a.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)
        out = ("--out", self.folder / "m", "--lang", lang)
        return self.run("grade", self.path, self.folder / "a.csv", *words, *out).stdout

    @property
    def points(self) -> Mapping[str, str]:
        text = (self.folder / "m" / "gradebook.csv").read_text("utf-8")
        return {row["student"]: row["credit"] for row in csv.DictReader(io.StringIO(text))}


@pytest.fixture
def exam(tmp_path: Path, run) -> Class:
    return Class(tmp_path, run)


@pytest.mark.parametrize("header", ["Email Address", "email", "メールアドレス", "E-Mail", "student"])
def test_an_address_alone_says_whose_answers_they_are(exam, header: str) -> None:
    rows = [[header, "1"], ["ONE@example.edu ", exam.key["s01"]], ["two@example.edu", exam.key["s02"]]]
    exam.grade(rows)
    assert exam.points == {"s01": "1", "s02": "1"}


def test_an_address_says_it_in_a_line_an_answer(exam) -> None:
    exam.grade([["email", "label", "answer"], ["one@example.edu", "1", exam.key["s01"]]])
    assert exam.points == {"s01": "1"}


@pytest.mark.parametrize(
    ("who", "note"),
    [
        (("", "", "else@example.org"), "else@example.org: nobody in this exam has this e-mail address"),
        (("", "", "anonymous"), "anonymous: nobody in this exam has this e-mail address"),
        (("s02", "", "one@example.edu"), "s02: the e-mail one@example.edu is that of s01: not graded"),
        (("", "s02", "one@example.edu"), "s02: the e-mail one@example.edu is that of s01: not graded"),
        (("", "spare-1", "one@example.edu"), "spare-1: the e-mail one@example.edu is that of s01"),
    ],
    ids=["unknown", "anonymous", "another-student", "another-code", "a-spare-sheet"],
)
def test_an_address_that_does_not_fit_is_listed(exam, who, note: str) -> None:
    student, sheet, address = who
    rows = [["student", "code", "email", "1"], [student, exam.code.get(sheet, ""), address, "A"]]
    assert note in exam.grade(rows)
    assert exam.points == {}


def test_a_private_address_beside_an_id_changes_nothing(exam) -> None:
    exam.grade([["student", "email", "1"], ["s03", "three@home.example", exam.key["s03"]]])
    assert exam.points == {"s03": "1"}


def test_a_form_that_asks_nothing_else_is_mapped_by_its_address(exam, tmp_path: Path, run) -> None:
    forms = {
        "google": ["Timestamp", "Email Address", "Score", "1. Where?"],
        "microsoft": ["Id", "Start time", "Completion time", "Email", "Name", "1. Where?"],
    }
    for name, header in forms.items():
        said = {"Email": "two@example.edu", "Email Address": "two@example.edu", "1. Where?": exam.key["s02"]}
        rows = [header, [said.get(column, "2030") for column in header]]
        with (tmp_path / "a.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)
        run("marks", "map", exam.path, tmp_path / "a.csv", "--out", tmp_path / f"{name}.yaml")
        exam.grade(rows, "--map", tmp_path / f"{name}.yaml")
        assert exam.points == {"s02": "1"}


def test_no_learner_can_write_an_address_among_the_answers(exam, tmp_path: Path, run) -> None:
    (tmp_path / "in").mkdir()
    said = {"code": exam.code["s01"], "answers": {"1": "A", "email": "two@example.edu"}}
    (tmp_path / "in" / "a.json").write_text(json.dumps(said), "utf-8")
    said = run("grade", exam.path, tmp_path / "in", "--out", tmp_path / "m", exit=3).stderr
    assert "no answer can be called “email”" in said


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", "a.csv:2: s99: claims the spare sheet {code} (spare-1)"),
        ("ja", "a.csv:2: s99: 予備の用紙 {code}（spare-1）を、この受験者のものとして採点します"),
    ],
)
def test_a_spare_sheet_is_graded_under_the_id_of_whoever_claims_it(exam, run, lang: str, told: str) -> None:
    code = exam.code["spare-1"]
    rows = [["student", "code", "1"], ["s99", code, exam.key["spare-1"]], ["s01", "", "A"]]
    assert told.format(code=code) in exam.grade(rows, lang=lang)
    assert exam.points["s99"] == "1"
    page = (exam.folder / "m" / "feedback" / "s99.md").read_text("utf-8")
    assert "s99" in page
    assert "spare-1" not in page


def test_whose_a_spare_sheet_is_stays_on_record(exam, run, tmp_path: Path) -> None:
    code = exam.code["spare-1"]
    exam.grade([["student", "code", "1"], ["s99", code, exam.key["spare-1"]]])
    exam.grade([["student", "1"], ["s99", exam.key["spare-1"]]])
    assert exam.points == {"s99": "1"}
    exam.grade([["code", "1"], [code, exam.key["spare-1"]]])
    assert exam.points == {"s99": "1"}
    assert "1" in run("marks", "history", exam.path, "s99").stdout
    run("marks", "moodle", exam.path, "--out", tmp_path / "moodle.csv")
    assert "\ns99,1," in (tmp_path / "moodle.csv").read_text("utf-8")
    assert claims_on_record(exam.path) == {code: "s99"}


def test_another_claim_in_a_later_file_corrects_it_and_is_told(exam) -> None:
    code = exam.code["spare-1"]
    for student in ("s9", "s99"):
        said = exam.grade([["student", "code", "1"], [student, code, exam.key["spare-1"]]])
    assert f"s99: claims the spare sheet {code}, which was s9’s until now: s9 has no marks" in said
    assert exam.points == {"s99": "1"}


@pytest.mark.parametrize(
    ("rows", "notes"),
    [
        (
            [("s01", "spare-1")],
            ["s01: {spare-1} is a spare sheet, and this student has a sheet of their own"],
        ),
        ([("s99", "s01")], ["s99: code {s01} belongs to s01"]),
        ([("spare-2", "spare-1")], ["spare-2: code {spare-1} belongs to spare-1"]),
        ([("s98", "spare-1"), ("s99", "spare-1")], ["spare-1: two submissions hold this sheet"]),
        ([("s99", "spare-1"), ("s99", "spare-2")], ["s99: claims more than one spare sheet"]),
    ],
    ids=["own-sheet", "no-spare", "spare-for-spare", "two-claimants", "two-sheets"],
)
def test_claims_that_cannot_be_are_listed_and_change_nothing(exam, rows, notes) -> None:
    table = [["student", "code", "1"], *([student, exam.code[sheet], "A"] for student, sheet in rows)]
    said = exam.grade(table)
    assert all(note.format_map(exam.code) in said for note in notes)
    assert "graded: 0" in said
    assert claims_on_record(exam.path) == {}


def test_a_spare_sheet_that_nobody_claims_is_graded_under_its_own_name(exam) -> None:
    said = exam.grade([["student", "code", "1"], ["", exam.code["spare-1"], exam.key["spare-1"]]])
    assert exam.points == {"spare-1": "1"}
    assert "spare-2" not in said


def test_a_claim_that_is_not_as_it_was_written_is_refused(exam) -> None:
    exam.grade([["student", "code", "1"], ["s99", exam.code["spare-1"], "A"]])
    db = sqlite3.connect(exam.path.with_name("results.sqlite"))
    db.execute("update claim set student = 's98'")
    db.commit()
    db.close()
    results = Results(exam.path)
    with pytest.raises(InputError, match="does not say any more whose spare sheets are"):
        results.claims()
    results.close()


def test_many_processes_know_of_a_claim_too(exam) -> None:
    rows = [["student", "code", "1"], ["s99", exam.code["spare-1"], exam.key["spare-1"]]]
    exam.grade(rows, "--jobs", 2, "--no-feedback")
    assert exam.points == {"s99": "1"}
