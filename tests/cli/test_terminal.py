"""`take` on a real terminal: Ctrl-C, re-asking, Japanese editing, colour, narrow screens."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pexpect
import pytest

from quizengine.lang.characters import cells

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture
def spawn(home: Path):
    opened = []

    def start(*words: str, columns: int = 80, **env: str) -> pexpect.spawn:
        child = pexpect.spawn(
            sys.executable,
            ["-m", "quizengine", *words],
            env={k: v for k, v in os.environ.items() if k != "COLUMNS"}
            | {"TERM": "xterm", "LANG": "C.UTF-8"}
            | env,
            encoding="utf-8",
            timeout=20,
            dimensions=(40, columns),
        )
        opened.append(child)
        return child

    yield start
    for child in opened:
        child.close(force=True)


def finish(child: pexpect.spawn) -> int:
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus


def test_ctrl_c_says_how_to_resume_and_take_resumes(spawn) -> None:
    child = spawn("take", "--item", "masking.where", "--item", "masking.times-zero", "--seed", "1")
    child.expect("At which point|Multiplying a forbidden")
    child.sendline("A")
    child.expect("Question 2 of 2")
    child.expect("> ")
    child.sendintr()
    child.expect("Kept: 1 of 2 answered. Go on with: quizengine take")
    assert finish(child) == 130
    again = spawn("take")
    again.expect("question 2 of 2")
    again.expect("> ")
    again.sendline("A")
    again.expect("points")
    assert finish(again) == 0


def test_an_unreadable_answer_is_asked_again_and_costs_nothing(spawn) -> None:
    child = spawn("take", "--item", "masking.times-zero", "--seed", "1")
    child.expect("> ")
    child.sendline("maybe")
    child.expect("not among the choices A, B")
    child.expect("it costs nothing")
    child.sendline("誤")
    child.expect("Right")
    child.expect("1 of 1 points")
    assert finish(child) == 0


def test_a_stray_enter_is_asked_about(spawn) -> None:
    child = spawn("take", "--item", "masking.times-zero", "--seed", "1")
    child.expect("> ")
    child.sendline("")
    child.expect("Press Enter once more")
    child.sendline("false")
    child.expect("1 of 1 points")
    assert finish(child) == 0


def test_end_of_input_keeps_the_session(spawn) -> None:
    child = spawn("take", "--item", "masking.where", "--seed", "1")
    child.expect("> ")
    child.sendeof()
    child.expect("Kept: 0 of 1")
    assert finish(child) == 130


def test_backspace_takes_a_whole_wide_character(spawn) -> None:
    child = spawn("take", "--item", "masking.why-causal", "--seed", "1", "--lang", "ja")
    child.expect("> ")
    child.send("次の日")
    child.send("\x7f")
    child.sendline("トークンを写すだけで済むから")
    child.expect("正解です")
    assert finish(child) == 0


@pytest.mark.parametrize(
    ("env", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_colour_is_asked_for(spawn, env: dict[str, str], coloured: bool) -> None:
    child = spawn("take", "--item", "masking.where", "--seed", "1", **env)
    child.expect("> ")
    assert ("\x1b[1m" in child.before) is coloured


@pytest.mark.parametrize("columns", [40, 60, 120])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_lines_fit_the_screen_and_no_stop_begins_one(spawn, columns: int, lang: str) -> None:
    child = spawn("take", "--item", "masking.padding-side", "--seed", "1", "--lang", lang, columns=columns)
    child.expect("> ")
    lines = ESCAPES.sub("", child.before).replace("\r", "").split("\n")
    assert len(lines) > 8
    assert all(cells(line) <= min(columns, 80) for line in lines)
    assert not any(line.lstrip()[:1] in set("。、，．」）") and line.strip() for line in lines)


def test_two_terminals_at_once_both_keep_their_answers(spawn) -> None:
    first = spawn("take", "--item", "masking.where", "--seed", "1")
    second = spawn("take", "--item", "masking.times-zero", "--seed", "1")
    for child in (first, second):
        child.expect("> ")
    for child in (first, second):
        child.sendline("A")
        child.expect("points")
        assert finish(child) == 0
