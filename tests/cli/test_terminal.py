"""`take` on a real terminal: Ctrl-C, re-asking, Japanese editing, colour, narrow screens."""

from __future__ import annotations

import re
from base64 import b64decode

import pexpect
import pytest

from quizengine.lang.characters import cells
from quizengine.problems.dice import seed_of
from quizengine.problems.part import key_text
from quizengine.problems.pose import pose
from quizengine.sessions.session import Planned
from quizengine.sessions.store import Store, data_folder

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def planned_seed(seed: int, index: int, item: str) -> int:
    return seed_of("take", seed, index, item)


def plan() -> list[Planned]:
    store = Store(data_folder(None))
    [*_, newest] = store.sessions()
    store.close()
    return newest.plan


def finish(child: pexpect.spawn) -> int:
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus


def test_ctrl_c_says_how_to_resume_and_take_resumes(spawn) -> None:
    child = spawn("take", "--item", "masking.where", "--item", "masking.times-zero", "--seed", "1")
    child.expect("At which point|Multiplying a forbidden")
    child.sendline("A")
    child.answer("", "Question 2 of 2")
    child.expect("> ")
    child.sendintr()
    child.expect("Kept: 1 of 2 answered. Go on with: quizengine take")
    assert finish(child) == 130
    again = spawn("take")
    again.expect("question 2 of 2")
    again.answer("A", "Enter to finish")
    again.sendline("")
    again.expect("point")
    assert finish(again) == 0


def test_an_unreadable_answer_is_asked_again_and_costs_nothing(spawn) -> None:
    child = spawn("take", "--item", "masking.times-zero", "--seed", "1")
    child.answer("maybe", "not among the choices A, B")
    child.expect("it costs nothing")
    child.sendline("誤")
    child.expect("Right")
    child.answer("", "1 of 1 point")
    assert finish(child) == 0


def test_a_stray_enter_is_asked_about(spawn) -> None:
    child = spawn("take", "--item", "masking.times-zero", "--seed", "1")
    child.answer("", "Press Enter once more")
    child.sendline("false")
    child.answer("", "1 of 1 point")
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
    child.expect("解答例")
    child.sendline("all")
    child.expect("正解です")
    child.sendline("")
    assert finish(child) == 0
    exported = spawn("progress", "export")
    exported.expect("次のトークンを写すだけで済むから")


@pytest.mark.parametrize(
    ("lang", "answer", "pointed", "again", "verdict"),
    [
        (
            "en",
            "The query is compared with the values.",
            "You write “compared with the values”: is that not “the values",
            "Write the numbers of the ideas that your answer contains, from 1 to 3",
            "Partly right",
        ),
        ("ja", "クエリは値と比べられる。", "とありますが", "書けているものの番号を 1 から 3 で", "一部正解"),
    ],
)
def test_learners_tick_the_ideas_of_their_own_answers(spawn, lang, answer, pointed, again, verdict) -> None:
    child = spawn("take", "--item", "roles.in-your-words", "--seed", "1", "--lang", lang, columns=120)
    child.answer(answer, "解答例" if lang == "ja" else "A model answer")
    child.expect(pointed)
    child.expect("> ")
    child.sendline("")  # nothing is taken for granted
    child.expect(again)
    child.sendline("１ 3")
    child.expect(verdict)
    child.sendline("")
    assert finish(child) == 0


def test_an_own_answer_is_asked_about_again_where_the_learner_left(spawn) -> None:
    child = spawn("take", "--item", "roles.in-your-words", "--seed", "1")
    child.answer("The query asks.", "A model answer")
    child.sendline(":q")
    child.expect("Kept: 0 of 1 answered")
    assert finish(child) == 0
    again = spawn("take")
    again.expect("A model answer")
    again.sendline("none")
    again.expect("Not right")
    again.sendline("")
    assert finish(again) == 0


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
    first.sendline("A")
    second.sendline("B")
    for child in (first, second):
        child.expect("Enter to finish")
        child.sendline("")
        child.expect("point")
        assert finish(child) == 0


def test_a_sister_problem_after_a_mistake(spawn, bank) -> None:
    """The mask forgotten throughout is diagnosed; another problem of the kind is offered and solved."""
    problem = pose(bank.item("masking.one-row"), planned_seed(1, 0, "masking.one-row"), "en", bank.catalogue)
    [wrong] = [rival for rival in problem.rivals if rival.misconception == "mask-ignored"]
    child = spawn("take", "--item", "masking.one-row", "--seed", "1")
    for part in problem.parts:
        child.expect("\n> ")
        child.sendline(key_text(part, wrong.values[part.id]))
    child.expect("the mask is not applied")
    child.expect("Enter to finish")
    child.answer(":t", "Question 2 of 2")
    child.expect("\n> ")
    child.sendline(":t")
    child.expect("no other question like")  # it is the one being asked
    item, seed = plan()[-1]
    sister = pose(bank.item(item), seed, "en", bank.catalogue)
    assert (item, seed != problem.seed) == ("masking.one-row", True)
    for part in sister.parts:
        child.expect("\n> ")
        child.sendline(key_text(part, part.key))
    child.answer("", "7 of 8 points")
    assert finish(child) == 0


def test_the_offer_can_be_declined_and_the_answer_taken_back(spawn) -> None:
    child = spawn("take", "--item", "masking.where", "--seed", "2")
    child.answer("A", "Enter to finish")
    child.answer(":u", "Question 1 of 1")
    child.answer("B", "Enter to finish")
    child.answer("", "0 of 1 point")
    assert finish(child) == 0


def test_after_a_mistake_in_words_another_question_on_the_same_thing_comes_at_once(spawn, bank) -> None:
    child = spawn("take", "--item", "masking.where", "--item", "roles.look-up", "--seed", "2")
    child.answer("A", ":t one like it")
    child.answer(":t", "Question 2 of 3")
    first, second, third = plan()
    assert {first.item, second.item} == {"masking.where", "roles.look-up"}
    assert third.item not in (first.item, second.item)
    met, other = bank.item(first.item).metadata, bank.item(third.item).metadata
    assert {*met.misconceptions} & {*other.misconceptions}
    child.answer(":q", "Kept: 1 of 3")
    assert finish(child) == 0
    again = spawn("take")
    again.expect("question 2 of 3")
    again.sendintr()
    finish(again)


def test_back_to_what_was_skipped_and_the_solution_on_demand(spawn) -> None:
    child = spawn("take", "--item", "masking.where", "--item", "masking.times-zero", "--seed", "1")
    for typed, shown in (
        (":b", "No question was skipped"),
        (":t", "no other question like"),
        (":w", "No question was answered"),
        (":s", "Question 2 of 2"),
        (":b", "Question 1 of 2"),
        ("A", "Enter next"),
        ("", "Question 2 of 2"),
        (":w", "Why:"),
        ("A", "Enter to finish"),
        (":w", "Why:"),
        ("", "of 2 points"),
    ):
        child.answer(typed, shown)
    assert finish(child) == 0


def test_a_pasted_matrix_of_several_lines_is_one_answer(spawn, bank) -> None:
    problem = pose(bank.item("head.from-input"), planned_seed(1, 0, "head.from-input"), "en", bank.catalogue)
    part = problem.parts[0]
    rows = [" ".join(f"{x / 1e9:.3f}" for x in row) for row in part.key]
    child = spawn("take", "--item", "head.from-input", "--seed", "1")
    child.expect("> ")
    child.send("array([[" + "],\n       [".join(", ".join(row.split()) for row in rows) + "]])\n")
    child.expect("> ")
    child.sendline(":q")
    finish(child)
    store = Store(data_folder(None))
    [session] = store.sessions()
    store.close()
    assert session.typed[0][part.id].count("\n") == len(rows) - 1


@pytest.mark.parametrize(
    "item",
    [
        "masking.where",
        "masking.why-causal",
        "order.steps",
        "masking.one-row",
        "masking.times-zero",
        "head.from-input",
    ],
)
def test_ctrl_c_at_every_kind_of_prompt_keeps_the_session(spawn, item: str) -> None:
    child = spawn("take", "--item", item, "--seed", "1")
    child.expect("> ")
    child.send("half an ans")
    child.expect("half an ans")  # shown, so the line is being edited
    child.sendintr()
    child.expect("Kept: 0 of 1")
    assert finish(child) == 130
    again = spawn("take")
    again.expect("question 1 of 1")
    again.expect("> ")
    again.sendline(":q")
    assert finish(again) == 0


def test_the_window_may_change_its_size_while_a_question_stands(spawn) -> None:
    child = spawn("take", "--item", "masking.where", "--item", "masking.padding-side", "--seed", "1")
    child.expect("> ")
    child.setwinsize(40, 44)
    child.sendline("A")
    child.expect("Enter next")
    child.sendline("")
    child.expect("Question 2 of 2")
    child.expect("> ")
    lines = ESCAPES.sub("", child.before).replace("\r", "").split("\n")
    assert max(map(cells, lines)) <= 44
    child.sendline(":q")
    assert finish(child) == 0


def test_no_input_never_waits_for_a_person(spawn) -> None:
    child = spawn("take", "--item", "masking.where", "--no-input")
    child.expect("--no-input forbids that: give the answers on a pipe")
    assert finish(child) == 2


def test_the_shape_of_a_matrix_is_told_before_it_is_judged(spawn) -> None:
    child = spawn("take", "--item", "masking.one-row", "--seed", "1")
    child.answer("0.1, 0.2, 0.3", "This reads as 1 × 3; 1 × 6 is asked")
    child.answer("0.1, 0.2, 0.3, 0.4, 0.5, 0.6", "Read as 1 × 6")
    child.answer(":q", "Kept")
    assert finish(child) == 0


def test_rows_may_be_typed_one_by_one(spawn) -> None:
    child = spawn("take", "--item", "head.dot-products", "--seed", "1")
    child.expect("> ")
    child.sendline("1 2 3")
    child.expect("2> ")
    child.sendline("4 5 6")
    child.expect("3> ")
    child.sendline("7 8 9")
    child.expect("Read as 3 × 3")
    child.expect("Enter to finish")
    child.sendline("")
    assert finish(child) == 0


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_givens_go_to_the_clipboard_of_a_terminal_that_takes_them(spawn, term: str) -> None:
    child = spawn("take", "--item", "masking.one-row", "--seed", "1", TERM=term)
    child.expect("\n?> ")
    child.sendline(":c")
    child.expect(r"d_k = \d")
    packed = re.search(r"\x1b\]52;c;([A-Za-z0-9+/=]+)\x07", child.before)
    assert bool(packed) == (term == "xterm")
    if packed:
        assert b64decode(packed[1]).decode().startswith("Q = np.log(2) * np.array([[")
    child.sendline(":q")
    assert finish(child) == 0


@pytest.mark.parametrize(
    ("env", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"ACCESSIBLE": "1"}, False)]
)
def test_the_row_that_is_asked_is_coloured(spawn, env: dict[str, str], coloured: bool) -> None:
    child = spawn("take", "--item", "masking.one-row", "--seed", "1", **env)
    child.expect("\n> ")
    shown = re.findall(r"\x1b\[1;36m([^\x1b]*)\x1b\[0m", child.before)
    assert [text.count(" ") > 4 for text in shown] == [True, True] * coloured
    assert not coloured or shown[0].startswith("4: ")
    assert ("│" in child.before) == ("ACCESSIBLE" not in env)
    child.sendline(":q")
    assert finish(child) == 0
