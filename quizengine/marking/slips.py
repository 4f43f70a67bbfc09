"""A slip of the pen that a wrong part shows when no misconception explains it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

from quizengine.items.close import SEAL, Sealed, close
from quizengine.marking.entries import HIDDEN, Grid
from quizengine.marking.mark import Reason
from quizengine.problems.part import NumericPart
from quizengine.responses.response import Cells, Number

FEW_DIGITS = 2  # in which any two numbers are alike
MOST_ROWS = 4  # of a part whose rows may have been swapped
_FACTORS = ((100, 1), (10, 1), (1, 10), (1, 100))  # above, below


def slip(part: NumericPart, cells: Cells, right: Grid, tolerance: int | Fraction) -> Reason | None:
    """The slip that makes this part of the right one: signs, the decimal point, a division or a digit, rows
    and columns or two rows exchanged."""
    if factor := _factor(part.key, cells, right, tolerance):
        code = {(-1, 1): "sign", (100, 1): "percent"}.get(factor, "factor")
        return Reason(f"slip.{code}", {"factor": str(Fraction(*factor))})
    if moved := _moved(part, cells, tolerance):
        return moved
    if part.stage == "weights" and _in_ratio(part, cells, tolerance):
        return Reason("slip.ratio")
    if part.kind == "number" and _digit(part, cells):
        return Reason("slip.digit")
    return None


def may_be_a_row(part: NumericPart, cells: Cells) -> bool:
    """Is it worth solving for the other rows of the stage? Not if weights do not even add up to 1."""
    if len(part.rows) > 1 or part.stage != "weights":
        return len(part.rows) == 1
    total: int | Fraction = sum((cell.units for cell in cells[0] if cell is not None), 0)
    return abs(Fraction(total) - SEAL) * 100 <= SEAL * len(cells[0])


def _moved(part: NumericPart, cells: Cells, tolerance: int | Fraction) -> Reason | None:
    """The right numbers in another place."""

    def typed(other: Sealed) -> bool:
        return all(_row(row, keys, tolerance) for row, keys in zip(cells, other, strict=True))

    key = part.key
    if len(key) == len(key[0]) > 1 and typed(tuple(zip(*key, strict=True))):
        return Reason("slip.turned")
    known = 1 < len(key) <= MOST_ROWS and all(any(_row(row, k, tolerance) for k in key) for row in cells)
    return Reason("slip.rows") if known and any(map(typed, permutations(key))) else None


def _row(row: Sequence[Number | None], key: Sequence[int], tolerance: int | Fraction) -> bool:
    return all(cell is not None and close(cell.units, k, tolerance) for cell, k in zip(row, key, strict=True))


def _in_ratio(part: NumericPart, cells: Cells, tolerance: int | Fraction) -> bool:
    """Are these the right weights but for the last division, by the sum of the row?"""
    if any(cell is None or cell.units < 0 for row in cells for cell in row):
        return False
    for row, keys in zip(cells, part.key, strict=True):
        units = [cell.units for cell in row if cell is not None]
        total, alone = sum(units), sum(1 for k in keys if k) < 2
        if not total or alone:
            return False
        if not all(close(Fraction(u * SEAL, total), k, tolerance) for u, k in zip(units, keys, strict=True)):
            return False
    return True


def _digit(part: NumericPart, cells: Cells) -> bool:
    """Is one digit of the number another one, or are two neighbours exchanged?"""
    [[cell]], [[key]] = cells, part.key
    unit = Fraction(SEAL, 10 ** (part.decimals or 0))
    if cell is None or cell.units % unit or (cell.units < 0) != (key < 0):
        return False
    right = str(abs(round(key / unit)))
    typed = str(abs(round(cell.units / unit))).zfill(len(right))
    return FEW_DIGITS < len(right) == len(typed) and _one_digit(typed, right)


def _one_digit(typed: str, right: str) -> bool:
    """Is one digit another one, or are two neighbours exchanged?"""
    off = [n for n, (a, b) in enumerate(zip(typed, right, strict=True)) if a != b]
    if len(off) == 2:
        a, b = off
        return b - a == 1 and (typed[a], typed[b]) == (right[b], right[a])
    return len(off) == 1


def is_slip(part: NumericPart, typed: int | Fraction, value: float, tolerance: float) -> bool:
    """Is a number what a slip of the pen makes of this value: its sign, its decimal point, two neighbouring
    digits exchanged, one digit off?"""
    unit = Fraction(SEAL, 10 ** (part.decimals or 0))
    if any(abs(float(typed) - above / below * value) <= tolerance for above, below in ((-1, 1), *_FACTORS)):
        return True
    if typed % unit or (typed < 0) != (value < 0):
        return False
    width = (part.decimals or 0) + 1
    a, b = (str(abs(round(x / unit))).zfill(width) for x in (typed, Fraction(value)))
    return len(a) == len(b) > FEW_DIGITS and _one_digit(a, b)


def wrong_cells(part: NumericPart, right: Grid) -> tuple[tuple[int, int], ...]:
    """(row, column) of every entry that is not right, rows as the problem counts them."""
    numbers = part.rows or range(1, len(right) + 1)
    return tuple(
        (number, column)
        for number, row in zip(numbers, right, strict=True)
        for column, ok in enumerate(row, 1)
        if not ok
    )


def _factor(key: Sealed, cells: Cells, right: Grid, tolerance: int | Fraction) -> tuple[int, int] | None:
    """The one factor, above and below, by which every wrong entry is off, if there is one."""
    wrong = [
        (cell, k)
        for row, keys, oks in zip(cells, key, right, strict=True)
        for cell, k, ok in zip(row, keys, oks, strict=True)
        if not ok
    ]
    if any(cell is None or cell is HIDDEN for cell, _ in wrong):
        return None
    for above, below in ((-1, 1), *_FACTORS):
        within = tolerance * below
        if all(
            cell and close(cell.units * below, k * above, within) and abs(k * above) > 2 * within
            for cell, k in wrong
        ):
            return above, below
    return None
