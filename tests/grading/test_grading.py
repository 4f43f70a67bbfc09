"""A class's answers: every row graded or listed, marks from the manifest alone."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from quizengine.attention.patches import PATCHES
from quizengine.attention.solver import World, solve, solve_worlds
from quizengine.grading import attempt
from quizengine.grading.output.gradebook import guarded
from quizengine.items.bank import builtin
from quizengine.problems.families.family import at_rows, inputs_of
from quizengine.problems.part import key_text
from quizengine.sheets.manifest import Manifest, load_manifest


@pytest.fixture
def exam(tmp_path: Path, run) -> Path:
    (tmp_path / "roster.csv").write_text("id,name\n" + "".join(f"s{i:02},Learner {i}\n" for i in range(1, 7)))
    out = tmp_path / "exam"
    words = ("--item", "masking.one-row", "--item", "masking.where", "--item", "complexity.layer-cost")
    run("sheet", "--roster", tmp_path / "roster.csv", *words, "--seed", 7, "--out", out)
    return out


def keys(manifest: Manifest) -> dict[str, dict[str, str]]:
    """Right answers of every student, by label."""
    return {
        sheet.student: {
            label: key_text(sheet.problems[i].part(id_), sheet.problems[i].part(id_).key)
            for label, i, id_ in sheet.labelled()
        }
        for sheet in manifest.sheets
    }


def write(path: Path, rows: dict[str, dict[str, str]], delimiter: str = ",") -> Path:
    labels = list(dict.fromkeys(label for row in rows.values() for label in row))
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerow(["student", *labels])
    writer.writerows([student, *(row.get(label, "") for label in labels)] for student, row in rows.items())
    path.write_text(out.getvalue(), "utf-8")
    return path


def book(path: Path) -> dict[str, dict[str, str]]:
    text = (path / "gradebook.csv").read_text("utf-8")
    return {row["student"]: row for row in csv.DictReader(io.StringIO(text))}


def grade(run, exam: Path, answers: Path, exit: int = 0):
    out = exam.parent / "marks"
    result = run("grade", exam / "manifest.json", answers, "--out", out, exit=exit)
    return result, book(out)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_right_answers_earn_full_marks(exam: Path, tmp_path: Path, run, delimiter: str) -> None:
    answers = keys(load_manifest(exam / "manifest.json"))
    result, marks = grade(run, exam, write(tmp_path / "a.csv", answers, delimiter))
    assert {row["percent"] for row in marks.values()} == {"100"}
    assert {row["credit"] for row in marks.values()} == {row["points"] for row in marks.values()} == {"11"}
    assert "Rows read: 6; graded: 6; not graded: 0." in result.stdout
    assert len(list((tmp_path / "marks" / "feedback").glob("*.md"))) == 6
    assert len(list((tmp_path / "marks" / "feedback").glob("*.html"))) == 6


def test_one_wrong_early_stage_earns_the_later_marks(exam: Path, tmp_path: Path, run) -> None:
    manifest = load_manifest(exam / "manifest.json")
    answers = keys(manifest)
    problem = manifest.sheets[0].problems[0]
    world = solve_worlds(inputs_of(problem), [World(PATCHES["scale-forgotten"])])[0]
    stage = np.full((6, 6), np.nan)
    stage[3] = world["scaled"][3]
    after = solve(inputs_of(problem), given={"scaled": stage})
    for label, part in zip(("1a", "1b", "1c"), problem.parts, strict=True):
        answers["s01"][label] = str(at_rows(after[part.stage], part.rows).round(6).tolist())
    _, marks = grade(run, exam, write(tmp_path / "a.csv", answers))
    assert [marks["s01"][x] for x in ("1a", "1b", "1c")] == ["0", "1", "2"]
    assert marks["s02"]["percent"] == "100"
    page = (tmp_path / "marks" / "feedback" / "s01.md").read_text("utf-8")
    assert "the scores are not divided by √d_k" in page
    assert "It follows correctly from your own earlier values" in page


def test_unreadable_text_is_reported_with_its_place_and_costs_nobody_else(
    exam: Path, tmp_path: Path, run
) -> None:
    answers = keys(load_manifest(exam / "manifest.json"))
    answers["s02"]["1b"] = "[[0.1, 0.2, abc, 0, 0, 0]]"
    path = write(tmp_path / "a.csv", answers)
    result, marks = grade(run, exam, path)
    assert f"{path}:3: s02, 1b: “abc” is not a number (character 13, “a”)" in result.stdout
    assert marks["s02"]["1b"] == "0"
    assert marks["s02"]["1c"] == "2"
    assert {marks[s]["percent"] for s in marks if s != "s02"} == {"100"}


def test_grading_needs_nothing_but_the_manifest(tmp_path: Path, run, monkeypatch: pytest.MonkeyPatch) -> None:
    bank = tmp_path / "own-bank"
    shutil.copytree(builtin(), bank)
    run(
        "sheet",
        "--bank",
        bank,
        "--variants",
        2,
        "--item",
        "masking.one-row",
        "--seed",
        1,
        "--out",
        tmp_path / "exam",
    )
    shutil.rmtree(bank)
    monkeypatch.setattr("quizengine.items.bank.builtin", lambda: str(bank))
    answers = write(tmp_path / "a.csv", keys(load_manifest(tmp_path / "exam" / "manifest.json")))
    _, marks = grade(run, tmp_path / "exam", answers)
    assert {row["percent"] for row in marks.values()} == {"100"}


def test_every_row_is_graded_or_listed(exam: Path, tmp_path: Path, run) -> None:
    manifest = load_manifest(exam / "manifest.json")
    codes = {sheet.student: sheet.code for sheet in manifest.sheets}
    wrong = codes["s03"][:-1] + ("2" if codes["s03"][-1] != "2" else "3")
    (tmp_path / "a.csv").write_text(
        "student,code,2,extra\n"
        f"s01,{codes['s01']},A,x\n"
        "s1,,A,\n"
        f",{wrong},A,\n"
        f"s02,{codes['s03']},A,\n"
        "s04,,A,\n"
        "s04,,B,\n"
        f",{codes['s05'].lower()},A,\n"
        "s06,,A,x,y\n"
    )
    result, marks = grade(run, exam, tmp_path / "a.csv")
    assert set(marks) == {"s01", "s04", "s05"}
    assert "Rows read: 8; graded: 3; not graded: 5." in result.stdout
    for said in (
        "a.csv:3: s1: unknown student; did you mean s01",
        "its check character does not fit, so it is mistyped",
        f"a.csv:5: s02: code {codes['s03']} belongs to s03",
        "a.csv:6: s04: answered again on line 7, which counts",
        "a.csv:9: s06: 5 cells under 4 headers",
        "column “extra” is no label of these sheets",
        "there is no column for 1a, 1b, 1c, 3a",
        "no answers came from s03",
    ):
        assert said in result.stdout


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("student,7\n", "no column is a label of these sheets (1a, 1b, 1c, 2"),
        ("1a,1b\n", "there is no column “student” or “code”"),
        ("student,1a,1a\n", "the column “1a” stands twice"),
    ],
)
def test_unusable_files_are_refused(exam: Path, tmp_path: Path, run, header: str, message: str) -> None:
    (tmp_path / "a.csv").write_text(header + "x,y,z\n")
    result = run("grade", exam / "manifest.json", tmp_path / "a.csv", "--out", tmp_path / "marks", exit=3)
    assert message in result.stderr
    assert not (tmp_path / "marks").exists()


def test_our_own_fault_is_ungraded_and_never_zero(exam: Path, tmp_path: Path, run, monkeypatch) -> None:
    real = attempt.judge

    def judge(problem, responses, policy):
        if problem.item == "masking.where":
            raise RuntimeError("boom")
        return real(problem, responses, policy)

    monkeypatch.setattr(attempt, "judge", judge)
    answers = write(tmp_path / "a.csv", keys(load_manifest(exam / "manifest.json")))
    result, marks = grade(run, exam, answers, exit=1)
    assert marks["s01"]["2"] == ""
    assert marks["s01"]["1c"] == "2"
    assert "6 problems are ungraded by a fault of ours" in result.stderr
    assert "RuntimeError: boom" in (tmp_path / "marks" / "crashes.txt").read_text("utf-8")
    monkeypatch.setattr(attempt, "judge", real)
    words = ("marks", "regrade", exam / "manifest.json", "--why", "mended")
    for lang, said in (("en", "s01  2: 0 → 1 (ungraded before)"), ("ja", "s01  2：0 → 1（未採点だった）")):
        assert said in run(*words, "--lang", lang).stdout


def test_an_open_quote_swallows_nobody(exam: Path, tmp_path: Path, run) -> None:
    (tmp_path / "a.csv").write_text('student,2,1a\ns01,A,"3\ns02,B,1\n')
    result = run("grade", exam / "manifest.json", tmp_path / "a.csv", "--out", tmp_path / "m", exit=3)
    assert "a.csv:2: a quote is opened and never closed" in result.stderr


def test_everything_decided_is_in_the_log_and_pages_are_of_all(exam: Path, tmp_path: Path, run) -> None:
    answers = keys(load_manifest(exam / "manifest.json"))
    first, _ = grade(run, exam, write(tmp_path / "a.csv", answers))
    assert (tmp_path / "marks" / "grading.txt").read_text("utf-8") == first.stdout
    pages = tmp_path / "marks" / "feedback"
    (pages / "s02.md").write_text("of an earlier run", "utf-8")
    grade(run, exam, write(tmp_path / "a.csv", {"s01": answers["s01"]}))
    assert {p.name for p in pages.iterdir()} == {f"{s}.{kind}" for s in answers for kind in ("md", "html")}
    assert "of an earlier run" not in (pages / "s02.md").read_text("utf-8")


def test_a_class_in_japanese(tmp_path: Path, run) -> None:
    out = tmp_path / "exam"
    run("sheet", "--variants", 1, "--item", "masking.where", "--lang", "ja", "--seed", 3, "--out", out)
    [sheet] = load_manifest(out / "manifest.json").sheets
    assert "解答 1：" in (out / "sheets" / f"{sheet.code}.md").read_text("utf-8")
    wrong = sheet.problems[0].rivals[0].values["answer"]
    (tmp_path / "a.csv").write_text(f"student,1\nv01,{wrong}\n")
    result = run("grade", out / "manifest.json", tmp_path / "a.csv", "--lang", "ja", "--out", tmp_path / "m")
    assert "1 行を読み込み、1 行を採点しました" in result.stdout
    assert "v01 さんへの講評" in (tmp_path / "m" / "feedback" / "v01.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("@x", "'@x"),
        ("-0.5", "-0.5"),
        ("+1", "'+1"),
        ("＝1", "'＝1"),
        ("plain", "plain"),
        (" =1", "' =1"),
    ],
)
def test_cells_that_a_spreadsheet_would_run_are_quoted(cell: str, written: str) -> None:
    assert guarded(cell) == written


def test_a_changed_item_is_told_and_the_manifest_counts(tmp_path: Path, run, run_json) -> None:
    bank = tmp_path / "bank.yaml"
    head = "format: 1\ntopic: t\nlanguages: [en]\n"
    text = head + "items:\n- id: a\n  type: true_false\n  prompt: {en: 'A?'}\n  right: true\n"
    bank.write_text(text)
    run("sheet", "--bank", bank, "--variants", 1, "--count", 1, "--seed", 1, "--out", tmp_path / "exam")
    (tmp_path / "a.csv").write_text("student,1\nv01,true\n")
    words = (
        "grade",
        tmp_path / "exam" / "manifest.json",
        tmp_path / "a.csv",
        "--bank",
        bank,
        "--out",
        tmp_path / "m",
    )
    assert run_json(*words)["changed"] == []
    bank.write_text(text.replace("right: true", "right: false"))
    assert "t.a has changed since these sheets were made" in run(*words).stdout
    told = run_json(*words)
    assert told["changed"] == ["t.a"]
    assert told["results"][0]["credit"] == 1.0


def test_hostile_ids_make_no_path(tmp_path: Path, run) -> None:
    (tmp_path / "r.csv").write_text("id,name\n../../evil,x\n")
    run(
        "sheet",
        "--roster",
        tmp_path / "r.csv",
        "--item",
        "masking.where",
        "--seed",
        1,
        "--out",
        tmp_path / "exam",
    )
    (tmp_path / "a.csv").write_text("student,1\n../../evil,A\n")
    run("grade", tmp_path / "exam" / "manifest.json", tmp_path / "a.csv", "--out", tmp_path / "m" / "n")
    [page] = (tmp_path / "m" / "n" / "feedback").glob("*.md")
    manifest = json.loads((tmp_path / "exam" / "manifest.json").read_text("utf-8"))
    assert page.stem == manifest["sheets"][0]["code"]
