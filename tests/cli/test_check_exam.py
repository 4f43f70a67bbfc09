"""`check --manifest`: what the students of an exam show in their functions stands in its report."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from zipfile import ZipFile

import pytest

from quizengine.grading.record.functions import Checked, functions_of, put_functions
from quizengine.lang.text import Text
from tests.cli.conftest import RIGHT

UNSCALED = RIGHT.replace(" / np.sqrt(Q.shape[-1])", "")
FILES = {
    "One Learner_17_assignsubmission_file/own.py": UNSCALED,
    "s02/own.py": RIGHT,
    "s03.py": UNSCALED,
    "week/s04.py": "def attention(Q, K, V, mask=None):\n    return None\n",
    "Other Person_18_assignsubmission_file/s02.py": UNSCALED,
    "twin_LATE_19_20_own.py": UNSCALED,
}


@pytest.fixture
def exam(run, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(home)
    roster = "id,name\ns01,One Learner\ns02,Two\ns03,Three\ns04,Four\ns05,Twin\ns06,Twin\n"
    Path("roster.csv").write_text(roster, "utf-8")
    run("sheet", "--roster", "roster.csv", "--item", "masking.where", "--seed", 1, "--out", "exam")
    with ZipFile("in.zip", "w") as archive:
        for name, text in FILES.items():
            archive.writestr(name, text)
    return Path("exam/manifest.json")


def checked(run, exam: Path, *words: str):
    return run("check", "in.zip", "--manifest", exam, "--out", "out", "--trust", *words, exit=1)


def test_what_students_show_stands_in_the_report(run, exam: Path) -> None:
    done = checked(run, exam)
    assert "they match no student or more than one: Other Person (18), twin #19." in " ".join(
        done.stderr.split()
    )
    rows = csv.DictReader(Path("out/functions.csv").read_text("utf-8").splitlines())
    assert {row["who"]: row["verdict"] for row in rows} == {
        "s01": "wrong",
        "s02": "right",
        "s03": "wrong",
        "s04": "broken",
        "Other Person (18)": "wrong",
        "twin #19": "wrong",
    }
    run("marks", "report", exam, "--out", "report.json")
    assert json.loads(Path("report.json").read_text("utf-8"))["functions"] == [
        {
            "task": "single",
            "verdicts": {"right": 1, "wrong": 2, "broken": 1, "ungraded": 0},
            "misconceptions": [{"id": "scale-forgotten", "students": ["s01", "s03"]}],
        }
    ]
    Path("answers.csv").write_text("student,1\ns01,A\ns02,B\n", "utf-8")
    run("grade", exam, "answers.csv", "--out", "marks")
    for lang, said in (("en", "Right: 1 of 4 functions."), ("ja", "4 個の関数のうち 1 個が正しく")):
        run("marks", "report", exam, "--lang", lang, "--out", "report.html")
        page = Path("report.html").read_text("utf-8")
        assert said in page
        assert '<td>2</td><td class="left">s01, s03</td>' in page
    assert "Right: 1 of 4 functions." in Path("marks/report.html").read_text("utf-8")


def test_a_class_checked_anew_replaces_its_task_and_writes_the_report_anew(run, exam: Path) -> None:
    Path("answers.csv").write_text("student,1\ns01,A\n", "utf-8")
    run("grade", exam, "answers.csv", "--out", "marks")
    assert json.loads(Path("marks/report.json").read_text("utf-8"))["functions"] == []
    checked(run, exam)
    with ZipFile("in.zip", "w") as archive:
        archive.writestr("s01.py", RIGHT)
    run("check", "in.zip", "--manifest", exam, "--out", "out", "--trust")
    [found] = json.loads(Path("marks/report.json").read_text("utf-8"))["functions"]
    assert found["verdicts"]["right"] == 1
    assert found["misconceptions"] == []


def test_pages_are_written_as_html_too(run, exam: Path) -> None:
    checked(run, exam, "--lang", "ja")
    names = {path.name for path in Path("out/pages").iterdir()}
    assert {name.removesuffix(".md") for name in names if name.endswith(".md")} == {
        name.removesuffix(".html") for name in names if name.endswith(".html")
    }
    page = Path("out/pages/s01-own-py.html").read_text("utf-8")
    assert page.startswith('<!doctype html>\n<html lang="ja">')
    assert "を調べた結果です。" in page
    assert '<pre tabindex="0"><code>' in page
    assert not re.search(r"(src|href)=", page)


@pytest.mark.usefixtures("no_sheets")
def test_without_the_extra_there_is_markdown(run, exam: Path) -> None:
    assert "pip install" in checked(run, exam).stderr
    assert {path.suffix for path in Path("out/pages").iterdir()} == {".md"}


def test_a_class_of_strangers_is_refused_before_it_is_checked(run, exam: Path) -> None:
    with ZipFile("in.zip", "w") as archive:
        archive.writestr("s99.py", RIGHT)
    told = run("check", "in.zip", "--manifest", exam, "--out", "out", "--trust", exit=3).stderr
    assert "no file in in.zip is of a student of exam/manifest.json (there are: s99)" in told
    assert not Path("out").exists()
    Path("own.py").write_text(RIGHT)
    assert "--manifest" in run("check", "own.py", "--manifest", exam, exit=2).stderr


def kept(names: object = (), **fields: object) -> str:
    row = {"student": "s01", "file": "a", "verdict": "wrong", "misconceptions": ["x"]} | fields
    return json.dumps({"format": 1, "tasks": {"single": [row]}, "names": dict(names)})


X = {"x": {"en": "X", "ja": "X"}}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"format": 2, "tasks": {}, "names": {}}',
        '{"format": 1, "tasks": [], "names": {}}',
        '{"format": 1, "tasks": {"single": 1}, "names": {}}',
        kept(X, extra="x"),
        kept(X, verdict="odd"),
        kept(X, misconceptions=1),
        kept(X, student=1),
        kept(),
        kept({"x": {"en": 1, "ja": "X"}}),
    ],
    ids=[
        "empty",
        "list",
        "newer",
        "tasks",
        "rows",
        "fields",
        "verdict",
        "misconceptions",
        "student",
        "no-name",
        "name",
    ],
)
def test_a_damaged_record_is_one_sentence(run, exam: Path, text: str) -> None:
    exam.with_name("functions.json").write_text(text)
    told = " ".join(run("marks", "report", exam, "--out", "report.json", exit=3).stderr.split())
    assert "functions.json is not as quizengine check --manifest wrote it: put it aside" in told


def test_tasks_stand_side_by_side(home: Path) -> None:
    manifest, x, y = home / "manifest.json", Text("X", "X"), Text("Y", "Y")
    put_functions(manifest, "single", [Checked("s01", "a.py", "wrong", ["x", "y"])], {"x": x, "y": y})
    both = [Checked("s02", file, "wrong", ["y"]) for file in ("a.py", "b.py")]
    put_functions(manifest, "causal", both, {"y": y})
    single, causal = functions_of(manifest)
    assert [id_ for id_, _, _ in single.misconceptions] == ["x", "y"]
    assert causal.misconceptions == (("y", y, ("s02",)),)
