"""The summary beside the log: what it says is what the log says, and a session begins without reading all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizengine.sessions.event import Event
from quizengine.sessions.session import Marked, fits
from quizengine.sessions.store import Store, data_folder

PLAN = [{"item": "a", "seed": 1}, {"item": "b", "seed": 2}]


def event(kind: str, index: int) -> Event:
    """One of this kind, at this place of the plan."""
    data = {"index": index}
    more = {
        "begun": {"plan": PLAN, "lang": "en"},
        "typed": data | {"part": "x", "raw": "「値」"},
        "marked": data | {"item": "a", "topic": "t", "credit": "1/2", "points": 1, "misconceptions": ["m"]},
        "submitted": {"why": "learner"},
        "added": {"item": "c", "seed": 3},
        "ended": {},
    }
    return Event(kind, f"2026-01-01T00:00:0{index}+00:00", more.get(kind, data))


def from_log(store: Store) -> tuple[list[Marked], int | None]:
    """The marks and the kept session, by the whole log."""
    sessions = store.sessions()
    going = [session for session in sessions if not session.ended]
    kept = max(going, key=lambda one: (one.mode == "exam", one.id), default=None)
    return [mark for session in sessions for mark in session.marks], kept and kept.id


def from_summary(store: Store) -> tuple[list[Marked], int | None]:
    kept = store.kept()
    return store.marks(), kept and kept.id


KINDS = ["typed", "typed", "hinted", "marked", "marked", "undone", "skipped", "ungraded", "added", "ended"]
steps = st.tuples(st.sampled_from(KINDS), st.integers(0, 3))


@given(st.lists(st.lists(steps, max_size=14), max_size=4), st.booleans())
def test_the_summary_says_what_the_log_says(tmp_path_factory, logs, exam: bool) -> None:
    store = Store(str(tmp_path_factory.mktemp("store")))
    for number, log in enumerate(logs):
        begun = event("begun", 0)
        session = store.begin(
            begun._replace(data=begun.data | {"mode": "exam" if exam and not number else "practice"})
        )
        for step in log:
            if fits(session, event(*step)):
                store.add(session, event(*step))
    assert from_summary(store) == from_log(store)
    whole = [list(events) for _, events in store.histories()]
    store.forget()
    assert from_summary(store) == ([], None)
    store.restore([[one._replace(at=f"{number}") for one in events] for number, events in enumerate(whole)])
    assert from_summary(store) == from_log(store)
    store.close()


@pytest.mark.parametrize(
    "spoil",
    [
        "update mark set data = replace(data, '1/2', '3/2')",
        "update mark set data = cast(x'ff' as text)",
        "update going set exam = 7",
        "update going set session = 99",
    ],
)
def test_a_damaged_summary_is_made_anew_from_the_log(tmp_path: Path, spoil: str) -> None:
    store = Store(str(tmp_path))
    session = store.begin(event("begun", 0))
    store.add(session, event("marked", 0))
    store._db.execute(spoil)
    assert from_summary(store) == from_log(store) == ([session.marked[0]], 1)
    assert store._db.execute("select count(*) from going where session = 1").fetchone() == (1,)
    store.close()


def test_an_older_store_gets_its_summary(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    session = store.begin(event("begun", 0))
    store.add(session, event("marked", 0))
    store._db.executescript("drop table mark; drop table going; drop table choice; pragma user_version = 3")
    store.close()
    for _ in range(2):
        again = Store(str(tmp_path))
        assert from_summary(again) == ([session.marked[0]], 1)
        assert again.rescue is None
        again.close()


@pytest.mark.parametrize(
    "words", [("take", "--new", "--count", "2"), ("take",), ("progress",), ("review",)], ids=" ".join
)
def test_what_lies_behind_the_learner_is_not_read_again(run, monkeypatch, words: tuple[str, ...]) -> None:
    run("take", "--item", "masking.where", "--seed", 1, input="A\n")
    store, before = Store(data_folder(None)), []
    [(_, log)] = store.histories()
    store.restore([[one._replace(at=f"2025-01-01T00:00:{n:02}+00:00") for one in log] for n in range(40)])
    store.close()
    real = json.loads

    def loads(text, **more):
        before.append(1 if '"plan"' in str(text)[:80] else 0)
        return real(text, **more)

    monkeypatch.setattr(json, "loads", loads)
    run(*words, input="A\n[1]\nB\n" * 40)
    assert sum(before) <= 3
