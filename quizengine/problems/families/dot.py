"""Scaled dot-product attention by hand: without a mask, causal, and with padded keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isqrt

import numpy as np

from quizengine.attention.masks import causal, padding
from quizengine.attention.stage import ONE_HEAD, Array
from quizengine.items.answer import Ask
from quizengine.lang.messages import say_rows, t
from quizengine.lang.text import Lang
from quizengine.problems.dice import Dice
from quizengine.problems.families import twos
from quizengine.problems.families.family import Drawn, Family, Row, Sizes

_WIDTHS = {"d_k": twos.WIDTHS, "d_v": (2, 3)}
STAGES = {"scores": 3, "scaled": 3, "weights": 3, "output": 3}


def _family(
    name: str,
    sizes: dict[str, tuple[int, ...]],
    mask: Callable[[Sizes], Array],
    rows: Callable[[Sizes], tuple[int, ...]],
    features: tuple[str, ...],
    fits: Callable[[Sizes], bool] = lambda size: twos.apart(size, "n", "n_q", "n_k"),
) -> Family:
    def draw(dice: Dice, size: Sizes, asked: tuple[int, ...]) -> Drawn | None:
        return twos.draw(dice, mask(size), size["d_k"], size["d_v"], asked)

    return Family(
        name=name,
        table=ONE_HEAD,
        sizes=sizes | _WIDTHS | sizes,
        fits=fits,
        stages=STAGES,
        rows=rows,
        features=lambda _: frozenset((*features, "ln2", "dot")),
        draw=draw,
        generic=lambda size: twos.generic(mask(size), size["d_k"], size["d_v"]),
        prompt=lambda lang, drawn, asks: t(lang, f"family.{name}", **told(lang, drawn, asks)),
        conventions=(
            "rows-columns",
            "twos",
            "decimals",
            *(("mask-one",) if "masked" in features else ()),
            *_ALSO.get(name, ()),
        ),
        worked=worked,
        wording=MASKED if "masked" in features else {},
    )


MASKED = {"scaled": "scaled-masked", "weights": "weights-masked"}  # parts of a head that has a mask
_ALSO = {"causal": ("causal",), "padding": ("padding",)}


def rows_of(lang: Lang, asks: tuple[Ask, ...]) -> str:
    """The asked rows, for a prompt."""
    return say_rows(lang, sorted({row for ask in asks for row in ask.rows}))


def told(lang: Lang, drawn: Drawn, asks: tuple[Ask, ...]) -> dict[str, object]:
    """What the prompt of a head says: the asked rows, and how wide keys and values are."""
    return {"rows": rows_of(lang, asks), "d_k": int(drawn.inputs["d_k"]), "d_v": int(drawn.inputs["d_v"])}


def until(stages: Sequence[str], asks: tuple[Ask, ...]) -> Sequence[str]:
    """The stages of a worked solution, in order, up to the last one asked."""
    asked = {ask.stage for ask in asks}
    return stages[: 1 + max(i for i, stage in enumerate(stages) if stage in asked)]


def _all_queries(size: Sizes) -> tuple[int, ...]:
    return tuple(range(1, size.get("n_q", size.get("n", 0)) + 1))


def worked(lang: Lang, drawn: Drawn, asks: tuple[Ask, ...], *, seen: bool = False) -> list[str]:
    """Stage by stage, exactly: the numbers of the second computation; of the scores those of all keys, or of
    the `seen` ones."""
    lines = []
    for row in sorted({row for ask in asks for row in ask.rows}):
        dots, weights = drawn.second["dots"][row], drawn.second["weights"][row]
        numbers = {
            "row": row,
            **shared(weights),
            "output": line(drawn.second["output"][row]),
        }
        if seen:
            dots = tuple(x for x, weight in zip(dots, weights, strict=True) if weight)
        masked = () if all(weights) else ("masked",)
        stages = ("scores", "scaled", *masked, "shares", "weights", "output")
        numbers |= divided(dots, int(drawn.inputs["d_k"]))
        called = {"shares": "shares-masked"} if masked else {}
        called |= {"scores": "scores-seen"} if seen and masked else {}
        lines += [t(lang, f"worked.{called.get(stage, stage)}", **numbers) for stage in until(stages, asks)]
    return lines


def divided(dots: Row, d_k: int) -> dict[str, object]:
    """Dot products and what they are divided by √d_k, for a worked solution."""
    root = isqrt(d_k)
    return {"dots": line(dots), "d_k": d_k, "root": root, "parts": line(tuple(x / root for x in dots))}


def shared(weights: Row) -> dict[str, object]:
    """Weights, the same as multiples of the smallest that is not 0, and the sum of these."""
    least = min(filter(None, weights))
    shares = tuple(weight / least for weight in weights)
    return {"shares": line(shares), "total": sum(shares), "weights": line(weights)}


def line(numbers: Row) -> str:
    """Exact numbers in a row, for a worked solution."""
    return "[" + ", ".join(str(x).replace("-", "−") for x in numbers) + "]"


def mixed(weights: Sequence[Fraction], values: Sequence[Sequence[int]]) -> Row:
    """The rows of V mixed by weights, exactly."""
    return tuple(
        sum((w * v for w, v in zip(weights, column, strict=True)), Fraction(0))
        for column in zip(*values, strict=True)
    )


SELF = _family(
    "self",
    {"n": (5, 6)},
    mask=lambda size: np.ones((size["n"], size["n"]), dtype=bool),
    rows=_all_queries,
    features=("same-length",),
)
CAUSAL = _family(
    "causal",
    {"n": (5, 6, 7)},
    mask=lambda size: causal(size["n"], size["n"]),
    rows=lambda size: tuple(range(3, size["n"] - 1)),
    features=("same-length", "masked", "causal"),
)
PADDING = _family(
    "padding",
    {"n_q": (2, 3, 4), "n_k": (5, 6, 7), "padded": (1, 2)},
    mask=lambda size: padding(size["n_q"], [j < size["n_k"] - size["padded"] for j in range(size["n_k"])]),
    rows=_all_queries,
    features=("cross", "masked", "padding"),
)
SMALL = _family(
    "small",
    {"n": (3,), "d_v": (2,), "d_k": (4, 9, 9, 16)},  # 16 where there are few rows
    mask=lambda _: np.ones((3, 3), dtype=bool),
    rows=_all_queries,
    features=("same-length",),
    fits=lambda _: True,  # three positions, also where √d_k = 3
)
SQUARE = _family(
    "square",
    {"n": (4,), "d_k": (4,), "d_v": (4,)},
    mask=lambda _: np.ones((4, 4), dtype=bool),
    rows=_all_queries,
    features=("same-length", "same-width", "square"),
    fits=lambda _: True,  # as many keys as features is what it is about
)
