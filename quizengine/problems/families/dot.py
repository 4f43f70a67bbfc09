"""Scaled dot-product attention by hand: without a mask, causal, and with padded keys."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from quizengine.attention.masks import causal, padding
from quizengine.attention.stage import ONE_HEAD, Array
from quizengine.items.answer import Ask
from quizengine.lang.messages import say
from quizengine.lang.text import Lang
from quizengine.problems.dice import Dice
from quizengine.problems.families import twos
from quizengine.problems.families.family import Drawn, Family, Row, Sizes

_STAGES = {"scores": 3, "scaled": 3, "weights": 3, "output": 3}


def _family(
    name: str,
    sizes: dict[str, tuple[int, int, int]],
    mask: Callable[[Sizes], Array],
    rows: Callable[[Sizes], tuple[int, ...]],
    features: tuple[str, ...],
) -> Family:
    def draw(dice: Dice, size: Sizes, asked: tuple[int, ...]) -> Drawn | None:
        return twos.draw(dice, mask(size), size["d_v"], asked)

    return Family(
        name=name,
        table=ONE_HEAD,
        sizes=sizes | {"d_k": (4, 4, 4), "d_v": (2, 3, 3)},
        stages=_STAGES,
        rows=rows,
        features=lambda _: frozenset((*features, "ln2", "dot")),
        draw=draw,
        generic=lambda size: twos.generic(mask(size), size["d_v"]),
        prompt=lambda lang, _, asks: say(lang, f"family.{name}", rows=_rows(asks)),
        conventions=(
            "rows-columns",
            "decimals",
            *(("mask-one",) if "masked" in features else ()),
            *_ALSO.get(name, ()),
        ),
        worked=worked,
    )


_ALSO = {"causal": ("causal",), "padding": ("padding",)}


def _rows(asks: tuple[Ask, ...]) -> str:
    return ", ".join(str(row) for row in sorted({row for ask in asks for row in ask.rows}))


def _all_queries(size: Sizes) -> tuple[int, ...]:
    return tuple(range(1, size.get("n_q", size.get("n", 0)) + 1))


def worked(lang: Lang, drawn: Drawn, asks: tuple[Ask, ...]) -> list[str]:
    """Stage by stage, exactly: the numbers of the second computation."""
    lines = []
    for row in sorted({row for ask in asks for row in ask.rows}):
        dots, weights = drawn.second["dots"][row], drawn.second["weights"][row]
        shares = [w / min(filter(None, weights)) for w in weights]
        numbers = {
            "row": row,
            "dots": _line(dots),
            "halves": _line(tuple(t / 2 for t in dots)),
            "shares": _line(tuple(shares)),
            "total": sum(shares),
            "weights": _line(weights),
            "output": _line(drawn.second["output"][row]),
        }
        stages = (
            "scores",
            "scaled",
            *(() if all(weights) else ("masked",)),
            "shares",
            "weights",
            "output",
        )
        lines += [say(lang, f"worked.{stage}", **numbers) for stage in stages]
    return lines


def _line(numbers: Row) -> str:
    return "[" + ", ".join(str(x).replace("-", "−") for x in numbers) + "]"


SELF = _family(
    "self",
    {"n": (5, 5, 6)},
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
    {"n_q": (2, 2, 4), "n_k": (5, 6, 7), "padded": (1, 2, 2)},
    mask=lambda size: padding(size["n_q"], [j < size["n_k"] - size["padded"] for j in range(size["n_k"])]),
    rows=_all_queries,
    features=("cross", "masked", "padding"),
)
