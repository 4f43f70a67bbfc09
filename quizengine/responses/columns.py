"""Columns: the same part of many sheets at once. Plain decimals, by far the commonest answers, are recognised
and made numbers without an object for any of them; everything else is left to `read`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

Units = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
_NUMBER = r"-?[0-9]{1,6}+(?:\.[0-9]{1,9}+)?+"  # no sum of its digits overflows
_WHOLE, _PLACES = 6, 9
_BLOCK = 512  # texts whose signs fit into the processor's cache
# by the distance of a digit from its point, from behind the last decimal to before the first digit
_POWERS = np.array(
    [0, *(10**i for i in range(_PLACES)), 0, *(10 ** (_PLACES + i) for i in range(_WHOLE)), 0],
    dtype=np.int64,
)
_DIGITS = np.zeros(256, dtype=np.int64)
_DIGITS[ord("0") : ord("9") + 1] = range(10)
_COMMA, _POINT, _MINUS = map(ord, ",.-")


@lru_cache(64)
def _gate(shape: tuple[int, ...]) -> re.Pattern[str]:
    """What a plain text of this shape looks like: one number, or nested lists."""
    if not shape:
        return re.compile(_NUMBER)
    row = rf"\[{', ?'.join([_NUMBER] * shape[1])}\]"  # spelt out, for that is matched sooner
    return re.compile(rf"\[{', ?'.join([row] * shape[0])}\]")


def read_columns(texts: Sequence[str], shape: tuple[int, ...]) -> tuple[Flags, Units]:
    """Which of the n texts are plain, (n,), and the numbers of those m, (m, cells), in units of 10⁻⁹. A shape
    of () is one number.

    >>> known, units = read_columns(["0.5", "1/2", "-12"], ())
    >>> known.tolist(), units.tolist()
    ([True, False, True], [[500000000], [-12000000000]])
    """
    plain = _gate(shape).fullmatch
    known = np.array([plain(text) is not None for text in texts], dtype=bool)
    kept = texts if known.all() else [text for text, plainly in zip(texts, known, strict=True) if plainly]
    cells = shape[0] * shape[1] if shape else 1
    if not known.any():
        return known, np.empty((0, cells), dtype=np.int64)
    blocks = (kept[start : start + _BLOCK] for start in range(0, len(kept), _BLOCK))
    units = [_numbers(",".join(block).encode().translate(None, b"[] ")) for block in blocks]
    return known, np.concatenate(units).reshape(len(kept), cells)


def _numbers(text: bytes) -> Units:
    """The decimals between commas, exactly: digits times powers of ten, added up."""
    signs = np.frombuffer(text + b",", dtype=np.uint8)
    ends = np.flatnonzero(signs == _COMMA)
    starts = np.concatenate([[0], ends[:-1] + 1])
    points = ends.copy()
    dots = np.flatnonzero(signs == _POINT)
    points[np.searchsorted(ends, dots)] = dots
    places = np.repeat(points + _PLACES + 1, ends - starts + 1) - np.arange(len(signs))
    units = np.add.reduceat(_DIGITS.take(signs) * _POWERS.take(places), starts)
    return np.where(signs[starts] == _MINUS, -units, units)
