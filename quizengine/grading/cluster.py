"""A Dask cluster as an executor: the same grading on more machines."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager

from quizengine import __version__
from quizengine.errors import InputError

WAIT = 10  # seconds for a scheduler to answer


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """The executor of a running cluster, and how many chunks it works on at once. A worker that is lost
    loses nothing: its chunks are done again by others. Raises InputError for a cluster that cannot be
    used."""
    try:
        from distributed import Client
        from distributed.comm.addressing import get_address_host_port
        from distributed.comm.core import CommClosedError
        from distributed.scheduler import KilledWorker, NoValidWorkerError
    except ImportError:
        message = "a Dask cluster needs the extra “scale”: pip install 'quizengine[scale]'"
        raise InputError(message, code="missing-extra") from None
    try:
        get_address_host_port(address)  # a client of what is no address does not go away
        client = Client(address, timeout=WAIT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"no Dask scheduler answers at {address}: {why}", code="cluster") from None
    with client:
        try:
            yield (
                client.get_executor(pure=False),
                _slots(client.run(_engine, on_error="return"), client, address),
            )
        except (CommClosedError, KilledWorker, NoValidWorkerError, CancelledError) as error:
            message = (
                f"the cluster at {address} was lost ({type(error).__name__}); what is done is kept, and the "
                "same call goes on"
            )
            raise InputError(message, code="cluster") from None


def _engine() -> str:
    return __version__


def _slots(engines: dict[str, object], client: object, address: str) -> int:
    """The threads of all workers. Raises InputError when there is none, or one of another version."""
    if not engines:
        raise InputError(
            f"the cluster at {address} has no workers: start one with dask worker", code="cluster"
        )
    for worker, engine in engines.items():
        if engine != __version__:
            has = f"version {engine}" if isinstance(engine, str) else "no quizengine"
            message = f"the worker {worker} has {has}: install version {__version__} there, as it is here"
            raise InputError(message, code="cluster")
    return sum(client.nthreads().values())  # type: ignore[attr-defined]
