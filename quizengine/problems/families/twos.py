"""Numbers that a hand can work out and a guess cannot: every exponential is a power of two.

Q = ln 2 · Q′ with Q′, K′ small integers and √d_k = 2, 3 or 4, so that exp of a scaled score is
2^(q′·k′/√d_k). The differences within a visible row are multiples of √d_k, hence whole exponents and
weights with a small denominator (7, 8, 11, 13, …). The largest is never a tie. Which multiset of
exponents a row has is drawn first, among those that the drawn keys allow: neither n nor the ranking of
the scores tells the weights.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, reduce
from math import isqrt

import numpy as np

from quizengine.attention.inputs import prepare
from quizengine.attention.stage import Array, Trace
from quizengine.problems.dice import Dice
from quizengine.problems.families.family import Drawn, Row, Sizes
from quizengine.problems.problem import Factored

LN2 = Fraction("0.6931471805599453094172321214581765680755")
WIDTHS = (4, 9, 9)  # of a head; those that can be drawn as they are likely
_SPAN = 3  # the largest exponent: weights stay within a factor of 8
_ENTRIES = {4: (-2, -1, 0, 1, 2), 9: (-2, -1, -1, 0, 0, 1, 1, 2), 16: (-2, -1, -1, 0, 0, 0, 1, 1, 2)}
_STRIDE = 5  # every fifth of the queries three values wide is enough to choose from


def apart(size: Sizes, *names: str) -> bool:
    """Is neither d_k nor its root one of these other sizes? Dividing by a wrong one would be right then."""
    others = {size[name] for name in names if name in size}
    return not others & {size["d_k"], isqrt(size["d_k"])}


def draw(dice: Dice, keep: Array, d_k: int, d_v: int, rows: tuple[int, ...]) -> Drawn | None:
    """A draw of Q′ (n_q, d_k), K′ (n_k, d_k) and V (n_k, d_v) for the mask `keep` (n_q, n_k), in which
    the `rows` (from 1) are worth asking; None where there is none."""
    n_q, n_k = keep.shape
    keys = entries(dice, n_k, d_k)
    values = integers(dice, n_k, d_v, 0, 9)
    queries = entries(dice, n_q, d_k)
    if repeats(keys) or repeats(values) or not ask_rows(dice, queries, keys, keep, rows):
        return None
    given = {"Q": (queries * float(LN2)).tolist(), "K": keys.tolist(), "V": values.tolist()}
    if not keep.all():
        given["mask"] = keep.astype(int).tolist()
    return Drawn(
        inputs=prepare(given),
        given=given | {"d_k": d_k},
        exact={"Q": Factored("ln 2", queries.tolist())},
        exactly=lambda: second(queries.tolist(), keys.tolist(), values.tolist(), keep.tolist(), rows),
        grain=float(LN2),
    )


def ask_rows(dice: Dice, queries: Array, keys: Array, keep: Array, rows: tuple[int, ...]) -> bool:
    """Put a query that is worth asking into each asked row of `queries` (n_q, d_k); False where there is none
    for these `keys` (n_k, d_k)."""
    candidates = _candidates(dice, keys.shape[1])
    dots = (candidates @ keys.T.astype(np.float32)).astype(np.int16)  # (candidates, n_k): small integers
    for row in rows:
        query = _query(dice, candidates, dots, keep[row - 1])
        if query is None:
            return False
        queries[row - 1] = query
    return not repeats(queries)


def generic(keep: Array, d_k: int, d_v: int) -> Trace:
    """Numbers of no structure in the shapes of a draw, to find which rules agree whatever the numbers are."""
    dice = Dice("generic")
    n_q, n_k = keep.shape
    arrays = {
        name: integers(dice, n, d, -997, 997) / 991.0
        for name, n, d in (("Q", n_q, d_k), ("K", n_k, d_k), ("V", n_k, d_v))
    }
    return prepare(arrays | {"mask": keep.astype(int)})


def integers(dice: Dice, rows: int, columns: int, low: int, high: int) -> Array:
    """A matrix (rows, columns) of integers from low to high."""
    return np.array(dice.many_below(high - low + 1, rows * columns)).reshape(rows, columns) + low


def entries(dice: Dice, rows: int, d_k: int) -> Array:
    """A matrix (rows, d_k) of small integers: the wider, the more of them are 0."""
    likely = _ENTRIES[d_k]
    return np.array([likely[i] for i in dice.many_below(len(likely), rows * d_k)]).reshape(rows, d_k)


def repeats(matrix: Array) -> bool:
    """Are two rows equal, or is one of them all 0?"""
    rows = set(map(tuple, matrix.tolist()))
    return len(rows) < len(matrix) or (0,) * matrix.shape[1] in rows


@cache
def _grid(width: int, most: int) -> Array:
    """Every vector of `width` entries from −most to most: (vectors, width)."""
    side = 2 * most + 1
    grid = np.indices((side,) * width).reshape(width, -1).T - most
    return grid.astype(np.float32)  # as they are multiplied: small integers are exact


def _candidates(dice: Dice, d_k: int) -> Array:
    """Queries (candidates, d_k) to choose from: of a wide one nine entries at most are not 0."""
    if d_k == 4:
        return _grid(4, 2)
    some = _grid(9, 1)[dice.below(_STRIDE) :: _STRIDE]
    if d_k == 9:
        return some
    wide = np.zeros((len(some), d_k), dtype=np.float32)
    wide[:, dice.shuffled(range(d_k))[:9]] = some
    return wide


def _query(dice: Dice, candidates: Array, dots: Array, visible: Array) -> Array | None:
    """A query whose visible exponents are whole, spread out, with one largest, and not told by n."""
    root = isqrt(candidates.shape[1])
    above = dots[:, visible] - dots[:, visible].min(axis=1, keepdims=True)
    multiples = (above == step for step in range(0, (_SPAN + 1) * root, root))
    whole = np.flatnonzero(reduce(np.logical_or, multiples).all(axis=1))
    exponents = np.sort(above[whole] // root, axis=1)  # (whole, visible)
    steps = np.diff(exponents, axis=1) > 0
    good = (steps.sum(axis=1) >= 2) & steps[:, -1]
    hidden = dots[whole][:, ~visible]
    if hidden.size:  # a score of 0 would hide “mask multiplied”; a large one makes ignoring it show
        good &= (hidden != 0).all(axis=1) & (hidden.max(axis=1) > dots[whole][:, visible].min(axis=1))
    found = np.flatnonzero(good)
    if not found.size:
        return None
    signatures = exponents[found].astype(int) @ (_SPAN + 1) ** np.arange(exponents.shape[1])
    wanted = dice.pick(sorted(set(signatures.tolist())))
    chosen: Array = candidates[whole[dice.pick(found[signatures == wanted].tolist())]]
    return chosen.astype(int)


def second(
    queries: list[list[int]],
    keys: list[list[int]],
    values: list[list[int]],
    keep: list[list[bool]],
    rows: tuple[int, ...],
) -> dict[str, dict[int, Row]]:
    """The asked rows by exact arithmetic and plain loops."""
    root = isqrt(len(keys[0]))
    out: dict[str, dict[int, Row]] = {s: {} for s in ("dots", "scores", "scaled", "weights", "output")}
    for row in rows:
        dots = [sum(a * b for a, b in zip(queries[row - 1], key, strict=True)) for key in keys]
        least = min(t for t, seen in zip(dots, keep[row - 1], strict=True) if seen)
        powers = [
            2 ** ((t - least) // root) if seen else 0 for t, seen in zip(dots, keep[row - 1], strict=True)
        ]
        total = sum(powers)
        out["dots"][row] = tuple(map(Fraction, dots))
        out["scores"][row] = tuple(t * LN2 for t in dots)
        out["scaled"][row] = tuple(t * LN2 / root for t in dots)
        out["weights"][row] = tuple(Fraction(power, total) for power in powers)
        out["output"][row] = tuple(
            Fraction(sum(p * v for p, v in zip(powers, column, strict=True)), total)
            for column in zip(*values, strict=True)
        )
    return out
