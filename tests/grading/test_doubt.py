"""Where something is in doubt: no mark changes unsaid, nothing is lost, and nobody gets another's page."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from quizengine.grading.intake.submissions import read_submissions
from quizengine.sheets.manifest import load_manifest

ROSTER = "id,name\ns1,Ann Lee\ns2,Bob Ray\ns3,Cy Fox\n"


@pytest.fixture
def exam(sheets_for) -> Path:
    """Three students: 1a, 1b, 1c are whole numbers, 2 is a choice, 3 a matrix of three by three."""
    return sheets_for(ROSTER, "complexity.cache", "masking.where", "head.dot-products")


@pytest.fixture
def keys(exam: Path) -> dict[str, dict[str, str]]:
    """What is right, by student and label."""
    out = {}
    for sheet in load_manifest(exam).sheets:
        own = out[sheet.student] = {"code": sheet.code}
        for label, index, id_ in sheet.labelled():
            part = sheet.problems[index].part(id_)
            own[label] = str(part.key[0][0] // 10**9) if part.kind == "number" else str(part.key)
    return out


@pytest.fixture
def grade(exam: Path, run, tmp_path: Path):
    """Grade a file; what was said, and the gradebook by student."""

    def call(name: str, text: str, *more: object, exit: int = 0) -> tuple[str, dict[str, dict[str, str]]]:
        (tmp_path / name).write_text(text, "utf-8")
        words = ("grade", exam, tmp_path / name, "--no-html", "--out", tmp_path / "m", *more)
        result = run(*words, exit=exit)
        if exit:
            return result.stderr, {}
        book = csv.DictReader(io.StringIO((tmp_path / "m" / "gradebook.csv").read_text("utf-8")))
        return result.stdout, {row["student"]: row for row in book}

    return call


def test_a_file_that_says_nothing_of_an_answer_leaves_it_on_record(grade, keys) -> None:
    right = keys["s1"]
    grade("a.csv", f"student,1a,1b,2\ns1,{right['1a']},{right['1b']},{right['2']}\n")
    said, book = grade("b.csv", f"student,label,answer\ns1,1c,{right['1c']}\n")
    assert (book["s1"]["1a"], book["s1"]["1b"], book["s1"]["2"]) == ("1", "1", "1")
    assert "other answers than on record" not in said
    said, book = grade("c.csv", "student,label,answer\ns1,1a,0\ns1,1b,\n")
    assert "s1: other answers than on record, marks changed: 2; 4 → 2 points" in said
    assert (book["s1"]["1a"], book["s1"]["1b"], book["s1"]["1c"]) == ("0", "0", "1")


def test_a_line_an_answer_that_is_cut_by_a_comma_is_listed(grade, keys) -> None:
    said, book = grade("a.csv", f"student,label,answer\ns1,1a,{keys['s1']['1a'][:2]},5\ns1,1b,1\n")
    assert "a.csv:2: s1: 4 cells under 3 headers" in said
    assert book["s1"]["1a"] == "0"


def test_what_stands_twice_in_a_long_table_is_told(grade) -> None:
    said, _ = grade("a.csv", "student,label,answer\ns1,1a,7\ns2,1a,1\ns1,1a,\n")
    assert "a.csv:4: s1: 1a is given twice; what is written last counts" in said


def test_answers_that_come_one_by_one_add_up(grade, keys) -> None:
    """Until the deadline: what came later does not count, and what came before does."""
    right = keys["s1"]
    text = "student,time,label,answer\n"
    text += f"s1,2030-01-01T10:00Z,1a,{right['1a']}\ns1,2030-01-01T11:00Z,1b,{right['1b']}\n"
    text += "s1,2030-01-03T11:00Z,1a,0\n"
    _, book = grade("a.csv", text, "--deadline", "2030-01-02T00:00Z")
    assert (book["s1"]["1a"], book["s1"]["1b"]) == ("1", "1")


@pytest.mark.parametrize(
    ("cells", "typed"),
    [
        ([["4,364", "3,0", "2"]], "[[4.364, 3.0, 2]]"),
        ([["0,5", "", "1/2"]], "[[0.5, _, 1/2]]"),
        ([["4,364", "3"]], "4,364\t3\t"),  # 4364 or 4.364: left as it is, a cell by itself
        ([["1,2", "ln 2, 3"]], "1,2\tln 2, 3\t"),
        ([["1 1/2", "√2"], ["3", ""]], "1 1/2\t√2\t\n3\t_\t"),
    ],
)
def test_decimal_commas_of_a_cell_stay_in_it(tmp_path: Path, cells: list, typed: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"code": "2345A", "answers": {"1": cells}}), "utf-8")
    [(_, row)] = read_submissions(path).rows
    assert row[-1] == typed


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"code": "x", "answers": {"1": 7, "1": ""}}', "“1” stands twice"),
        ('{"code": "x", "code": "y", "answers": {}}', "“code” stands twice"),
        ('{"code": "x", "answers": {"1": "\\ud800"}}', "surrogates not allowed"),
        ('{"code": "x", "answers": {"code": "1"}}', "no answer can be called “code”"),
        ('{"code": "x", "answers": {"1": {"a": 1}}}', "answers.1"),
    ],
)
def test_one_bad_file_stops_nobody_else(exam: Path, keys, run, tmp_path: Path, text: str, why: str) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "bad.json").write_text(text, "utf-8")
    good = {"code": keys["s1"]["code"], "answers": {"1a": keys["s1"]["1a"]}}
    (folder / "good.json").write_text(json.dumps(good), "utf-8")
    said = run("grade", exam, folder, "--no-html", "--out", tmp_path / "m").stdout
    assert "Rows read: 2; graded: 1; not graded: 1." in said
    assert f"{folder / 'bad.json'}: bad.json: holds no answers that a sheet saved (" in said
    assert why in said


def test_a_folder_without_answers_says_why(exam: Path, run, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "x.pdf").write_bytes(b"%PDF")
    said = run("grade", exam, tmp_path / "in", "--out", tmp_path / "m", exit=3).stderr
    assert "no file in it holds answers (x.pdf: it is a PDF: answers are read from a table" in said


def zipped(path: Path, members: dict[str, dict]) -> Path:
    with ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, json.dumps(content))
    return path


def test_nobody_hands_in_for_another_or_gets_the_page_of_another(
    exam: Path, keys, run, tmp_path: Path
) -> None:
    own = {"code": keys["s2"]["code"], "answers": {"1a": keys["s2"]["1a"]}}
    path = zipped(
        tmp_path / "in.zip",
        {
            "Bob Ray_18_assignsubmission_file/a.json": own,
            "Cy Fox_19_assignsubmission_file/a.json": {**own, "answers": {"1a": "0"}},
        },
    )
    said = run("grade", exam, path, "--out", tmp_path / "m").stdout
    assert f"sheet {keys['s2']['code']} was handed in by Cy Fox (19), who has a sheet of their own" in said
    assert f"s2,{keys['s2']['code']},1," in (tmp_path / "m" / "gradebook.csv").read_text("utf-8")
    run("marks", "feedback-zip", exam, path, "--marks", tmp_path / "m", "--out", tmp_path / "f.zip")
    with ZipFile(tmp_path / "f.zip") as archive:
        assert archive.namelist() == ["Bob Ray_18_assignfeedback_file_feedback.html"]


def test_two_submissions_of_one_name_are_nobodys(exam: Path, run, tmp_path: Path) -> None:
    members = {
        f"Ann Lee_{number}_assignsubmission_file/a.json": {"answers": {"1a": "1"}} for number in (17, 21)
    }
    said = run("grade", exam, zipped(tmp_path / "in.zip", members), "--out", tmp_path / "m").stdout
    assert "graded: 0; not graded: 2." in said
    assert "s1: two submissions hold this sheet: whose is it?" in said


def test_a_grade_is_no_id(tmp_path: Path, run, sheets_for) -> None:
    """In the worksheet: an id column decides, then the name, and no other cell."""
    manifest = sheets_for("id,name\n1,Ann\n2,Bob\n7,Cy\n", "masking.where")
    (tmp_path / "a.csv").write_text("student,1\n1,A\n2,A\n7,A\n", "utf-8")
    run("grade", manifest, tmp_path / "a.csv", "--out", tmp_path / "m")
    sheet = "Identifier,Full name,ID number,Grade\nParticipant 11,Ann,1,7\nParticipant 12,Zoe,99,7\n"
    (tmp_path / "w.csv").write_text(sheet, "utf-8")
    words = ("marks", "feedback-zip", manifest, tmp_path / "w.csv")
    run(*words, "--marks", tmp_path / "m", "--out", tmp_path / "f.zip")
    with ZipFile(tmp_path / "f.zip") as archive:
        assert archive.namelist() == ["Ann_11_assignfeedback_file_feedback.html"]
    assert "holds no pages" in run(*words, "--marks", tmp_path, "--out", tmp_path / "g.zip", exit=3).stderr


def test_lateness_is_told_and_lifted_by_a_later_deadline(tmp_path: Path, run) -> None:
    (tmp_path / "b.yaml").write_text(
        "format: 1\ntitle: x\nformats: [md]\npolicy: {late: 0.5}\nsections: [{items: [masking.where]}]\n",
        "utf-8",
    )
    run("sheet", tmp_path / "b.yaml", "--variants", 1, "--seed", 1, "--out", tmp_path / "e")
    manifest = tmp_path / "e" / "manifest.json"
    key = load_manifest(manifest).sheets[0].problems[0].parts[0].key
    (tmp_path / "a.csv").write_text(f"student,time,1\nv01,2030-02-01T12:00Z,{key}\n", "utf-8")
    words = ("grade", manifest, tmp_path / "a.csv", "--out", tmp_path / "m")
    said = run(*words, "--deadline", "2030-01-01T00:00Z").stdout
    assert "v01: came after the deadline and earns 1/2 of its points" in said
    assert "Handed in after the deadline" in (tmp_path / "m" / "feedback" / "v01.md").read_text("utf-8")
    report = json.loads((tmp_path / "m" / "report.json").read_text("utf-8"))
    assert (report["items"][0]["facility"], report["percents"]) == (1.0, [50.0])
    assert "earns 1/2" in run(*words).stdout
    assert "earns 1/2" not in run(*words, "--deadline", "2030-03-01T00:00Z").stdout
    assert "v01" in (book := (tmp_path / "m" / "gradebook.csv").read_text("utf-8"))
    assert ",1,1,100,1" in book


def test_a_discount_says_nothing_of_the_question_and_gives_absent_ones_nothing(
    grade, exam, keys, run, tmp_path
) -> None:
    grade("a.csv", "student,1a,2\n" + "".join(f"{s},{keys[s]['1a']},{keys[s]['2']}\n" for s in ("s1", "s2")))
    run("marks", "discount", exam, "masking.where", "--drop", "--why", "a misprint")
    said, book = grade("a.csv", (tmp_path / "a.csv").read_text("utf-8"))
    assert "2: does not count (a misprint)" in said
    assert "2: 0 %" not in said
    assert book["s1"]["points"] == str(int(book["s1"]["points"]))
    page = (tmp_path / "m" / "feedback" / "s1.md").read_text("utf-8")
    assert "this question does not count" in page
    places = [
        item["item"] for item in json.loads((tmp_path / "m" / "report.json").read_text("utf-8"))["items"]
    ]
    assert "masking.where" not in places
    run("marks", "moodle", exam, "--out", tmp_path / "moodle.csv")
    assert "s3" not in (tmp_path / "moodle.csv").read_text("utf-8")
    export = "Student,ID,SIS Login ID,Section,Mid (1)\n    Points Possible,,,,7\nA,1,s1,A,2\nC,3,s3,A,\n"
    (tmp_path / "c.csv").write_text(export, "utf-8")
    told = run(
        "marks", "canvas", exam, tmp_path / "c.csv", "--column", "Mid", "--out", tmp_path / "d.csv"
    ).stdout
    assert f"the exam {book['s1']['points']}" in told
    assert "Marks that were there and are replaced: A 2 → 1" in told


@pytest.mark.parametrize(
    "words",
    [
        ("regrade", "--policy", "coarse=-1"),
        ("regrade", "--policy", "coarse=5"),
        ("regrade", "--policy", "window=0"),
        ("override", "s1", "1a", "--credit", "1e999999999"),
        ("discount", "masking.where", "--full", "--drop"),
    ],
    ids=" ".join,
)
def test_values_that_cannot_be_meant_are_refused(exam: Path, run, words: tuple[str, ...]) -> None:
    command, *rest = words
    run("marks", command, exam, *rest, "--why", "x", exit=2)


@pytest.mark.parametrize("form", ["%d %d", "%Q", "%"])
def test_a_form_of_times_that_is_none_is_refused(grade, form: str) -> None:
    words = ("--deadline", "2030-01-01T00:00Z", "--time-format", form)
    assert "is no form of a time" in grade("a.csv", "student,time,1a\ns1,1,1\n", *words, exit=2)[0]


def test_files_of_the_instructor_are_left_alone(grade, tmp_path: Path) -> None:
    grade("a.csv", "student,1a\ns1,1\ns2,1\n")
    (tmp_path / "m" / "feedback" / "my_notes.md").write_text("mine")
    grade("a.csv", "student,1a\ns1,1\n")
    assert {p.name for p in (tmp_path / "m" / "feedback").iterdir()} == {"my_notes.md", "s1.md", "s2.md"}


def test_a_manifest_that_was_changed_is_told(grade, exam: Path) -> None:
    exam.write_text(exam.read_text("utf-8").replace('"seed":', '"seed": ', 1), "utf-8")
    assert "the manifest is not as it was written" in grade("a.csv", "student,1a\ns1,1\n")[0]


def test_a_mapping_of_a_column_that_is_not_there_is_refused(grade, tmp_path: Path) -> None:
    (tmp_path / "map.yaml").write_text("format: 1\nstudent: id\ncolumns: {'Gone': '1a'}\n", "utf-8")
    said, _ = grade("a.csv", "id,x\ns1,1\n", "--map", tmp_path / "map.yaml", exit=3)
    assert "the mapping names a column “Gone”, which is not there: id, x" in said


def test_an_id_that_is_one_sign_off_is_offered_first(tmp_path: Path, run, sheets_for) -> None:
    ids = [f"24A0{n:02}" for n in range(1, 20)]
    manifest = sheets_for("id,name\n" + "".join(f"{id_},x\n" for id_ in ids), "masking.where")
    (tmp_path / "a.csv").write_text("student,1\n24A0O1,A\n", "utf-8")
    said = run("grade", manifest, tmp_path / "a.csv", "--out", tmp_path / "m").stdout
    assert "did you mean 24A001" in said


def test_one_run_a_folder(exam: Path, run, tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl", reason="locks are of POSIX systems")
    (tmp_path / "a.csv").write_text("student,1a\ns1,1\n", "utf-8")
    (tmp_path / "m").mkdir()
    with (tmp_path / "m" / "gradebook.csv.part").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        words = ("grade", exam, tmp_path / "a.csv", "--out", tmp_path / "m")
        assert "another quizengine is writing to" in run(*words, exit=3).stderr
    run(*words)


def test_a_table_without_a_last_line_end_takes_another_sheet(exam: Path, keys, run, tmp_path: Path) -> None:
    header = "student,code," + ",".join(load_manifest(exam).labels)
    lines = f"\ufeff{header}\ns1,{keys['s1']['code']},1,1,1,A,"
    (tmp_path / "a.csv").write_text(lines, "utf-8")
    typed = [keys["s2"]["code"], "1", "1", "1", "B", "", ":q"]
    run("marks", "enter", exam, "--into", tmp_path / "a.csv", input="\n".join(typed) + "\n")
    said = run("grade", exam, tmp_path / "a.csv", "--no-html", "--out", tmp_path / "m").stdout
    assert "Rows read: 2; graded: 2; not graded: 0." in said


def test_ctrl_c_in_the_middle_of_processes_says_nothing_of_them(crowd, tmp_path: Path) -> None:
    import os
    import signal

    from .test_scale import RUN, begun, command, fresh

    folder = fresh(crowd(1_500, "head.dot-products"), tmp_path / "exam")
    words = command(folder, folder / "m", "--jobs", 2, code=RUN)
    assert words[0] == sys.executable
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as child:
        while not begun(folder):
            assert child.poll() is None
        os.killpg(child.pid, signal.SIGINT)
        _, said = child.communicate()
    assert child.returncode == 130
    assert b"Traceback" not in said
