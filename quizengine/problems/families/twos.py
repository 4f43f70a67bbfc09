"""Numbers that a hand can work out and a guess cannot: every exponential is a power of two.

Q = ln 2 · Q′ with Q′, K′ small integers and d_k = 4, so that exp of a scaled score is 2^(q′·k′/2).
The differences within a visible row are even, hence whole exponents and weights with a small
denominator (7, 8, 11, 13, …). Which multiset of exponents a row has is drawn first, among those
that the drawn keys allow: neither n nor the ranking of the scores tells the weights.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

from quizengine.attention.inputs import prepare
from quizengine.attention.stage import Array, Trace
from quizengine.problems.dice import Dice
from quizengine.problems.families.family import Drawn, Row
from quizengine.problems.problem import Factored

LN2 = Fraction("0.6931471805599453094172321214581765680755")
D_K = 4
_SPAN = 3  # the largest exponent: weights stay within a factor of 8
_GRID = np.array(list(itertools.product(range(-2, 3), repeat=D_K)))  # (625, d_k)


def draw(dice: Dice, keep: Array, d_v: int, rows: tuple[int, ...]) -> Drawn | None:
    """A draw of Q′ (n_q, d_k), K′ (n_k, d_k) and V (n_k, d_v) for the mask `keep` (n_q, n_k), in which
    the `rows` (from 1) are worth asking; None where there is none."""
    n_q, n_k = keep.shape
    keys = integers(dice, n_k, D_K, -2, 2)
    values = integers(dice, n_k, d_v, 0, 9)
    queries = integers(dice, n_q, D_K, -2, 2)
    if repeats(keys) or repeats(values) or not ask_rows(dice, queries, keys, keep, rows):
        return None
    given = {"Q": (queries * float(LN2)).tolist(), "K": keys.tolist(), "V": values.tolist()}
    if not keep.all():
        given["mask"] = keep.astype(int).tolist()
    return Drawn(
        inputs=prepare(given),
        given=given | {"d_k": D_K},
        exact={"Q": Factored("ln 2", queries.tolist())},
        second=second(queries.tolist(), keys.tolist(), values.tolist(), keep.tolist(), rows),
        grain=float(LN2),
    )


def ask_rows(dice: Dice, queries: Array, keys: Array, keep: Array, rows: tuple[int, ...]) -> bool:
    """Put a query that is worth asking into each asked row of `queries` (n_q, d_k); False where there is none
    for these `keys` (n_k, d_k)."""
    dots = _GRID @ keys.T  # (625, n_k)
    for row in rows:
        query = _query(dice, dots, keep[row - 1])
        if query is None:
            return False
        queries[row - 1] = query
    return not repeats(queries)


def generic(keep: Array, d_v: int) -> Trace:
    """Numbers of no structure in the shapes of a draw, to find which rules agree whatever the numbers are."""
    dice = Dice("generic")
    n_q, n_k = keep.shape
    arrays = {
        name: integers(dice, n, d, -997, 997) / 991.0
        for name, n, d in (("Q", n_q, D_K), ("K", n_k, D_K), ("V", n_k, d_v))
    }
    return prepare(arrays | {"mask": keep.astype(int)})


def integers(dice: Dice, rows: int, columns: int, low: int, high: int) -> Array:
    """A matrix (rows, columns) of integers from low to high."""
    return np.array([[dice.between(low, high) for _ in range(columns)] for _ in range(rows)])


def repeats(matrix: Array) -> bool:
    """Are two rows equal, or is one of them all 0?"""
    rows = set(map(tuple, matrix.tolist()))
    return len(rows) < len(matrix) or (0,) * matrix.shape[1] in rows


def _query(dice: Dice, dots: Array, visible: Array) -> Array | None:
    """A query whose visible exponents are whole, spread out, and not told by n."""
    seen, hidden = dots[:, visible], dots[:, ~visible]
    above = seen - seen.min(axis=1, keepdims=True)
    exponents = np.sort(above // 2, axis=1)  # (625, visible)
    distinct = 1 + (np.diff(exponents, axis=1) > 0).sum(axis=1)
    good = (above % 2 == 0).all(axis=1) & (exponents[:, -1] <= _SPAN) & (distinct >= 3)
    if hidden.size:  # a score of 0 would hide “mask multiplied”; a large one makes ignoring it show
        good &= (hidden != 0).all(axis=1) & (hidden.max(axis=1) > seen.min(axis=1))
    found = np.flatnonzero(good)
    if not found.size:
        return None
    signatures = exponents[found] @ (_SPAN + 1) ** np.arange(exponents.shape[1])
    wanted = dice.pick(sorted(set(signatures.tolist())))
    return np.asarray(_GRID[dice.pick(found[signatures == wanted].tolist())])


def second(
    queries: list[list[int]],
    keys: list[list[int]],
    values: list[list[int]],
    keep: list[list[bool]],
    rows: tuple[int, ...],
) -> dict[str, dict[int, Row]]:
    """The asked rows by exact arithmetic and plain loops."""
    out: dict[str, dict[int, Row]] = {s: {} for s in ("dots", "scores", "scaled", "weights", "output")}
    for row in rows:
        dots = [sum(a * b for a, b in zip(queries[row - 1], key, strict=True)) for key in keys]
        least = min(t for t, seen in zip(dots, keep[row - 1], strict=True) if seen)
        powers = [2 ** ((t - least) // 2) if seen else 0 for t, seen in zip(dots, keep[row - 1], strict=True)]
        weights = [Fraction(power, sum(powers)) for power in powers]
        out["dots"][row] = tuple(map(Fraction, dots))
        out["scores"][row] = tuple(t * LN2 for t in dots)
        out["scaled"][row] = tuple(t * LN2 / 2 for t in dots)
        out["weights"][row] = tuple(weights)
        out["output"][row] = tuple(
            sum((w * v for w, v in zip(weights, column, strict=True)), Fraction(0))
            for column in zip(*values, strict=True)
        )
    return out
