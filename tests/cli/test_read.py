"""`marks read`: the reading desk at a real terminal, on a pipe, in a spreadsheet; objections."""

from __future__ import annotations

import csv
import io
import signal
from collections.abc import Callable
from pathlib import Path

import pexpect
import pytest

from quizengine.grading.record.reading_desk import questions
from quizengine.grading.record.results import Results
from quizengine.sheets.manifest import load_manifest

ITEMS = ("roles.in-your-words", "masking.why-causal", "scaling.saturation")
MANY = (12, 12, 11)  # different answers to each
STUDENTS = 60


def said(item: int, number: int) -> str:
    """An answer of a kind of its own, with a number of words that tells it from the others."""
    return f"answer {chr(97 + number) * (number + 3)} to question {item + 1}"


@pytest.fixture
def exam(run, tmp_path: Path) -> Callable[[int], Path]:
    """An exam of three questions in words, graded; so many students, who write in their own fashion."""

    def call(students: int = STUDENTS) -> Path:
        ids = [f"s{n:02d}" for n in range(students)]
        (tmp_path / "r.csv").write_text("id,name\n" + "".join(f"{i},Name {i}\n" for i in ids), "utf-8")
        words = [word for item in ITEMS for word in ("--item", item)]
        path = tmp_path / "exam" / "manifest.json"
        run(
            "sheet",
            "--roster",
            tmp_path / "r.csv",
            *words,
            "--seed",
            1,
            "--format",
            "html",
            "--out",
            path.parent,
        )
        label = {problem.item: labels["answer"] for problem, labels in _sheet(path)}
        rows = [["student", *(label[item] for item in ITEMS)]]
        for n, id_ in enumerate(ids):
            texts = [said(k, n % size) for k, size in enumerate(MANY)]
            rows.append([id_, *(text.upper() + "!" if n % 2 else text for text in texts)])
        out = io.StringIO()
        csv.writer(out).writerows(rows)
        (tmp_path / "a.csv").write_text(out.getvalue(), "utf-8")
        run("grade", path, tmp_path / "a.csv", "--out", tmp_path / "m")
        return path

    return call


def _sheet(path: Path):
    sheet = load_manifest(path).sheets[0]
    return zip(sheet.problems, sheet.labels, strict=True)


def book(tmp_path: Path) -> list[dict[str, str]]:
    return [*csv.DictReader((tmp_path / "m" / "gradebook.csv").read_text("utf-8").splitlines())]


def history(path: Path, student: str):
    results = Results(path)
    try:
        code = next(who.code for who in load_manifest(path).who if who.student == student)
        return results.history(code)
    finally:
        results.close()


def test_a_class_is_read_in_as_many_keys_as_there_are_groups_and_ideas(exam, spawn, tmp_path) -> None:
    path = exam()
    assert {(row["points"], row["1"], row["2"], row["3"]) for row in book(tmp_path)} == {
        ("0", "open", "open", "open")
    }
    child = spawn("marks", "read", str(path))
    pressed = groups = ticked = 0
    for item, size in zip(ITEMS, MANY, strict=True):
        child.expect(f"Question {item}")
        for _ in range(size):
            child.expect(r"(\d+) of 35: (\d+) ×")
            groups += 1
            if groups % 2:
                child.send("1")
                child.expect("ideas: 1")
                pressed, ticked = pressed + 1, ticked + 1
            child.send("\r")
            pressed += 1
    child.expect("Decided: 35 .equal answers count once.; learners: 180")
    child.expect("Written anew")
    assert (groups, pressed) == (35, groups + ticked)
    assert all("open" not in row.values() for row in book(tmp_path))
    assert {float(row["credit"]) > 0 for row in book(tmp_path)} == {True, False}


def test_what_is_decided_is_kept_though_the_desk_is_killed(exam, spawn, run, tmp_path) -> None:
    path = exam(12)
    child = spawn("marks", "read", str(path))
    for _ in range(3):
        child.expect(r"of 35: \d+ ×")
        child.send("1\r")
    child.expect("4 of 35")
    child.kill(signal.SIGKILL)
    child.wait()
    again = run("marks", "read", path, input=":q").stdout
    assert "1 of 32:" in again
    waiting = sum(value == "open" for row in book(tmp_path) for value in row.values())
    assert waiting == 36 - 3


def test_a_decision_is_taken_back_and_skipping_decides_nothing(exam, run, tmp_path) -> None:
    path = exam(12)
    done = run("marks", "read", path, input="1\nu12\ns:q").stdout
    assert "Taken back" in done
    assert "Skipped: it stays open." in done
    assert "Decided: 1 (equal" in done
    marks = [float(row[label]) for row in book(tmp_path) for label in ("1", "2", "3") if row[label] != "open"]
    assert marks == [pytest.approx(0.67)]


def test_a_mark_of_the_desk_stands_and_the_page_has_the_instructors_words(exam, run, tmp_path) -> None:
    path = exam(1)
    run("marks", "read", path, input="wwell put, and short\n1\n" + "\n" * 2)
    before = book(tmp_path)
    run("marks", "regrade", path, "--policy", "coarse=1", "--why", "a policy", "--apply", "--allow-lower")
    assert book(tmp_path) == before
    page = (tmp_path / "m" / "feedback" / "s00.md").read_text("utf-8")
    assert "well put, and short" in page
    assert "Not found in the answer: " in page


def test_names_are_hidden_unless_they_are_wanted(exam, run) -> None:
    path = exam(2)
    assert "s00" not in run("marks", "read", path, input=":q").stdout
    assert "s00" in run("marks", "read", path, "--names", input=":q").stdout


def test_a_second_reader_is_compared_and_changes_no_mark(exam, run, tmp_path) -> None:
    path = exam(1)
    run("marks", "read", path, input="1\n1\n1\n")
    before = book(tmp_path)
    told = run("marks", "read", path, "--as", "B", input="1\n2\n1\n").stdout
    assert "Both readers found the same in 2 of 3 answers (67 %)." in told
    assert told.count("found differently") == 1
    assert book(tmp_path) == before
    assert "Question" not in run("marks", "read", path, "--as", "B", input="").stdout


def test_the_desk_in_a_spreadsheet(exam, run, tmp_path) -> None:
    path, table = exam(4), tmp_path / "words.csv"
    run("marks", "read", path, "--export", table)
    rows = [*csv.reader(table.read_text("utf-8-sig").splitlines())]
    groups = [row for row in rows[1:] if row[0]]
    assert len(groups) == 12
    for n, row in enumerate(groups):
        row[5:] = [("1 2", "all", "none", "")[n % 4], "seen" if n == 0 else ""]
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    table.write_text(out.getvalue(), "utf-8")
    assert (
        "Decided: 9 (equal answers count once); learners: 9."
        in run("marks", "read", path, "--import", table).stdout
    )
    assert sum(value == "open" for row in book(tmp_path) for value in row.values()) == 3


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{id},1 9", "words.csv:2:1: “1 9” names no ideas: write numbers from 1 to 3 (1 3), all or none"),
    ],
)
def test_a_table_with_a_fault_decides_nothing(exam, run, tmp_path, line: str, why: str) -> None:
    path, table = exam(1), tmp_path / "words.csv"
    results = Results(path)
    first = next(q for q in questions(load_manifest(path), results) if q.problem.item == ITEMS[0]).groups[0]
    results.close()
    table.write_text(f"group,ideas\n{line.format(id=first.id)}\n{first.id},1\n", "utf-8")
    refused = run("marks", "read", path, "--import", table, exit=3)
    assert why in refused.stderr
    assert all(result.kind == "graded" for result in history(path, "s00"))


def test_an_objection_is_heard_and_its_decision_is_on_the_page(exam, run, tmp_path) -> None:
    path, table = exam(2), tmp_path / "objections.csv"
    run("marks", "read", path, input="\n" * 6)
    table.write_text(
        "student,label,remark\ns00,1,I said what the key is for\ns01,2,unfair\nNobody,1,x\n", "utf-8"
    )
    refused = run("marks", "read", path, "--objections", table, input="1\nyou did\n", exit=2)
    assert "there is no sheet or student “Nobody”" in refused.stderr
    assert not refused.stdout
    table.write_text(table.read_text("utf-8").replace("Nobody,1,x\n", ""), "utf-8")
    told = run("marks", "read", path, "--objections", table, input="1\n\nyou did\n\nit stands\n").stdout
    assert "The learner writes: I said what the key is for" in told
    assert told.count("Why, in your words") == 3  # an empty reason is asked for again
    last = [(r.label, r.credit, r.why) for r in history(path, "s00") if r.kind == "override"][-1]
    assert last == ("1", 1, "you did")
    assert "you did" in (tmp_path / "m" / "feedback" / "s00.md").read_text("utf-8")
    assert "it stands" in (tmp_path / "m" / "feedback" / "s01.md").read_text("utf-8")


def test_no_door_leads_from_a_word_list_to_a_mark(exam, run, run_json, tmp_path) -> None:
    """The model itself is open, whichever way it comes in."""
    path = exam(1)
    model = next(problem.parts[0].key for problem, _ in _sheet(path) if problem.item == ITEMS[0])
    assert (
        "Not marked here: compare your answer with the model answer."
        in run("take", "--item", ITEMS[0], input=model + "\n").stdout
    )
    run("take", "--mode", "exam", "--item", ITEMS[0], input=f"{model}\n:e\n:e\n")
    assert "points: 0 of 0. (2 more to be read)" in run("progress").stdout
    told = run_json("mark", ITEMS[0], "--seed", 1, "--answer", f"answer={model}")
    assert [(part["verdict"], part["credit"]) for part in told["parts"]] == [("open", 0)]
    (tmp_path / "b.csv").write_text(f'student,1\ns00,"{model}"\n', "utf-8")
    run("grade", path, tmp_path / "b.csv", "--out", tmp_path / "m")
    run("marks", "regrade", path, "--policy", "coarse=1", "--why", "a policy", "--apply")
    assert {row["1"] for row in book(tmp_path)} == {"open"}


def again(run, path: Path, tmp_path: Path, text: str) -> str:
    """The first student hands in another answer to the first question; what that call says."""
    (tmp_path / "b.csv").write_text(f"student,1\ns00,{text}\n", "utf-8")
    return run("grade", path, tmp_path / "b.csv", "--out", tmp_path / "m").stdout


def test_a_mark_is_of_the_text_that_was_read_and_of_no_other(exam, run, tmp_path) -> None:
    path = exam(1)
    run("marks", "read", path, input="123\n" + "\n" * 2)
    assert book(tmp_path)[0]["1"] == "1"
    again(run, path, tmp_path, "dunno")
    assert book(tmp_path)[0]["1"] == "open"
    assert "dunno" in run("marks", "read", path, input=":q").stdout
    again(run, path, tmp_path, said_by_first := said_of(path))
    assert (book(tmp_path)[0]["1"], said_by_first) == ("1", said_of(path))


def said_of(path: Path) -> str:
    return next(r.raw for r in history(path, "s00") if r.label == "1" and r.kind == "graded")


def test_an_own_mark_of_the_instructor_is_not_read_over(exam, run, tmp_path) -> None:
    path = exam(2)
    run("marks", "override", path, "s00", "1", "--credit", "1", "--why", "said aloud")
    run("marks", "read", path, "--again", input="\n" * 6)
    assert [row["1"] for row in book(tmp_path)] == ["1", "0"]
    run("marks", "discount", path, ITEMS[0], "--full", "--why", "a misprint")
    assert [row["1"] for row in book(tmp_path)] == ["1", "1"]


def test_what_was_found_before_is_shown_and_stays_with_enter(exam, run, tmp_path) -> None:
    path = exam(1)
    run("marks", "read", path, input="wnicely put\n13\n" + "\n" * 2)
    before, page = book(tmp_path), tmp_path / "m" / "feedback" / "s00.md"
    assert "ideas: 1 3" in run("marks", "read", path, "--again", input="\n:q").stdout
    assert book(tmp_path) == before
    assert "nicely put" in page.read_text("utf-8")
    run("marks", "read", path, "--again", input="2\nu:q")  # taken back: as it was
    assert book(tmp_path) == before


def test_a_late_comers_equal_text_brings_the_ideas_that_were_found_in_it(exam, run, tmp_path) -> None:
    path = exam(13)  # s12 writes as s00 does
    run("marks", "read", path, input="12\n" * 40)
    (tmp_path / "b.csv").write_text("student,1\ns05,=\n".replace("=", said(0, 0)), "utf-8")
    run("grade", path, tmp_path / "b.csv", "--out", tmp_path / "m")
    assert book(tmp_path)[5]["1"] == "open"
    shown = run("marks", "read", path, input="\n").stdout
    assert "1 of 1: 1 ×" in shown
    assert "ideas: 1 2" in shown
    assert book(tmp_path)[5]["1"] == book(tmp_path)[0]["1"] == "0.67"


def test_blank_answers_are_not_read(exam, run, tmp_path) -> None:
    path = exam(1)
    again(run, path, tmp_path, "_")
    assert book(tmp_path)[0]["1"] == "0"
    assert "1 of 2" in run("marks", "read", path, input=":q").stdout


def test_the_gradebook_follows_a_desk_that_is_left_by_ctrl_c(exam, spawn, tmp_path) -> None:
    path = exam(1)
    child = spawn("marks", "read", str(path))
    child.expect("1 of 3")
    child.send("1\r")
    child.expect("2 of 3")
    child.sendintr()
    child.expect("Written anew")
    assert finish(child) == 130
    assert [value == "open" for value in book(tmp_path)[0].values()].count(True) == 2


def finish(child) -> int:
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda rows: [rows[1], rows[0], *rows[2:]], "is another one: was a column sorted by itself?"),
        (lambda rows: [rows[0], [*rows[0][:5], "2", ""], *rows[1:]], "is decided twice, and not alike"),
    ],
    ids=["sorted", "twice"],
)
def test_a_table_that_went_wrong_decides_nothing(exam, run, tmp_path, change, why) -> None:
    path, table = exam(3), tmp_path / "words.csv"
    run("marks", "read", path, "--export", table)
    header, *rows = csv.reader(table.read_text("utf-8-sig").splitlines())
    groups = [[*row[:5], "1", ""] for row in rows if row[0] and row[1] == ITEMS[0]]
    if "sorted" in why:
        groups = [[id_, *row[1:]] for id_, row in zip([g[0] for g in change(groups)], groups, strict=True)]
    else:
        groups = change(groups)
    out = io.StringIO()
    csv.writer(out).writerows([header, *groups])
    table.write_text(out.getvalue(), "utf-8")
    assert why in run("marks", "read", path, "--import", table, exit=3).stderr
    assert all(result.kind == "graded" for result in history(path, "s00"))


@pytest.mark.parametrize("name", ["results.sqlite", "manifest.json", "../a.csv"])
def test_a_view_replaces_no_file_of_another_kind(exam, run, name: str) -> None:
    path = exam(1)
    before = (path.parent / name).read_bytes()
    refused = run("marks", "gradebook", path, "--out", path.parent / name, exit=2)
    assert "is there already, and is no such file: name another one" in refused.stderr
    assert (path.parent / name).read_bytes() == before
