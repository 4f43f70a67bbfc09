"""A session is a fold of its events."""

from __future__ import annotations

from quizengine.sessions.event import Event
from quizengine.sessions.session import fold

PLAN = [{"item": "a", "seed": 1}, {"item": "b", "seed": 2}]
MARKED = {"index": 0, "item": "a", "topic": "t", "credit": "2/3", "points": 1, "misconceptions": ["m"]}
BEGUN = Event("begun", "2026-01-01T00:00:00+00:00", {"plan": PLAN, "lang": "ja"})


def test_the_fold() -> None:
    events = [
        BEGUN,
        Event("posed", "", {"index": 0, "problem": {"item": "a"}}),
        Event("typed", "", {"index": 0, "part": "x", "raw": " A "}),
    ]
    half = fold(1, events)
    assert (half.at, half.lang, half.problem, half.typed) == (0, "ja", {"item": "a"}, {"x": " A "})
    done = fold(1, [*events, Event("marked", "later", MARKED)])
    assert (done.at, done.problem, done.typed) == (1, None, {})
    assert (done.marks[0].credit, done.marks[0].at) == ("2/3", "later")
    over = fold(
        1, [*events, Event("marked", "", MARKED), Event("skipped", "", {"index": 1}), Event("ended", "", {})]
    )
    assert (over.at, over.ended) == (None, True)


def test_a_prefix_of_the_log_is_a_session() -> None:
    events = [BEGUN, Event("posed", "", {"index": 0, "problem": {}}), Event("hinted", "", {"index": 0})]
    assert [fold(1, events[:n]).hints for n in range(1, 4)] == [0, 0, 1]
