"""Whole: a file is written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from pathlib import Path


@contextmanager
def whole(path: Path, *, mode: int = 0o666, synced: bool = False) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of `path` when all is well, and else leaves what was there;
    `synced`, its content outlasts a loss of power (its name does when the folder is synced). Raises
    OSError."""
    part = path.with_name(f"{path.name}.part")
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
            yield file
            if synced:
                file.flush()
                os.fsync(file.fileno())
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def write_whole(path: Path, content: bytes, *, mode: int = 0o666, synced: bool = False) -> None:
    """Write a content that is there at once, as `whole` does. Raises OSError."""
    with whole(path, mode=mode, synced=synced) as file:
        file.write(content)


def put_aside(path: Path) -> None:
    """Keep what is there, a file or a folder, beside its place: as NAME.old-1, or the next that is free.
    Raises OSError."""
    beside = (path.with_name(f"{path.name}.old-{n}") for n in count(1))
    path.rename(next(name for name in beside if not name.exists()))
