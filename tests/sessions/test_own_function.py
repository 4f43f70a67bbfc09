"""What `check` finds of a function counts as an answer does."""

from __future__ import annotations

from typing import get_args

import pytest

from quizengine.checking.task import TASKS
from quizengine.items.form import CheckTask
from quizengine.sessions import own_function
from quizengine.sessions.map import evidence
from quizengine.sessions.own_function import Checked, due_functions, functions, next_function, note
from quizengine.sessions.session import Marked
from quizengine.sessions.store import Store

MORNING, NOON, NEXT_DAY = (f"2030-01-{when}:00:00.000+00:00" for when in ("01T09", "01T12", "02T12"))


@pytest.fixture
def store(home):
    opened = Store(str(home / "data"))
    yield opened
    opened.close()


@pytest.fixture
def at(monkeypatch):
    class Clock:
        stands = NOON

        def __init__(self, _after: str) -> None:
            pass

        def stamp(self) -> str:
            return self.stands

    monkeypatch.setattr(own_function, "Clock", Clock)

    def call(stamp: str) -> None:
        Clock.stands = stamp

    return call


def marked(item: str, credit: str = "1", at: str = NOON) -> Marked:
    return Marked(item, "masking", credit, 1, (), at)


def test_the_shipped_objectives_know_every_task(bank) -> None:
    assert set(get_args(CheckTask)) == TASKS.keys() == functions(bank).keys()
    assert functions(bank)["causal"].objectives == ("E2",)
    assert functions(bank)["causal"].topic == "masking"


def test_a_verdict_counts_for_its_objectives_and_mistakes(bank, store) -> None:
    assert note(store, bank, "en", Checked("single", b"a", False, ["mask-inverted"]))
    assert note(store, bank, "en", Checked("causal", b"b", True, []))
    single, causal = store.marks()
    assert (single.item, single.topic, single.full, single.misconceptions) == (
        "check:single",
        "order",
        False,
        ("mask-inverted",),
    )
    assert causal.full
    found = evidence(bank, store.marks())
    assert {id_: bool(own.level) for id_, own in found.mastery.items()} == {
        "C1": False,
        "I1": False,
        "E2": True,
    }
    assert found.sure == {"E2": ("E2",)}
    assert store.kept() is None


@pytest.mark.parametrize(
    ("when", "code", "right", "named", "kept"),
    [
        (NOON, b"first", False, ["mask-inverted"], False),
        (NEXT_DAY, b"first", False, ["mask-inverted"], False),
        (NOON, b"other", False, ["mask-inverted"], False),
        (NEXT_DAY, b"other", False, ["mask-inverted"], True),
        (NOON, b"other", False, [], True),
        (NOON, b"other", True, [], True),
    ],
    ids=[
        "the same code",
        "the same code, a day later",
        "the same verdict",
        "the same verdict, a day later",
        "another mistake",
        "right at last",
    ],
)
def test_saving_often_counts_once(bank, store, at, when, code, right, named, kept) -> None:
    at(MORNING)
    assert note(store, bank, "en", Checked("single", b"first", False, ["mask-inverted"]))
    at(when)
    assert note(store, bank, "en", Checked("single", code, right, named)) is kept
    assert len(store.marks()) == 1 + kept


@pytest.mark.parametrize(
    ("answered", "before", "task"),
    [
        (["1"], [], "causal"),
        (["0"], [], None),
        (["1"], ["0"], "causal"),
        (["1"], ["1"], None),
        (["1"], ["1", "0"], "causal"),
    ],
    ids=["right", "wrong", "its function wrong", "its function right", "its function wrong again"],
)
def test_a_function_is_offered_once_its_objective_is_answered_right(bank, answered, before, task) -> None:
    item = next(each.id for each in bank.metadata if each.objectives == ("E2",))
    just = [marked(item, credit) for credit in answered]
    assert next_function(bank, just, [*(marked("check:causal", c) for c in before), *just]) == task


def test_review_brings_back_only_what_was_written(bank) -> None:
    marks = [marked("check:causal")]
    assert due_functions(bank, marks, ["E2", "C1"]) == ["causal"]
    assert due_functions(bank, marks, ["C1"]) == []
    assert due_functions(bank, [], ["E2"]) == []
