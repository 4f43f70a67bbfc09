"""What is due for another look: by the learner's own day, as `progress` counts it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from quizengine.sessions import review as review_
from quizengine.sessions.progress import Progress
from quizengine.sessions.session import Marked

NOON = datetime.fromisoformat("2030-01-02T12:00:00").astimezone()


class Noon(datetime):
    """A clock that stands."""

    @classmethod
    def now(cls, tz=None):
        return NOON.astimezone(tz)


class Kept:
    """A store of one mark, so many hours old."""

    def __init__(self, hours: int):
        at = (NOON - timedelta(hours=hours)).isoformat()
        self.kept = [Marked("masking.where", "masking", "0", 1, (), at)]

    def marks(self) -> list[Marked]:
        return self.kept


@pytest.mark.parametrize("hours", [*range(2, 48, 5), 24, 23])
def test_review_and_progress_say_the_same_of_today(bank, monkeypatch, hours: int) -> None:
    monkeypatch.setattr(review_, "datetime", Noon)
    found = review_.review(bank, Kept(hours), 10, None, 1)
    counted = Progress(bank, Kept(hours).marks(), NOON).due[Progress(bank, [], NOON).today]
    assert found.due == counted
    assert (found.due > 0) == (hours > 8)  # a day later, before the next day begins at four


def test_what_comes_up_later_today_is_asked_now(bank, monkeypatch) -> None:
    monkeypatch.setattr(review_, "datetime", Noon)
    assert review_.review(bank, Kept(20), 10, None, 1).due > 0
