"""Cores: what takes long is shared out to all of them; what does not take long is not."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from time import monotonic
from typing import TypeVar

from quizengine.errors import InputError
from quizengine.grading.processes import processes

ALONE = 1.0  # seconds: to begin the others costs as much
CHUNK = 2  # things that travel at once: few, so that nobody waits long for the next sign of life
T = TypeVar("T")
R = TypeVar("R")


def cores() -> int:
    """How many may be used."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def shared(work: Callable[[T], R], things: Sequence[T]) -> Iterator[R]:
    """What `work` makes of each, in order: here, and after a while in a process a core. Raises InputError
    when one of them is killed."""
    until, done = monotonic() + ALONE, 0
    while done < len(things) and (cores() == 1 or monotonic() < until):
        yield work(things[done])
        done += 1
    if done == len(things):
        return
    try:
        with processes(cores()) as executor:
            rest = things[done:]
            yield from executor.map(work, rest, chunksize=CHUNK) if executor else map(work, rest)
    except BrokenExecutor:
        raise InputError("a process has been killed; begin again", code="broken") from None
