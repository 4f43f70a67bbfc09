"""The patches against the catalogue, and where each first differs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from quizengine.attention.cost import COST, SPREAD
from quizengine.attention.inputs import prepare
from quizengine.attention.patches import PATCHES, VARIANTS, applies, stages_struck
from quizengine.attention.solver import World, solve, solve_worlds
from quizengine.attention.stage import ADDITIVE, MULTI_HEAD, ONE_HEAD
from quizengine.problems.distinct import candidates
from quizengine.problems.families import FAMILIES


def first_difference(table, inputs, patch) -> str:
    worlds = solve_worlds(inputs, [World(), World(patch)], table)
    for stage in worlds.stages:
        right, wrong = worlds[0][stage], worlds[1][stage]
        if not np.array_equal(right, wrong):
            return stage
    return ""


@pytest.mark.parametrize("id_", sorted(PATCHES))
def test_a_patch_first_differs_at_the_first_stage_it_strikes(bank, id_: str) -> None:
    """In a family at least; in the others a stage that it strikes may give the right numbers (no scale of
    dₖ = 1, square matrices), but nowhere do they differ at a stage that it does not strike."""
    firsts = []
    for family, sizes in ((f, s) for f in FAMILIES.values() for s in f.every({})):
        if id_ in candidates(bank.catalogue, family, sizes):
            struck = stages_struck(PATCHES[id_], family.table)
            first = first_difference(family.table, family.generic(sizes), PATCHES[id_])
            assert first in ("", *struck), family.name
            firsts.append(first == struck[0])
    assert any(firsts) or id_ == "projections-transposed"  # no family has a square W_Q: it shows in V


def test_every_table_has_patches() -> None:
    for table, least in ((ONE_HEAD, 20), (SPREAD, 8), (COST, 10)):
        assert sum(bool(stages_struck(patch, table)) for patch in PATCHES.values()) >= least


SAME_IN_FAMILIES = {
    "winner-takes-all": "generic numbers have no tie",
    "projections-transposed": "no projection is square but that of the values",
}


@pytest.mark.parametrize("id_", sorted(VARIANTS))
def test_another_way_strikes_the_same_table_and_gives_other_numbers(bank, id_: str) -> None:
    for way in VARIANTS[id_]:
        shown = []
        for family, sizes in ((f, s) for f in FAMILIES.values() for s in f.every({})):
            inputs = family.generic(sizes)
            known = {*inputs, *solve(inputs, family.table)}
            if id_ in candidates(bank.catalogue, family, sizes) and applies(way, family.table, known):
                worlds = solve_worlds(inputs, [World(), World(PATCHES[id_]), World(way)], family.table)
                right, first, other = (worlds[w] for w in range(3))
                stages = [stage for stage in family.stages if not np.allclose(right[stage], other[stage])]
                assert all(np.isfinite(other[stage]).all() for stage in stages)
                shown.append(any(not np.allclose(first[stage], other[stage]) for stage in stages))
        assert any(shown) or (shown and id_ in SAME_IN_FAMILIES)


RNG = np.random.default_rng(11)
Q, K = RNG.normal(size=(4, 9)), RNG.normal(size=(4, 9))
V, MASK = RNG.normal(size=(4, 3)), np.tri(4, dtype=bool)
ROW = 2  # sees three keys of four


def dots(one: list[float], other: list[float]) -> float:
    return math.fsum(a * b for a, b in zip(one, other, strict=True))


def shares(scores: list[float], base: float = math.e) -> list[float]:
    return [base**s / sum(base**t for t in scores) for s in scores]


q, keys = Q[ROW].tolist(), K.tolist()
SCALED = [dots(q, key) / 3 for key in keys[: ROW + 1]]
SUMS = [sum(math.exp(dots(Q[i], keys[j]) / 3) for j in range(i + 1)) for i in range(4)]
BY_LOOPS = {
    "softmax-twice": shares(shares(SCALED)),
    "softmax-base-two": shares(SCALED, 2.0),
    "sigmoid-for-softmax": [1 / (1 + math.exp(-s)) for s in SCALED],
    "softmax-sums-across": [math.exp(s) / SUMS[j] for j, s in enumerate(SCALED)],
    "scores-are-cosines": shares([dots(q, k) / math.hypot(*q) / math.hypot(*k) / 3 for k in keys[: ROW + 1]]),
    "scores-are-distances": shares([-(math.dist(q, k) ** 2) / 3 for k in keys[: ROW + 1]]),
    "queries-are-keys": shares([dots(keys[ROW], k) / 3 for k in keys[: ROW + 1]]),
    "keys-reshaped": shares(
        [dots(q, [K.ravel().tolist()[4 * f + j] for f in range(9)]) / 3 for j in range(ROW + 1)]
    ),
    "scale-by-half-width": shares([3 * s / 4.5 for s in SCALED]),
    "scale-by-queries": shares([3 * s / 2 for s in SCALED]),
}


@pytest.mark.parametrize("id_", sorted(BY_LOOPS))
def test_weights_of_a_mistake_by_plain_loops(id_: str) -> None:
    inputs = prepare({"Q": Q, "K": K, "V": V, "mask": MASK.astype(int)})
    weights = solve_worlds(inputs, [World(PATCHES[id_])])[0]["weights"][ROW]
    assert np.abs(weights - [*BY_LOOPS[id_], 0.0]).max() < 1e-12


def one_head(queries, keys, values, divisor: float):
    """The output of one head in a line of numpy."""
    raised = np.exp(queries @ keys.T / divisor)
    return raised / raised.sum(axis=1, keepdims=True) @ values


def test_heads_cut_wrongly() -> None:
    """Two heads of two features, three positions."""
    x, y, z = (RNG.normal(size=(3, 4)) for _ in "QKV")
    inputs = prepare({"Q": x, "K": y, "V": z, "heads": 2})

    def concat(id_: str):
        return solve_worlds(inputs, [World(PATCHES[id_])], MULTI_HEAD)[0]["concat"]

    dealt = [one_head(x[:, i::2], y[:, i::2], z[:, i::2], math.sqrt(2)) for i in range(2)]
    assert np.abs(concat("heads-interleaved") - np.concatenate(dealt, axis=1)).max() < 1e-12
    assert np.abs(concat("heads-not-split") - one_head(x, y, z, math.sqrt(2))).max() < 1e-12
    viewed = [one_head(*(m.reshape(2, 3, 2)[i] for m in (x, y, z)), math.sqrt(2)) for i in range(2)]
    assert np.abs(concat("heads-reshaped-throughout") - np.stack(viewed).reshape(3, 4)).max() < 1e-12
    scores = np.exp([x[:, c] @ y[:, c].T / math.sqrt(2) for c in (slice(0, 2), slice(2, 4))])
    across = [
        s / scores.sum(axis=0) @ z[:, c] for s, c in zip(scores, (slice(0, 2), slice(2, 4)), strict=True)
    ]
    assert np.abs(concat("softmax-over-heads") - np.concatenate(across, axis=1)).max() < 1e-12


def test_only_square_projections_can_be_turned() -> None:
    arrays = {"X": (3, 3), "W_Q": (3, 4), "W_K": (3, 4), "W_V": (3, 3)}
    given = {name: RNG.normal(size=shape) for name, shape in arrays.items()}
    inputs = prepare(given)
    trace = solve_worlds(inputs, [World(PATCHES["projections-transposed"])])[0]
    right = solve(inputs)
    assert np.abs(trace["V"] - given["X"] @ given["W_V"].T).max() < 1e-12
    assert np.array_equal(trace["weights"], right["weights"])


def test_a_dot_product_for_an_additive_score() -> None:
    x, y = RNG.normal(size=(2, 3)), RNG.normal(size=(4, 3))
    inputs = prepare({"Q": x, "K": y, "V": RNG.normal(size=(4, 2)), "v_a": RNG.normal(size=(1, 3))})
    trace = solve_worlds(inputs, [World(PATCHES["additive-is-dot"])], ADDITIVE)[0]
    assert np.abs(trace["scores"] - x @ y.T).max() < 1e-12
