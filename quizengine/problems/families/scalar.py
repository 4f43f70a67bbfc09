"""Single numbers: how far q·k swings, and what a layer costs."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt

import numpy as np

from quizengine.attention.cost import CACHE, COST, SPREAD, TREND
from quizengine.attention.stage import Table, Trace
from quizengine.items.answer import Ask
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.problems.dice import Dice
from quizengine.problems.families.family import Drawn, Family, Sizes

_WIDTHS = (16, 25, 36, 49, 64, 81, 100, 144, 196, 225, 256)
_LENGTHS = (50, 60, 80, 90, 110, 120, 150, 160, 200, 240, 250, 300)
_MODEL = ((32, 4), (40, 4), (48, 4), (64, 4), (64, 8), (72, 6), (80, 8), (96, 6), (96, 8), (128, 8))
_FACTORS = (3, 5, 6, 7)
_MODELS = (
    (16, 32, 8, 64), (22, 32, 4, 64), (24, 14, 2, 64), (28, 12, 2, 128), (28, 24, 8, 128),
    (28, 28, 4, 128), (32, 32, 8, 128), (36, 16, 2, 128), (48, 40, 8, 128),
)  # fmt: skip
"""Layers, query heads, key/value heads and their width, as models in use have them."""
_TEXTS = (500, 600, 800, 1000, 1500, 2000, 3000, 4000, 5000, 6000, 8000, 10_000)
_Draw = Callable[[Dice, Sizes, tuple[int, ...]], Drawn | None]
_SIZES = (2, 4)  # bytes a number: half and single precision


def _number(value: int | Fraction) -> dict[int, tuple[Fraction, ...]]:
    return {0: (Fraction(value),)}


def _inputs(given: dict[str, int]) -> Trace:
    return {name: np.asarray(float(value)) for name, value in given.items()}


def _draw_spread(dice: Dice, _: Sizes, __: tuple[int, ...]) -> Drawn | None:
    d_k, sd_q, sd_k = dice.pick(_WIDTHS), dice.between(2, 5), dice.between(2, 5)
    if sd_q == sd_k:
        return None
    given = {"d_k": d_k, "sd_q": sd_q, "sd_k": sd_k}
    variance = sum(sd_q * sd_q * sd_k * sd_k for _ in range(d_k))
    second = {
        "variance": _number(variance),
        "deviation": _number(isqrt(variance)),
        "scaled_deviation": _number(Fraction(isqrt(variance), isqrt(d_k))),
    }
    return Drawn(_inputs(given), given, {}, lambda: second)


def _draw_cost(dice: Dice, _: Sizes, __: tuple[int, ...]) -> Drawn | None:
    n, (d, h), g = dice.pick(_LENGTHS), dice.pick(_MODEL), dice.pick(_FACTORS)
    given = {"n": n, "d_model": d, "h": h, "g": g, "size": dice.pick(_SIZES)}
    product = 2 * n * d * (d // h) * h  # (n, d)·(d, d/h) for every head: one projection
    scores = 2 * n * n * (d // h) * h  # (n, d/h)·(d/h, n) for every head; the mixing is as dear
    second = {
        "pairs": _number(sum(n for _ in range(n))),
        "score_entries": _number(h * n * n),
        "score_bytes": _number(sum(given["size"] * n * n for _ in range(h))),
        "projection_flops": _number(4 * product),
        "attention_flops": _number(2 * scores),
        "total_flops": _number(4 * product + 2 * scores),
        "growth": _number(Fraction((g * n) ** 2, n * n)),
        "crossover": _number(Fraction(8 * n * d * d, 4 * n * d)),
    }
    return Drawn(_inputs(given), given, {}, lambda: second)


def _draw_trend(dice: Dice, _: Sizes, __: tuple[int, ...]) -> Drawn | None:
    root, ratio, unit = dice.pick((3, 4, 5, 6)), dice.pick((2, 3, 5)), dice.between(2, 7)
    if unit == root:  # a component would have the deviation 1
        return None
    d_old = root * root
    given = {"d_old": d_old, "measured": root * unit, "d_new": d_old * ratio * ratio}
    second = {"predicted": _number(root * unit * ratio), "predicted_scaled": _number(unit)}
    return Drawn(_inputs(given), given, {}, lambda: second)


def _draw_cache(dice: Dice, _: Sizes, __: tuple[int, ...]) -> Drawn | None:
    given = dict(zip(("layers", "heads", "kv_heads", "d_head"), dice.pick(_MODELS), strict=True))
    given |= {"size": dice.pick(_SIZES), "n": dice.pick(_TEXTS)}
    token = sum(given["kv_heads"] * given["d_head"] * given["size"] for _ in range(2 * given["layers"]))
    second = {
        "token_bytes": _number(token),
        "cache_bytes": _number(token * given["n"]),
        "saving": _number(Fraction(given["heads"], given["kv_heads"])),
    }
    return Drawn(_inputs(given), given, {}, lambda: second)


def _worked(table: Table, lang: Lang, drawn: Drawn, asks: tuple[Ask, ...]) -> list[str]:
    """Every stage up to the last one asked, with its numbers."""
    asked = [ask.stage for ask in asks]
    order = list(table)
    upto = asked if table is COST else order[: order.index(asked[-1]) + 1]
    values = {stage: str(drawn.second[stage][0][0]) for stage in order}
    return [t(lang, f"worked.{stage}", **drawn.given, **values) for stage in upto]


def _family(name: str, table: Table, decimals: int, draw: _Draw, generic: dict[str, float]) -> Family:
    return Family(
        name=name,
        table=table,
        sizes={},
        stages=dict.fromkeys(table, decimals),
        rows=lambda _: (),
        features=lambda _: frozenset({name, "dot", "memory", *(("scaling",) if table is TREND else ())}),
        draw=draw,
        generic=lambda _: {key: np.asarray(value) for key, value in generic.items()},
        prompt=lambda lang, drawn, _: t(lang, f"family.{name}", **drawn.given),
        conventions=() if table is TREND else (name,),  # all keys are whole: no decimal can be missing
        worked=lambda lang, drawn, asks: _worked(table, lang, drawn, asks),
    )


SCALING = _family("scaling", SPREAD, 2, _draw_spread, {"d_k": 29.3, "sd_q": 1.37, "sd_k": 2.71})
TRENDS = _family("trend", TREND, 2, _draw_trend, {"d_old": 17.3, "measured": 4.1, "d_new": 61.9})
COSTS = _family("cost", COST, 0, _draw_cost, {"n": 101.3, "d_model": 37.9, "h": 5.3, "g": 3.7, "size": 2.3})
CACHES = _family(
    "cache",
    CACHE,
    0,
    _draw_cache,
    {"layers": 7.3, "heads": 31.1, "kv_heads": 5.7, "d_head": 13.9, "size": 2.3, "n": 97.1},
)
