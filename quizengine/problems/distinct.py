"""The proof that a variant is fair: no wrong method and no slip can pass for another.

Which misconceptions agree *whatever the numbers* (a class) is found per part by solving generic
numbers once per family. A variant is kept only if the key and every class differ pairwise by more
than 2.1 units of the asked decimal somewhere in the part, no slip of arithmetic lands within
1.51 units of a class, and no class rounds to the key's text at one decimal fewer. Divisors that nobody
would name a mistake count as classes: none of them may pass for the right one, or for a named one.

No two floats are compared: distances are taken between values on a grid of a millionth of the asked unit,
far coarser than what two machines differ by, and what stands on an edge there is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from quizengine.attention.patches import PATCHES
from quizengine.attention.solver import World, solve, solve_worlds
from quizengine.attention.stage import Array, Rule, Trace, reads
from quizengine.items.answer import Ask
from quizengine.items.catalogue import Catalogue
from quizengine.problems.belief import offered, striking
from quizengine.problems.families import FAMILIES
from quizengine.problems.families.family import Drawn, Family, at_rows

TICKS = 10**6  # of the grid, to a unit of the asked decimal
EDGE = 2  # ticks by which two values rounded to the grid may come nearer
APART, SLIP = 2_100_000 + EDGE, 1_510_000 + EDGE
SAME = 1e-9  # of generic numbers, which differ by far more or not at all
SATURATED = {"scale-multiplied", "winner-takes-all"}  # one weight takes all in both, where √d_k is above 2
NAMELESS: tuple[Mapping[str, Rule], ...] = (
    {"scaled": lambda scores: scores / 2},
    {"scaled": lambda scores, d_k: scores / np.log2(d_k)},
    {"scaled": lambda scores, n_k: scores / n_k},
    {"scaled": lambda scores, h: scores / h},
    {"scaled": lambda scores, g: scores / g},
)
"""Wrong divisors without a name: 2, log₂ d_k, n, the heads, the key/value heads."""
DOT_SLIPS = (-4, -3, -2, -1, 1, 2, 3, 4)


def candidates(catalogue: Catalogue, family: Family, sizes: Mapping[str, int]) -> tuple[str, ...]:
    """The misconceptions that can be tried on a family: they strike its table, it offers every
    premise, and it has all that their rules read."""
    ids = _striking(family.name, tuple(sorted(sizes.items())))
    return tuple(offered(catalogue, ids, family.features(sizes)))


@lru_cache(maxsize=4096)
def _striking(name: str, sizes: tuple[tuple[str, int], ...]) -> list[str]:
    """Those that read only the inputs that a family gives and the stages that come of them."""
    family = FAMILIES[name]
    inputs = family.generic(dict(sizes))
    return striking(family.table, {*inputs, *solve(inputs, family.table)})


def parts_of_worlds(family: Family, inputs: Trace, ids: Sequence[str], asks: Sequence[Ask]) -> list[Array]:
    """What the key (world 0), every misconception and every nameless divisor answer, part by part:
    (world, rows, columns)."""
    patches = [PATCHES[id_] for id_ in ids]
    if "scaled" in family.table and "divisor" in reads(family.table["scaled"]):
        patches += NAMELESS
    worlds = solve_worlds(inputs, [World(), *map(World, patches)], family.table, {a.stage for a in asks})
    return [at_rows(worlds.all(ask.stage), ask.rows) for ask in asks]


def classes(
    family: Family, sizes: Mapping[str, int], ids: tuple[str, ...], asks: tuple[Ask, ...]
) -> tuple[tuple[int, ...], ...]:
    """The class of every world, part by part: named by its first member, 0 the key's. (parts, worlds)"""
    return _classes(family.name, tuple(sorted(sizes.items())), ids, asks)


@lru_cache(maxsize=4096)
def _classes(
    name: str, sizes: tuple[tuple[str, int], ...], ids: tuple[str, ...], asks: tuple[Ask, ...]
) -> tuple[tuple[int, ...], ...]:
    family = FAMILIES[name]
    inputs = family.generic(dict(sizes))
    return tuple(_grouped(values) for values in parts_of_worlds(family, inputs, ids, asks))


def _grouped(values: Array) -> tuple[int, ...]:
    flat = values.reshape(len(values), -1)
    scale = 1.0 + np.abs(flat).max()
    equal = np.abs(flat[:, None] - flat[None]).max(axis=-1) < SAME * scale
    return tuple(int(row.argmax()) for row in equal)


def unfairness(
    family: Family,
    drawn: Drawn,
    asks: Sequence[Ask],
    ids: Sequence[str],
    values: Sequence[Array],
    classes: Sequence[Sequence[int]],
) -> str:
    """Why this draw is not fair, in a word; empty when it is."""
    saturated = [world for world, id_ in enumerate(ids, 1) if id_ in SATURATED]
    points = []  # per part: what the key and every class answer, one row each
    for ask, answers, labels in zip(asks, values, classes, strict=True):
        first = sorted(set(labels))
        points.append(_ticks(answers[first].reshape(len(first), -1), ask))
        alike = [first.index(world) for world in saturated if world in first]
        if _too_near(points[-1], alike):
            return "rivals"
        if ask.decimals and _alike_when_rounded(points[-1]):
            return "coarse"
        mixed = ask.stage == "output" and "V" in drawn.inputs
        if mixed and _telling(_ticks(answers[0], ask), _ticks(drawn.inputs["V"], ask)):
            return "stock"
    if not drawn.grain:  # numbers without a dot product to slip in
        return ""
    for ask, flat, slip in zip(asks, points, _slips(family, drawn, asks), strict=True):
        if slip is not None and _near(_ticks(slip, ask).reshape(len(slip), -1), flat[1:], SLIP)[0].size:
            return "slip"
    return ""


def _ticks(values: Array, ask: Ask) -> Array:
    """The values on the grid: whole numbers."""
    ticks: Array = np.rint(values * float(10 ** (ask.decimals or 0) * TICKS))
    return ticks


def _too_near(points: Array, saturated: Sequence[int]) -> bool:
    """Are two of the points not apart in any entry? The `saturated` may be near each other."""
    ones, others = _near(points, points, APART)
    pairs = zip(*(places[ones < others].tolist() for places in (ones, others)), strict=True)
    return any(not {*pair} <= {*saturated} for pair in pairs)


def _near(points: Array, others: Array, within: int) -> tuple[Array, Array]:
    """The pairs, by their places in (points, entries) and (others, entries), that are no further apart in any
    entry. Most are told apart by the first."""
    ones, twos = np.nonzero(np.abs(points[:, None, 0] - others[None, :, 0]) <= within)
    for entry in range(1, points.shape[1]):
        near = np.abs(points[ones, entry] - others[twos, entry]) <= within
        ones, twos = ones[near], twos[near]
    return ones, twos


def _alike_when_rounded(points: Array) -> bool:
    """Could some class be written as the key is, with one decimal fewer? An exact half may go up or down."""
    least, most = (np.floor((points + edge) / (10 * TICKS) + 0.5) for edge in (-EDGE, EDGE))
    may_agree = (np.maximum(least[1:], least[0]) <= np.minimum(most[1:], most[0])).all(axis=-1)
    return bool(may_agree.any())


def _telling(key: Array, v: Array) -> bool:
    """Is the key a row of V, or one value throughout? Then it can be had without working."""
    copies = np.abs(key[:, None] - v[None]).max(axis=-1).min() <= APART
    return bool(copies or np.ptp(key, axis=-1).min() <= APART)


def _slips(family: Family, drawn: Drawn, asks: Sequence[Ask]) -> list[Array | None]:
    """Single slips of arithmetic, part by part: (slip, rows, columns); None where there is none."""
    trace = solve(drawn.inputs, family.table)
    rows = sorted({row for ask in asks for row in ask.rows})
    slipped: list[Trace] = []
    for row in rows:
        slipped.append(_dot_slips(family, drawn, trace, row - 1))
        if trace["weights"].ndim == 2:
            slipped += [_sum_slips(trace, row - 1), _value_slips(trace, row - 1)]
    out: list[Array | None] = []
    for ask in asks:
        found = [at_rows(s[ask.stage], ask.rows) for s in slipped if ask.stage in s]
        wrong_rows = _wrong_rows(trace[ask.stage], ask.rows)
        out.append(np.concatenate([*found, wrong_rows]) if found or len(wrong_rows) else None)
    return out


def _dot_slips(family: Family, drawn: Drawn, trace: Trace, row: int) -> Trace:
    """One dot product of the row off by 1 … 4 (in any head), and all that follows."""
    scores = trace["scores"]  # (…, n_q, n_k)
    seen = np.argwhere(np.broadcast_to(trace["keep"], scores.shape))
    seen = seen[seen[:, -2] == row]
    off = np.array(DOT_SLIPS) * drawn.grain
    slipped = np.broadcast_to(scores, (len(seen), len(off), *scores.shape)).copy()
    places = tuple(axis[:, None] for axis in seen.T)
    slipped[(np.arange(len(seen))[:, None], np.arange(len(off)), *places)] += off
    return solve(drawn.inputs | {"scores": slipped.reshape(-1, *scores.shape)}, family.table)


def _sum_slips(trace: Trace, row: int) -> Trace:
    """One term left out of the row's denominator."""
    weights, output = trace["weights"], trace["output"]
    factors = 1.0 / (1.0 - weights[row][trace["keep"][row]])
    changed = {}
    for stage, right in (("weights", weights), ("output", output)):
        wrong = np.broadcast_to(right, (len(factors), *right.shape)).copy()
        wrong[:, row] *= factors[:, None]
        changed[stage] = wrong
    return changed


def _value_slips(trace: Trace, row: int) -> Trace:
    """One entry of V read as one more or one less."""
    weights, output = trace["weights"][row], trace["output"]
    seen, columns = np.flatnonzero(trace["keep"][row]), output.shape[-1]
    wrong = np.broadcast_to(output, (2, len(seen), columns, *output.shape)).copy()
    for column in range(columns):
        wrong[0, :, column, row, column] += weights[seen]
        wrong[1, :, column, row, column] -= weights[seen]
    return {"output": wrong.reshape(-1, *output.shape)}


def _wrong_rows(stage: Array, rows: tuple[int, ...]) -> Array:
    """The right numbers of a row that was not asked, in the place of one that was."""
    right = at_rows(stage, rows)
    wrong = []
    for place, row in enumerate(rows):
        for other in range(len(stage)):
            if other != row - 1:
                mixed = right.copy()
                mixed[place] = stage[other]
                wrong.append(mixed)
    return np.array(wrong).reshape(-1, *right.shape)
