"""The screen: what tells a person who watches that something goes on."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator

import pytest

from quizengine.cli import screen


class Watched(io.StringIO):
    """Standard error before a person."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def shown(monkeypatch) -> Watched:
    monkeypatch.setattr(screen.Wish, "plain", False)
    monkeypatch.delenv("ACCESSIBLE", raising=False)
    return Watched()


@pytest.fixture
def clock(monkeypatch) -> list[float]:
    """A clock that stands still until it is moved."""
    now = [100.0]
    monkeypatch.setattr(screen, "monotonic", lambda: now[0])
    return now


@pytest.mark.parametrize(
    ("count", "each", "told"),
    [
        pytest.param(3, 0.01, "", id="few-and-quick"),
        pytest.param(3, 0.2, "2/3", id="few-and-slow"),
        pytest.param(2, 5.0, "1/2", id="two-very-slow"),
        pytest.param(1_000, 0.0, "0/1000", id="many-at-once"),
    ],
)
def test_a_bar_within_half_a_second(shown, clock, monkeypatch, count: int, each: float, told: str) -> None:
    """The bar is there before the thing is asked for that would take it beyond half a second."""
    monkeypatch.setattr(sys, "stderr", shown)
    seen: list[str] = []

    def things() -> Iterator[int]:
        for n in range(count):
            if clock[0] - 100.0 >= 0.4 or count >= screen.LONG:
                seen.append(shown.getvalue())
            clock[0] += each
            yield n

    assert list(screen.progress(things(), count)) == list(range(count))
    assert told in "".join(seen)
    assert all(seen)
    assert bool(shown.getvalue()) == bool(told)


def test_no_bar_where_nobody_watches(shown, clock, monkeypatch) -> None:
    monkeypatch.setattr(Watched, "isatty", lambda _: False)
    monkeypatch.setattr(sys, "stderr", shown)
    assert list(screen.progress(iter(range(100)), 100)) == list(range(100))
    assert shown.getvalue() == ""
