"""A learner's day begins at four, or when QUIZENGINE_DAY says."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from quizengine.errors import UsageError
from quizengine.sessions.day import day_end, day_of, day_start
from quizengine.sessions.mastery import streak
from quizengine.sessions.progress import Progress
from quizengine.sessions.review import review
from quizengine.sessions.session import Marked


def at(text: str) -> str:
    return datetime.fromisoformat(text).astimezone().isoformat()


@pytest.mark.parametrize(
    ("begins", "moment", "day"),
    [
        (None, "2030-01-02T03:59", 1),
        (None, "2030-01-02T04:00", 2),
        ("", "2030-01-02T03:59", 1),
        ("0:00", "2030-01-02T00:00", 2),
        ("06:30", "2030-01-02T06:29", 1),
        ("６：３０", "2030-01-02T06:30", 2),
    ],
    ids=["before four", "four", "empty", "midnight", "before half past six", "wide digits"],
)
def test_a_day_begins_when_it_is_said(monkeypatch, begins: str | None, moment: str, day: int) -> None:
    if begins is not None:
        monkeypatch.setenv("QUIZENGINE_DAY", begins)
    assert day_of(at(moment)).day == day
    assert day_start(at(moment)) <= day_end(day_start(at(moment)))
    assert day_of(day_start(at(moment))) == day_of(at(moment)) < day_of(day_end(at(moment)))


@pytest.mark.parametrize("begins", ["24:00", "12:00", "4:60", "4", "noon", "-1:00"])
def test_what_is_no_time_of_a_morning_is_one_sentence(monkeypatch, run, begins: str) -> None:
    monkeypatch.setenv("QUIZENGINE_DAY", begins)
    with pytest.raises(UsageError, match="between 0:00 and 11:59: write such as 4:00"):
        day_of(at("2030-01-02T12:00"))
    assert f"QUIZENGINE_DAY is “{begins}”" in run("take", "--count", 1, exit=2).stderr


@pytest.mark.parametrize(("begins", "days"), [("4:00", 1), ("0:00", 2)])
def test_a_streak_goes_by_it(monkeypatch, begins: str, days: int) -> None:
    monkeypatch.setenv("QUIZENGINE_DAY", begins)
    marks = [Marked("a", "t", "1", 1, (), at(text)) for text in ("2030-01-01T23:00", "2030-01-02T01:00")]
    assert streak(marks, day_of(marks[-1].at)) == days


@pytest.mark.parametrize(("begins", "due"), [("4:00", 0), ("0:00", 1)])
def test_review_and_progress_go_by_it_alike(bank, monkeypatch, begins: str, due: int) -> None:
    """Answered wrong at half past four of a morning; looked at before four the next night."""
    monkeypatch.setenv("QUIZENGINE_DAY", begins)
    now = datetime.fromisoformat("2030-01-02T02:30").astimezone()
    mark = Marked("masking.one-row", "masking", "0", 1, (), (now - timedelta(hours=22)).isoformat())

    class Now(datetime):
        @classmethod
        def now(cls, tz=None):
            return now.astimezone(tz)

    class Kept:
        def marks(self) -> list[Marked]:
            return [mark]

    monkeypatch.setattr("quizengine.sessions.review.datetime", Now)
    reached = Progress(bank, [mark], now)
    assert review(bank, Kept(), 9, None, 1).due == reached.due[reached.today] == due
