"""Exports of forms: a mapping is proposed, confirmed, and never guessed by place."""

from __future__ import annotations

from pathlib import Path

import pytest

from quizengine.errors import FaultyFile
from quizengine.grading.intake.column_map import distinct_names, load_column_map, proposed_map
from quizengine.sheets.manifest import load_manifest

GOOGLE = [
    *("Timestamp", "Email Address", "Score", "Student ID", "Sheet code", "1a. Scaled scores, row 4"),
    *("1b) Weights", "Question 1c", "2 Which?", "2 Which? [Score]", "10 things"),
]
MICROSOFT = [
    "ID",
    "Start time",
    "Completion time",
    "Email",
    "Name",
    "学籍番号",
    "１ａ．スコア",
    "問1b",
    "Name",
]


def test_a_proposal_for_google(tmp_path: Path) -> None:
    text = proposed_map(tmp_path, GOOGLE, ["1a", "1b", "1c", "2"])
    path = tmp_path / "map.yaml"
    path.write_text(text, "utf-8")
    assert load_column_map(path).renamed(tmp_path, GOOGLE) == [
        *("time", "", "", "student", "code", "1a", "1b", "1c", "2", "", ""),
    ]
    assert "# Not used:\n#   Email Address\n#   Score\n#   2 Which? [Score]\n#   10 things\n" in text


def test_a_proposal_for_microsoft_in_japanese(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_text(proposed_map(tmp_path, MICROSOFT, ["1a", "1b"]), "utf-8")
    assert load_column_map(path).renamed(tmp_path, MICROSOFT) == [
        "",
        "",
        "time",
        "",
        "",
        "student",
        "1a",
        "1b",
        "",
    ]


def test_headers_that_stand_twice_are_told_apart() -> None:
    assert distinct_names(["Q", "Q ", "a\nb", "Q"]) == ["Q", "Q #2", "a b", "Q #3"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("format: 1\ncolumns: {'Q': '1'}\n", "say which column is the student or the code"),
        ("format: 1\nstudent: A\ncode: A\ncolumns: {}\n", "the column “A” is mapped twice"),
        ("format: 1\nstudent: A\ncolumns: {'Q': '1', 'R': '1'}\n", ":3:10: 1 is given by two columns"),
        ("format: 1\nstudent: A\n", "“columns” is missing"),
        ("format: 1\nstuden: A\ncolumns: {}\n", "unknown field “studen”; did you mean student?"),
    ],
)
def test_mappings_that_cannot_be_are_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "map.yaml").write_text(text, "utf-8")
    with pytest.raises(FaultyFile) as caught:
        load_column_map(tmp_path / "map.yaml")
    assert message in caught.value.message


def test_a_form_is_graded_by_its_mapping(tmp_path: Path, run) -> None:
    run("sheet", "--variants", 2, "--item", "masking.where", "--seed", 1, "--out", tmp_path / "exam")
    manifest = tmp_path / "exam" / "manifest.json"
    keys = {sheet.student: sheet.problems[0].parts[0].key for sheet in load_manifest(manifest).sheets}
    export = tmp_path / "responses.csv"
    rows = [f"2030/01/01 10:00:00,{student},x@example.com,{key}" for student, key in keys.items()]
    export.write_text(
        'Timestamp,Student ID,Email Address,"1. Which\none?"\n' + "\n".join(rows) + "\n", "utf-8-sig"
    )
    said = run("marks", "map", manifest, export, "--out", tmp_path / "map.yaml").stdout
    assert "'1. Which one?': '1'" in said
    run("grade", manifest, export, "--map", tmp_path / "map.yaml", "--out", tmp_path / "marks")
    assert (tmp_path / "marks" / "gradebook.csv").read_text("utf-8").count(",100,1") == 2
    assert (
        "is there already"
        in run("marks", "map", manifest, export, "--out", tmp_path / "map.yaml", exit=2).stderr
    )
