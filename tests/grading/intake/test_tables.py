"""Whatever file the answers come in; when they came; what is refused rather than guessed."""

from __future__ import annotations

import csv
import io
from datetime import datetime
from fractions import Fraction
from pathlib import Path

import pytest

from quizengine.errors import InputError
from quizengine.files.cell import ABSENT
from quizengine.grading.intake.tables import read_answers
from quizengine.sheets.manifest import load_manifest


def workbook(path: Path, rows: list[list], *, hidden: bool = False) -> Path:
    openpyxl = pytest.importorskip("openpyxl", reason="the extra xlsx is not installed")
    book = openpyxl.Workbook()
    sheet = book.active
    if hidden:
        sheet.append(["not", "this"])
        sheet.sheet_state = "hidden"
        sheet = book.create_sheet()
    for row in rows:
        sheet.append(row)
    book.save(path)
    return path


def test_a_line_an_answer_becomes_a_line_a_student(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("student;question;response\ns1;1a;0,5\ns2;1a;x\ns1;2;B\ns1;1a;0,25\n", "utf-8")
    assert read_answers(path)[:2] == (
        ["student", "1a", "2"],
        [(2, ["s1", "0,25", "B"]), (3, ["s2", "x", ABSENT])],
    )
    path.write_text("label,answer\n1,A\n", "utf-8")
    with pytest.raises(InputError, match="needs a column student or code"):
        read_answers(path)


def test_submissions_of_a_long_file_are_told_apart_by_their_time(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("id,time,label,answer\ns1,t1,1,A\ns1,t2,1,B\n", "utf-8")
    assert read_answers(path)[:2] == (
        ["student", "time", "1"],
        [(2, ["s1", "t1", "A"]), (3, ["s1", "t2", "B"])],
    )


@pytest.mark.parametrize("hidden", [False, True])
def test_the_first_sheet_that_is_shown(tmp_path: Path, hidden: bool) -> None:
    rows = [["student", "1", "2", None], ["007", 0.1, "B", None], [], [12, 3.0, None, None]]
    path = workbook(tmp_path / "a.xlsx", rows, hidden=hidden)
    assert read_answers(path)[:2] == (["student", "1", "2"], [(2, ["007", "0.1", "B"]), (4, ["12", "3", ""])])


def test_what_is_no_answer_in_a_workbook_is_listed_with_its_cell(tmp_path: Path, run) -> None:
    """A date that was a fraction and a formula that was never worked out; a time that is a date is one."""
    run("sheet", "--item", "complexity.cache", "--variants", 3, "--seed", 1, "--out", tmp_path / "exam")
    table = [
        ["student", "time", "1a", "1b"],
        ["v01", datetime(2030, 2, 1, 12), datetime(2026, 1, 2), "1"],
        ["v02", datetime(2030, 2, 1, 12), "=1+1", "1"],
        ["v03", datetime(2030, 2, 1, 12), "1", "2"],
        ["v03", datetime(2030, 2, 3, 12), "1", "2", "left over"],
    ]
    path = workbook(tmp_path / "a.xlsx", table)
    words = ("grade", tmp_path / "exam" / "manifest.json", path, "--deadline", "2030-02-02T00:00Z")
    said = run(*words, "--out", tmp_path / "m").stdout
    assert "Rows read: 4; graded: 1; not graded: 3." in said
    assert "a.xlsx:2: v01: C2 is a date: was it 1/2? Format the column as text" in said
    assert "a.xlsx:3: v02: C3 is a formula without a result" in said
    assert "a.xlsx:5: v03: 5 cells under 4 headers" in said


def test_what_is_no_workbook_is_one_sentence(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "a.xlsx").write_bytes(b"PK\x03\x04 nonsense")
    with pytest.raises(InputError, match="is no XLSX workbook"):
        read_answers(tmp_path / "a.xlsx")
    workbook(tmp_path / "b.xlsx", [])
    with pytest.raises(InputError, match="is empty"):
        read_answers(tmp_path / "b.xlsx")
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(InputError, match=r"needs the extra “xlsx”: pip install 'quizengine\[xlsx\]'"):
        read_answers(tmp_path / "a.xlsx")


ROWS = [
    ["student", "time", "1"],
    ["v01", "2030-02-01T23:58", "RIGHT"],
    ["v01", "2030-02-02T08:00", "WRONG"],
    ["v02", "2030-02-01T10:00", "WRONG"],
    ["v02", "2030-02-01T23:59:59", "RIGHT"],
    ["v03", "2030-02-02T00:00", "RIGHT"],
    ["v04", "yesterday", "RIGHT"],
    ["v05", "2030-02-01T14:59Z", "RIGHT"],
]


@pytest.fixture
def late(tmp_path: Path, run):
    """Grade the rows above with a deadline, under a policy for late ones."""

    def call(share: str, deadline: str = "2030-02-01T23:59+09:00", exit: int = 0, rows=ROWS, *more: str):
        blueprint = tmp_path / "b.yaml"
        text = f"format: 1\ntitle: x\nformats: [md]\npolicy: {{late: {share}}}\n"
        text += "sections: [{items: [masking.where]}]\n"
        blueprint.write_text(text, "utf-8")
        run("sheet", blueprint, "--variants", 5, "--seed", 1, "--out", tmp_path / "exam", "--force")
        sheets = {sheet.student: sheet for sheet in load_manifest(tmp_path / "exam" / "manifest.json").sheets}
        out = io.StringIO()
        for row in rows:
            key = sheets[row[0]].problems[0].parts[0].key if row[0] in sheets else ""
            cell = {"RIGHT": key, "WRONG": "A" if key != "A" else "B"}.get(row[-1], row[-1])
            csv.writer(out).writerow([*row[:-1], cell])
        (tmp_path / "a.csv").write_text(out.getvalue(), "utf-8")
        words = (
            "grade",
            tmp_path / "exam" / "manifest.json",
            tmp_path / "a.csv",
            "--deadline",
            deadline,
            *more,
        )
        result = run(*words, "--out", tmp_path / "marks", exit=exit)
        if exit:
            return result, {}
        text = (tmp_path / "marks" / "gradebook.csv").read_text("utf-8")
        return result, {row["student"]: row["credit"] for row in csv.DictReader(io.StringIO(text))}

    return call


def test_the_last_answer_before_the_deadline_counts(late) -> None:
    result, marks = late("0")
    assert marks == {"v01": "1", "v02": "1", "v05": "1"}
    for line in (
        "a.csv:3: v01: came after the deadline, and line 2 before it counts",
        "a.csv:4: v02: answered again on line 5, which counts",
        "a.csv:6: v03: came after the deadline",
        "a.csv:7: v04: “yesterday” is no time in the form that is expected",
    ):
        assert line in result.stdout


@pytest.mark.parametrize(
    ("deadline", "at", "counts"),
    [
        ("2030-02-01T23:59:30Z", "2030-02-01T23:59:30Z", True),
        ("2030-02-01T23:59:30Z", "2030-02-01T23:59:30.000001Z", False),
        ("2030-02-01T23:59:30+09:00", "2030-02-01T14:59:30Z", True),
        ("2030-02-01T23:59:30+09:00", "2030-02-01T14:59:31Z", False),
        ("2030-02-01T23:59Z", "2030-02-01T23:59:59.999999Z", True),
        ("2030-02-01T23:59Z", "2030-02-02T00:00Z", False),
    ],
)
def test_the_moment_of_the_deadline_is_still_in_time(late, deadline: str, at: str, counts: bool) -> None:
    """To the second where seconds are given; a minute lasts to its end."""
    rows = [["student", "time", "1"], ["v01", at, "RIGHT"], ["v02", "2030-02-01T00:00Z", "RIGHT"]]
    _, marks = late("0", deadline, 0, rows)
    assert marks == ({"v01": "1"} if counts else {}) | {"v02": "1"}


def test_a_policy_may_give_late_answers_a_share(late, run, tmp_path: Path) -> None:
    _, marks = late("0.5")
    assert marks == {"v01": "1", "v02": "1", "v03": "0.5", "v05": "1"}
    manifest = tmp_path / "exam" / "manifest.json"
    assert "(late)" in run("marks", "history", manifest, "v03").stdout
    said = run(
        "marks", "regrade", manifest, "--policy", f"late={Fraction(3, 4)}", "--why", "x", "--apply"
    ).stdout
    assert "v03  1: 0.5 → 0.75 (policy)" in said
    assert "Marks changed: 1." in said


def test_a_late_answer_is_late_however_often_it_is_marked_anew(late, run, tmp_path: Path) -> None:
    late("0.5")
    manifest = tmp_path / "exam" / "manifest.json"
    words = ("marks", "regrade", manifest, "--apply", "--policy")
    run(*words, "late=3/4", "--why", "half was too little")
    assert "(half was too little)" in run("marks", "history", manifest, "v03").stdout
    said = run(*words, "late=4/5", "--why", "x").stdout
    assert "v03  1: 0.75 → 0.8 (policy)" in said


@pytest.mark.parametrize(
    ("deadline", "message"),
    [
        ("tomorrow", "“tomorrow” is no moment: write 2030-02-01T23:59+09:00"),
        ("2030-02-01T23:59", "“2030-02-01T23:59” says no time zone"),
    ],
)
def test_deadlines_that_say_too_little(late, deadline: str, message: str) -> None:
    assert message in late("0", deadline, 2)[0].stderr


def test_a_form_of_times_may_be_given_and_is_never_guessed(late) -> None:
    rows = [["student", "Timestamp", "1"], ["v01", "02/01/2030 23:59", "RIGHT"]]
    assert late("0", "2030-02-01T23:59Z", 0, rows)[1] == {}
    _, marks = late("0", "2030-02-01T23:59Z", 0, rows, "--time-format", "%m/%d/%Y %H:%M")
    assert marks == {"v01": "1"}
    rows = [["student", "1"], ["v01", "RIGHT"]]
    assert "a deadline needs a column with the time" in late("0", "2030-02-01T23:59Z", 3, rows)[0].stderr
