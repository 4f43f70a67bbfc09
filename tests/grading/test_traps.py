"""Traps of files that people hand in, one case each: read rightly, or told in one sentence."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from quizengine.sheets.manifest import load_manifest


@pytest.fixture
def graded(tmp_path: Path, run, sheets_for):
    """Grade these bytes for two students of whom the first is s01 and the second 0012; what was said, and
    the credit by student."""
    manifest = sheets_for("id,name\ns01,One\n0012,Two\n", "complexity.cache", "masking.why-causal")
    keys = {
        sheet.student: sheet.problems[0].parts[0].key[0][0] // 10**9
        for sheet in load_manifest(manifest).sheets
    }

    def call(text: str, encoding: str = "utf-8", exit: int = 0) -> tuple[str, dict[str, str]]:
        for student, key in keys.items():
            text = text.replace("{" + student + "}", str(key))
        (tmp_path / "a.csv").write_bytes(text.encode(encoding))
        result = run("grade", manifest, tmp_path / "a.csv", "--no-html", "--out", tmp_path / "m", exit=exit)
        if exit:
            return result.stderr, {}
        book = csv.DictReader(io.StringIO((tmp_path / "m" / "gradebook.csv").read_text("utf-8")))
        return result.stdout, {row["student"]: row["1a"] for row in book}

    return call


RIGHT = "student,1a\ns01,{s01}\n0012,{0012}\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (RIGHT, "utf-8"),
        (RIGHT, "utf-8-sig"),
        (RIGHT, "utf-16"),
        (RIGHT.replace("student", "学籍番号"), "cp932"),
        (RIGHT.replace(",", ";"), "utf-8"),
        (RIGHT.replace(",", "\t"), "utf-8"),
        (RIGHT.replace("\n", "\r\n"), "utf-8"),
        (RIGHT.replace("\n", "\r"), "utf-8"),
        (RIGHT.replace("\n", "\n\n"), "utf-8"),
        (RIGHT.replace("student,1a", '"student","1a"'), "utf-8"),
        (RIGHT.replace("student", "Student"), "utf-8"),
        ('student,1a,2\ns01,{s01},"two\nlines, ""quoted"""\n0012,{0012},x\n', "utf-8"),
    ],
    ids=[
        "plain",
        "bom",
        "utf-16",
        "cp932",
        "semicolon",
        "tab",
        "crlf",
        "cr",
        "blank lines",
        "quotes",
        "case",
        "newline",
    ],
)
def test_what_is_read_rightly(graded, text: str, encoding: str) -> None:
    said, marks = graded(text, encoding)
    assert marks == {"s01": "1", "0012": "1"}
    assert "Rows read: 2; graded: 2" in said


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("student,1a\n12,5\n", "a.csv:2: 12: unknown student"),
        ("student,1a\n1.2E+16,5\n", "a.csv:2: 1.2E+16: a spreadsheet has rounded this id"),
        ("student,1a\nOverall average,5\n", "a.csv:2: Overall average: unknown student"),
        ("student,1a\n,\n", "Rows read: 0"),
        ("student,1a,2\ns01,1_000,x\n", "s01, 1a: "),
        ("student,1a,2\ns01,nan,x\n", "s01, 1a: "),
        ("student,1a,2\ns01,57.600,x\n", "s01, 1a: "),  # 57600 or 57.6
        ("student,1a,2\ns01,1e999,x\n", "s01, 1a: "),
        ("student,1a\ns01,1\ns01,2\n", "a.csv:2: s01: answered again on line 3, which counts"),
        ("student,1a,x,y\ns01,1,2\n", "column “x” is no label of these sheets"),
    ],
)
def test_what_is_told(graded, text: str, message: str) -> None:
    said, _ = graded(text)
    assert message in said


@pytest.mark.parametrize(
    ("text", "encoding", "message"),
    [
        ("student,1a,1a\ns01,1,2\n", "utf-8", "the column “1a” stands twice"),
        ("name,grade\nx,1\n", "utf-8", "there is no column “student” or “code”"),
        ("a,b,c,d,e,f,g,h,i\n", "utf-8", "f, g, h, …. Rename the column with the ids, or say which is what"),
        (
            "Student,ID,SIS User ID,SIS Login ID,Section,Lab 01 (1)\n,,,,,Manual Posting\n",
            "utf-8",
            "is a gradebook of Canvas: it holds grades, not answers; to fill a column of it: ",
        ),
        (
            "First Name,Last Name,SID,Email,HW 1,HW 1 - Max Points,HW 1 - Lateness (H:M:S)\n",
            "utf-8",
            "is a gradebook of Gradescope: it holds grades, not answers",
        ),
        (
            "Email address, Test assignment name\na@example.com, 10\n",
            "utf-8",
            "no column is a label of these sheets",
        ),
        ("student,grade\ns01,1\n", "utf-8", "no column is a label of these sheets"),
        ("student,1a\nsé01,1\n", "cp1252", "is neither UTF-8, UTF-16 nor cp932 text"),
        ("", "utf-8", "is empty"),
        ('student,1a\ns01,"1\n', "utf-8", "a quote is opened and never closed"),
    ],
)
def test_what_is_refused(graded, text: str, encoding: str, message: str) -> None:
    assert message in graded(text, encoding, 3)[0]


@pytest.mark.parametrize("sign", ["\0", "\1", "\2", "\1A1\1"], ids=["nul", "soh", "stx", "soh twice"])
def test_a_control_sign_in_a_cell_is_a_sign_like_any_other(
    tmp_path: Path, run, sheets_for, sign: str
) -> None:
    """It is neither a blank nor a date nor a formula: the answer is read, or cannot be read."""
    manifest = sheets_for("id,name\ns1,\n", "masking.where")
    (tmp_path / "a.csv").write_text(f"student,1\ns1,{sign}B\n", "utf-8")
    said = run("grade", manifest, tmp_path / "a.csv", "--no-feedback", "--out", tmp_path / "m").stdout
    assert "graded: 1; not graded: 0" in said
    assert "date" not in said
    assert "formula" not in said
