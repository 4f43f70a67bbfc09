"""Processes that mark: they end with the one that called them, and one that is killed holds up nobody."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from gc import get_threshold, set_threshold
from multiprocessing import get_context, parent_process
from signal import SIG_IGN, SIGINT, signal
from threading import Thread
from typing import Any

Work = Callable[[Any], Any]


@contextmanager
def processes(count: int, work: Work | None = None) -> Iterator[Executor | None]:
    """An executor of so many processes; none where the system lets processes share nothing (no /dev/shm).
    The work that `worked` does there is sent once."""
    try:
        executor = ProcessPoolExecutor(count, get_context("spawn"), _begin, (get_threshold(), work))
    except (OSError, ImportError, NotImplementedError):
        yield None
        return
    told = signal(SIGINT, SIG_IGN)  # which they inherit: Ctrl-C is for the caller to answer
    try:
        for _ in range(count):  # all at once: one that is begun while others die would wait with them
            executor.submit(os.getpid)
    finally:
        signal(SIGINT, told)
    try:
        yield executor
    except BaseException:
        # One that was killed while it waited for work holds the lock of the queue, and what is still being
        # written there would be waited for (CPython issue 94777): with nobody left to read it that ends.
        for process in list((executor._processes or {}).values()):
            process.kill()
        executor._call_queue._reader.close()  # type: ignore[attr-defined]
        executor._result_queue._writer.close()  # type: ignore[attr-defined]  # a mark half sent never comes
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def worked(things: Sequence[Any]) -> Any:
    """What the work of this process makes of the things."""
    [work] = _works
    return work(things)


_works: list[Work] = []


def _begin(thresholds: tuple[int, int, int], work: Work | None) -> None:
    """Collect as seldom as the caller, and end with it: a parent that is killed tells nobody, and its
    children would wait for work for ever."""
    set_threshold(*thresholds)
    _works[:] = [work] if work else []
    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()
