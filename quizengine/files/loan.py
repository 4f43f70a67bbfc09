"""Loan: a database that is only looked at, from a folder that cannot be written."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from quizengine.errors import InputError
from quizengine.files.failure import failed


def writable(folder: Path, name: str) -> bool:
    """Can the file be written, or made, with what a database keeps beside it?"""
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    file = folder / name
    return os.access(there, os.W_OK | os.X_OK) and (not file.exists() or os.access(file, os.W_OK))


@contextmanager
def readable(folder: Path, name: str) -> Iterator[Path]:
    """The folder itself where the database can be written, else one with a copy of it: even to read, SQLite
    writes beside a file. What is wrong with the copy is told of the file. Raises InputError."""
    if writable(folder, name):
        yield folder
        return
    with TemporaryDirectory() as lent:
        for path in (folder / name, folder / f"{name}-wal", folder / f"{name}-journal"):
            try:
                shutil.copyfile(path, Path(lent, path.name))
            except FileNotFoundError:
                continue
            except OSError as error:
                raise failed(path, error) from None
        try:
            yield Path(lent)
        except InputError as error:
            said = error.message.replace(lent, str(folder))
            raise InputError(said, code=error.code, fault=error.fault) from None
