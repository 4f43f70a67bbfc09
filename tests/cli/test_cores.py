"""Cores: the others are begun where they save time, and what is made is the same."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from quizengine.cli import cores
from quizengine.grading import processes


def doubled(things: Sequence[int]) -> list[int]:
    return [2 * thing for thing in things]


class Clock:
    """Every look takes so many seconds."""

    def __init__(self, seconds: float) -> None:
        self.now, self.seconds = 0.0, seconds

    def __call__(self) -> float:
        self.now += self.seconds
        return self.now


@pytest.mark.parametrize(
    ("seconds", "count", "begun"),
    [(0.01, 30, False), (0.3, 10, False), (0.3, 40, True), (2.0, 40, True)],
    ids=["soon done", "little left", "much left", "long ones"],
)
def test_others_are_begun_where_much_is_left(monkeypatch, seconds: float, count: int, begun: bool) -> None:
    used = []
    monkeypatch.setattr(cores, "monotonic", Clock(seconds))
    monkeypatch.setattr(cores, "cores", lambda: 2)
    real = processes.processes
    monkeypatch.setattr(processes, "processes", lambda n, work: used.append(n) or real(n, work))
    assert list(cores.shared(doubled, range(count), count)) == [2 * n for n in range(count)]
    assert bool(used) == begun


def test_things_travel_together(monkeypatch) -> None:
    sizes = []
    monkeypatch.setattr(cores, "cores", lambda: 1)

    def work(things: Sequence[int]) -> list[int]:
        sizes.append(len(things))
        return doubled(things)

    assert list(cores.watched_together(work, range(70), 70, quiet=True)) == [2 * n for n in range(70)]
    assert sizes == [2, 4, 8, 16, 32, 70 - 62]
