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
from quizengine.problems.families.family import Family, at_rows
from quizengine.problems.stack import Stack

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
ONE_HEADED = 3  # axes of the weights: draws, queries, keys
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
    (worlds, rows, columns), with the draws of a stack between worlds and rows."""
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


def fair(
    family: Family,
    stack: Stack,
    asks: Sequence[Ask],
    ids: Sequence[str],
    values: Sequence[Array],
    classes: Sequence[Sequence[int]],
) -> Array:
    """The draws of the stack that are fair, by where they stand in it. `values` are those that
    `parts_of_worlds` gives of it."""
    saturated = [world for world, id_ in enumerate(ids, 1) if id_ in SATURATED]
    left = np.arange(len(stack.places))  # draws that nothing speaks against so far
    points = []  # per part: what the key and every class answer, (draws, classes, entries)
    for ask, answers, labels in zip(asks, values, classes, strict=True):
        first = sorted(set(labels))
        points.append(_points(answers[first], ask))
        alike = [first.index(world) for world in saturated if world in first]
        refused = _too_near(points[-1][left], alike)
        if ask.decimals:
            refused |= _alike_when_rounded(points[-1][left])
        if ask.stage == "output" and "V" in stack.inputs:
            refused |= _telling(_ticks(answers[0, left], ask), _ticks(stack.inputs["V"][left], ask))
        left = left[~refused]
        if not left.size:
            return left
    if not stack.grain:  # numbers without a dot product to slip in
        return left
    slipped = np.zeros(len(left), dtype=bool)
    for ask, flat, slip in zip(asks, points, _slips(family, stack.of(left), asks), strict=True):
        if slip is not None:
            slipped[_near(_points(slip, ask), flat[left, 1:], SLIP)[0]] = True
    return left[~slipped]


def _ticks(values: Array, ask: Ask) -> Array:
    """The values on the grid: whole numbers."""
    ticks: Array = np.rint(values * float(10 ** (ask.decimals or 0) * TICKS))
    return ticks


def _points(answers: Array, ask: Ask) -> Array:
    """Answers (answers, draws, rows, columns) on the grid: (draws, answers, entries)."""
    return _ticks(answers, ask).reshape(*answers.shape[:2], -1).swapaxes(0, 1)


def _too_near(points: Array, saturated: Sequence[int]) -> Array:
    """In which draws are two of the points (draws, points, entries) not apart in any entry? The `saturated`
    may be near each other."""
    draws, ones, others = _near(points, points, APART)
    near, alike = np.zeros(len(points), dtype=bool), np.zeros(points.shape[1], dtype=bool)
    alike[saturated] = True
    near[draws[(ones < others) & ~(alike[ones] & alike[others])]] = True
    return near


def _near(points: Array, others: Array, within: int) -> tuple[Array, Array, Array]:
    """The draws and pairs, by their places in (draws, points, entries) and (draws, others, entries), that are
    no further apart in any entry. Most are told apart by the first."""
    draws, ones, twos = np.nonzero(np.abs(points[:, :, None, 0] - others[:, None, :, 0]) <= within)
    for entry in range(1, points.shape[-1]):
        near = np.abs(points[draws, ones, entry] - others[draws, twos, entry]) <= within
        draws, ones, twos = draws[near], ones[near], twos[near]
    return draws, ones, twos


def _alike_when_rounded(points: Array) -> Array:
    """In which draws could some class be written as the key is, with one decimal fewer? An exact half may go
    up or down."""
    least, most = (np.floor((points + edge) / (10 * TICKS) + 0.5) for edge in (-EDGE, EDGE))
    lower, upper = np.maximum(least[:, 1:], least[:, :1]), np.minimum(most[:, 1:], most[:, :1])
    alike: Array = np.logical_and.reduce(lower <= upper, axis=-1).any(axis=-1)
    return alike


def _telling(key: Array, v: Array) -> Array:
    """In which draws is the key (draws, rows, columns) a row of V, or one value throughout? Then it can be
    had without working."""
    apart = np.abs(key[:, :, None] - v[:, None]).max(axis=-1).min(axis=(-2, -1))
    telling: Array = (apart <= APART) | (np.ptp(key, axis=-1).min(axis=-1) <= APART)
    return telling


def _slips(family: Family, stack: Stack, asks: Sequence[Ask]) -> list[Array | None]:
    """Single slips of arithmetic, part by part: (slips, draws, rows, columns); None where there is none."""
    asked = {ask.stage for ask in asks}
    trace = solve(stack.inputs, family.table, wanted=asked | {"keep", "weights", "output"})
    rows = sorted({row for ask in asks for row in ask.rows})
    slipped: list[Trace] = []
    for row in rows:
        scores = _dot_slips(stack, trace, row - 1)
        slipped.append(solve(stack.inputs | {"scores": scores}, family.table, wanted=asked))
        if trace["weights"].ndim == ONE_HEADED:
            slipped += [_sum_slips(trace, row - 1), _value_slips(trace, row - 1)]
    out: list[Array | None] = []
    for ask in asks:
        found = [at_rows(s[ask.stage], ask.rows) for s in slipped if ask.stage in s]
        wrong_rows = _wrong_rows(trace[ask.stage], ask.rows)
        out.append(np.concatenate([*found, wrong_rows]) if found or len(wrong_rows) else None)
    return out


def _dot_slips(stack: Stack, trace: Trace, row: int) -> Array:
    """The scores with one dot product of the row off by 1 … 4 (in any head): (slips, draws, …, n_q, n_k)."""
    scores = trace["scores"]  # (draws, …, n_q, n_k)
    seen = np.argwhere(np.broadcast_to(trace["keep"], scores.shape)[0])  # one mask for all draws
    seen = seen[seen[:, -2] == row]
    off = np.array(DOT_SLIPS) * stack.grain
    slipped = np.broadcast_to(scores, (len(seen), len(off), *scores.shape)).copy()
    for place, at in enumerate(map(tuple, seen)):
        slipped[(place, slice(None), slice(None), *at)] += off[:, None]
    return slipped.reshape(-1, *scores.shape)


def _sum_slips(trace: Trace, row: int) -> Trace:
    """One term left out of the row's denominator."""
    weights, output = trace["weights"], trace["output"]
    factors = 1.0 / (1.0 - weights[:, row, trace["keep"][0, row]].T)  # (terms, draws)
    changed = {}
    for stage, right in (("weights", weights), ("output", output)):
        wrong = np.broadcast_to(right, (len(factors), *right.shape)).copy()
        wrong[:, :, row] *= factors[..., None]
        changed[stage] = wrong
    return changed


def _value_slips(trace: Trace, row: int) -> Trace:
    """One entry of V read as one more or one less."""
    weights, output = trace["weights"][:, row], trace["output"]
    seen, columns = np.flatnonzero(trace["keep"][0, row]), output.shape[-1]
    wrong = np.broadcast_to(output, (2, len(seen), columns, *output.shape)).copy()
    for column in range(columns):
        wrong[0, :, column, :, row, column] += weights[:, seen].T
        wrong[1, :, column, :, row, column] -= weights[:, seen].T
    return {"output": wrong.reshape(-1, *output.shape)}


def _wrong_rows(stage: Array, rows: tuple[int, ...]) -> Array:
    """The right numbers of a row that was not asked, in the place of one that was."""
    right = at_rows(stage, rows)
    wrong = []
    for place, row in enumerate(rows):
        for other in range(stage.shape[1]):
            if other != row - 1:
                mixed = right.copy()
                mixed[:, place] = stage[:, other]
                wrong.append(mixed)
    return np.array(wrong).reshape(-1, *right.shape)
