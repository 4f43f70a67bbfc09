"""Other ways to have worked: the worlds in which a wrong part would be right.

One early rounding, one slip of arithmetic, two misconceptions, or one of each. A world replaces
rules of the table of stages; none of these is tried before everything simpler has failed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import combinations
from typing import NamedTuple

import numpy as np

from quizengine.attention.patches import PATCHES
from quizengine.attention.solver import World
from quizengine.attention.stage import Array, Rule, reading, reads, shared_out, softmax, transposed
from quizengine.marking.follow import Solution
from quizengine.problems.distinct import DOT_SLIPS
from quizengine.problems.families import twos
from quizengine.problems.part import NumericPart
from quizengine.problems.problem import Problem

ROUNDED = (
    *("hidden", "scores", "scaled", "weights", "output", "concat", "projected"),
    *("variance", "deviation", "scaled_deviation", "predicted", "predicted_scaled"),
)
LN2 = float(twos.LN2)
TINY = 1e-9  # by which a float may miss the half that it stands for


class Rounding(NamedTuple):
    """Values rounded on the way, to so many `decimals`; the result too, if it is `written` so."""

    decimals: int
    world: World
    written: bool = False


class Slips(NamedTuple):
    """Slips of arithmetic of one kind: what the message of each tells, and their worlds."""

    code: str
    told: Callable[[int], Mapping[str, str | int]]
    worlds: World


def own(stage: str, change: Callable[[Array], Array]) -> Rule:
    """The rule that changes what the table gives for its stage."""

    return reading((stage,), lambda **values: change(values[stage]))


def _even(values: Array, decimals: int) -> Array:
    rounded: Array = np.round(values, decimals)
    return rounded


def _up(values: Array, decimals: int) -> Array:
    return np.sign(values) * np.floor(np.abs(values) * 10.0**decimals + 0.5 + TINY) / 10.0**decimals


def _cut(values: Array, decimals: int) -> Array:
    return np.sign(values) * np.floor(np.abs(values) * 10.0**decimals + TINY) / 10.0**decimals


_WAYS = (_even, _up, _cut)


def roundings(problem: Problem, solution: Solution, part: NumericPart, most: int) -> Iterator[Rounding]:
    """Every way of rounding a step before this part to `most` decimals or fewer, the finest first: a stage,
    all of them, the exponentials, a constant. (To whole numbers no multiples of ln 2: that is to leave it
    out.)"""
    asked = part.decimals or 0
    stages = list(solution.table)
    last = max((stages.index(stage) for stage in solution.laid), default=-1)
    between = [s for s in ROUNDED if s in stages and last < stages.index(s)]
    between = [s for s in between if stages.index(s) <= stages.index(part.stage)]
    for decimals in range(most, -1, -1):
        for way in _WAYS:
            laid = {s: way(values, decimals) for s, values in solution.laid.items()}
            rules = {s: own(s, partial(way, decimals=decimals)) for s in between}
            if laid:
                yield Rounding(decimals, World(given=laid))
            early = [s for s in between if s != part.stage and (decimals or not _has_ln2(problem))]
            for stage in early:
                yield Rounding(decimals, World({stage: rules[stage]}))
            if len(early) + bool(laid) > 1:
                yield Rounding(decimals, World({s: rules[s] for s in early}, laid))
            if (early or laid) and decimals >= asked - 1:
                yield Rounding(decimals, World(rules, laid), written=decimals < asked)
            if "weights" in between and "masked" in stages:
                shares = _rounded_exponentials(way, decimals)
                yield Rounding(decimals, World({"weights": shares}))
    if {"q", "scores", "v"} <= set(stages):
        yield Rounding(asked, World({s: rule for s, rule in _HALF.items() if s in between}))
    yield from _constants(problem, solution, between, asked)


def _rounded_exponentials(way: Callable[..., Array], decimals: int) -> Rule:
    return reading(("masked",), lambda masked: shared_out(way(np.exp(masked), decimals)))


def _half(values: Array) -> Array:
    """As IEEE 754 half precision keeps them."""
    return values.astype(np.float16)


def _half_softmax(masked: Array) -> Array:
    with np.errstate(invalid="ignore", over="ignore"):
        exponentials = np.exp(_half(masked - masked.max(axis=-1, keepdims=True)))
        shares: Array = _half(exponentials / exponentials.sum(axis=-1, keepdims=True))
    return shares


_HALF: Mapping[str, Rule] = {
    "scores": lambda q, k: _half(q) @ _half(transposed(k)),
    "scaled": lambda scores, divisor: _half(scores) / _half(divisor),
    "weights": lambda masked: _half_softmax(masked),
    "output": lambda weights, v: _half(weights) @ _half(v),
}


def _constants(
    problem: Problem, solution: Solution, between: Sequence[str], asked: int
) -> Iterator[Rounding]:
    """ln 2 and e taken too short."""
    for decimals in range(1, asked + 2):
        if _has_ln2(problem) and "scores" in between:
            factor = round(LN2, decimals) / LN2
            times = {s: own(s, partial(np.multiply, factor)) for s in _bearing_ln2(problem)}
            yield Rounding(decimals, World(times))
        if "weights" in between and "masked" in solution.table:
            yield Rounding(decimals, World({"weights": _to_base(round(math.e, decimals))}))


def _to_base(base: float) -> Rule:
    return reading(("masked",), lambda masked: softmax(masked * np.log(base)))


def _has_ln2(problem: Problem) -> bool:
    """Are there multiples of ln 2 among the givens?"""
    return any(exact.times.endswith("ln 2") for exact in problem.exact.values())


def _bearing_ln2(problem: Problem) -> tuple[str, ...]:
    """The stages that a factor ln 2 enters by."""
    names = {"Q": "Q", "W_Q": "Q", "K": "K", "v_a": "scores", "scores": "masked"}
    return tuple(names[name] for name in problem.exact if name in names)


def slips(
    problem: Problem,
    solution: Solution,
    part: NumericPart,
    row: int,
    last: str,
    dots: Sequence[int] = DOT_SLIPS,
) -> Iterator[Slips]:
    """Every single slip of arithmetic in this row (from 0) on the way from the stage `last` to this part, dot
    products being off by one of `dots`."""
    stages = list(solution.table)
    after = stages.index(last) + 1 if last else 0
    free = {s for s in stages[after:] if stages.index(s) <= stages.index(part.stage)}
    if "weights" not in solution.right or "keep" not in solution.right:
        return
    keep = np.broadcast_to(solution.right["keep"], solution.right["weights"].shape)
    if "scores" in free and solution.right["scores"].shape == keep.shape:
        yield from _dot_slips(problem, keep, row, dots)
        yield from _misread(problem, keep, row)
    seen: list[int] = np.flatnonzero(keep[row]).tolist() if keep.ndim == 2 else []
    for stage, code in (("scores", "slip.scores-exchanged"), ("weights", "slip.weights-exchanged")):
        if stage in free:
            yield from _exchanged(code, stage, seen, partial(_row_swapped, row=row))
    if "weights" in free:
        yield from _left_out("slip.term", "weights", seen, _without_term(row, seen))
    if "output" in free and keep.ndim == 2:
        columns = range(solution.right["v"].shape[-1])
        misread = [(j, column, by) for j in seen for column in columns for by in (-1.0, 1.0)]
        yield from _bumps("slip.value", "v", ("row", "column"), misread)
        yield from _exchanged("slip.values-exchanged", "v", seen, _rows_swapped)
        yield from _left_out("slip.product", "output", seen, _without_product(row, seen))
    if part.stage in free and part.rows:
        turn = own(part.stage, partial(_reversed, row=row))
        yield Slips("slip.reversed", lambda _: {}, World({part.stage: turn}))


def _dot_slips(problem: Problem, keep: Array, row: int, dots: Sequence[int]) -> Iterator[Slips]:
    """One dot product of the row off by so many of its units, in any head."""
    grain, unit = (LN2, " ln 2") if _has_ln2(problem) else (1.0, "")
    found = [(place, off) for place in np.argwhere(keep) if place[-2] == row for off in dots]

    def told(n: int) -> Mapping[str, str | int]:
        place, off = found[n]
        return {"key": int(place[-1]) + 1, "by": f"{off:+d}{unit}"}

    if found:
        places, by = np.array([place for place, _ in found]), np.array([off * grain for _, off in found])
        bumped = own("scores", partial(_bumped, places=places, by=by))
        yield Slips("slip.dot", told, World({"scores": bumped}, many=len(found)))


def _misread(problem: Problem, keep: Array, row: int) -> Iterator[Slips]:
    """One entry of the query read as one more or less, one of a key with the other sign or misread."""
    if keep.ndim != 2 or "Q" not in problem.given or "K" not in problem.given or "v_a" in problem.given:
        return
    query, keys = np.array(problem.given["Q"], float), np.array(problem.given["K"], float)
    grain = LN2 if "Q" in problem.exact else 1.0
    features = range(query.shape[1])
    asked = [(row, f, by) for f in features for by in (-grain, grain, -2 * query[row, f])]
    yield from _bumps("slip.query-entry", "q", ("", "column"), asked)
    seen = np.flatnonzero(keep[row]).tolist()
    read = [
        (j, f, by) for j in seen for f in range(keys.shape[1]) for by in (-1.0, 1.0, -2 * keys[j, f]) if by
    ]
    yield from _bumps("slip.key-entry", "k", ("key", "column"), read)


def _bumps(
    code: str, stage: str, names: tuple[str, str], entries: Sequence[tuple[int, int, float]]
) -> Iterator[Slips]:
    """An entry (row, column, from 0) of a stage off by so much; its place is told by these names."""

    def told(n: int) -> Mapping[str, str | int]:
        return {name: place + 1 for name, place in zip(names, entries[n][:2], strict=True) if name}

    if entries:
        rows, columns, by = zip(*entries, strict=True)
        places = np.array([rows, columns]).T
        rule = own(stage, partial(_bumped, places=places, by=np.array(by)))
        yield Slips(code, told, World({stage: rule}, many=len(entries)))


def _exchanged(code: str, stage: str, seen: Sequence[int], swapped: Callable[..., Array]) -> Iterator[Slips]:
    """Two of the keys that are seen exchanged."""
    if pairs := list(combinations(seen, 2)):
        rule = own(stage, partial(swapped, pairs=np.array(pairs)))
        world = World({stage: rule}, many=len(pairs))
        yield Slips(code, lambda n: {"a": pairs[n][0] + 1, "b": pairs[n][1] + 1}, world)


def _left_out(code: str, stage: str, seen: Sequence[int], rule: Rule) -> Iterator[Slips]:
    """What one of the keys that are seen adds left out."""
    if seen:
        yield Slips(code, lambda n: {"key": seen[n] + 1}, World({stage: rule}, many=len(seen)))


def _each(values: Array, many: int, axes: int = 2) -> Array:
    """The values that many worlds share, one for each of them, or those that each has: (many, …)."""
    shape = values.shape[-axes:]
    return np.array(np.broadcast_to(values, (many, *shape)), dtype=float)


def _bumped(values: Array, places: Array, by: Array) -> Array:
    out = _each(values, len(by), places.shape[1])
    out[np.arange(len(by)), *places.T] += by
    return out


def _reversed(values: Array, row: int) -> Array:
    out = values.copy()
    out[..., row, :] = values[..., row, ::-1]
    return out


def _orders(pairs: Array, n: int) -> Array:
    """0 to n − 1 with each pair exchanged: (pairs, n)."""
    orders, each = np.tile(np.arange(n), (len(pairs), 1)), np.arange(len(pairs))[:, None]
    orders[each, pairs] = pairs[:, ::-1]
    return orders


def _row_swapped(values: Array, row: int, pairs: Array) -> Array:
    out = _each(values, len(pairs))
    out[:, row] = np.take_along_axis(out[:, row], _orders(pairs, values.shape[-1]), axis=-1)
    return out


def _rows_swapped(values: Array, pairs: Array) -> Array:
    orders = _orders(pairs, values.shape[-2])
    return np.take_along_axis(_each(values, len(pairs)), orders[..., None], axis=-2)


def _without_term(row: int, seen: Sequence[int]) -> Rule:
    """The row's weights with the term of one key left out of the sum below."""

    def weights(weights: Array) -> Array:
        out = _each(weights, len(seen))
        out[:, row] /= 1.0 - out[np.arange(len(seen)), row, seen][:, None]
        return out

    return reading(("weights",), weights)


def _without_product(row: int, seen: Sequence[int]) -> Rule:
    def output(output: Array, weights: Array, v: Array) -> Array:
        out, each = _each(output, len(seen)), np.arange(len(seen))
        shares, rows = (_each(values, len(seen))[each, at] for values, at in ((weights, row), (v, seen)))
        out[:, row] -= shares[each, seen][:, None] * rows
        return out

    return reading(("output", "weights", "v"), output)


def pair(first: Mapping[str, Rule], second: Mapping[str, Rule]) -> Mapping[str, Rule] | None:
    """Both patches at once; None where both replace a stage and neither builds on what it replaces."""
    both: dict[str, Rule] = {**first, **second}
    for stage in first.keys() & second.keys():
        if stage in reads(second[stage]):
            both[stage] = _chained(stage, first[stage], second[stage])
        elif stage in reads(first[stage]):
            both[stage] = _chained(stage, second[stage], first[stage])
        else:
            return None
    return both


def _chained(stage: str, inner: Rule, outer: Rule) -> Rule:
    names = dict.fromkeys((*reads(inner), *(name for name in reads(outer) if name != stage)))

    def rule(**values: Array) -> Array:
        result = inner(**{name: values[name] for name in reads(inner)})
        others = {name: values[name] for name in reads(outer) if name != stage}
        return outer(**others, **{stage: result})

    return reading(names, rule)


@cache
def _both(a: str, b: str) -> Mapping[str, Rule] | None:
    return pair(PATCHES[a], PATCHES[b])


def pairs(ids: Sequence[str], *, number: bool) -> Iterator[tuple[tuple[str, str], World]]:
    """Every two misconceptions that can be held at once: of one `number` only two that strike the same stage,
    since of any two steps some product agrees."""
    for a, b in combinations(ids, 2):
        rules = _both(a, b)
        if rules is not None and (not number or PATCHES[a].keys() & PATCHES[b].keys()):
            yield (a, b), World(rules)


def with_slips(ids: Sequence[str], single: Sequence[Slips]) -> Iterator[tuple[str, Slips, World]]:
    """Every misconception with slips of one kind beside it. Shares of the scores themselves are left out: so
    many small integers with a slip in one of them give any small shares."""
    for id_ in ids:
        if id_ in ("exponential-left-out", "softmax-left-out"):
            continue
        for slips in single:
            rules = pair(slips.worlds.rules, PATCHES[id_])
            if rules is not None:
                yield id_, slips, slips.worlds._replace(rules=rules)
