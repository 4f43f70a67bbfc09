"""Several heads: split, heads, concatenation, output projection; key/value heads may be shared."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from quizengine.attention.inputs import prepare
from quizengine.attention.stage import MULTI_HEAD, Array, Trace
from quizengine.items.answer import Ask
from quizengine.lang.messages import say
from quizengine.lang.text import Lang
from quizengine.problems.dice import Dice
from quizengine.problems.families import dot, twos
from quizengine.problems.families.family import Drawn, Family, Row, Sizes
from quizengine.problems.problem import Factored


def _draw(dice: Dice, size: Sizes, rows: tuple[int, ...]) -> Drawn | None:
    n, h, g, d_v = size["n"], size["h"], size["g"], size["d_v"]
    keys = [twos.integers(dice, n, twos.D_K, -2, 2) for _ in range(g)]
    values = [twos.integers(dice, n, d_v, 0, 9) for _ in range(g)]
    queries = [twos.integers(dice, n, twos.D_K, -2, 2) for _ in range(h)]
    w_o = twos.integers(dice, h * d_v, h * d_v, -1, 2)
    keep = np.ones((n, n), dtype=bool)
    if h % g or any(map(twos.repeats, (*keys, *values, w_o))) or (w_o == w_o.T).all():
        return None
    if not all(twos.ask_rows(dice, q, keys[i * g // h], keep, rows) for i, q in enumerate(queries)):
        return None
    q = np.concatenate(queries, axis=1)
    given = {"Q": (q * float(twos.LN2)).tolist(), "heads": h}
    given |= {"K": np.concatenate(keys, axis=1).tolist(), "V": np.concatenate(values, axis=1).tolist()}
    given |= {"W_O": w_o.tolist(), **({"kv_heads": g} if g != h else {})}
    heads = [
        twos.second(q.tolist(), keys[i * g // h].tolist(), values[i * g // h].tolist(), keep.tolist(), rows)
        for i, q in enumerate(queries)
    ]
    return Drawn(
        inputs=prepare(given),
        given=given | {"d_k": twos.D_K},
        exact={"Q": Factored("ln 2", q.tolist())},
        second=_second(heads, w_o, rows),
        grain=float(twos.LN2),
    )


def _second(
    heads: list[dict[str, dict[int, Row]]], w_o: Array, rows: tuple[int, ...]
) -> dict[str, dict[int, Row]]:
    out: dict[str, dict[int, Row]] = {"concat": {}, "projected": {}}
    for row in rows:
        side_by_side = tuple(x for head in heads for x in head["output"][row])
        out["concat"][row] = side_by_side
        out["projected"][row] = tuple(
            sum((a * int(b) for a, b in zip(side_by_side, column, strict=True)), Fraction(0))
            for column in w_o.T
        )
    for i, head in enumerate(heads, 1):
        out |= {f"{stage}-{i}": head[stage] for stage in ("dots", "weights", "output")}
    return out


def _generic(size: Sizes) -> Trace:
    dice, n, h, g = Dice("generic", "heads"), size["n"], size["h"], size["g"]
    shapes = {"Q": (n, 4 * h), "K": (n, 4 * g), "V": (n, size["d_v"] * g), "W_O": (h * size["d_v"],) * 2}
    arrays = {name: twos.integers(dice, *shape, -997, 997) / 991.0 for name, shape in shapes.items()}
    return prepare(arrays | {"heads": h, "kv_heads": g})


def _features(size: Sizes) -> frozenset[str]:
    shared = {"ungrouped"} if size["g"] == size["h"] else {"grouped"} if size["g"] > 1 else set()
    return frozenset({"heads", "dot", "ln2", "same-length", "square-output"} | shared)


def _worked(lang: Lang, drawn: Drawn, asks: tuple[Ask, ...]) -> list[str]:
    lines = []
    for row in sorted({row for ask in asks for row in ask.rows}):
        for head in range(1, int(drawn.inputs["h"]) + 1):
            numbers = {
                stage: dot.line(drawn.second[f"{stage}-{head}"][row])
                for stage in ("dots", "weights", "output")
            }
            lines.append(say(lang, "worked.one-head", head=head, row=row, **numbers))
        numbers = {stage: dot.line(drawn.second[stage][row]) for stage in ("concat", "projected")}
        lines += [say(lang, f"worked.{stage}", row=row, **numbers) for stage in ("concat", "projected")]
    return lines


MULTI = Family(
    name="multi-head",
    table=MULTI_HEAD,
    sizes={"n": (3, 3, 4), "h": (2, 2, 4), "g": (1, 2, 4), "d_v": (2, 2, 3)},
    stages={"concat": 3, "projected": 3},
    rows=lambda size: tuple(range(1, size["n"] + 1)),
    features=_features,
    draw=_draw,
    generic=_generic,
    prompt=lambda lang, drawn, asks: say(
        lang,
        "family.grouped" if "kv_heads" in drawn.given else "family.multi-head",
        rows=dot.rows_of(lang, asks),
        h=int(drawn.inputs["h"]),
        g=int(drawn.inputs["g"]),
    ),
    conventions=("rows-columns", "twos", "heads", "decimals"),
    worked=_worked,
    also=({"h": 4, "g": 2},),
)
