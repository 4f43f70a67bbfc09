"""The clock of a sitting."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from quizengine.sessions import clock
from quizengine.sessions.clock import Clock


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The machine's own count of seconds, to be set."""
    seconds = [1000.0]
    monkeypatch.setattr(clock, "_seconds", lambda: seconds[0])
    return seconds


def test_it_goes_on_by_the_machines_own_count(count: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    began = Clock()
    first = began.now()
    monkeypatch.setattr(clock, "datetime", None)  # whatever happens to the time of day
    count[0] += 90.5
    assert began.now() - first == timedelta(seconds=90.5)


@pytest.mark.parametrize("hours", [-30, -1, 1, 30])
def test_it_is_never_before_what_is_on_record(count: list[float], hours: int) -> None:
    last = datetime.now(UTC) + timedelta(hours=hours)
    again = Clock(last.isoformat())
    assert again.behind == (hours > 0)
    assert again.now() >= last


def test_stamps_are_in_order_as_texts(count: list[float]) -> None:
    began = Clock()
    stamps = []
    for _ in range(50):
        stamps.append(began.stamp())
        count[0] += 0.499
    assert stamps == sorted(stamps)
    assert len(set(map(len, stamps))) == 1
    assert began.stamp(60) > began.stamp(59)
    assert began.until(began.stamp(60)) == pytest.approx(60, abs=0.001)
