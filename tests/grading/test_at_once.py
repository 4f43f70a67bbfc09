"""Several at once on one exam: every mark is recorded once, and no decision is passed over in silence."""

from __future__ import annotations

import csv
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from quizengine.grading.record.results import Results

CLASS = 1_500  # three chunks
HELD = """\
import sys
import quizengine.grading.grade as g
real = g.finished
def finished(*words):
    for number, done in enumerate(real(*words)):
        if number == 0:  # the first chunk is marked, and not yet on record
            print("begun", file=sys.stderr, flush=True)
            sys.stdin.readline()
        yield done
g.finished = finished
from quizengine.cli import main
sys.exit(main())
"""


@pytest.fixture
def exam(crowd, tmp_path: Path) -> Path:
    (tmp_path / "exam").mkdir()
    for name in ("manifest.json", "answers.csv"):
        shutil.copy(crowd(CLASS, "head.dot-products") / name, tmp_path / "exam" / name)
    return tmp_path / "exam" / "manifest.json"


@pytest.fixture
def held(exam: Path):
    """A `grade` that has begun and waits for a line of input."""
    words = ["grade", exam, exam.parent / "answers.csv", "--out", exam.parent / "m", "--no-feedback"]
    with subprocess.Popen(
        [sys.executable, "-c", HELD, *map(str, words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stderr.readline() == "begun\n"
        yield child
        child.kill()


def ended(child: subprocess.Popen[str]) -> str:
    """Let it go on; what it says."""
    said, wrong = child.communicate("\n")
    assert (child.returncode, wrong) == (0, "")
    return said


def test_of_several_grades_one_works_and_the_others_are_told(exam: Path, held, run) -> None:
    words = ("grade", exam, exam.parent / "answers.csv", "--no-feedback")
    for out in ("n", "o"):
        said = run(*words, "--out", exam.parent / out, exit=3).stderr
        assert "another quizengine is giving marks" in said
        assert len(said.splitlines()) == 1
    assert "another quizengine" in run("marks", "regrade", exam, "--why", "x", "--apply", exit=3).stderr
    ended(held)
    run(*words, "--out", exam.parent / "n")
    db = sqlite3.connect(exam.parent / "results.sqlite")
    marks = db.execute("select count(*), count(distinct code || ' ' || label) from mark").fetchone()
    db.close()
    assert marks == (CLASS, CLASS)
    assert sorted(p.name for p in exam.parent.iterdir() if p.is_file()) == [
        "answers.csv",
        "manifest.json",
        "results.sqlite",
    ]


def test_a_decision_during_a_run_is_in_its_gradebook_or_said_to_be_missing(exam: Path, held, run) -> None:
    """Of the first chunk it comes too late, of the last it does not."""
    first, last = "s000000", f"s{CLASS - 1:06}"
    for student in (first, last):
        run("marks", "override", exam, student, "1", "--credit", "1/2", "--why", "a way of its own")
    said = ended(held)
    assert "not in this gradebook" in said
    assert f"{first} 1" in said
    assert last not in said
    assert said.rstrip("\n") == (exam.parent / "m" / "grading.txt").read_text("utf-8").rstrip("\n")
    with (exam.parent / "m" / "gradebook.csv").open(encoding="utf-8", newline="") as file:
        credits = {row["student"]: row["credit"] for row in csv.DictReader(file)}
    assert credits[last] == "0.5" != credits[first]


def test_json_names_what_is_missing(exam: Path, run_json, run, monkeypatch) -> None:
    import quizengine.grading.grade as module

    real = module.finished

    def finished(*words):
        for number, done in enumerate(real(*words)):
            if number == 0:
                run("marks", "override", exam, "s000001", "1", "--credit", "0", "--why", "x")
            yield done

    words = ("grade", exam, exam.parent / "answers.csv", "--no-feedback", "--out", exam.parent / "m")
    with monkeypatch.context() as patched:
        patched.setattr(module, "finished", finished)
        assert run_json(*words)["decided_meanwhile"] == [{"student": "s000001", "label": "1"}]
    assert run_json(*words)["decided_meanwhile"] == []


def test_a_record_that_another_makes_first_is_used(tmp_path: Path, monkeypatch) -> None:
    real, entered = Path.read_text, []

    def read_text(path: Path, *words):
        if not entered:
            entered.append(path)
            Results(tmp_path / "manifest.json").close()
        return real(path, *words)

    monkeypatch.setattr(Path, "read_text", read_text)
    Results(tmp_path / "manifest.json").close()
    assert entered


def test_a_gradebook_that_is_put_in_its_place_while_another_waits_to_open_it_stays(
    tmp_path: Path, monkeypatch
) -> None:
    """Who opened the unfinished file of a run that then ended must not write into its gradebook."""
    fcntl = pytest.importorskip("fcntl")
    from quizengine.grading.output.gradebook import Folder
    from quizengine.sheets.manifest import Who

    first, real = Folder(tmp_path, ["1"], who=[Who("A", "s1")]), fcntl.flock
    first.add([("A", "s1,whole\n")], ())

    def flock(file, how):
        if not first.book.closed:
            first.keep()
            first.close()
        real(file, how)

    monkeypatch.setattr(fcntl, "flock", flock)
    Folder(tmp_path, ["1"]).close()
    assert "s1,whole" in (tmp_path / "gradebook.csv").read_text("utf-8")


@pytest.mark.parametrize("error", [OSError("no /dev/shm"), ImportError("no sem_open"), NotImplementedError()])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_where_processes_share_nothing_one_grades_and_says_so(
    run, crowd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, lang: str
) -> None:
    def refuse(*_: object) -> None:
        raise error

    shutil.copy(crowd(2, "masking.where") / "manifest.json", tmp_path)
    monkeypatch.setattr("quizengine.grading.processes.ProcessPoolExecutor", refuse)
    answers = crowd(2, "masking.where") / "answers.csv"
    words = ("grade", tmp_path / "manifest.json", answers, "--out", tmp_path / "m", "--lang", lang)
    done = run(*words, "--jobs", 2)
    assert ("one process" if lang == "en" else "1 つのプロセス") in done.stderr
    assert len((tmp_path / "m" / "gradebook.csv").read_text("utf-8").splitlines()) == 3
    assert "/dev/shm" not in run(*words).stderr
