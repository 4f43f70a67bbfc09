"""Marks on record: kept once, decided by the instructor, given anew only on demand."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizengine.grading.record.effective import AUTOMATIC, Result, effective, latest
from quizengine.grading.record.regrade import changes
from quizengine.grading.record.results import Results
from quizengine.items.policy import Policy
from quizengine.problems.part import key_text
from quizengine.sheets.manifest import load_manifest

BANK = """\
format: 1
topic: t
languages: [en]
items:
- id: a
  type: true_false
  prompt: {en: 'Is it so?'}
  right: true
- id: b
  type: single_choice
  prompt: {en: 'Which?'}
  right:
    one: {en: 'The first of them.'}
  wrong:
    two: {en: 'The other of them.', why: {en: 'It is not.'}}
"""


@pytest.fixture
def bank_file(tmp_path: Path) -> Path:
    path = tmp_path / "bank.yaml"
    path.write_text(BANK, "utf-8")
    return path


@pytest.fixture
def exam(tmp_path: Path, run, bank_file: Path) -> Path:
    """Two items of an own bank and a staged problem; v01 right throughout, v02 with coarse and wrong ones."""
    words = (
        "--bank",
        "builtin",
        "--bank",
        bank_file,
        "--variants",
        2,
        "--seed",
        5,
        "--out",
        tmp_path / "exam",
    )
    run("sheet", "--item", "t.a", "--item", "t.b", "--item", "masking.one-row", *words)
    manifest = load_manifest(tmp_path / "exam" / "manifest.json")
    rows = []
    for sheet in manifest.sheets:
        right = {
            label: key_text(sheet.problems[i].part(id_), sheet.problems[i].part(id_).key)
            for label, i, id_ in sheet.labelled()
        }
        if sheet.student == "v02":
            scaled = sheet.problems[2].parts[0]
            right["3a"] = " ".join(f"{x / 1e9:.2f}" for x in scaled.key[0])  # a decimal too few
            right["1"] = "false"
        rows.append([sheet.student, *right.values()])
    out = io.StringIO()
    csv.writer(out).writerows([["student", *right], *rows])
    (tmp_path / "answers.csv").write_text(out.getvalue(), "utf-8")
    return tmp_path / "exam" / "manifest.json"


@pytest.fixture
def grade(run, exam: Path, bank_file: Path, tmp_path: Path):
    def call(*words: object, out: str = "marks") -> dict[str, dict[str, str]]:
        bank = ("--bank", "builtin", "--bank", bank_file)
        run("grade", exam, tmp_path / "answers.csv", "--out", tmp_path / out, *bank, *words)
        text = (tmp_path / out / "gradebook.csv").read_text("utf-8")
        return {row["student"]: row for row in csv.DictReader(io.StringIO(text))}

    return call


def rows(exam: Path) -> list[tuple]:
    db = sqlite3.connect(exam.parent / "results.sqlite")
    found = db.execute("select * from mark order by id").fetchall()
    db.close()
    return found


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_grading_twice_changes_nothing(grade, exam: Path, tmp_path: Path) -> None:
    first = grade()
    kept, seen = rows(exam), contents(tmp_path / "marks")
    assert grade() == first
    assert (rows(exam), contents(tmp_path / "marks")) == (kept, seen)
    assert len(kept) == 2 * 5


def test_two_processes_give_the_same_bytes(grade, exam: Path, tmp_path: Path) -> None:
    grade()
    one = contents(tmp_path / "marks")
    (exam.parent / "results.sqlite").unlink()
    grade("--jobs", 2, out="other")
    assert contents(tmp_path / "other") == one


def test_an_own_mark_wins_over_all_that_the_engine_gives(grade, exam: Path, tmp_path: Path, run) -> None:
    assert grade()["v02"]["1"] == "0"
    run("marks", "override", exam, "v02", "1", "--credit", "1/2", "--why", "=half seen")
    assert grade()["v02"]["1"] == "0.5"
    run("marks", "regrade", exam, "--policy", "coarse=0", "--why", "x", "--apply", "--allow-lower")
    assert grade()["v02"]["1"] == "0.5"
    page = (tmp_path / "marks" / "feedback" / "v02.md").read_text("utf-8")
    assert "marked by the instructor, " in page
    said = run("marks", "history", exam, "v02").stdout
    assert "1  graded: 0 of 1, wrong" in said
    assert "1  override: 0.5 of 1, partial (=half seen)" in said
    assert "3a  regraded: 0 of" in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("v02", "1", "--credit", "2"), "points of 1 go from 0 to 1: 2 is not among them"),
        (("v02", "1", "--credit", "much"), "“much” is no credit: write 2, 1.5 or 2/3"),
        (("v02", "9", "--credit", "1"), "has no 9; there are: 1, 2, 3a, 3b, 3c"),
        (("v09", "1", "--credit", "1"), "there is no sheet or student “v09”; did you mean"),
    ],
)
def test_marks_that_do_not_fit_are_refused(grade, exam: Path, run, words, message: str) -> None:
    grade()
    assert message in run("marks", "override", exam, *words, "--why", "x", exit=2).stderr


@pytest.mark.parametrize(("how", "credit", "points"), [("--drop", "", "5"), ("--full", "1", "6")])
def test_an_item_counts_for_nothing_or_for_everyone(
    grade, exam: Path, run, how: str, credit: str, points: str
) -> None:
    assert {row["points"] for row in grade().values()} == {"6"}
    said = run("marks", "discount", exam, "t.a", how, "--why", "a misprint").stdout
    assert "Sheets with it: 2." in said
    after = grade()
    assert {row["1"] for row in after.values()} == {credit}
    assert {row["points"] for row in after.values()} == {points}
    assert "say how: --drop or --full" in run("marks", "discount", exam, "t.a", "--why", "x", exit=2).stderr
    assert (
        "there is no item in this exam “t.c”"
        in run("marks", "discount", exam, "t.c", "--drop", "--why", "x", exit=2).stderr
    )


def test_a_mended_key_is_shown_first_and_lowers_nobody_unasked(
    grade, exam: Path, run, run_json, bank_file: Path
) -> None:
    grade()
    before = rows(exam)
    bank_file.write_text(BANK.replace("right: true", "right: false"), "utf-8")
    words = ("marks", "regrade", exam, "--keys", "--bank", "builtin", "--bank", bank_file, "--why", "mended")
    said = run(*words).stdout
    assert "v01  1: 1 → 0 (key)   not taken: lower" in said
    assert "v02  1: 0 → 1 (key)" in said
    assert "Marks that would change: 1. To change them: --apply" in said
    assert rows(exam) == before
    assert run_json(*words, "--apply")["applied"]
    assert (grade()["v01"]["1"], grade()["v02"]["1"]) == ("1", "1")
    assert [change["label"] for change in run_json(*words)["changes"] if change["taken"]] == []
    run(*words, "--apply", "--allow-lower")
    assert (grade()["v01"]["1"], grade()["v02"]["1"]) == ("0", "1")
    assert run_json(*words)["changes"] == []


def test_an_item_that_asks_something_else_now_is_not_used(grade, exam: Path, run, bank_file: Path) -> None:
    grade()
    bank_file.write_text(BANK.replace("The first of them.", "Another text."), "utf-8")
    words = ("marks", "regrade", exam, "--keys", "--bank", "builtin", "--bank", bank_file, "--why", "x")
    said = run(*words).stdout
    assert "t.b has changed in more than its key" in said
    assert "No mark would change." in said


def test_an_older_manifest_takes_todays_default_for_what_it_does_not_name(
    grade, exam: Path, run, run_json, tmp_path: Path
) -> None:
    data = json.loads(exam.read_text("utf-8"))
    del data["policy"]["carry_unexplained"]
    data["policy"]["carry"] = "1/2"
    exam.write_text(json.dumps(data), "utf-8")
    assert load_manifest(exam).policy == Policy()._replace(carry=Fraction(1, 2))
    grade()
    words = ("marks", "regrade", exam, "--why", "x", "--policy")
    assert run_json(*words, "carry_unexplained=1")["changes"] == []
    said = run(*words, "carry_unexplained=2", exit=2).stderr
    assert "carry_unexplained is a share, from 0 to 1" in said


def test_invented_numbers_carry_on_as_far_as_the_policy_says(
    grade, exam: Path, run_json, tmp_path: Path
) -> None:
    [sheet, _] = load_manifest(exam).sheets
    problem = sheet.problems[2]
    weights = [0.11, 0.29, 0.37, 0.23] + [0] * (len(problem.part("weights").key[0]) - 4)
    values = problem.matrix("V")
    mixed = [sum(w * v[j] for w, v in zip(weights, values, strict=True)) for j in range(len(values[0]))]
    answers = {"3b": weights, "3c": mixed}
    text = (tmp_path / "answers.csv").read_text("utf-8")
    table = list(csv.DictReader(io.StringIO(text)))
    table[0] |= {label: " ".join(f"{x:.5f}" for x in row) for label, row in answers.items()}
    out = io.StringIO()
    writer = csv.DictWriter(out, table[0])
    writer.writeheader()
    writer.writerows(table)
    (tmp_path / "answers.csv").write_text(out.getvalue(), "utf-8")
    book = grade()["v01"]
    assert (book["3b"], book["3c"]) == ("0", "2")
    words = ("marks", "regrade", exam, "--why", "x", "--policy", "carry_unexplained=1/4")
    [change] = run_json(*words)["changes"]
    assert (change["label"], change["old"], change["new"]) == ("3c", "2", "1/2")


def test_nothing_changes_where_nothing_has_changed(grade, exam: Path, run_json) -> None:
    grade()
    assert run_json("marks", "regrade", exam, "--why", "x", "--apply")["changes"] == []


shares = st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(1)])


@given(st.lists(st.tuples(shares, shares, st.booleans()), max_size=4))
def test_regrading_is_idempotent_and_lowers_only_on_demand(
    settled, steps: list[tuple[Fraction, Fraction, bool]]
) -> None:
    manifest, exam = settled
    code, results = manifest.sheets[0].code, Results(exam)
    try:
        for coarse, carry, allow in steps:
            policy = Policy()._replace(coarse=coarse, carry=carry)
            before = latest(results.history(code), AUTOMATIC)
            found, _ = changes(manifest, results, policy, "t")
            taken = [change.new for change in found if allow or not change.lower]
            results.add(taken)
            after = latest(results.history(code), AUTOMATIC)
            assert all(allow or after[label].credit >= result.credit for label, result in before.items())
            again, _ = changes(manifest, results, policy, "t")
            assert all(change.lower and not allow for change in again)
            assert effective(results.history(code))["own"].credit == 7
    finally:
        results.close()


@pytest.fixture(scope="module")
def settled(tmp_path_factory, bank):
    """A graded exam with an own mark, whose record only grows."""
    from quizengine.grading.attempt import attempt
    from quizengine.grading.record.effective import effective_marks
    from quizengine.sheets.compose import compose
    from quizengine.sheets.lineup import drawn
    from quizengine.sheets.plan import Blueprint, Heading, Section
    from quizengine.sheets.roster import Student

    folder = tmp_path_factory.mktemp("settled")
    plan = Blueprint(Heading(), (Section((bank.item("masking.one-row").metadata,), 1, named=True),))
    manifest = compose(bank, plan, [Student("s1")], drawn(plan, b"x" * 32))
    manifest.save(folder / "manifest.json")
    [sheet] = manifest.sheets
    answers = {}
    for label, index, id_ in sheet.labelled():
        decimals = 2 if label == "1a" else 5
        answers[label] = " ".join(f"{x / 1e9:.{decimals}f}" for x in sheet.problems[index].part(id_).key[0])
    results = Results(folder / "manifest.json")
    _, fresh = effective_marks(attempt(sheet, answers, manifest.policy), [], manifest.policy, "t")
    results.add(fresh)
    own = Result(sheet.code, "own", "override", "", "right", Fraction(7), 7, (), "x", "", "{}")
    results.add([own])
    results.close()
    return manifest, folder / "manifest.json"


def test_a_newer_record_is_refused(exam: Path, run, tmp_path: Path) -> None:
    db = sqlite3.connect(exam.parent / "results.sqlite")
    db.execute("pragma user_version = 9")
    db.close()
    said = run("grade", exam, tmp_path / "answers.csv", "--out", tmp_path / "m", exit=3).stderr
    assert "written by a newer quizengine" in said


def test_history_as_data(grade, exam: Path, run) -> None:
    grade()
    found = json.loads(run("marks", "history", exam, "v01", "--json").stdout)
    assert [one["label"] for one in found] == ["1", "2", "3a", "3b", "3c"]
    assert all(one["engine"] and one["key"] and json.loads(one["policy"]) for one in found)


def test_a_damaged_record_grades_nobody(grade, exam: Path, run, tmp_path: Path) -> None:
    grade()
    db = sqlite3.connect(exam.parent / "results.sqlite")
    db.execute("update mark set credit = '0', verdict = 'wrong' where id = 1")
    db.commit()
    db.close()
    before = contents(tmp_path / "marks")
    said = run("grade", exam, tmp_path / "answers.csv", "--out", tmp_path / "marks", exit=3).stderr
    assert "is damaged: 9 of 10 marks are intact" in said
    assert contents(tmp_path / "marks") == before
