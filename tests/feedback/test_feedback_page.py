"""Feedback as a page: what was answered, what it earned and why."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest

from quizengine.problems.part import key_text
from quizengine.sheets.manifest import load_manifest


@pytest.fixture
def pages(tmp_path: Path, run):
    """The page of a learner who forgot the mask and went on rightly, and of one with a hostile answer."""

    def call(lang: str = "en", *more: str) -> dict[str, str]:
        (tmp_path / "r.csv").write_text("id,name\ns01,Learner <b>One</b>\ns02,Two\n", "utf-8")
        words = ("--item", "masking.one-row", "--item", "masking.where", "--item", "masking.why-causal")
        where = ("--roster", tmp_path / "r.csv", "--seed", 2, "--lang", lang, "--out", tmp_path / "exam")
        run("sheet", *words, *where)
        rows = [["student", "1a", "1b", "1c", "2", "3"]]
        for sheet in load_manifest(tmp_path / "exam" / "manifest.json").sheets:
            problem = sheet.problems[0]
            ignored = next(rival for rival in problem.rivals if rival.misconception == "mask-ignored")
            cells = [" ".join(f"{x / 1e9:.5f}" for x in ignored.values[part.id][0]) for part in problem.parts]
            rows.append(
                [sheet.student, *cells, key_text(sheet.problems[1].parts[0], sheet.problems[1].parts[0].key)]
            )
            rows[-1].append("</code><script>alert(1)</script>")
        out = io.StringIO()
        csv.writer(out).writerows(rows)
        (tmp_path / "a.csv").write_text(out.getvalue(), "utf-8")
        run(
            "grade",
            tmp_path / "exam" / "manifest.json",
            tmp_path / "a.csv",
            "--out",
            tmp_path / "marks",
            *more,
        )
        return {
            path.stem: path.read_text("utf-8") for path in (tmp_path / "marks" / "feedback").glob("*.html")
        }

    return call


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        (
            "en",
            (
                "the mask is not applied",
                "It follows correctly from your own earlier values",
                "Worked solution:",
                "yours",
            ),
        ),
        ("ja", ("マスクを適用していない", "解き方：", "あなた")),
    ],
)
def test_a_page_says_what_and_why(pages, lang: str, told: tuple[str, ...]) -> None:
    page = pages(lang)["s01"]
    assert all(words in page for words in told)
    assert page.count('class="answer right"') == 3
    assert page.count('class="answer wrong"') >= 1
    assert "✗" in page


def test_hostile_answers_and_names_stay_words(pages) -> None:
    page = pages()["s01"]
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<b>One" not in page
    assert "http" not in page.replace("http-equiv", "")
    assert not re.search(r"<[^>]* (style|on\w+)=", page)


def test_own_marks_are_told_with_their_reason(pages, tmp_path: Path, run) -> None:
    pages()
    manifest = tmp_path / "exam" / "manifest.json"
    run("marks", "override", manifest, "s01", "1b", "--credit", "1", "--why", "right <as> agreed")
    run("grade", manifest, tmp_path / "a.csv", "--out", tmp_path / "marks")
    page = (tmp_path / "marks" / "feedback" / "s01.html").read_text("utf-8")
    assert "marked by the instructor" in page


def test_html_may_be_left_out(pages) -> None:
    assert pages("en", "--no-html") == {}
