"""Points, as other platforms hold them: with two decimals."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

UNITS = 100  # in one point


def split_points(points: int, count: int) -> list[Fraction]:
    """The points in so many shares, as equal as two decimals allow, which add up to them exactly, also where
    a platform rounds each sum.

    >>> [float(share) for share in split_points(1, 3)]
    [0.33, 0.34, 0.33]
    """
    bounds = [round(Fraction(points * UNITS * i, count)) for i in range(count + 1)]
    return [Fraction(after - before, UNITS) for before, after in pairwise(bounds)]
