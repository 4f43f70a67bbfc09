"""Hold: one process at a time has a file, and what was written is on the disk."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

from quizengine.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

NO_LOCKS = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}  # what a disk without them answers
NOT_A_FILE = {errno.EINVAL, errno.EOPNOTSUPP, errno.EBADF, errno.EISDIR}


def hold(path: Path, busy: str) -> TextIO:
    """The file, open to be added to, until it is closed; a process that is killed lets go. Raises InputError
    with the sentence `busy` while another process has it (where the disk has locks), and OSError."""
    while True:
        file = path.open("a+", encoding="utf-8", newline="")
        try:
            with suppress(ImportError):  # not everywhere
                import fcntl

                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    raise InputError(busy, code="busy") from None
                except OSError as error:
                    if error.errno not in NO_LOCKS:
                        raise
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                    return file
        except BaseException:
            file.close()
            raise
        file.close()  # whoever had it put it elsewhere before it let go: it is another file now


def sync(path: Path) -> None:
    """When this returns, the file, or the names in the folder (where the disk can keep them so), outlast a
    loss of power. Raises OSError."""
    folder = path.is_dir()
    if folder and not hasattr(os, "O_DIRECTORY"):  # a system that opens no folders
        return
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    except OSError as error:
        if not folder or error.errno not in NOT_A_FILE:
            raise
    finally:
        os.close(opened)
