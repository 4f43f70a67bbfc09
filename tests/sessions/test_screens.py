"""What stands on a learner's screen at every prompt of every numeric item: is the question there, with its
givens?"""

from __future__ import annotations

from pathlib import Path

import pytest

from quizengine.items.bank import Bank
from quizengine.lang.characters import cells
from quizengine.lang.text import Lang
from quizengine.problems.part import key_text
from quizengine.problems.problem import Problem
from quizengine.render.blocks import ask, givens, recalled, stem
from quizengine.render.matrix import numpy_text
from quizengine.render.terminal import lines
from quizengine.sessions.exam import Exam
from quizengine.sessions.practice import Practice
from quizengine.sessions.selection import Selection, begin
from quizengine.sessions.store import Store


class Screen:
    """A desk at which the key is typed; what stands on the screen at every prompt is kept."""

    def __init__(self, width: int, height: int, *typed: str):
        self.size, self.typed = (width, height), list(typed)
        self.shown, self.screens, self.copied = list[str](), list[list[str]](), ""

    def width(self) -> int:
        return self.size[0]

    def height(self) -> int:
        return self.size[1]

    def abreast(self) -> bool:
        return True

    def interactive(self) -> bool:
        return True

    def keys(self, text: str) -> str:
        return text

    def print(self, *shown: str, style: str = "") -> None:
        self.shown += shown

    def copy(self, text: str) -> None:
        self.copied = text

    def complain(self, text: str) -> None:
        raise AssertionError(text)

    def answer(self, *, rows: int = 0) -> str | None:
        self.screens.append([*self.shown, "> "][-self.height() :])
        typed = self.typed.pop(0) if self.typed else None
        self.shown += [f"> {line}" for line in (typed or "").split("\n")]
        return typed


def taken(bank: Bank, folder: Path, item: str, lang: Lang, screen: Screen, *, exam: bool = False) -> Problem:
    """Answer the item at this screen, each part with its key, unless something else is typed."""
    store = Store(str(folder))
    wanted = Selection(ids=(item,), seed=1, mode="exam" if exam else "practice")
    session = begin(bank, store, wanted, lang)
    dialogue = (Exam if exam else Practice)(bank, store, session, screen)
    problem = dialogue.problem(0)
    screen.typed = screen.typed or [key_text(part, part.key) for part in problem.parts]
    dialogue.run()
    store.close()
    return problem


def holds(screen: list[str], wanted: list[str]) -> bool:
    """Do these lines stand there, in a row?"""
    wanted = wanted[1:] if wanted and not wanted[0] else wanted
    return any(screen[i : i + len(wanted)] == wanted for i in range(len(screen)))


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize(
    ("width", "height", "whole"), [(80, 24, 20), (80, 40, 26), (40, 24, 0)], ids=["80×24", "100×40", "40×24"]
)
def test_every_part_stands_there_with_its_givens(
    bank: Bank, tmp_path: Path, lang: Lang, width: int, height: int, whole: int
) -> None:
    """Where that is more than the screen has, the givens are shown all the same. (At 100 columns 80 are
    written.) So many items stand there `whole` at the first prompt, from their title to the prompt."""
    at_once, asked, parts = 0, 0, 0
    for item in (item.id for item in bank if item.type == "numeric"):
        screen = Screen(width, height)
        problem = taken(bank, tmp_path / item, item, lang, screen)
        for part, there in zip(problem.parts, screen.screens, strict=False):
            asked += 1
            wanted = lines(recalled(problem, part), width)
            question = lines(ask(problem, part), width)
            keys = len(there) - max(i for i, line in enumerate(there) if line == question[-1]) - 1
            fits = len(wanted) + len(question) + keys <= height
            if fits or (width == 80 and problem.given):  # a program may be longer than the screen
                assert holds(there, wanted), (item, part.id)
            assert problem.code or max(map(cells, wanted + question)) <= width  # a program is not broken
        parts += len(problem.parts)
        at_once += holds(screen.screens[0], lines(stem(problem), width))
    assert (at_once >= whole, asked) == (True, parts)


def test_the_givens_come_back_when_they_have_rolled_off_and_only_then(bank: Bank, tmp_path: Path) -> None:
    times = {}
    for height in (0, 24, 100):
        screen = Screen(80, height)
        taken(bank, tmp_path / str(height), "masking.one-row", "en", screen)
        times[height] = sum("Q = ln 2 ×" in line for line in screen.shown)
    assert times == {0: 1, 24: 2, 100: 1}


@pytest.mark.parametrize("exam", [False, True], ids=["practice", "exam"])
def test_the_givens_on_demand_and_as_numpy(bank: Bank, tmp_path: Path, exam: bool) -> None:
    screen = Screen(80, 40, ":g", "：ｃ", ":q")
    problem = taken(bank, tmp_path, "masking.one-row", "en", screen, exam=exam)
    assert holds(screen.screens[1], lines(givens(problem), 80))
    assert screen.screens[1].count("> :g") == 1
    assert screen.copied == numpy_text(problem)
    assert holds(screen.screens[2], screen.copied.split("\n"))
    assert all(any(key in line for line in screen.screens[0]) for key in (":g givens", ":c copy"))


@pytest.mark.parametrize("exam", [False, True], ids=["practice", "exam"])
def test_where_nothing_is_given_the_question_comes_again(bank: Bank, tmp_path: Path, exam: bool) -> None:
    screen = Screen(80, 40, ":g", ":c", ":q")
    problem = taken(bank, tmp_path, "masking.where", "en", screen, exam=exam)
    assert not any(":g givens" in line for line in screen.shown)
    assert screen.screens[1].count(problem.prompt) == 2
    assert screen.screens[2][-2] == "There are no numbers here to copy."
    assert screen.copied == ""


@pytest.mark.parametrize(
    ("item", "offered"),
    [
        ("masking.where", False),
        ("order.whole-row", True),
        ("head.shapes", True),
        ("head.spot-the-error", True),
    ],
)
def test_a_hint_is_offered_where_there_is_one(bank: Bank, tmp_path: Path, item: str, offered: bool) -> None:
    screen = Screen(80, 40, ":q")
    taken(bank, tmp_path, item, "en", screen)
    assert any(":h hint" in line for line in screen.shown) == offered


def test_a_hint_is_offered_until_the_last_was_given(bank: Bank, tmp_path: Path) -> None:
    """One of the author's, and three of the part; the next part has its own again."""
    screen = Screen(80, 40, ":h", ":h", ":h", ":h", ":u", ":s", ":q")
    taken(bank, tmp_path, "masking.one-row", "en", screen)
    assert sum(line.startswith("Hint: ") for line in screen.shown) == 4
    offers = [":h hint" in line for line in screen.shown if ":s skip" in line]
    assert offers == [True] * 5  # at first, after three of four hints, and at the next part


def test_where_hints_cannot_be_made_the_question_is_asked_all_the_same(
    bank: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quizengine.problems.hints.table_of", lambda _: 1 / 0)
    screen = Screen(80, 40)
    taken(bank, tmp_path, "head.shapes", "en", screen)
    assert not any(":h hint" in line for line in screen.shown)
    assert any("Right." in line for line in screen.shown)


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("width", [20, 30, 40, 60, 80])
@pytest.mark.parametrize("exam", [False, True], ids=["practice", "exam"])
def test_no_key_is_parted_from_its_meaning(
    bank: Bank, tmp_path: Path, exam: bool, width: int, lang: Lang
) -> None:
    screen = Screen(width, 40, ":q")
    taken(bank, tmp_path, "masking.one-row", lang, screen, exam=exam)
    keys = [line for line in screen.shown if line.startswith(("  :", "  ?"))]
    entries = [entry.strip() for line in keys for entry in line.split(" · ")]
    assert len(entries) >= 6
    assert all(entry.startswith((":", "?")) and " " in entry for entry in entries)


KEYS = {
    "masking.where": [":s", ":q", "?"],
    "masking.one-row": [":h", ":s", ":g", ":c", ":q", "?"],
}


def listed(screen: Screen, prompt: int) -> list[str]:
    """The keys of the list that stands at this prompt, right above it."""
    there = screen.screens[prompt][:-1]
    typed = max(i for i, line in enumerate(there) if line.startswith("> "))
    return [line.split()[0] for line in there[typed + 1 :] if line[2:3].strip()]


@pytest.mark.parametrize("item", KEYS)
@pytest.mark.parametrize("help", ["?", "？", "help", "HELP", "ヘルプ", ":?", "：ヘルプ"])
def test_the_keys_that_do_something_here_are_listed(bank: Bank, tmp_path: Path, help: str, item: str) -> None:
    screen = Screen(80, 100, help, ":q")
    taken(bank, tmp_path, item, "ja", screen)
    assert listed(screen, 1) == KEYS[item]


def test_in_an_exam_the_list_is_that_of_the_exam(bank: Bank, tmp_path: Path) -> None:
    screen = Screen(80, 100, "?", "A", "？", ":1", "?", ":q")
    taken(bank, tmp_path, "masking.where", "en", screen, exam=True)
    assert listed(screen, 1) == [":n", ":b", ":1", ":f", ":l", ":q", "?"]
    assert "Type the number of a question" in screen.screens[3][-2]
    assert listed(screen, 5) == [":n", ":b", ":1", ":f", ":l", ":u", ":q", "?"]


def test_keys_that_need_an_answer_are_listed_after_one(bank: Bank, tmp_path: Path) -> None:
    screen = Screen(80, 100, ":s", "?", "A", "?", "", "?", ":q")
    store = Store(str(tmp_path))
    wanted = Selection(ids=("masking.where", "order.hull", "masking.times-zero"), seed=1)
    Practice(bank, store, begin(bank, store, wanted, "en"), screen).run()
    store.close()
    assert listed(screen, 2) == [":s", ":u", ":b", ":q", "?"]
    assert listed(screen, 4) == ["Enter", ":f", ":t", ":u", ":b", ":q", "?"]
    assert listed(screen, 6) == [":s", ":u", ":b", ":f", ":w", ":t", ":q", "?"]


def asked(screen: Screen) -> list[str]:
    """Which question was asked at which time."""
    return [line.split("   ")[0] for line in screen.shown if line.startswith("Question ")]


def session(bank: Bank, folder: Path, screen: Screen, *items: str) -> int:
    store = Store(str(folder))
    status = Practice(bank, store, begin(bank, store, Selection(ids=items, seed=1), "en"), screen).run()
    store.close()
    return status


def test_feedback_stands_until_enter(bank: Bank, tmp_path: Path) -> None:
    """An answer that is typed ahead is none; the worked solution and the feedback come on demand."""
    screen = Screen(80, 100, "A", "", ":f", "1 2 3 4 5 6", "_", "_", "B", ":w", ":f", "")
    assert session(bank, tmp_path, screen, "masking.one-row", "masking.where") == 0
    said = screen.shown
    assert asked(screen) == ["Question 1 of 2", "Question 2 of 2"]
    assert said.count("Why:") == 2
    assert said.count("Worked solution:") == 1
    assert said.count("Press Enter first to go on; ? shows the keys.") == 1
    assert sum(line.startswith("scaled scores: ") for line in said) == 2


def test_what_was_skipped_comes_once_more_and_is_counted(bank: Bank, tmp_path: Path) -> None:
    screen = Screen(80, 100, ":s", "A", "", ":s", "")
    assert session(bank, tmp_path, screen, "masking.where", "masking.times-zero") == 0
    assert asked(screen) == ["Question 1 of 2", "Question 2 of 2", "Question 2 of 2"]
    assert "Skipped before; here it is once more." in screen.shown
    assert any(line.endswith(" Skipped: 1 (1 point).") for line in screen.shown)


def test_what_was_answered_the_second_time_is_not_counted_as_skipped(bank: Bank, tmp_path: Path) -> None:
    screen = Screen(80, 100, ":s", "B", "")
    assert session(bank, tmp_path, screen, "masking.times-zero") == 0
    assert "1 of 1 point, 100 %." in screen.shown


@pytest.mark.parametrize("typed", ["", ":g", ":c"], ids=["blank", "givens", "copy"])
def test_the_keys_stand_there_again_below_what_a_key_has_shown(
    bank: Bank, tmp_path: Path, typed: str
) -> None:
    screen = Screen(80, 40, typed, ":q")
    taken(bank, tmp_path, "masking.one-row", "en", screen)
    assert screen.screens[1][-2].endswith("? keys")
