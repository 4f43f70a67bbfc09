"""A numeric part by itself: which entries are right, and what they earn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import isfinite

from quizengine.items.close import SEAL, Sealed, close
from quizengine.items.policy import Policy
from quizengine.problems.part import NumericPart
from quizengine.problems.problem import Problem
from quizengine.responses.response import Cells, Number

HIDDEN = Number(0, -1)  # −∞ typed for a score that the mask hides: masked early, which is right
VERY_LOW = -(10**4) * SEAL  # −10⁹ and the like stand for −∞ in programs
Grid = tuple[tuple[bool, ...], ...]
_share = lru_cache(2**10)(Fraction)  # of a few right entries there are few


def window(part: NumericPart, policy: Policy) -> int | Fraction:
    """How far from the key counts as right, in sealed units."""
    if not part.decimals:
        return 0
    above, below = policy.window.numerator * SEAL, policy.window.denominator * 10**part.decimals
    return Fraction(above, below) if above % below else above // below


def masked_early(problem: Problem, part: NumericPart, cells: Cells) -> Cells:
    """The cells with HIDDEN for every −∞, or what stands for it, where the mask hides: masking before
    scaling, or with the scores, changes no weight, so nothing is wrong there, and nothing earned."""
    mask = problem.matrix("mask")
    if not mask or part.stage not in ("scores", "scaled"):
        return cells
    return tuple(
        tuple(
            HIDDEN if cell is not None and cell.units <= VERY_LOW and not keep else cell
            for cell, keep in zip(row, mask[number - 1], strict=True)
        )
        for number, row in zip(part.rows, cells, strict=True)
    )


def grid(cells: Cells, key: Sealed, tolerance: int | Fraction) -> Grid:
    """Which entries are within `tolerance` of the key; a blank cell is not."""
    return tuple(
        tuple(
            cell is HIDDEN or (cell is not None and close(cell.units, k, tolerance))
            for cell, k in zip(row, keys, strict=True)
        )
        for row, keys in zip(cells, key, strict=True)
    )


def complete(right: Grid) -> bool:
    """Is every entry right?"""
    return all(map(all, right))


def live(part: NumericPart, cells: Cells) -> Grid:
    """The entries that nothing gives away."""
    free = part.free or tuple((True,) * len(row) for row in part.key)
    if not any(HIDDEN in row for row in cells):
        return free
    return tuple(
        tuple(is_live and cell is not HIDDEN for is_live, cell in zip(mine, row, strict=True))
        for mine, row in zip(free, cells, strict=True)
    )


def earned(
    part: NumericPart, right: Grid, free: Grid, values: Sequence[Sequence[float]], tolerance: int | Fraction
) -> Fraction:
    """The share that the right entries earn, of `values` (rows, columns). Weights earn by the row;
    elsewhere entries earn above what the best constant answer gets, and a row with a wrong given-away
    entry nothing."""
    if part.kind == "number" or part.stage == "weights":
        rows = [all(row) for row in right]
        return _share(sum(rows), len(rows))
    hits = 0
    for row, mine in zip(right, free, strict=True):
        if all(ok for ok, is_live in zip(row, mine, strict=True) if not is_live):
            hits += sum(bool(ok and is_live) for ok, is_live in zip(row, mine, strict=True))
    keys = [k for row, mine in zip(values, free, strict=True) for k, m in zip(row, mine, strict=True) if m]
    constant = _alike(sorted(filter(isfinite, keys)), 2 * tolerance)
    most = len(keys) - constant
    return _share(max(0, hits - constant), most) if most else _share(0)


def _alike(ordered: Sequence[float], within: int | Fraction) -> int:
    """The most of the numbers, in order, that lie `within` so much of each other: one answer gets these."""
    most = start = 0
    for end, number in enumerate(ordered, 1):
        while number - ordered[start] > within:
            start += 1
        most = max(most, end - start)
    return most


def needs_no_work(problem: Problem, part: NumericPart, cells: Cells, within: float) -> bool:
    """Is the array, `within` so many sealed units, one that needs no work: one value throughout, uniform over
    what is visible, the identity, rows copied from a given (cut off, or begun again, where the widths
    differ)? (Only asked when the key is none of these.)"""
    if part.kind != "array" or any(cell is None for row in cells for cell in row):
        return False
    rows = [[float(cell.units) for cell in row if cell is not HIDDEN] for row in cells]  # type: ignore[union-attr]
    flat = [value for row in rows for value in row]
    if max(flat) - min(flat) <= within:
        return True
    if part.stage == "weights":
        uniform = [[SEAL * is_live / sum(mine) for is_live in mine] for mine in live(part, cells)]
        one = [[float(SEAL * (j + 1 == i)) for j in range(part.shape[1])] for i in part.rows]
        if any(_same_rows(rows, stock, within) for stock in (uniform, one)):
            return True
    given = [row for name in problem.given for row in problem.matrix(name) or ()]
    return all(any(_copied(row, other, within) for other in given) for row in rows)


def eases(problem: Problem, part: NumericPart, cells: Cells) -> bool:
    """Would it be easier to work on from these values than from the right ones: one value where there are
    several, one entry that is not 0 where there are more, minus infinity; a number that is 0, 1 or given?"""
    if part.kind == "number":
        [[cell]] = cells
        given = {value * SEAL for value in problem.given.values() if isinstance(value, int)}
        return cell is None or cell.units in {0, SEAL} | given
    if any(cell is not None and cell.units <= VERY_LOW for row in cells for cell in row):
        return True
    typed = [[0 if cell is None else cell.units for cell in row] for row in cells]
    every = tuple((True,) * len(row) for row in part.key)
    worked_with = every if part.stage == "weights" else live(part, cells)  # which are mixed wherever they lie
    return _worked(typed, worked_with) < min(2, _worked(part.key, part.free or every))


def _worked(rows: Iterable[Iterable[int | Fraction]], free: Grid) -> int:
    """How many different numbers other than 0 are among the entries that nothing gives away."""
    return different(
        x for row, mine in zip(rows, free, strict=True) for x, m in zip(row, mine, strict=True) if m and x
    )


def different(numbers: Iterable[int | Fraction]) -> int:
    """How many of the sealed numbers differ, to the sixth decimal."""
    return len({x // (SEAL // 10**6) for x in numbers})


def _same_rows(rows: Iterable[Sequence[float]], others: Iterable[Sequence[float]], within: float) -> bool:
    return all(_same(row, other, within) for row, other in zip(rows, others, strict=True))


def _same(row: Sequence[float], other: Sequence[float], within: float) -> bool:
    return all(abs(a - b) <= within for a, b in zip(row, other, strict=True))


def _copied(row: Sequence[float], given: Sequence[float], within: float) -> bool:
    if abs(row[0] - given[0] * SEAL) > within:  # as nearly all are
        return False
    return _same(row, [given[j % len(given)] * SEAL for j in range(len(row))], within)


def short_by(part: NumericPart, cells: Cells, key: Sealed, right: Grid) -> int:
    """By how many decimals too few these are the values of `key`, entries that are `right` apart; 0: they are
    not, or nothing is missing."""
    asked = part.decimals or 0
    if not asked or complete(right):
        return 0
    wrong = [
        (cell and cell.units, k)
        for row, oks, keys in zip(cells, right, key, strict=True)
        for cell, ok, k in zip(row, oks, keys, strict=True)
        if not ok
    ]
    for short in range(1, asked + 1):
        step = SEAL // 10 ** (asked - short)
        if all(x is not None and x % step == 0 and -step <= 2 * (x - k) <= step for x, k in wrong):
            most = max((c.decimals or 0 for row in cells for c in row if c is not None), default=0)
            return max(short, asked - most)  # a nought may be dropped at the end, not all decimals
    return 0


def is_coarse(part: NumericPart, cells: Cells, right: Grid, rivals: Iterable[Sealed]) -> bool:
    """Is the value right but one decimal short, with no rival that rounds to the same?"""
    if short_by(part, cells, part.key, right) != 1:
        return False
    return not any(
        short_by(part, cells, rival, grid(cells, rival, 0)) for rival in rivals if rival != part.key
    )
