"""Processes that mark: they end with the one that called them, and one that is killed holds up nobody."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from signal import SIG_IGN, SIGINT, signal
from threading import Thread


@contextmanager
def processes(count: int) -> Iterator[Executor | None]:
    """An executor of so many processes; none where the system lets processes share nothing (no /dev/shm)."""
    try:
        executor = ProcessPoolExecutor(count, get_context("spawn"), _end_with_parent)
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


def _end_with_parent() -> None:
    """A parent that is killed tells nobody: its children would wait for work for ever."""
    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()
