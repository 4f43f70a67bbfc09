"""Single steps: dot products, plain averaging, the softmax of given scores, shapes."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from quizengine.attention.masks import causal
from quizengine.attention.stage import AVERAGE, ONE_HEAD, SHAPES, SHARPEN, Trace
from quizengine.items.answer import Ask
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.problems.dice import Dice
from quizengine.problems.families import dot, twos
from quizengine.problems.families.family import Drawn, Family, Row, Sizes
from quizengine.problems.problem import Factored, Matrix


def _all(size: Sizes) -> tuple[int, ...]:
    return tuple(range(1, size["n"] + 1))


def _arrays(given: Mapping[str, object]) -> Trace:
    return {name: np.asarray(value, dtype=bool if name == "mask" else float) for name, value in given.items()}


def _lines(lang: Lang, drawn: Drawn, asks: tuple[Ask, ...], prefix: str) -> list[str]:
    return [
        t(lang, f"worked.{prefix}-{ask.stage}", row=row, numbers=dot.line(drawn.second[ask.stage][row]))
        for ask in asks
        for row in ask.rows
    ]


def _draw_scores(dice: Dice, size: Sizes, _: tuple[int, ...]) -> Drawn | None:
    q, k = (twos.integers(dice, size["n"], size["d_k"], -4, 5) for _ in range(2))
    if twos.repeats(q) or twos.repeats(k):
        return None
    given = {"Q": q.tolist(), "K": k.tolist()}
    second = {
        row: tuple(Fraction(sum(a * b for a, b in zip(query, key, strict=True))) for key in k.tolist())
        for row, query in enumerate(q.tolist(), 1)
    }
    return Drawn(_arrays(given), given, {}, lambda: {"scores": second})


SCORES = Family(
    name="scores",
    table=ONE_HEAD,
    sizes={"n": (3, 4), "d_k": (2, 3, 4)},
    stages={"scores": 0},
    rows=_all,
    features=lambda size: frozenset(
        {"dot", "same-length", *(("square",) if size["n"] == size["d_k"] else ())}
    ),
    draw=_draw_scores,
    generic=lambda size: {
        name: twos.integers(Dice("generic", name), size["n"], size["d_k"], -997, 997) / 991.0 for name in "QK"
    },
    prompt=lambda lang, _, asks: t(lang, "family.scores", rows=dot.rows_of(lang, asks)),
    conventions=("rows-columns",),
    worked=lambda lang, drawn, asks: _lines(lang, drawn, asks, "exact"),
)


def _draw_average(dice: Dice, size: Sizes, rows: tuple[int, ...]) -> Drawn | None:
    n = size["n"]
    x = twos.integers(dice, n, size["d_v"], 0, 9)
    if twos.repeats(x):
        return None
    given = {"X": x.tolist(), "mask": causal(n, n).astype(int).tolist()}
    weights = {row: [Fraction(int(j < row), row) for j in range(n)] for row in rows}
    second: dict[str, dict[int, Row]] = {
        "weights": {row: tuple(weights[row]) for row in rows},
        "output": {row: dot.mixed(weights[row], x.tolist()) for row in rows},
    }
    return Drawn(_arrays(given), given, {}, lambda: second)


AVERAGING = Family(
    name="averaging",
    table=AVERAGE,
    sizes={"n": (5, 6, 7), "d_v": (2, 3)},
    stages={"weights": 3, "output": 3},
    rows=lambda size: tuple(range(3, size["n"] - 1)),
    features=lambda _: frozenset({"averaging", "masked", "causal", "same-length"}),
    draw=_draw_average,
    generic=lambda size: _arrays(
        {
            "X": (twos.integers(Dice("generic", "x"), size["n"], size["d_v"], -997, 997) / 991.0).tolist(),
            "mask": causal(size["n"], size["n"]).tolist(),
        }
    ),
    prompt=lambda lang, _, asks: t(lang, "family.averaging", rows=dot.rows_of(lang, asks)),
    conventions=("average", "decimals"),
    worked=lambda lang, drawn, asks: _lines(lang, drawn, asks, "average"),
    wording={"weights": "averaging-weights"},
)


def _draw_softmax(dice: Dice, size: Sizes, _: tuple[int, ...]) -> Drawn | None:
    powers, c = [dice.between(-2, 3) for _ in range(size["n"])], dice.between(2, 3)
    if len(set(powers)) < 3 or max(powers) - min(powers) > 3 or powers.count(max(powers)) > 1:
        return None
    given: dict[str, float | Matrix] = {"scores": [[p * float(twos.LN2) for p in powers]], "c": c}
    second: dict[str, dict[int, Row]] = {}
    for stage, factor in (("weights", 1), ("sharpened", c)):
        shares = [Fraction(2) ** (p * factor) for p in powers]
        second[stage] = {1: tuple(share / sum(shares) for share in shares)}
    exact = {"scores": Factored("ln 2", [powers])}
    return Drawn(_arrays(given), given, exact, lambda: second)


def _worked_softmax(lang: Lang, drawn: Drawn, asks: tuple[Ask, ...]) -> list[str]:
    """The powers of 2 as multiples of the smallest, and what becomes of them."""
    lines = []
    for ask in asks:
        weights = drawn.second[ask.stage][1]
        shares = tuple(weight / min(weights) for weight in weights)
        numbers = {"shares": dot.line(shares), "total": sum(shares), "numbers": dot.line(weights)}
        lines.append(t(lang, f"worked.softmax-{ask.stage}", c=drawn.given["c"], **numbers))
    return lines


SOFTMAX = Family(
    name="softmax",
    table=SHARPEN,
    sizes={"n": (4, 5)},
    stages={"weights": 3, "sharpened": 3},
    rows=lambda _: (1,),
    features=lambda _: frozenset({"sharpening"}),
    draw=_draw_softmax,
    generic=lambda size: _arrays(
        {"scores": (twos.integers(Dice("generic", "s"), 1, size["n"], -997, 997) / 491.0).tolist(), "c": 2.3}
    ),
    prompt=lambda lang, drawn, _: t(lang, "family.softmax", c=drawn.given["c"]),
    conventions=("twos", "decimals"),
    worked=_worked_softmax,
)


def _draw_shapes(dice: Dice, _: Sizes, __: tuple[int, ...]) -> Drawn | None:
    n_q, n_k, d_k, d_v = dice.shuffled(range(2, 33, 3))[:4]
    given = {"n_q": n_q, "n_k": n_k, "d_k": d_k, "d_v": d_v}
    pairs = {"queries_shape": (n_q, d_k), "keys_shape": (n_k, d_k), "values_shape": (n_k, d_v)}
    pairs |= {"scores_shape": (n_q, n_k), "weights_shape": (n_q, n_k)}
    pairs |= {"output_shape": (n_q, d_v)}
    second = {stage: {1: tuple(map(Fraction, pair))} for stage, pair in pairs.items()}
    return Drawn(_arrays(given), given, {}, lambda: second)


SHAPE = Family(
    name="shapes",
    table=SHAPES,
    sizes={},
    stages=dict.fromkeys(SHAPES, 0),
    rows=lambda _: (1,),
    features=lambda _: frozenset({"shapes"}),
    draw=_draw_shapes,
    generic=lambda _: _arrays({"n_q": 5.3, "n_k": 7.1, "d_k": 3.7, "d_v": 2.9}),
    prompt=lambda lang, drawn, _: t(lang, "family.shapes", **drawn.given),
    conventions=("shapes",),
    worked=lambda lang, drawn, asks: _lines(lang, drawn, asks, "shape"),
)
