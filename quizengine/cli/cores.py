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

LOOK = 0.5  # seconds, after which it is known how fast it goes
ALONE = 3.0  # seconds of work left: for less it costs more to begin the others than they save
FEW, MANY = 2, 32  # things that are done at once: few to begin with, so that a sign of life comes soon
AHEAD = 128  # things a core, given out before they are wanted: some take a hundred times as long as others
T = TypeVar("T")
R = TypeVar("R")
Work = Callable[[Sequence[T]], list[R]]  # what it makes of each


def cores() -> int:
    """How many may be used."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def shared(work: Work[T, R], things: Iterable[T], count: int, at_once: int = FEW) -> Iterator[R]:
    """What `work` makes of so many things, in order, so many of them at once: here, and in a process a core
    where much is left to do. Raises InputError when one of them is killed."""
    begun, done, chunks = monotonic(), 0, _chunks(iter(things), at_once)
    for chunk in chunks:
        gone = monotonic() - begun
        if cores() > 1 and gone >= LOOK and gone * (count - done) >= ALONE * done:
            break
        yield from work(chunk)
        done += len(chunk)
    else:
        return
    from concurrent.futures import BrokenExecutor  # late: most calls are over by now

    from quizengine.grading.processes import processes

    try:
        with processes(cores(), work) as executor:
            rest, ahead = chain([chunk], chunks), AHEAD * cores() // at_once
            made = _given_out(executor, rest, ahead) if executor else map(work, rest)
            yield from chain.from_iterable(made)
    except BrokenExecutor:
        raise InputError("a process has been killed; begin again", code="broken") from None


def _chunks(things: Iterator[T], most: int) -> Iterator[list[T]]:
    """Few, then twice as many every time."""
    size = FEW
    while chunk := list(islice(things, size)):
        yield chunk
        size = min(2 * size, most)


def watched(work: Callable[[T], R], things: Sequence[T], *, quiet: bool = False) -> Iterator[R]:
    """What `work` makes of each, with a bar, unless it is to be `quiet`."""
    made = shared(partial(_one_by_one, work), things, len(things))
    return made if quiet else screen.progress(made, len(things))


def watched_together(
    work: Work[T, R], things: Iterable[T], count: int, *, quiet: bool = False
) -> Iterator[R]:
    """The same of so many things where it takes less time to do them together."""
    made = shared(work, things, count, MANY)
    return made if quiet else screen.progress(made, count)


def _one_by_one(work: Callable[[T], R], things: Sequence[T]) -> list[R]:
    return list(map(work, things))


def _given_out(executor: Executor, chunks: Iterable[list[T]], ahead: int) -> Iterator[list[R]]:
    """What the processes make of the chunks, of which so many are taken ahead of who asks."""
    from quizengine.grading.processes import worked

    waiting: deque[Future[list[R]]] = deque()
    for chunk in chunks:
        waiting.append(executor.submit(worked, chunk))
        if len(waiting) > ahead:
            yield waiting.popleft().result()
    for made in waiting:
        yield made.result()
