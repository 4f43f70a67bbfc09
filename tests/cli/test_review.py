"""`review` and `progress` over several days: the log is written as if days had passed."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from quizengine.sessions.event import Event
from quizengine.sessions.store import FILE, Store, data_folder


@pytest.fixture
def days_pass(rewritten):
    """Everything kept so far was done so many days earlier."""

    def call(days: int) -> None:
        def earlier(event: Event) -> Event:
            return event._replace(at=(datetime.fromisoformat(event.at) - timedelta(days=days)).isoformat())

        rewritten(earlier)

    return call


def test_nothing_answered(run) -> None:
    assert "Nothing answered yet" in run("review").stdout


def test_what_is_not_due_is_not_asked(run) -> None:
    run("take", "--item", "masking.where", "--seed", 1, input="A\n")
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).astimezone().strftime("%Y-%m-%d")
    assert f"Nothing is due before {tomorrow}" in run("review").stdout
    assert "それまで復習する項目はありません" in run("review", "--lang", "ja").stdout


def test_what_is_due_is_asked_with_new_numbers_and_kept(run, run_json, days_pass) -> None:
    run("take", "--item", "masking.one-row", "--seed", 1, input="1 2\n1\n1\n")
    days_pass(40)
    result = run("review", "--seed", 5, input="_\n_\n_\n")
    assert "Due: 1. Questions in this session: 1." in result.stdout
    store = Store(data_folder(None))
    first, second = store.sessions()
    store.close()
    assert (first.plan[0].item, first.plan[0].seed) != (second.plan[0].item, second.plan[0].seed)
    assert run_json("progress")["answered"] == 2


def test_a_review_left_half_way_is_gone_on_with_by_take(run, days_pass) -> None:
    run("take", "--topic", "masking", "--count", 3, "--seed", 1, input="A\n" * 30)
    days_pass(40)
    run("review", "--seed", 5, input="", exit=130)
    assert "Continuing the session" in run("take", input="", exit=130).stdout


def test_a_function_comes_back(run, days_pass, tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text("def average(X, mask=None):\n    return X\n")
    run("check", file, "--task", "averaging", exit=1)
    assert "check new" not in run("review").stdout
    days_pass(40)
    told = run("review", "--count", 1, input="", exit=130).stdout
    assert "quizengine check new averaging averaging-again.py" in " ".join(told.split())
    told = run("review", "--count", 1, "--lang", "ja", input="", exit=130).stdout
    assert "何も見ずにもう一度書いてみましょう" in "".join(told.split())


def test_progress_over_days(run, run_json, days_pass) -> None:
    """Two problems with one mistake make it the learner's; with what helps and how to drill it."""
    run("take", "--topic", "masking", "--count", 8, "--seed", 3, input="A\n" * 60)
    days_pass(1)
    run("take", "--topic", "masking", "--count", 8, "--seed", 4, input="B\n" * 60)
    told = run_json("progress")
    assert told["streak"] == 2
    assert told["topics"]["masking"]["answered"] == told["answered"] == 16
    assert 0 <= told["topics"]["masking"]["mastery"] <= 100
    assert sum(week["answered"] for week in told["weeks"]) == 16
    assert len(told["due"]) == 7
    text = run("progress").stdout
    assert "Days in a row: 2." in text
    for id_, count in told["misconceptions"].items():
        assert (f"quizengine take --misconception {id_}" in text) is (count >= 2)


def test_the_command_that_progress_names_drills_the_mistake(run, bank) -> None:
    result = run("take", "--misconception", "mask-on-values", "--count", 2, "--seed", 1, input="", exit=130)
    assert "Question 1 of 2" in result.stdout


def test_the_json_of_nothing_is_whole(run_json) -> None:
    told = run_json("progress")
    assert (told["answered"], told["streak"], told["misconceptions"]) == (0, 0, {})
    assert json.dumps(told)
    assert os.path.exists(Path(data_folder(None)) / FILE)
