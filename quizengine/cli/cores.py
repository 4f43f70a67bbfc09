"""Cores: what takes long is shared out to all of them; what does not take long is not."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from quizengine.cli import screen
from quizengine.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

ALONE = 1.0  # seconds: to begin the others costs as much
FEW, MANY = 2, 32  # things that travel at once: few, so that nobody waits long for the next sign of life
AHEAD = 4  # chunks a core, given out before they are wanted
T = TypeVar("T")
R = TypeVar("R")
Work = Callable[[Sequence[T]], list[R]]  # what it makes of each


def cores() -> int:
    """How many may be used."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def shared(work: Work[T, R], things: Iterable[T], at_once: int = FEW) -> Iterator[R]:
    """What `work` makes of the things, in order, so many of them at once: here, and after a while in a
    process a core. Raises InputError when one of them is killed."""
    left, until = iter(things), monotonic() + ALONE
    chunks = iter(lambda: list(islice(left, at_once)), [])
    for chunk in chunks:
        if cores() > 1 and monotonic() >= until:
            chunks = chain([chunk], chunks)
            break
        yield from work(chunk)
    else:
        return
    from concurrent.futures import BrokenExecutor  # late: most calls are over by now

    from quizengine.grading.processes import processes

    try:
        with processes(cores(), work) as executor:
            yield from chain.from_iterable(_given_out(executor, chunks) if executor else map(work, chunks))
    except BrokenExecutor:
        raise InputError("a process has been killed; begin again", code="broken") from None


def watched(work: Callable[[T], R], things: Sequence[T], *, quiet: bool = False) -> Iterator[R]:
    """What `work` makes of each, with a bar, unless it is to be `quiet`."""
    made = shared(partial(_one_by_one, work), things)
    return made if quiet else screen.progress(made, len(things))


def watched_together(
    work: Work[T, R], things: Iterable[T], count: int, *, quiet: bool = False
) -> Iterator[R]:
    """The same of so many things where it takes less time to do them together."""
    made = shared(work, things, MANY)
    return made if quiet else screen.progress(made, count)


def _one_by_one(work: Callable[[T], R], things: Sequence[T]) -> list[R]:
    return list(map(work, things))


def _given_out(executor: Executor, chunks: Iterable[list[T]]) -> Iterator[list[R]]:
    """What the processes make of the chunks, which are taken a little ahead of who asks."""
    from quizengine.grading.processes import worked

    waiting: deque[Future[list[R]]] = deque()
    for chunk in chunks:
        waiting.append(executor.submit(worked, chunk))
        if len(waiting) > AHEAD * cores():
            yield waiting.popleft().result()
    for made in waiting:
        yield made.result()
