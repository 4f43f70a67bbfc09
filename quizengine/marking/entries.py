"""A numeric part by itself: which entries are right, and what they earn."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from quizengine.items.close import SEAL, Sealed, close, unit
from quizengine.items.policy import Policy
from quizengine.problems.problem import Part, Problem
from quizengine.responses.response import Cells, Number

Grid = tuple[tuple[bool, ...], ...]


def window(part: Part, policy: Policy) -> Fraction:
    """How far from the key counts as right, in sealed units."""
    return policy.window * unit(part.decimals or 0)


def grid(cells: Cells, key: Sealed, tolerance: Fraction) -> Grid:
    """Which entries are within `tolerance` of the key; a blank cell is not."""
    return tuple(
        tuple(cell is not None and close(cell.value, k, tolerance) for cell, k in zip(row, keys, strict=True))
        for row, keys in zip(cells, key, strict=True)
    )


def complete(right: Grid) -> bool:
    """Is every entry right?"""
    return all(map(all, right))


def live(part: Part) -> Grid:
    """The entries that nothing gives away."""
    return part.free or tuple((True,) * len(row) for row in part.sealed)


def earned(part: Part, right: Grid, tolerance: Fraction) -> Fraction:
    """The share that the right entries earn. Weights earn by the row; elsewhere entries earn
    above what the best constant answer gets, and a row with a wrong given-away entry nothing."""
    if part.kind == "number" or part.stage == "weights":
        rows = [all(row) for row in right]
        return Fraction(sum(rows), len(rows))
    free = live(part)
    hits = 0
    for row, mine in zip(right, free, strict=True):
        if all(ok for ok, is_live in zip(row, mine, strict=True) if not is_live):
            hits += sum(ok and is_live for ok, is_live in zip(row, mine, strict=True))
    keys = [
        k
        for row, mine in zip(part.sealed, free, strict=True)
        for k, is_live in zip(row, mine, strict=True)
        if is_live
    ]
    constant = max(sum(abs(a - b) <= 2 * tolerance for b in keys if b >= a) for a in keys)
    return Fraction(max(0, hits - constant), len(keys) - constant) if len(keys) > constant else Fraction(0)


def is_stock(problem: Problem, part: Part, cells: Cells, tolerance: Fraction) -> bool:
    """Is the array one that needs no work: one value throughout, uniform over what is visible,
    the identity, or rows copied from a given? (Only asked when the key is none of these.)"""
    if part.kind != "array" or any(cell is None for row in cells for cell in row):
        return False
    rows = [[cell.value for cell in row] for row in cells if None not in row]  # type: ignore[union-attr]
    flat = [value for row in rows for value in row]
    if (max(flat) - min(flat)) * SEAL <= tolerance:
        return True
    candidates = [_uniform(mine) for mine in live(part)] if part.stage == "weights" else []
    if part.stage == "weights":
        one = [[Fraction(int(j + 1 == i)) for j in range(part.shape[1])] for i in part.rows]
        if _equal(rows, candidates, tolerance) or _equal(rows, one, tolerance):
            return True
    width = len(rows[0])
    givens = [
        row for value in problem.given.values() if _is_matrix(value) for row in value if len(row) == width
    ]
    return bool(givens) and all(any(_equal([row], [given], tolerance) for given in givens) for row in rows)


def _is_matrix(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], list)


def _uniform(mine: Iterable[bool]) -> list[Fraction]:
    mask = list(mine)
    return [Fraction(int(is_live), sum(mask)) for is_live in mask]


def _equal(rows: list[list[Fraction]], others: list[list[Any]], tolerance: Fraction) -> bool:
    return len(rows) == len(others) and all(
        len(row) == len(other)
        and all(
            abs(a - (b if isinstance(b, int) else Fraction(b))) * SEAL <= tolerance
            for a, b in zip(row, other, strict=True)
        )
        for row, other in zip(rows, others, strict=True)
    )


def is_coarse(part: Part, cells: Cells, right: Grid, rivals: Iterable[Sealed]) -> bool:
    """Is the value right but one decimal short, with no rival that rounds to the same?"""
    decimals = (part.decimals or 0) - 1
    if decimals < 0 or complete(right):
        return False
    half = unit(decimals) / 2 if decimals else Fraction(SEAL, 2)

    def rounds_to(cell: Number | None, key: int) -> bool:
        return cell is not None and cell.decimals == decimals and close(cell.value, key, half)

    key = part.sealed
    entries = [
        ok or rounds_to(cell, k)
        for row, oks, keys in zip(cells, right, key, strict=True)
        for cell, ok, k in zip(row, oks, keys, strict=True)
    ]
    if not all(entries):
        return False
    return not any(
        all(
            rounds_to(cell, k)
            for row, keys in zip(cells, rival, strict=True)
            for cell, k in zip(row, keys, strict=True)
        )
        for rival in rivals
        if rival != key
    )
