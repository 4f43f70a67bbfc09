"""Progress as data: what is summed up over days and weeks."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from fractions import Fraction

from quizengine.sessions.progress import weeks
from quizengine.sessions.session import Marked


def marked(day: int, credit: str = "1") -> Marked:
    return Marked("a", "t", credit, 1, (), datetime(2026, 1, day, 12).astimezone().isoformat())


def test_weeks_are_counted_from_monday_and_empty_ones_are_there() -> None:
    today = date(2026, 1, 14)  # a Wednesday
    marks = [marked(12), marked(14, "1/2"), marked(1)]
    monday = date(2026, 1, 12)
    assert weeks(marks, today, 3) == [
        (monday - timedelta(weeks=2), 1, Fraction(1)),
        (monday - timedelta(weeks=1), 0, Fraction(0)),
        (monday, 2, Fraction(3, 4)),
    ]
