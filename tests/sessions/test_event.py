"""What an event holds, in its own class and in the log."""

from __future__ import annotations

import pytest

from quizengine.sessions.event import (
    CONTENT,
    KINDS,
    Begun,
    Boot,
    Content,
    Ended,
    Event,
    Planned,
    Typed,
    Undone,
    event_of,
)


@pytest.mark.parametrize(
    "content",
    [
        Begun([Planned("a", 1)], "ja", 7, "digest", "exam", "2026-01-01T00:00:00+00:00", Boot("x", 1.5)),
        Begun([], "en"),
        Typed(0, "x", " A "),
        Undone(0),
        Undone(0, "x"),
        Ended(),
    ],
)
def test_the_log_gives_back_what_was_put_in(content: Content) -> None:
    assert event_of(content, "now").content == content


def test_the_log_names_fields_as_the_classes_do() -> None:
    assert event_of(Typed(2, "x", "A"), "now") == Event("typed", "now", {"index": 2, "part": "x", "raw": "A"})
    assert event_of(Undone(2), "now").data == {"index": 2}
    assert set(CONTENT) == set(KINDS)


def test_what_a_kind_does_not_hold_is_refused() -> None:
    with pytest.raises(TypeError):
        _ = Event("typed", "now", {"index": 2}).content
