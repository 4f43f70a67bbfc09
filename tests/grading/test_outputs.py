"""What goes out, and what a name or an answer could smuggle into it: formulas, codes, markup, paths."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
from pathlib import Path

import pytest

from quizengine.problems.part import key_text
from quizengine.sheets.manifest import load_manifest

ESCAPES = "\x1b]0;owned\x07\x1b[2J\u202e\x9b31m"
HOSTILE = {
    "=HYPERLINK(1)": "@SUM(1)",
    "-2+3": "x" + ESCAPES,
    "</script><script>alert(1)</script>": "</script><img src=x onerror=alert(1)>",
    "..": "{{ 7*7 }} [click](javascript:alert(1)) <b>",
}


@pytest.fixture
def graded(tmp_path: Path, run):
    """A class whose ids, names and answers are hostile, graded; what was said, and where it lies."""
    with (tmp_path / "r.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["id", "name"], *([id_, id_ + ESCAPES] for id_ in HOSTILE)])
    words = ("--roster", tmp_path / "r.csv", "--item", "complexity.cache", "--item", "masking.where")
    run("sheet", *words, "--seed", 1, "--out", tmp_path / "exam")
    with (tmp_path / "a.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            [["student", "1a", "2"], *([id_, text, text] for id_, text in HOSTILE.items())]
        )

    def call(*more: str):
        result = run(
            "grade", tmp_path / "exam" / "manifest.json", tmp_path / "a.csv", "--out", tmp_path / "m", *more
        )
        return result.stdout, tmp_path / "m"

    return call


def test_no_cell_runs_in_a_spreadsheet(graded) -> None:
    _, out = graded()
    rows = list(csv.reader(io.StringIO((out / "gradebook.csv").read_text("utf-8"))))
    assert [row[0] for row in rows[1:]] == [
        "'=HYPERLINK(1)",
        "'-2+3",
        "</script><script>alert(1)</script>",
        "..",
    ]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_nothing_commands_a_terminal(graded, lang: str) -> None:
    said, out = graded("--lang", lang)
    for text in (said, (out / "grading.txt").read_text("utf-8")):
        assert "could not be read" in text or "読み取れない" in text or "-2+3, 1a: " in text
        assert not any(sign in text for sign in ("\x1b", "\x07", "\x9b", "\u202e"))


def test_nothing_runs_in_a_browser(graded) -> None:
    _, out = graded()
    pages = [*(out / "feedback").glob("*.html"), out / "report.html"]
    assert len(pages) == 1 + len(HOSTILE)
    for page in pages:
        text = page.read_text("utf-8")
        assert "<script" not in text
        assert "<img" not in text
        assert 'href="javascript' not in text


@pytest.mark.usefixtures("no_sheets")
def test_without_the_extra_there_are_marks_and_markdown(tmp_path: Path, run) -> None:
    needed = "HTML needs the extra “sheets”: pip install 'quizengine[sheets]'"
    manifest, answers = tmp_path / "exam" / "manifest.json", tmp_path / "a.csv"
    (tmp_path / "r.csv").write_text("id,name\ns01,Learner\n")
    words = ("--roster", tmp_path / "r.csv", "--item", "masking.where", "--format", "md")
    run("sheet", *words, "--out", tmp_path / "exam")
    answers.write_text("student,1\ns01,A\n")
    graded = run("grade", manifest, answers, "--out", tmp_path / "m")
    assert graded.stderr.count(needed) == 1
    assert "graded: 1" in graded.stdout
    assert {path.name for path in (tmp_path / "m").iterdir()} == {
        *("gradebook.csv", "grading.txt", "report.json", "feedback")
    }
    assert {path.suffix for path in (tmp_path / "m" / "feedback").iterdir()} == {".md"}
    report = ("marks", "report", manifest, "--out", tmp_path / "report.html")
    assert needed in run(*report, exit=3).stderr


def test_nothing_leaves_the_folder(graded, tmp_path: Path) -> None:
    _, out = graded()
    codes = {who.student: who.code for who in load_manifest(tmp_path / "exam" / "manifest.json").who}
    assert {p.stem for p in (out / "feedback").iterdir()} == {codes[id_] for id_ in HOSTILE}
    assert {p.name for p in tmp_path.iterdir()} == {"r.csv", "exam", "a.csv", "m"}


def test_a_gradebook_for_a_decimal_comma(graded) -> None:
    _, out = graded("--excel")
    raw = (out / "gradebook.csv").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbfstudent;code;credit;")
    assert raw.count(b"\r\n") == 1 + len(HOSTILE)
    rows = list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline=""), delimiter=";"))
    assert all("." not in row["percent"] for row in rows)


def test_marks_come_back_as_they_went_out(tmp_path: Path, run, sheets_for) -> None:
    """Through Canvas's file: the same to two decimals, also thirds."""
    manifest = sheets_for("id,name\ns1,A\ns2,B\ns3,C\n", "masking.one-row")
    sheet = load_manifest(manifest).sheets[0]
    right = [key_text(part, part.key) for part in sheet.problems[0].parts]
    with (tmp_path / "a.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            [["student", "1a", "1b", "1c"], ["s1", *right], ["s2", "1", "", ""], ["s3"]]
        )
    run("grade", manifest, tmp_path / "a.csv", "--out", tmp_path / "m")
    run("marks", "override", manifest, "s2", "1c", "--credit", "2/3", "--why", "a third")
    export = (
        "Student,ID,SIS Login ID,Section,Mid (1)\n    Points Possible,,,,4\nA,1,s1,A,\nB,2,s2,A,\nC,3,s3,A,\n"
    )
    (tmp_path / "c.csv").write_text(export, "utf-8")
    run("marks", "canvas", manifest, tmp_path / "c.csv", "--column", "Mid", "--out", tmp_path / "d.csv")
    run("grade", manifest, tmp_path / "a.csv", "--out", tmp_path / "m")
    back = [row[4] for row in csv.reader(io.StringIO((tmp_path / "d.csv").read_text("utf-8")))][2:]
    book = csv.DictReader(io.StringIO((tmp_path / "m" / "gradebook.csv").read_text("utf-8")))
    assert back == [row["credit"] for row in book]
    assert "0.67" in back


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.mark.skipif(not CHROMIUM or not shutil.which("pdftotext"), reason="no chromium or no pdftotext here")
def test_the_report_prints_with_the_handout_on_a_page_of_its_own(tmp_path: Path, run) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    run("sheet", "--variants", 12, "--item", "masking.one-row", "--seed", 1, "--out", tmp_path / "exam")
    manifest = tmp_path / "exam" / "manifest.json"
    with (tmp_path / "a.csv").open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(["student", "1a", "1b", "1c"])
        for sheet in load_manifest(manifest).sheets:
            rival = next(r for r in sheet.problems[0].rivals if r.misconception == "mask-ignored")
            out.writerow([sheet.student, *(key_text(p, rival.values[p.id]) for p in sheet.problems[0].parts)])
    run("grade", manifest, tmp_path / "a.csv", "--out", tmp_path / "m")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.goto((tmp_path / "m" / "report.html").as_uri())
        assert page.locator("svg").count() == 3
        page.emulate_media(media="print")
        assert page.locator("svg .bar").last.is_visible()
        page.pdf(path=str(tmp_path / "report.pdf"), format="A4")
        browser.close()
    assert said == []
    text = subprocess.run(
        ["pdftotext", "-layout", tmp_path / "report.pdf", "-"], capture_output=True, check=True
    )
    leaves = text.stdout.decode().rstrip("\f").split("\f")
    [handout] = [leaf for leaf in leaves if "Teach again first" in leaf]
    assert "the mask is not applied" in handout
    assert "12 of 12 students" in handout
    assert "Reliability" not in handout
    assert "What was misunderstood" not in handout
