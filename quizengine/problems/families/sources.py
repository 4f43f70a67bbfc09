"""One head from X and its projections: causal self-attention, and cross-attention from two sequences."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from quizengine.attention.inputs import prepare
from quizengine.attention.masks import causal
from quizengine.attention.stage import ONE_HEAD, Array, Trace
from quizengine.items.answer import Ask
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.problems.dice import Dice
from quizengine.problems.families import dot, twos
from quizengine.problems.families.family import Drawn, Family, Row, Sizes
from quizengine.problems.problem import Factored


def _d_model(size: Sizes, *, cross: bool) -> int:
    """The width of X: never √d_k. Where all keys are to be made, and are wide, as little as can be."""
    return 3 if size["d_k"] == 4 else 2 if cross else 4


def _draw(dice: Dice, size: Sizes, rows: tuple[int, ...], *, cross: bool) -> Drawn | None:
    """X, then the row of Q′ that is wanted, then a W_Q′ that gives it."""
    n, d_k, d_model = size["n"], size["d_k"], _d_model(size, cross=cross)
    x = twos.integers(dice, n, d_model, -1, 2 if d_model == 2 else 1)  # of narrow rows few would differ
    c = twos.integers(dice, n, d_model, -1, 2) if cross else x
    if twos.repeats(x) or twos.repeats(c):
        return None
    w_k = twos.integers(dice, d_model, d_k, -1, 1)
    w_v = twos.integers(dice, d_model, size["d_v"], -2, 3)
    w_q = twos.integers(dice, d_model, d_k, -1, 1)
    keys, values = c @ w_k, c @ w_v
    keep = np.ones((n, n), dtype=bool) if cross else causal(n, n)
    wanted = np.zeros((n, d_k), dtype=int)
    if any(map(twos.repeats, (w_q, w_k, w_v, keys, values))) or len(rows) != 1:
        return None
    if not _aim(dice, wanted, keys, keep, rows[0]):
        return None
    row = x[rows[0] - 1]
    ones = np.flatnonzero(np.abs(row) == 1)
    if not ones.size:
        return None
    pivot = ones[0]
    w_q[pivot] = row[pivot] * (wanted[rows[0] - 1] - (row @ w_q - row[pivot] * w_q[pivot]))
    queries = x @ w_q
    if np.abs(w_q).max() > 4 or twos.repeats(w_q) or twos.repeats(queries):
        return None
    arrays = {"X": x, **({"C": c} if cross else {}), "W_Q": w_q * float(twos.LN2), "W_K": w_k, "W_V": w_v}
    given = {name: array.tolist() for name, array in arrays.items()}
    given |= {} if cross else {"mask": keep.astype(int).tolist()}
    return Drawn(
        inputs=prepare(given),
        given=given | {"d_k": d_k},
        exact={"W_Q": Factored("ln 2", w_q.tolist())},
        exactly=lambda: (
            twos.second(queries.tolist(), keys.tolist(), values.tolist(), keep.tolist(), rows)
            | {"queries": _rows(queries), "keys": _rows(keys), "values": _rows(values)}
        ),
        grain=float(twos.LN2),
    )


def _aim(dice: Dice, wanted: Array, keys: Array, keep: Array, row: int) -> bool:
    """Put a query worth asking into the wanted row."""
    alone = np.zeros((1, keys.shape[1]), dtype=int)
    if not twos.ask_rows(dice, alone, keys, keep[row - 1 : row], (1,)):
        return False
    wanted[row - 1] = alone[0]
    return True


def _rows(matrix: Array) -> Mapping[int, Row]:
    """The rows of integers, from 1."""
    return {number: tuple(map(Fraction, row)) for number, row in enumerate(matrix.tolist(), 1)}


def _worked(lang: Lang, drawn: Drawn, asks: tuple[Ask, ...], *, cross: bool) -> list[str]:
    """From the row of Q on, with the keys and values that it sees."""
    row, stages, source = asks[0].rows[0], {ask.stage for ask in asks}, "C" if cross else "X"
    seen = not cross and not stages & {"scores", "scaled"}
    visible = [key for key, weight in enumerate(drawn.second["weights"][row], 1) if weight or not seen]
    between = t(lang, "rows.between")
    k, v = (between.join(dot.line(drawn.second[name][key]) for key in visible) for name in ("keys", "values"))
    every = "-seen" if seen else ""
    told = {"row": row, "source": source, "query": dot.line(drawn.second["queries"][row])}
    lines = dot.worked(lang, drawn, asks, seen=seen)
    if "output" in stages:
        lines.insert(-1, t(lang, f"worked.made-values{every}", **told, rows=v))
    return [t(lang, "worked.made-query", **told), t(lang, f"worked.made-keys{every}", **told, rows=k), *lines]


def _square(size: Sizes, *, cross: bool) -> tuple[str, ...]:
    """The premise that a projection is square: that of the values is where V is as wide as X."""
    return ("square-projection",) if size["d_v"] == _d_model(size, cross=cross) else ()


def _generic(size: Sizes, *, cross: bool) -> Trace:
    dice, n, d_k, d = Dice("generic", "sources"), size["n"], size["d_k"], _d_model(size, cross=cross)
    shapes = {"X": (n, d), "C": (n, d), "W_Q": (d, d_k), "W_K": (d, d_k), "W_V": (d, size["d_v"])}
    arrays = {name: twos.integers(dice, *shape, -997, 997) / 991.0 for name, shape in shapes.items()}
    if not cross:
        del arrays["C"]
    return prepare(arrays | ({} if cross else {"mask": causal(n, n).astype(int)}))


def _family(name: str, *, cross: bool) -> Family:
    kind = ("two-sources",) if cross else ("causal", "masked")
    return Family(
        name=name,
        table=ONE_HEAD,
        sizes={"n": (3, 4, 5, 6, 7) if cross else (5, 6, 7), "d_k": twos.WIDTHS, "d_v": (2, 3)},
        fits=lambda size: twos.apart(size, "n") and size["n"] != size["d_v"],
        stages=dot.STAGES,
        rows=(lambda size: tuple(range(1, size["n"] + 1)))
        if cross
        else (lambda size: tuple(range(3, size["n"] - 1))),
        features=lambda size: frozenset(
            (*kind, "sources", "same-length", "ln2", "dot", *_square(size, cross=cross))
        ),
        draw=lambda dice, size, rows: _draw(dice, size, rows, cross=cross),
        generic=lambda size: _generic(size, cross=cross),
        prompt=lambda lang, drawn, asks: t(lang, f"family.{name}", **dot.told(lang, drawn, asks)),
        conventions=("rows-columns", "twos", "decimals", *(() if cross else ("mask-one", "causal"))),
        worked=lambda lang, drawn, asks: _worked(lang, drawn, asks, cross=cross),
        wording={} if cross else dot.MASKED,
    )


HEAD = _family("head", cross=False)
CROSS = _family("cross", cross=True)
