"""Checksum: what a row of a table was when it was written, so that a flipped bit in it is noticed."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

FUNCTION = ("crc32", 1, zlib.crc32)  # what a database has to know for `expression`


def expression(columns: Iterable[str]) -> str:
    """The checksum of these columns in SQL: of their bytes, text or not, and of their types.

    >>> expression(["a", "b"])
    "crc32(cast(typeof(a) || coalesce(a, '') || char(31) || typeof(b) || coalesce(b, '') as blob))"
    """
    cells = (f"typeof({column}) || coalesce({column}, '')" for column in columns)
    return f"crc32(cast({' || char(31) || '.join(cells)} as blob))"
