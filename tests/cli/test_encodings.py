"""Whatever the console is: data go out and come in letter by letter."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CODECS = ("utf-8", "utf-8-sig", "utf-16")
CONSOLES = ("utf-8", "cp1252", "cp932", "ascii")
TYPED = "−√2/2 ≈ ０．７\u2028「値」 𝑥"


def quiz(*words: object, input: bytes = b"", console: str = "cp1252", exit: int = 0) -> bytes:
    """A command in a process of its own, on such a console; what it writes."""
    done = subprocess.run(
        [sys.executable, "-m", "quizengine", *map(str, words)],
        input=input,
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": console},
    )
    assert done.returncode == exit, done.stderr
    return done.stdout + done.stderr if exit else done.stdout


def _answered() -> None:
    """One question of practice, answered with what not every console has."""
    quiz("take", "--item", "masking.one-row", "--seed", 7, input=f"{TYPED}\n\n\n".encode(), console="utf-8")


def _typed(log: bytes) -> list[str]:
    events = [json.loads(line) for line in log.decode("ascii" if log.isascii() else "utf-8").split("\n")[:-1]]
    return [event["data"]["raw"] for event in events if event["kind"] == "typed"]


@pytest.mark.parametrize("console", CONSOLES)
def test_an_export_says_what_was_typed_on_every_console(console: str) -> None:
    _answered()
    log = quiz("progress", "export", console=console)
    assert _typed(log)[0] == TYPED
    assert log.isascii() == (console != "utf-8")


@pytest.mark.parametrize("named", [True, False], ids=["file", "-"])
@pytest.mark.parametrize("codec", CODECS)
def test_an_export_comes_in_as_it_went_out(tmp_path: Path, codec: str, named: bool) -> None:
    _answered()
    log = quiz("progress", "export", console="utf-8")
    (tmp_path / "log").write_bytes(log.decode().encode(codec))
    there = ("--data-dir", tmp_path / "there")
    input = b"" if named else (tmp_path / "log").read_bytes()
    quiz("progress", "import", tmp_path / "log" if named else "-", *there, input=input)
    assert quiz("progress", "export", *there, console="utf-8") == log


def test_an_export_that_a_spreadsheet_spoilt_is_refused_with_the_place(tmp_path: Path) -> None:
    _answered()
    lines = quiz("progress", "export", console="utf-8").split(b"\n")
    lines[1] = lines[1][:9] + b"\xff" + lines[1][9:]
    (tmp_path / "log").write_bytes(b"\n".join(lines))
    assert b"log:2:10: this is not UTF-8 text: save it as UTF-8" in quiz(
        "progress", "import", tmp_path / "log", exit=3
    )


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize(
    ("words", "text", "field", "value"),
    [
        (
            ("mark", "masking.one-row", "--seed", "7", "--answers"),
            '{"scaled": "√4 −√9 1 1 1 1"}',
            ("parts", 0, "reading"),
            "1×6 [[2, -3, 1, 1, 1, 1]]",
        ),
        (("solve",), '{"Q": [[1]], "K": [[2]], "V": [[3]]}', ("stages", "output"), [[3.0]]),
        (
            ("solve", "--q=1", "--k=1", "--v=3", "--stage=output", "--answer"),
            "√9",
            ("verdict",),
            "right",
        ),
    ],
    ids=["mark", "solve", "solve-answer"],
)
def test_a_dash_takes_either_mark(words: tuple[str, ...], text: str, codec: str, field, value) -> None:
    found = json.loads(quiz(*words, "-", "--json", input=text.encode(codec)))
    for name in field:
        found = found[name]
    assert found == value


def test_a_dash_takes_what_the_console_has() -> None:
    """Not UTF-8: then it is what the console says that it is."""
    words = ("mark", "masking.where", "--answers", "-", "--json")
    found = json.loads(quiz(*words, input='{"answer": "é"}'.encode("cp1252")))
    assert "é" in found["parts"][0]["feedback"]
    said = quiz(*words, input='{"answer": "é"}'.encode("cp1252"), console="utf-8", exit=3)
    assert "standard input:1:13: this is not UTF-8 text" in json.loads(said)["error"]["message"]


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("console", CONSOLES)
def test_answers_on_a_pipe_are_read_as_they_are(codec: str, console: str) -> None:
    words = ("take", "--item", "masking.one-row", "--seed", 7)
    quiz(*words, input=f"{TYPED}\n√4\n\n".encode(codec), console=console)
    assert _typed(quiz("progress", "export"))[:2] == [TYPED, "√4"]


def test_a_pipe_that_is_no_utf_8_is_read_as_the_console_has_it() -> None:
    quiz("take", "--item", "masking.one-row", "--seed", 7, input="½ é\n\n\n".encode("cp1252"))
    assert _typed(quiz("progress", "export"))[0] == "½ é"


def _table(rows: list[list[str]]) -> str:
    return "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in rows)


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("kind", [".csv", ".json", ".yaml"])
def test_a_class_is_graded_from_a_pipe(crowd, tmp_path: Path, kind: str, codec: str) -> None:
    exam = crowd(2, "masking.where")
    [header, *rows] = csv.reader((exam / "answers.csv").read_text("utf-8").splitlines())
    saved = [{"student": row[0], "answers": dict(zip(header[1:], row[1:], strict=True))} for row in rows]
    text = _table([header, *rows]) if kind == ".csv" else json.dumps(saved)
    if kind == ".yaml":
        text = "".join(
            f"- student: {one['student']}\n  answers: {json.dumps(one['answers'])}\n" for one in saved
        )
    for out, answers, input in (
        ("piped", "-", text.encode(codec)),
        ("named", exam / "answers.csv", b""),
    ):
        quiz("grade", exam / "manifest.json", answers, "--out", tmp_path / out, "--no-feedback", input=input)
    books = [(tmp_path / out / "gradebook.csv").read_text("utf-8") for out in ("piped", "named")]
    assert books[0] == books[1]
    assert [p.name for p in (tmp_path / "piped").glob("standard-input*")] == ["standard-input"]


@pytest.mark.parametrize(
    "words",
    [
        ("pose", "masking.one-row", "--lang", "ja"),
        ("misconceptions",),
        ("bank", "list"),
        ("solve", "--q=1", "--k=1", "--v=1", "--lang", "ja"),
        ("pose", "“”"),
    ],
    ids=lambda words: words[0],
)
def test_json_is_ascii_where_the_console_is_not_utf_8(words: tuple[str, ...]) -> None:
    exit = 2 if words[-1] == "“”" else 0
    text = quiz(*words, "--json", exit=exit)
    assert text.isascii()
    assert json.loads(text) == json.loads(quiz(*words, "--json", console="utf-8", exit=exit))


@pytest.mark.parametrize("console", CONSOLES)
@pytest.mark.parametrize("words", [("--help",), ("solve", "--help"), ("solve", "--nosuch")], ids=" ".join)
def test_a_sign_that_the_console_has_not_stops_no_help(words: tuple[str, ...], console: str) -> None:
    assert b"fault of ours" not in quiz(*words, console=console, exit=2 if words[-1] == "--nosuch" else 0)
