"""Whole sessions as a learner sees them: both languages, narrow and wide, plain and coloured."""

from __future__ import annotations

import re

import pytest

from quizengine.lang.characters import cells

ITEMS = ("order.steps", "masking.where", "masking.one-row")
SCALED = "-1.03972 1.03972 -1.03972 0.34657 1.03972 -2.07944"
UNMASKED = "0.04474 0.35796 0.04474 0.17898 0.35796 0.01582"
FROM_THERE = "1.80557 0.67116 5.06154"
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def session(run):
    def call(*words: str) -> str:
        """What cannot be read, a hint that there is none, a wrong choice, a mask ignored and carried on."""
        named = [word for item in ITEMS for word in ("--item", item)]
        typed = ["A, B, C", ":h", "A", SCALED, UNMASKED, FROM_THERE]
        return run("take", *named, "--seed", 1, *words, input="\n".join(typed) + "\n").stdout

    return call


@pytest.mark.parametrize("coloured", [False, True], ids=["plain", "coloured"])
@pytest.mark.parametrize("columns", [40, 80, 120, 200])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_golden_transcript(
    session, assert_golden, monkeypatch, lang: str, columns: int, coloured: bool
) -> None:
    """More than 80 columns are not used: a line that long is hard to read."""
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("CLICOLOR_FORCE", "1" if coloured else "0")
    said = session("--lang", lang)
    assert_golden(f"session-{lang}-{min(columns, 80)}{'-coloured' if coloured else ''}.txt", said)
    plain = ESCAPES.sub("", said)
    assert (plain != said) == coloured
    too_wide = [line for line in plain.splitlines() if cells(line) > min(columns, 80)]
    assert not [line for line in too_wide if " " in line.strip() and not re.search(r"\d", line)]


@pytest.mark.parametrize("words", [("--plain",), ()], ids=["option", "environment"])
def test_a_screen_reader_hears_words_alone(session, monkeypatch, words: tuple[str, ...]) -> None:
    monkeypatch.setenv("CLICOLOR_FORCE", "1")
    monkeypatch.setenv("ACCESSIBLE", "0" if words else "1")
    said = session(*words)
    assert not set(said) & set("\x1b░▒▓█─✗")
    assert ":h hint, :s skip, :u undo" in said
    assert "Not right." in said


@pytest.mark.parametrize(
    ("env", "coloured"),
    [
        ({"CLICOLOR_FORCE": "1"}, True),
        ({"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, False),
        ({"CLICOLOR_FORCE": "1", "NO_COLOR": ""}, True),
        ({"CLICOLOR_FORCE": "0"}, False),
        ({}, False),
    ],
)
def test_colour_on_a_pipe(session, monkeypatch, env: dict[str, str], coloured: bool) -> None:
    for variable, value in env.items():
        monkeypatch.setenv(variable, value)
    assert ("\x1b[" in session()) == coloured
