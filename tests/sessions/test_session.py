"""A session is a fold of its events."""

from __future__ import annotations

from quizengine.sessions.event import Event
from quizengine.sessions.session import fold

PLAN = [{"item": "a", "seed": 1}, {"item": "b", "seed": 2}]
MARKED = {"index": 0, "item": "a", "topic": "t", "credit": "2/3", "points": 1, "misconceptions": ["m"]}
BEGUN = Event("begun", "2026-01-01T00:00:00+00:00", {"plan": PLAN, "lang": "ja"})


POSED = Event("posed", "", {"index": 0, "problem": {"item": "a"}})
TYPED = Event("typed", "", {"index": 0, "part": "x", "raw": " A "})


def test_the_fold() -> None:
    events = [BEGUN, POSED, TYPED]
    half = fold(1, events)
    assert (half.at, half.lang, half.posed, half.typed) == (0, "ja", {0: {"item": "a"}}, {0: {"x": " A "}})
    done = fold(1, [*events, Event("marked", "later", MARKED)])
    assert (done.at, done.done) == (1, [0])
    assert (done.marks[0].credit, done.marks[0].at) == ("2/3", "later")
    over = fold(
        1, [*events, Event("marked", "", MARKED), Event("skipped", "", {"index": 1}), Event("ended", "", {})]
    )
    assert (over.at, over.ended) == (None, True)


def test_what_is_undone_can_be_done_again() -> None:
    """A part, or a question with all that was typed; the problem that was posed stays."""
    part = fold(1, [BEGUN, POSED, TYPED, Event("undone", "", {"index": 0, "part": "x"})])
    assert (part.typed, part.at) == ({0: {}}, 0)
    log = [BEGUN, POSED, TYPED, Event("marked", "", MARKED), Event("undone", "", {"index": 0})]
    whole = fold(1, log)
    assert (whole.at, whole.marks, whole.typed, whole.posed) == (0, [], {}, {0: {"item": "a"}})
    again = fold(1, [*log, TYPED, Event("marked", "", MARKED | {"credit": "1"})])
    assert [mark.credit for mark in again.marks] == ["1"]
    skipped = fold(1, [BEGUN, POSED, Event("skipped", "", {"index": 0}), Event("undone", "", {"index": 0})])
    assert skipped.at == 0


def test_a_prefix_of_the_log_is_a_session() -> None:
    events = [BEGUN, POSED, Event("hinted", "", {"index": 0})]
    assert [len(fold(1, events[:n]).hints.get(0, ())) for n in range(1, 4)] == [0, 0, 1]


def test_an_added_question_is_asked_next() -> None:
    log = [BEGUN, Event("marked", "", MARKED), Event("added", "", {"item": "c", "seed": 9})]
    session = fold(1, log)
    assert (session.at, session.plan[2]) == (2, ("c", 9))
    twice = fold(1, [*log, Event("added", "", {"item": "d", "seed": 8})])
    assert twice.at == 3
    done = fold(1, [*log, Event("marked", "", MARKED | {"index": 2, "item": "c"})])
    assert (done.at, done.last) == (1, 2)


def test_the_last_answer_and_what_was_skipped() -> None:
    session = fold(1, [BEGUN, Event("marked", "", MARKED), Event("skipped", "", {"index": 1})])
    assert (session.last, session.skipped) == (None, [1])
    assert fold(1, [BEGUN]).last is None
