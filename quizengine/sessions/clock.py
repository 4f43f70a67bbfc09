"""The clock of a sitting: once begun it goes on by the machine's own count, whatever is done to the
time of day."""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from quizengine.sessions.event import Boot


class Clock:
    """Time in UTC, never before `after` (the last moment on record, in ISO form). With what `boot` gave at
    `begun`, and the machine not started anew since, it goes on from there by the machine's count alone."""

    def __init__(self, after: str = "", begun: str = "", boot: Boot | None = None) -> None:
        wall = datetime.now(UTC)
        last = datetime.fromisoformat(after) if after else wall
        self.behind = last > wall  # was the time of day set back since?
        self._count = _seconds()
        if boot and boot.id == _boot_id() != "":
            wall = datetime.fromisoformat(begun) + timedelta(seconds=self._count - boot.count)
        self._start = max(wall, last)

    def now(self) -> datetime:
        """This moment, in UTC."""
        return self._start + timedelta(seconds=_seconds() - self._count)

    def stamp(self, seconds: int = 0) -> str:
        """This moment, or one so many seconds ahead, as events bear it; stamps are in order as texts."""
        return (self.now() + timedelta(seconds=seconds)).isoformat(timespec="milliseconds")

    def until(self, stamp: str) -> float:
        """The seconds from now until this stamp; negative when it is over."""
        return (datetime.fromisoformat(stamp) - self.now()).total_seconds()


def local(stamp: str) -> str:
    """A stamp by the time of day where the learner is."""
    return datetime.fromisoformat(stamp).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def boot() -> Boot:
    """Which start of the machine this is, and its count of seconds."""
    return Boot(_boot_id(), _seconds())


def _boot_id() -> str:
    """Empty where a machine does not tell."""
    with suppress(OSError), open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        return file.read().strip()
    return ""


def _seconds() -> float:
    """Since some moment; a machine that sleeps goes on counting, where it can."""
    asleep_too = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if asleep_too is None else time.clock_gettime(asleep_too)
