"""The learner's own day: which one a moment belongs to, and when it is over. No clock is read here."""

from __future__ import annotations

import os
import re
from datetime import UTC, date, datetime, time, timedelta
from functools import cache

from quizengine.errors import UsageError
from quizengine.lang.characters import plain

BEGINS = "4:00"  # an evening that ends after midnight belongs to its day
_TIME = re.compile(r"(\d{1,2}):(\d\d)")


def rollover() -> timedelta:
    """How long after midnight a day begins: QUIZENGINE_DAY, else four hours. Raises UsageError."""
    return _after_midnight(os.environ.get("QUIZENGINE_DAY") or BEGINS)


@cache
def _after_midnight(text: str) -> timedelta:
    found = _TIME.fullmatch(plain(text).strip())
    hours, minutes = map(int, found.groups()) if found else (24, 0)
    if hours > 11 or minutes > 59:
        raise UsageError(
            f"QUIZENGINE_DAY is “{text}”, and a day begins between 0:00 and 11:59: write such as {BEGINS}"
        )
    return timedelta(hours=hours, minutes=minutes)


def day_of(at: str) -> date:
    """The learner's own day of a moment: local, and until it begins the day before. Raises UsageError."""
    return (datetime.fromisoformat(at).astimezone() - rollover()).date()


def day_end(at: str) -> str:
    """The stamp at which the day of this moment is over. Raises UsageError."""
    return _stamp(day_of(at) + timedelta(days=1))


def day_start(at: str) -> str:
    """The stamp at which the day of this moment began. Raises UsageError."""
    return _stamp(day_of(at))


def _stamp(day: date) -> str:
    begins = datetime.combine(day, time()) + rollover()
    return begins.astimezone().astimezone(UTC).isoformat(timespec="milliseconds")
