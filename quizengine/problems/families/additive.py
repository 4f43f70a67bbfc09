"""Additive attention by hand: tanh(ln 2) = 3/5, so v = (5/3) ln 2 · v′ makes every score a multiple of
ln 2 and every exponential a power of 2."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from quizengine.attention.inputs import prepare
from quizengine.attention.stage import ADDITIVE, Trace
from quizengine.items.answer import Ask
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.problems.dice import Dice
from quizengine.problems.families import dot, twos
from quizengine.problems.families.family import Drawn, Family, Row, Sizes
from quizengine.problems.problem import Factored

_SPAN = 4
_STEP = float(twos.LN2) * 5 / 3


def _draw(dice: Dice, size: Sizes, rows: tuple[int, ...]) -> Drawn | None:
    n_k, d_a = size["n_k"], size["d_a"]
    vector = [dice.pick((-2, -1, 1, 2)) for _ in range(d_a)]
    queries = twos.integers(dice, size["n_q"], d_a, -1, 1)
    sums = twos.integers(dice, n_k, d_a, -1, 1)
    keys = sums - queries[rows[0] - 1]
    values = twos.integers(dice, n_k, size["d_v"], 0, 9)
    powers = (sums @ np.array(vector)).tolist()
    spread = len(set(powers)) >= 3 and max(powers) - min(powers) <= _SPAN and powers.count(max(powers)) == 1
    if len(rows) != 1 or not spread or any(map(twos.repeats, (queries, keys, values))):
        return None
    given = {
        "Q": (queries * float(twos.LN2)).tolist(),
        "K": (keys * float(twos.LN2)).tolist(),
        "V": values.tolist(),
        "v_a": [[_STEP * v for v in vector]],
    }

    def exactly() -> dict[str, dict[int, Row]]:
        shares = [2 ** (p - min(powers)) for p in powers]
        weights = [Fraction(share, sum(shares)) for share in shares]
        return {
            "dots": {rows[0]: tuple(map(Fraction, powers))},
            "scores": {rows[0]: tuple(p * twos.LN2 for p in powers)},
            "weights": {rows[0]: tuple(weights)},
            "output": {rows[0]: dot.mixed(weights, values.tolist())},
        }

    exact = {name: Factored("ln 2", array.tolist()) for name, array in (("Q", queries), ("K", keys))}
    exact["v_a"] = Factored("5/3 · ln 2", [vector])
    return Drawn(prepare(given), given, exact, exactly, grain=float(twos.LN2))


def _generic(size: Sizes) -> Trace:
    dice, d_a = Dice("generic", "additive"), size["d_a"]
    shapes = {
        "Q": (size["n_q"], d_a),
        "K": (size["n_k"], d_a),
        "V": (size["n_k"], size["d_v"]),
        "v_a": (1, d_a),
    }
    return prepare({n: twos.integers(dice, *shape, -997, 997) / 991.0 for n, shape in shapes.items()})


def _worked(lang: Lang, drawn: Drawn, asks: tuple[Ask, ...]) -> list[str]:
    [row] = {row for ask in asks for row in ask.rows}
    numbers = dot.shared(drawn.second["weights"][row])
    numbers |= {stage: dot.line(drawn.second[stage][row]) for stage in ("dots", "output")}
    queries, keys = (drawn.exact[name].of for name in "QK")
    sums = [tuple(Fraction(a + b) for a, b in zip(queries[row - 1], key, strict=True)) for key in keys]
    numbers["sums"] = t(lang, "rows.between").join(map(dot.line, sums))
    stages = ("additive", "additive-scores", "shares", "weights", "output")
    return [t(lang, f"worked.{stage}", row=row, **numbers) for stage in stages]


BAHDANAU = Family(
    name="additive",
    table=ADDITIVE,
    sizes={"n_q": (2, 3), "n_k": (4, 5), "d_a": (2, 3), "d_v": (2, 3)},
    stages={"scores": 3, "weights": 3, "output": 3},
    rows=lambda size: tuple(range(1, size["n_q"] + 1)),
    features=lambda _: frozenset({"additive", "cross"}),
    draw=_draw,
    generic=_generic,
    prompt=lambda lang, _, asks: t(lang, "family.additive", rows=dot.rows_of(lang, asks)),
    conventions=("rows-columns", "twos", "additive", "decimals"),
    worked=_worked,
    wording={"scores": "additive-scores"},
)
