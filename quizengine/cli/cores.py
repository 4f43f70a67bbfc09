"""Cores: what takes long is shared out to all of them; what does not take long is not."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from quizengine.cli import screen
from quizengine.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

ALONE = 1.0  # seconds: to begin the others costs as much
CHUNK = 2  # things that travel at once: few, so that nobody waits long for the next sign of life
AHEAD = 8  # chunks a core, given out before they are wanted
T = TypeVar("T")
R = TypeVar("R")


def cores() -> int:
    """How many may be used."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def shared(work: Callable[[T], R], things: Iterable[T]) -> Iterator[R]:
    """What `work` makes of each, in order: here, and after a while in a process a core. Raises InputError
    when one of them is killed."""
    rest, until = iter(things), monotonic() + ALONE
    for thing in rest:
        if cores() > 1 and monotonic() >= until:
            rest = chain([thing], rest)
            break
        yield work(thing)
    else:
        return
    from concurrent.futures import BrokenExecutor  # late: most calls are over by now

    from quizengine.grading.processes import processes

    try:
        with processes(cores(), work) as executor:
            yield from _given_out(executor, rest) if executor else map(work, rest)
    except BrokenExecutor:
        raise InputError("a process has been killed; begin again", code="broken") from None


def watched(work: Callable[[T], R], things: Sequence[T], *, quiet: bool = False) -> Iterator[R]:
    """The same with a bar, unless it is to be `quiet`."""
    made = shared(work, things)
    return made if quiet else screen.progress(made, len(things))


def _given_out(executor: Executor, things: Iterator[T]) -> Iterator[R]:
    """What the processes make of the things, which are taken a little ahead of who asks."""
    from quizengine.grading.processes import worked

    waiting: deque[Future[list[R]]] = deque()
    while chunk := list(islice(things, CHUNK)):
        waiting.append(executor.submit(worked, chunk))
        if len(waiting) > AHEAD * cores():
            yield from waiting.popleft().result()
    for made in waiting:
        yield from made.result()
