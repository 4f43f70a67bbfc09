"""`take --steps`: each part is judged as it is typed, and what is wrong may be tried once more."""

from __future__ import annotations

from pathlib import Path

import pytest

from quizengine.problems.dice import seed_of
from quizengine.problems.part import key_text
from quizengine.problems.pose import pose
from quizengine.sessions.session import Session
from quizengine.sessions.store import Store, data_folder

ITEM = "masking.one-row"
STEPS = ("take", "--steps", "--item", ITEM, "--seed", 1)


@pytest.fixture
def answers(bank):
    """The key of each part of the item, and what the mask forgotten gives."""
    problem = pose(bank.item(ITEM), seed_of("take", 1, 0, ITEM), "en", bank.catalogue)
    [rival] = [rival for rival in problem.rivals if rival.misconception == "mask-ignored"]
    keys = [key_text(part, part.key) for part in problem.parts]
    return keys, [key_text(part, rival.values[part.id]) for part in problem.parts]


def newest() -> Session:
    store = Store(data_folder(None))
    [*_, session] = store.sessions()
    store.close()
    return session


def credits() -> list[str]:
    return [mark.credit for mark in newest().marks]


def typed(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def test_a_mistake_is_told_at_once_without_the_key_and_the_second_try_earns_half(run, answers) -> None:
    (scores, weights, output), (_, unmasked, _) = answers
    out = run(*STEPS, input=typed(scores, unmasked, weights, output)).stdout
    step = out[out.index("Not right.") : out.index("A second try earns half.")]
    assert "the mask is not applied" in step
    assert "Key" not in step
    assert not {x for x in weights.strip("[]").split(", ") if x != "0" and x in step}
    assert "3.5 of 4 points" in out
    assert newest().tried == {0: {"weights": unmasked}}
    [_, told, _] = newest().details[0]["parts"]
    assert (told["verdict"], told["credit"]) == ("partial", 0.5)
    assert "mask-ignored" in [found["misconception"] for found in newest().details[0]["diagnosis"]]


@pytest.mark.parametrize(
    ("second", "credit"),
    [("right", "7/2"), ("", "3"), (":s", "3"), ("1 2 3 4 5 6", "1"), ("?!", "1")],
    ids=["right", "blank", "skipped", "wrong again", "unreadable"],
)
def test_the_first_answer_stands_where_the_second_is_none_or_worse(run, answers, second, credit) -> None:
    (scores, weights, _), (_, unmasked, carried) = answers
    given = weights if second == "right" else second
    last = answers[0][2] if second == "right" else carried
    out = run(*STEPS, input=typed(scores, unmasked, given, last, "")).stdout
    assert out.count("A second try earns half.") == (1 if credit != "1" else 2)
    assert credits() == [credit]


def test_a_session_that_ends_between_the_tries_goes_on_with_the_second(run, answers) -> None:
    (scores, weights, output), (_, unmasked, _) = answers
    run(*STEPS, input=typed(scores, unmasked), exit=130)
    out = run("take", input=typed(weights, output)).stdout
    assert out.count("A second try earns half.") == 1
    assert credits() == ["7/2"]


def test_a_log_that_is_taken_elsewhere_gives_the_same(run, answers, tmp_path: Path) -> None:
    (scores, weights, output), (_, unmasked, _) = answers
    run(*STEPS, input=typed(scores, unmasked, weights), exit=130)
    log = tmp_path / "log.jsonl"
    log.write_text(run("progress", "export").stdout, "utf-8")
    before = newest()
    run("progress", "forget", "--yes")
    run("progress", "import", log)
    assert (newest().tried, newest().typed, newest().steps) == (before.tried, before.typed, True)
    run("take", input=typed(output))
    assert credits() == ["7/2"]


def test_the_second_try_is_taken_back_with_its_part(run, answers) -> None:
    (scores, weights, output), (_, unmasked, _) = answers
    run(*STEPS, input=typed(scores, unmasked, weights, ":u", weights, output))
    assert (credits(), newest().tried) == (["4"], {0: {}})


def test_where_two_are_to_choose_from_there_is_no_second_try(run) -> None:
    out = run("take", "--steps", "--item", "masking.times-zero", "--seed", 1, input="A\n").stdout
    assert "second try" not in out


def test_a_choice_of_four_may_be_tried_again(run) -> None:
    out = run("take", "--steps", "--item", "masking.where", "--seed", 2, input="A\nD\n").stdout
    assert "0.5 of 1 point" in out
    assert out.index("A second try earns half.") < out.index("Why:")


def test_an_exam_tells_nothing_before_it_is_handed_in(run) -> None:
    refused = run("take", "--mode", "exam", "--steps", exit=2).stderr
    assert "--steps belongs to practice: in an exam nothing is told before it is handed in." in refused


def test_a_fault_of_ours_in_a_step_stops_nothing(run, answers, monkeypatch) -> None:
    monkeypatch.setattr("quizengine.sessions.reply.judge", lambda *_: 1 / 0)
    done = run(*STEPS, input=typed(*answers[0]))
    assert done.stderr.count("Not graded: the engine failed here") == 1
    assert newest().ungraded == {0}


def test_in_japanese(run, answers) -> None:
    (scores, weights, output), (_, unmasked, _) = answers
    out = run(*STEPS, "--lang", "ja", input=typed(scores, unmasked, weights, output)).stdout
    assert "もう一度解答できます（得点は半分になります）。" in out
    assert "2 回目の解答なので、得点は半分です。" in out


def test_at_a_terminal_enter_leaves_it_as_it_is(spawn, answers) -> None:
    (scores, _, _), (_, unmasked, carried) = answers
    child = spawn(*map(str, STEPS))
    child.answer(scores, "Right")
    child.expect("\n> ")
    child.sendline(unmasked)
    child.expect("Enter leave it as it is")
    child.answer("", "Output")
    child.expect("\n> ")
    child.sendline(carried)
    child.expect("Enter to finish")
    child.answer("", "of 4 points")
