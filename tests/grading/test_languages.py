"""Who had the exam in another language than the first is answered in it."""

from __future__ import annotations

import csv
import json
import re
from contextlib import closing
from pathlib import Path

import pytest

from quizengine.grading.record.reading_desk import questions
from quizengine.grading.record.results import Results
from quizengine.problems.pose import pose
from quizengine.sheets.manifest import Sheet, load_manifest

EXAM = """format: 1
title: {en: Midterm, ja: 中間試験}
languages: [en, ja]
sections: [{items: [masking.where, masking.prefix-mask, masking.one-row, masking.why-causal]}]
"""
ROSTER = "id,name,language\ns01,,\ns02,,ja\ns03,,en\n"
HIDDEN = "[[1,0,0,0,0],[1,1,0,0,0],[1,1,1,0,0],[1,1,1,1,0],[1,1,1,1,1]]"
ENGLISH = re.compile(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}")
JAPANESE = re.compile("[ぁ-ん]")


@pytest.fixture
def graded(tmp_path: Path, run) -> Path:
    """Three who were all wrong, in their own words."""
    (tmp_path / "exam.yaml").write_text(EXAM, "utf-8")
    (tmp_path / "roster.csv").write_text(ROSTER, "utf-8")
    run("sheet", tmp_path / "exam.yaml", "--roster", tmp_path / "roster.csv", "--out", tmp_path / "exam")
    rows = [["student", "1", "2", "3a", "3b", "3c", "4"]]
    said = {
        "s01": "to see the future",
        "s02": "次のトークンが見えて、それを写すから",
        "s03": "to see the future",
    }
    for sheet in load_manifest(tmp_path / "exam" / "manifest.json").sheets:
        first = sheet.problems[0].parts[0]
        wrong = next(choice.label for choice in first.choices if choice.label != first.key and choice.why)
        weights = "[[0.9, 0.1, 0, 0, 0, 0]]"
        rows.append([sheet.student, wrong, HIDDEN, "x1", weights, "[[1, 2]]", said[sheet.student]])
    with (tmp_path / "answers.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    out = tmp_path / "marks"
    run("grade", tmp_path / "exam" / "manifest.json", tmp_path / "answers.csv", "--out", out)
    return tmp_path


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def pages(folder: Path, student: str) -> list[str]:
    """Of feedback: in Markdown, and the words of that in HTML."""
    page = (folder / "marks" / "feedback" / f"{student}.html").read_text("utf-8")
    body = re.sub(r"<annotation.*?</annotation>|<[^>]+>", "", page[page.index("<body") :])
    return [(folder / "marks" / "feedback" / f"{student}.md").read_text("utf-8"), body]


@pytest.mark.parametrize("student", ["s01", "s03"])
def test_the_page_of_others_is_in_the_first_language(graded: Path, student: str) -> None:
    for page in pages(graded, student):
        assert ENGLISH.search(page)
        assert not JAPANESE.search(page)


def test_the_page_is_in_the_language_of_the_sheet(graded: Path) -> None:
    """The question, the verdicts, why the choice is wrong and what an array does not meet: all of it."""
    for page in pages(graded, "s02"):
        assert JAPANESE.search(page)
        assert [found[0] for found in ENGLISH.finditer(page.replace("s02", ""))] == []


def test_the_marks_are_those_of_the_others(graded: Path) -> None:
    rows = {row["student"]: row for row in rows_of(graded / "marks" / "gradebook.csv")}
    assert rows["s02"]["points"] == rows["s03"]["points"]


def test_words_are_read_in_the_language_that_they_are_in(graded: Path, run) -> None:
    """The lists of words are, and so is what is told of the ideas that are missing."""
    manifest = load_manifest(graded / "exam" / "manifest.json")
    with closing(Results(graded / "exam" / "manifest.json")) as results:
        asked = {question.lang: question for question in questions(manifest, results)}
    assert {lang: [a.student for g in q.groups for a in g.answers] for lang, q in asked.items()} == {
        "en": ["s01", "s03"],
        "ja": ["s02"],
    }
    [group] = asked["ja"].groups
    assert asked["ja"].suggestion(group).said == (0, 1)
    shown = run("marks", "read", graded / "exam" / "manifest.json", input="1\n1\n").stdout
    assert "Why does a Transformer need" in shown
    assert "因果マスクが必要なのはなぜですか" in shown.replace("\n", "")
    told = "モデルがそれを写すだけになり"
    assert told in pages(graded, "s02")[0]


@pytest.mark.parametrize("where", ["items", "others"])
def test_a_key_that_is_changed_by_hand_is_changed_for_all(graded: Path, run, where: str) -> None:
    """And what is not the key of all is nobody's: nobody is marked otherwise because of the language."""
    path = graded / "exam" / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    answered = {row["student"]: row["1"] for row in rows_of(graded / "answers.csv")}
    for sheet in manifest["sheets"]:
        problems = sheet["items"] if where == "items" else sheet["others"]["ja"]
        problems[0]["key"]["answer"] = answered[sheet["student"]]
    path.write_text(json.dumps(manifest), "utf-8")
    (graded / "exam" / "results.sqlite").unlink()
    run("grade", path, graded / "answers.csv", "--out", graded / "again")
    credits = [row["1"] for row in rows_of(graded / "again" / "gradebook.csv")]
    assert credits == ["1" if where == "items" else "0"] * 3


def test_every_item_of_the_bank_is_marked_alike_in_its_languages(bank) -> None:
    """So that everybody can have each in the language that the roster names."""
    for item in bank:
        first, *others = (pose(item, 1, lang, bank.catalogue) for lang in item.languages)
        for other in others:
            sheet = Sheet("", "", (first,), ({},), others={other.lang: (other,)}, own=other.lang)
            assert sheet.own_problems == (other,), item.id
