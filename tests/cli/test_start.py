"""`start`, `progress map` and `progress goal`; and what comes back in a session at the command line."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quizengine.sessions.store import FILE, Store, data_folder

SKIPS = ":s\n" * 8


def kept():
    store = Store(data_folder(None))
    found = store.sessions()
    store.close()
    return found


@pytest.mark.parametrize(
    ("lang", "placement", "lesson", "example"),
    [
        ("en", "at most 8 questions", "Lesson: ", "An example, worked out:"),
        ("ja", "最大 8 問", "今回の学習目標：", "例題と解き方："),
    ],
)
def test_a_placement_then_a_lesson_with_an_example(
    run, lang: str, placement: str, lesson: str, example: str
) -> None:
    said = run("start", "--seed", 1, "--lang", lang, input=SKIPS, exit=130).stdout
    assert said.index(placement) < said.index(lesson) < said.index(example)
    [session] = kept()
    placed = [added for added in session.added.values() if added.why == "placement"]
    assert 1 <= len(placed) <= 8
    assert session.count == 12


def test_a_sitting_that_is_left_goes_on_and_asks_the_same(run) -> None:
    run("start", "--seed", 1, input=SKIPS, exit=130)
    [before] = kept()
    said = run("start", input="", exit=130).stdout
    assert "Continuing the session" in said
    assert "Lesson: " in said
    [after] = kept()
    assert after.plan == before.plan
    run("start", "--new", input="", exit=130)
    assert len(kept()) == 2


def test_at_the_end_it_says_how_far_the_way_is_and_the_goal(run) -> None:
    run("progress", "goal", 3)
    said = run("start", "--seed", 1, "--count", 2, input="A\n" * 12).stdout
    assert "Reached so far: " in said
    assert "Next: " in said
    assert "Today 2 of 3 questions." in said
    again = run("start", "--seed", 2, "--count", 1, input="A\n" * 12).stdout
    assert "Today’s goal of 3 questions is reached: 3 answered." in again


def test_a_bank_without_objectives_has_no_lessons(run, tmp_path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(
        "format: 1\ntopic: own\nlanguages: [en]\n"
        "defaults: {level: recall, difficulty: 1, objectives: []}\nitems:\n"
        "- {id: one, type: true_false, prompt: {en: 'Weights sum to 1.'}, right: true,"
        " explain: {en: 'A softmax shares out 1.'}}\n",
        "utf-8",
    )
    assert "names no objectives" in run("start", "--bank", own).stdout
    assert kept() == []


def test_what_went_wrong_comes_back_in_the_session(run) -> None:
    said = run(
        "take", "--topic", "softmax", "--type", "true_false", "--count", 2, input="A\nB\nB\nB\nA\nA\nA\n"
    )
    [session] = kept()
    missed = [i for i, mark in session.marked.items() if not mark.full and i not in session.added]
    assert [added.back for added in session.added.values()] == missed
    assert f"of {2 + len(missed)}   " in said.stdout
    if missed:
        assert "here it is once more, in another form" in said.stdout
        assert "Right the second time: " in said.stdout


@pytest.mark.parametrize("words", [("--seed", 1), ("--item", "masking.where")], ids=["seed", "item"])
def test_what_is_chosen_by_seed_or_name_is_asked_as_it_is(run, words: tuple[object, ...]) -> None:
    run("take", "--type", "single_choice", "--count", 1, *words, input="A\nB\nC\nD\n")
    run("take", "--type", "single_choice", "--count", 1, *words, input="B\nA\nC\nD\n")
    assert [len(session.plan) for session in kept()] == [1, 1]


def test_the_map_lists_every_objective_with_its_standing(run, run_json, bank) -> None:
    fresh = run_json("progress", "map")
    assert {each["standing"] for each in fresh["objectives"]} == {"open"}
    assert {each["id"] for each in fresh["objectives"]} == set(bank.objectives)
    assert len(fresh["never_met"]) == len({objective.topic for objective in bank.objectives.values()})
    run("take", "--item", "masking.where", "--seed", 2, input="D\n")
    told = run_json("progress", "map")
    assert told["reached"] > 0
    assert "masking" not in told["never_met"]
    text = run("progress", "map").stdout
    assert f"Reached: {told['reached']} of {len(bank.objectives)} objectives" in text
    assert "taken as known: " in text
    assert "Topics never met so far: " in text
    assert f"{len(bank.objectives)} 項目中" in run("progress", "map", "--lang", "ja").stdout


def test_topics_never_met_are_told_with_progress(run, run_json) -> None:
    run("take", "--item", "masking.where", "--seed", 2, input="D\n")
    assert "Topics never met so far: averaging / cost" in run("progress").stdout
    assert "softmax" in run_json("progress")["never_met"]


def test_a_goal_is_set_shown_and_taken_away(run, run_json) -> None:
    assert "No daily goal is set" in run("progress", "goal").stdout
    assert "Today 0 of 10 questions." in run("progress", "goal", 10).stdout
    assert "目標 5 問" in run("progress", "goal", "５", "--lang", "ja").stdout
    assert run_json("progress", "goal") == {"goal": 5, "today": 0}
    assert "daily goal is switched off" in run("progress", "goal", "OFF").stdout
    assert run_json("progress", "goal") == {"goal": None, "today": 0}
    run("take", "--item", "masking.where", "--seed", 2, input="D\n")
    assert run_json("progress", "goal")["today"] == 1


@pytest.mark.parametrize("typed", ["0", "1001", "ten", "1.5", "-3", "²"])
def test_what_is_no_goal_is_one_sentence(run, typed: str) -> None:
    said = run("progress", "goal", "--", typed, exit=2).stderr
    assert re.fullmatch(
        f"quizengine: “{re.escape(typed)}” is no daily goal: write a number from 1 to 1000, or off\n", said
    )
    assert "No daily goal is set" in run("progress", "goal").stdout


def test_a_goal_is_forgotten_with_all_else(run, run_json) -> None:
    run("progress", "goal", 10)
    run("progress", "forget", "--yes")
    assert run_json("progress", "goal")["goal"] is None


def test_a_goal_outlives_a_damaged_store(run, run_json) -> None:
    run("progress", "goal", 10)
    run("take", "--item", "masking.where", "--seed", 1, input="A\n")
    with closing(sqlite3.connect(Path(data_folder(None)) / FILE)) as db:
        db.execute("pragma ignore_check_constraints = on")
        db.execute("update event set data = '{' where kind = 'typed'")
        db.commit()
    assert "was damaged" in run("progress", "export", exit=3).stderr
    assert run_json("progress", "goal")["goal"] == 10


def test_a_lesson_taken_along_is_the_same_there(run, run_json, tmp_path) -> None:
    run("start", "--seed", 1, "--count", 3, input="A\n" * 12)
    log = tmp_path / "log.jsonl"
    log.write_text(run("progress", "export").stdout, "utf-8")
    there = ("--data-dir", tmp_path / "there")
    assert "added: 1" in run("progress", "import", log, *there).stdout
    assert run_json("progress", "map", *there) == run_json("progress", "map")
