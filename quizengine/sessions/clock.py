"""The clock of a sitting: once begun it goes on by the machine's own count, whatever is done to the
time of day."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta


class Clock:
    """Time in UTC, never before `after` (the last moment on record, in ISO form)."""

    def __init__(self, after: str = "") -> None:
        wall = datetime.now(UTC)
        last = datetime.fromisoformat(after) if after else wall
        self.behind = last > wall  # was the time of day set back since?
        self._start = max(wall, last)
        self._count = _seconds()

    def now(self) -> datetime:
        """This moment."""
        return self._start + timedelta(seconds=_seconds() - self._count)

    def stamp(self, seconds: int = 0) -> str:
        """This moment, or one so many seconds ahead, as events bear it; stamps are in order as texts."""
        return (self.now() + timedelta(seconds=seconds)).isoformat(timespec="milliseconds")

    def until(self, stamp: str) -> float:
        """Seconds until then."""
        return (datetime.fromisoformat(stamp) - self.now()).total_seconds()


def _seconds() -> float:
    """Since some moment; a machine that sleeps goes on counting, where it can."""
    asleep_too = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if asleep_too is None else time.clock_gettime(asleep_too)
