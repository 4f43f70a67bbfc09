"""Failure: what the system will not give or take, in one sentence."""

from __future__ import annotations

from quizengine.errors import InputError


def failed(path: object, error: OSError, *, code: str = "no-file", then: str = "") -> InputError:
    """The sentence for an OSError: which file, why, and what holds `then`. To be raised.

    >>> import errno, os
    >>> str(failed("a.csv", OSError(errno.ENOENT, os.strerror(errno.ENOENT))))
    'a.csv: No such file or directory'
    """
    return InputError(f"{path}: {error.strerror or error}{then}", code=code)
