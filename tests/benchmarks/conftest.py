"""What a call costs beside a yardstick of the same run: hardly another figure on another machine."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable

import pytest


def processor(call: Callable[[], object]) -> float:
    """Seconds of processor that the call takes, its processes included."""

    def used() -> float:
        others = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.process_time() + others.ru_utime + others.ru_stime

    before = used()
    call()
    return used() - before


@pytest.fixture
def at_most(benchmark):
    """`at_most(3, call, yardstick)`: the call costs at most three times as much. Both are measured in turn,
    `rounds` times, each `many` times over; the least of each counts."""

    def check(times: float, call, yardstick, *, rounds: int = 5, many: int = 1) -> None:
        def repeated(what) -> None:
            for _ in range(many):
                what()

        for what in (call, yardstick):
            what()
        pairs = [
            (processor(lambda: repeated(call)), processor(lambda: repeated(yardstick))) for _ in range(rounds)
        ]
        ratio = min(mine for mine, _ in pairs) / min(theirs for _, theirs in pairs)
        benchmark.extra_info.update(ratio=round(ratio, 2), at_most=times)
        benchmark.pedantic(call, rounds=1)
        assert ratio <= times, f"{ratio:.2f} times the yardstick, and {times} is the most"

    return check
