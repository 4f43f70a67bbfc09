"""Disk: what one cannot do (hard links, modes, locks, memory shared by processes) is done another way."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple


class Disk(NamedTuple):
    """What the disk on which a file lies can do for a database."""

    locks: bool = True
    shares: bool = True  # memory, among the processes that have the file open

    def address(self, path: str) -> str:
        """The database as a URI: where nothing can be locked, SQLite is not to try."""
        quoted = os.path.abspath(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        return f"file:{quoted}" + ("" if self.locks else "?vfs=unix-none")

    @property
    def journal(self) -> str:
        """How SQLite keeps a journal there."""
        return "wal" if self.locks and self.shares else "delete"

    def pragmas(self) -> Iterator[str]:
        """What is to be said to a connection before it reads: a database that comes from another disk may
        have a journal that cannot be kept here."""
        if self.journal != "wal":
            yield "locking_mode = exclusive"  # such a journal is then read without shared memory
            yield f"journal_mode = {self.journal}"
            yield "locking_mode = normal"


def disk_of(path: str) -> Disk:
    """What the disk of a file that is there, or is to be there, can do: tried on a file beside it."""
    try:
        import fcntl
    except ImportError:  # a system that has its own locks
        return Disk()
    part = f"{path}.{os.urandom(8).hex()}.new"
    try:
        opened = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError:  # what is wrong is told when the file itself is used
        return Disk()
    try:
        os.unlink(part)
        locks = shares = False
        with suppress(OSError):
            fcntl.lockf(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            locks = True
        with suppress(OSError):
            os.ftruncate(opened, 1)
            mmap.mmap(opened, 1).close()
            shares = True
    finally:
        os.close(opened)
    return Disk(locks, shares)


def put_new(part: str, path: str) -> None:
    """Give the file the name `path` at once, unless another has it, which stays; the old name is gone. Raises
    OSError."""
    try:
        os.link(part, path)
    except FileExistsError:
        pass
    except OSError:  # no hard links
        if not os.path.exists(path):
            with suppress(FileExistsError):
                os.rename(part, path)
    with suppress(FileNotFoundError):
        os.unlink(part)


def put_also(path: str, other: str) -> None:
    """The file under a second name too, or a copy of it. Raises OSError."""
    try:
        os.link(path, other)
    except OSError:
        with open(path, "rb") as file, open(other, "xb") as copy:
            copy.write(file.read())


def make_private(path: str, mode: int = 0o600) -> None:
    """For its owner alone, where there are owners."""
    with suppress(OSError):
        os.chmod(path, mode)
