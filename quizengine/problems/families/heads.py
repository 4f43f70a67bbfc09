"""Several heads: split, heads, concatenation, output projection; key/value heads may be shared."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from quizengine.attention.inputs import prepare
from quizengine.attention.stage import MULTI_HEAD, Array, Trace
from quizengine.items.answer import Ask
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.problems.dice import Dice
from quizengine.problems.families import dot, twos
from quizengine.problems.families.family import Drawn, Family, Row, Sizes
from quizengine.problems.problem import Factored


def _draw(dice: Dice, size: Sizes, rows: tuple[int, ...]) -> Drawn | None:
    n, h, g, d_k, d_v = (size[name] for name in ("n", "h", "g", "d_k", "d_v"))
    keys = [twos.entries(dice, n, d_k) for _ in range(g)]
    values = [twos.integers(dice, n, d_v, 0, 9) for _ in range(g)]
    queries = [twos.entries(dice, n, d_k) for _ in range(h)]
    w_o = twos.integers(dice, h * d_v, h * d_v, -1, 2)
    keep = np.ones((n, n), dtype=bool)
    if any(map(twos.repeats, (*keys, *values, w_o))) or (w_o == w_o.T).all():
        return None
    if not all(twos.ask_rows(dice, q, keys[i * g // h], keep, rows) for i, q in enumerate(queries)):
        return None
    q = np.concatenate(queries, axis=1)
    given = {"Q": (q * float(twos.LN2)).tolist(), "heads": h}
    given |= {"K": np.concatenate(keys, axis=1).tolist(), "V": np.concatenate(values, axis=1).tolist()}
    given |= {"W_O": w_o.tolist(), **({"kv_heads": g} if g != h else {})}

    def exactly() -> dict[str, dict[int, Row]]:
        of = (i * g // h for i in range(h))
        heads = [
            twos.second(query.tolist(), keys[i].tolist(), values[i].tolist(), keep.tolist(), rows)
            for query, i in zip(queries, of, strict=True)
        ]
        return _second(heads, w_o, rows)

    return Drawn(
        inputs=prepare(given),
        given=given | {"d_k": d_k},
        exact={"Q": Factored("ln 2", q.tolist())},
        exactly=exactly,
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
    dice = Dice("generic", "heads")
    n, h, g, d_k, d_v = (size[name] for name in ("n", "h", "g", "d_k", "d_v"))
    shapes = {"Q": (n, d_k * h), "K": (n, d_k * g), "V": (n, d_v * g), "W_O": (h * d_v,) * 2}
    arrays = {name: twos.integers(dice, *shape, -997, 997) / 991.0 for name, shape in shapes.items()}
    return prepare(arrays | {"heads": h, "kv_heads": g})


def _fits(size: Sizes) -> bool:
    """Can the heads share the keys, and is no size to be taken for another? Four heads are 4 wide
    each: rows of 36 could not be read."""
    if size["h"] % size["g"] or size["n"] == size["d_v"]:
        return False
    return size["d_k"] == 4 if size["h"] == 4 else twos.apart(size, "n", "h", "g", "d_v")


def _features(size: Sizes) -> frozenset[str]:
    shared = {"ungrouped"} if size["g"] == size["h"] else {"grouped"} if size["g"] > 1 else set()
    square = {"square"} if size["n"] == size["d_k"] else set()
    return frozenset({"heads", "dot", "ln2", "same-length", "square-output"} | shared | square)


def _worked(lang: Lang, drawn: Drawn, asks: tuple[Ask, ...]) -> list[str]:
    lines, width = [], drawn.inputs["Q"].shape[1] // int(drawn.inputs["h"])
    for row in sorted({row for ask in asks for row in ask.rows}):
        for head in range(1, int(drawn.inputs["h"]) + 1):
            dots, weights, output = (
                drawn.second[f"{stage}-{head}"][row] for stage in ("dots", "weights", "output")
            )
            numbers = {
                **dot.divided(dots, width),
                **dot.shared(weights),
                "output": dot.line(output),
            }
            lines.append(t(lang, "worked.one-head", head=head, row=row, **numbers))
        for stage in dot.until(("concat", "projected"), asks):
            lines.append(t(lang, f"worked.{stage}", row=row, numbers=dot.line(drawn.second[stage][row])))
    return lines


def _prompt(lang: Lang, drawn: Drawn, asks: tuple[Ask, ...]) -> str:
    """Which columns belong to which head, and who shares."""
    h, g = int(drawn.inputs["h"]), int(drawn.inputs["g"])
    users = [(j * h // g + 1, (j + 1) * h // g, j + 1) for j in range(g)]
    sharing = [t(lang, "family.sharing", first=first, last=last, key=key) for first, last, key in users]
    projected = t(lang, "family.projected") if any(ask.stage == "projected" for ask in asks) else ""
    return t(
        lang,
        "family.multi-head" if g == h else "family.grouped",
        **dot.told(lang, drawn, asks),
        h=h,
        g=g,
        sharing=t(lang, "family.between").join(sharing),
        projected=projected,
    )


MULTI = Family(
    name="multi-head",
    table=MULTI_HEAD,
    sizes={"n": (3, 4), "h": (2, 3, 4), "g": (1, 2, 3, 4), "d_k": twos.WIDTHS, "d_v": (2, 3)},
    fits=_fits,
    stages={"concat": 3, "projected": 3},
    rows=lambda size: tuple(range(1, size["n"] + 1)),
    features=_features,
    draw=_draw,
    generic=_generic,
    prompt=_prompt,
    conventions=("rows-columns", "twos", "decimals"),
    worked=_worked,
)
