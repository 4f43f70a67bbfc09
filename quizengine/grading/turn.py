"""Whose turn it is: what gives marks by those on record has the record of an exam to itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from quizengine.files.failure import failed
from quizengine.files.hold import hold

LOCK = "results.lock"


@contextmanager
def turn(manifest: Path) -> Iterator[None]:
    """No other process gives marks to this exam meanwhile. Raises InputError where one does already."""
    lock = manifest.parent / LOCK
    busy = f"another quizengine is giving marks to the exam of {manifest}: wait for it"
    try:
        held = hold(lock, busy)
    except OSError as error:
        raise failed(lock, error, code="not-written") from None
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
        held.close()
