"""What a wrong part shows when no misconception explains it: a slip that can be recognised, or what no
right answer can look like."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

from quizengine.attention.stage import Array
from quizengine.items.close import SEAL, Sealed, close
from quizengine.marking.entries import HIDDEN, Grid, live
from quizengine.marking.mark import Reason
from quizengine.problems.part import NumericPart
from quizengine.problems.problem import Problem
from quizengine.responses.response import Cells

FEW_DIGITS = 2  # in which any two numbers are alike
MOST_ROWS = 4  # of a part whose rows may have been swapped
_FACTORS = (Fraction(100), Fraction(10), Fraction(1, 10), Fraction(1, 100))


def slip(
    part: NumericPart, cells: Cells, right: Grid, stage: Array | None, tolerance: int | Fraction
) -> Reason | None:
    """The slip that makes this part of the right one: signs, the decimal point, a division or a digit, rows
    and columns or two rows exchanged, another row of the `stage`, one entry wrong among right ones."""
    factor = _factor(part.key, cells, right, tolerance)
    if factor:
        code = {Fraction(-1): "sign", Fraction(100): "percent"}.get(factor, "factor")
        return Reason(f"slip.{code}", {"factor": str(factor)})
    if moved := _moved(part, cells, stage, tolerance):
        return moved
    if part.stage == "weights" and _in_ratio(part, cells, tolerance):
        return Reason("slip.ratio")
    if part.kind == "number" and _digit(part, cells):
        return Reason("slip.digit")
    if len(wrong_cells(part, right)) == 1 and sum(map(sum, live(part, cells))) > 1:
        return Reason("slip.one")
    return None


def may_be_a_row(part: NumericPart, cells: Cells) -> bool:
    """Is it worth solving for the other rows of the stage? Not if weights do not even add up to 1."""
    if len(part.rows) > 1 or part.stage != "weights":
        return len(part.rows) == 1
    total: int | Fraction = sum((cell.units for cell in cells[0] if cell is not None), 0)
    return abs(Fraction(total) - SEAL) * 100 <= SEAL * len(cells[0])


def _moved(part: NumericPart, cells: Cells, stage: Array | None, tolerance: int | Fraction) -> Reason | None:
    """The right numbers in another place."""

    def typed(other: Sealed) -> bool:
        return all(
            cell is not None and close(cell.units, k, tolerance)
            for row, keys in zip(cells, other, strict=True)
            for cell, k in zip(row, keys, strict=True)
        )

    key = part.key
    if len(key) == len(key[0]) > 1 and typed(tuple(zip(*key, strict=True))):
        return Reason("slip.turned")
    if 1 < len(key) <= MOST_ROWS and any(typed(rows) for rows in permutations(key)):
        return Reason("slip.rows")
    if stage is not None and len(part.rows) == 1:
        for number, row in enumerate(stage, 1):
            if typed((tuple(row * SEAL),)):
                return Reason("slip.other-row", {"row": number, "asked": part.rows[0]})
    return None


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
    if not FEW_DIGITS < len(right) == len(typed):
        return False
    off = [n for n, (a, b) in enumerate(zip(typed, right, strict=True)) if a != b]
    if len(off) == 2:
        a, b = off
        return b - a == 1 and (typed[a], typed[b]) == (right[b], right[a])
    return len(off) == 1


def wrong_cells(part: NumericPart, right: Grid) -> tuple[tuple[int, int], ...]:
    """(row, column) of every entry that is not right, rows as the problem counts them."""
    numbers = part.rows or range(1, len(right) + 1)
    return tuple(
        (number, column)
        for number, row in zip(numbers, right, strict=True)
        for column, ok in enumerate(row, 1)
        if not ok
    )


def _factor(key: Sealed, cells: Cells, right: Grid, tolerance: int | Fraction) -> Fraction | None:
    """The one factor by which every wrong entry is off, if there is one."""
    wrong = [
        (cell, k)
        for row, keys, oks in zip(cells, key, right, strict=True)
        for cell, k, ok in zip(row, keys, oks, strict=True)
        if not ok
    ]
    if any(cell is None or cell is HIDDEN for cell, _ in wrong):
        return None
    for factor in (Fraction(-1), *_FACTORS):
        above, below = factor.numerator, factor.denominator
        if all(
            close(cell.units * below, k * above, tolerance * below) and abs(k * above) > 2 * tolerance * below
            for cell, k in wrong
            if cell is not None
        ):
            return factor
    return None


def broken_invariants(problem: Problem, part: NumericPart, cells: Cells) -> list[Reason]:
    """What no right answer can look like, whatever the numbers."""
    if part.stage not in ("weights", "output"):
        return []
    rows = [[cell.value for cell in row if cell is not None] for row in cells]
    if any(len(row) < len(typed) for row, typed in zip(rows, cells, strict=True)):
        return []
    mask, values = problem.matrix("mask"), problem.matrix("V")
    reasons = []
    for number, row in zip(part.rows, rows, strict=True):
        seen = mask[number - 1] if mask else None
        if part.stage == "weights":
            reasons += _of_weights(number, row, seen or [1] * len(row))
        elif part.stage == "output" and values:
            visible = [v for v, keep in zip(values, seen or [1] * len(values), strict=True) if keep]
            reasons += _of_output(number, row, visible)
    return reasons


def _of_weights(number: int, row: list[Fraction], seen: Sequence[float]) -> list[Reason]:
    hidden = [j for j, (x, keep) in enumerate(zip(row, seen, strict=True), 1) if x and not keep]
    if hidden:
        return [Reason("hidden-weight", {"row": number, "column": hidden[0]})]
    if abs(sum(row, Fraction(-1))) > len(row) * Fraction(51, 10_000):
        return [Reason("row-sum", {"row": number, "sum": f"{float(sum(row)):.3f}"})]
    return []


def _of_output(number: int, row: list[Fraction], visible: Sequence[Sequence[float]]) -> list[Reason]:
    for j, (x, column) in enumerate(zip(row, zip(*visible, strict=True), strict=True), 1):
        low, high = min(column), max(column)
        if not low - 0.01 <= float(x) <= high + 0.01:
            return [Reason("outside", {"row": number, "column": j, "low": f"{low:g}", "high": f"{high:g}"})]
    return []
