"""The solver against the syllabus's numbers, plain loops, PyTorch, and its laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from quizengine.attention.cost import COST, SPREAD
from quizengine.attention.inputs import prepare
from quizengine.attention.masks import causal, padding
from quizengine.attention.patches import BENIGN, PATCHES
from quizengine.attention.solver import World, solve, solve_worlds
from quizengine.attention.stage import MULTI_HEAD, Array, Rule, reading, reads
from quizengine.errors import ArrayError
from quizengine.items.bank import load
from quizengine.problems.distinct import candidates
from quizengine.problems.families import FAMILIES

numbers = st.floats(-3, 3, width=32)


def random_inputs(seed: int, *, n_q: int = 5, n_k: int = 5, mask: object = None, batch: tuple[int, ...] = ()):
    rng = np.random.default_rng(seed)
    arrays_ = {"Q": (n_q, 4), "K": (n_k, 4), "V": (n_k, 3)}
    named: dict[str, object] = {name: rng.standard_normal((*batch, *s)) for name, s in arrays_.items()}
    return prepare(named | {"mask": mask})


def fitting() -> list[str]:
    """The patches that a causal head of five positions can be solved with."""
    bank = load()
    return list(candidates(bank.catalogue, FAMILIES["causal"], FAMILIES["causal"].sized({"n": 5})))


FITTING = fitting()


def assert_same(a, b, tolerance: float = 1e-12) -> None:
    a, b = np.asarray(a, float), np.asarray(b, float)
    assert a.shape == b.shape
    assert np.abs(a - b).max() <= tolerance


def test_assert_same_can_fail() -> None:
    with pytest.raises(AssertionError):
        assert_same([1.0], [1.1])
    with pytest.raises(AssertionError):
        assert_same([1.0], [[1.0]])


# --- the syllabus -----------------------------------------------------------------------------


def test_averaging_of_section_b() -> None:
    """Equal scores under a causal mask average all that is visible."""
    trace = solve(prepare({"Q": np.zeros((5, 2)), "K": np.ones((5, 2)), "V": np.eye(5), "mask": "causal"}))
    expected = [[1 / i if j < i else 0 for j in range(5)] for i in range(1, 6)]
    assert_same(trace["weights"], expected)
    assert_same(trace["output"][2], [1 / 3, 1 / 3, 1 / 3, 0, 0])


KEYS = [[0.1, 0.9], [0, 1], [0.9, 0.1], [1, 0], [0.8, 0.2]]


@pytest.mark.parametrize(
    ("query", "factor", "weights"),
    [
        ([1, 0], 1, [0.1162, 0.1052, 0.2587, 0.2859, 0.2341]),
        ([1, 0], 5, [0.0056, 0.0034, 0.3044, 0.5019, 0.1847]),
        ([0, 1], 1, [0.2892, 0.3196, 0.1300, 0.1176, 0.1436]),
    ],
    ids=["sky", "sky-sharpened", "place"],
)
def test_sharpening_of_section_d(query, factor, weights) -> None:
    """There the scores are not scaled."""
    inputs = prepare({"Q": [np.multiply(query, factor)], "K": KEYS, "V": np.eye(5)})
    trace = solve_worlds(inputs, [World(PATCHES["scale-forgotten"])])[0]
    assert_same(trace["weights"][0], weights, 5.1e-5)


def syllabus_head(mask: object = "causal"):
    rng = np.random.default_rng(0)
    shapes = {"X": (4, 6), "W_Q": (6, 3), "W_K": (6, 3), "W_V": (6, 2)}
    return prepare({name: rng.standard_normal(shape) for name, shape in shapes.items()} | {"mask": mask})


def test_head_of_section_i() -> None:
    trace = solve(syllabus_head())
    weights = [
        [1, 0, 0, 0],
        [0.760697, 0.239303, 0, 0],
        [0.070288, 0.120361, 0.809351, 0],
        [0.387826, 0.513596, 0.008973, 0.089605],
    ]
    output = [[-0.228320, 1.318913], [-0.544520, 0.504996], [-1.251802, 2.405014], [-0.595713, -0.301484]]
    assert_same(trace["weights"], weights, 5e-7)
    assert_same(trace["output"], output, 5e-7)


def test_scaling_after_the_softmax_leaves_rows_at_one_over_root_dk() -> None:
    trace = solve_worlds(syllabus_head(), [World(PATCHES["scale-after-softmax"])])[0]
    assert_same(trace["weights"].sum(axis=-1), np.full(4, 1 / math.sqrt(3)))


def test_shapes_of_section_c() -> None:
    rng = np.random.default_rng(1)
    shapes = {"X": (4, 6), "W_Q": (6, 3), "W_K": (6, 3), "W_V": (6, 2)}
    trace = solve(prepare({n: rng.standard_normal(s) for n, s in shapes.items()}))
    found = {name: trace[name].shape for name in ("scores", "weights", "output")}
    assert found == {"scores": (4, 4), "weights": (4, 4), "output": (4, 2)}


# --- another implementation -------------------------------------------------------------------


def by_loops(q, k, v, keep):
    """Attention in plain Python."""
    output = []
    for i, query in enumerate(q):
        scores = [sum(a * b for a, b in zip(query, key, strict=True)) / math.sqrt(len(query)) for key in k]
        seen = [s for s, see in zip(scores, keep[i], strict=True) if see]
        exps = [math.exp(s - max(seen)) if see else 0.0 for s, see in zip(scores, keep[i], strict=True)]
        output.append(
            [sum(e * row[c] for e, row in zip(exps, v, strict=True)) / sum(exps) for c in range(len(v[0]))]
        )
    return output


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("kind", ["none", "causal", "padding"])
def test_against_plain_loops(seed: int, kind: str) -> None:
    n_q, n_k = (5, 5) if kind == "causal" else (3, 6)
    mask = {"none": None, "causal": causal(5, 5), "padding": padding(3, [True] * 4 + [False] * 2)}[kind]
    inputs = random_inputs(seed, n_q=n_q, n_k=n_k, mask=None if mask is None else mask.astype(int))
    q, k, v = (inputs[name].tolist() for name in "QKV")
    assert_same(solve(inputs)["output"], by_loops(q, k, v, inputs["mask"].tolist()))


@pytest.mark.parametrize("seed", range(5))
def test_against_pytorch(seed: int) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    inputs = random_inputs(seed, mask="causal", batch=(2, 3))
    q, k, v = (torch.tensor(inputs[name].tolist(), dtype=torch.float64) for name in "QKV")
    theirs = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    assert_same(solve(inputs)["output"], theirs.numpy(), 1e-12)


# --- laws -------------------------------------------------------------------------------------


@given(
    q=arrays(float, (4, 3), elements=numbers),
    k=arrays(float, (5, 3), elements=numbers),
    v=arrays(float, (5, 2), elements=numbers),
    mask=arrays(bool, (4, 5)),
)
def test_laws_of_weights_and_output(q, k, v, mask) -> None:
    mask[:, 0] = True  # every query sees something
    trace = solve(prepare({"Q": q, "K": k, "V": v, "mask": mask.astype(int)}))
    weights, output = trace["weights"], trace["output"]
    assert_same(weights.sum(axis=-1), np.ones(4))
    assert (weights[~mask] == 0).all()
    for i in range(4):
        seen = v[mask[i]]
        assert (output[i] >= seen.min(axis=0) - 1e-9).all()
        assert (output[i] <= seen.max(axis=0) + 1e-9).all()


@given(
    q=arrays(float, (3, 4), elements=numbers),
    k=arrays(float, (4, 4), elements=numbers),
    v=arrays(float, (4, 2), elements=numbers),
    shift=arrays(float, (3, 1), elements=numbers),
    order=st.permutations(range(4)),
)
def test_shifting_a_row_and_permuting_keys_change_nothing(q, k, v, shift, order) -> None:
    inputs = prepare({"Q": q, "K": k, "V": v})
    right = solve(inputs)
    shifted = solve(inputs, given={"scaled": right["scaled"] + shift})
    assert_same(shifted["output"], right["output"], 1e-9)
    moved = solve(prepare({"Q": q, "K": k[list(order)], "V": v[list(order)]}))
    assert_same(moved["output"], right["output"], 1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_the_first_causal_row_is_the_first_value(seed: int) -> None:
    inputs = random_inputs(seed, mask="causal")
    assert_same(solve(inputs)["output"][0], inputs["V"][0])


@pytest.mark.parametrize("way", sorted(BENIGN))
@pytest.mark.parametrize("seed", range(5))
def test_every_benign_way_gives_the_right_numbers(way: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    shapes = {"Q": (5, 8), "K": (5, 8), "V": (5, 6), "W_O": (6, 7)}
    given = {name: rng.standard_normal(shape) for name, shape in shapes.items()}
    inputs = prepare(given | {"heads": 2, "mask": "causal"})
    right, other = solve(inputs, MULTI_HEAD), solve_worlds(inputs, [World(BENIGN[way])], MULTI_HEAD)[0]
    for stage in ("weights", "output", "projected"):
        assert_same(other[stage], right[stage])


def test_a_bottom_right_mask_and_a_cache_agree() -> None:
    """The last queries of a causal head, with the earlier keys kept: the same numbers."""
    rng = np.random.default_rng(4)
    q, k, v = (rng.standard_normal((6, 4)) for _ in range(3))
    whole = solve(prepare({"Q": q, "K": k, "V": v, "mask": "causal"}))["output"][4:]
    tail = {"Q": q[4:], "K": k, "V": v, "causal": "bottom-right"}
    cached = {"Q": q[4:], "K": k[4:], "V": v[4:], "past_K": k[:4], "past_V": v[:4], "causal": True}
    by_number = {"Q": q[4:], "K": k, "V": v, "causal": 4}
    by_word = {"Q": q[4:], "K": k, "V": v, "mask": "bottom-right"}
    for asked in (tail, cached, by_number, by_word):
        assert_same(solve(prepare(asked))["output"], whole)
    assert np.abs(solve(prepare(tail | {"causal": "top-left"}))["output"] - whole).max() > 1e-3


def test_a_bias_is_added_and_minus_infinity_hides() -> None:
    inputs = random_inputs(6)
    bias = np.zeros((5, 5))
    bias[:, 3:] = -np.inf
    given = {name: inputs[name] for name in "QKV"}
    hidden = [[1, 1, 1, 0, 0]] * 5
    assert_same(
        solve(prepare(given | {"bias": bias}))["weights"], solve(prepare(given | {"mask": hidden}))["weights"]
    )
    assert_same(
        solve(prepare(given | {"mask": bias}))["weights"], solve(prepare(given | {"mask": hidden}))["weights"]
    )


# --- worlds -----------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", [(), (3,), (2, 2)], ids=str)
def test_all_worlds_at_once_are_each_world_alone(batch) -> None:
    inputs = random_inputs(5, mask="causal", batch=batch)
    worlds = [World(), *(World(PATCHES[id_]) for id_ in FITTING)]
    together = solve_worlds(inputs, worlds)
    for i, world in enumerate(worlds):
        alone = solve_worlds(inputs, [world])[0]
        for stage in alone:
            assert_same(np.where(np.isinf(together[i][stage]), 0, together[i][stage]),
                        np.where(np.isinf(alone[stage]), 0, alone[stage]))  # fmt: skip


def test_what_is_shared_is_computed_once() -> None:
    worlds = solve_worlds(random_inputs(1, mask="causal"), [World(), World(PATCHES["mask-ignored"])])
    assert "scaled" not in worlds.grown
    assert "masked" in worlds.grown


def test_given_rows_overlay_and_all_downstream_is_solved_again() -> None:
    inputs = random_inputs(2)
    weights = np.full((5, 5), np.nan)
    weights[1] = [0, 0, 1, 0, 0]
    right, carried = solve(inputs), solve(inputs, given={"weights": weights})
    assert_same(carried["output"][1], inputs["V"][2])
    assert_same(carried["output"][[0, 2, 3, 4]], right["output"][[0, 2, 3, 4]])


@pytest.mark.parametrize("stage", ["q", "scaled", "weights", "output"])
def test_what_is_laid_is_given_to_every_world(stage: str) -> None:
    inputs = random_inputs(3, mask="causal")
    laid = {stage: np.where(np.eye(*solve(inputs)[stage].shape), 0.25, np.nan)}
    own = {"weights": np.where(np.eye(5), 0.75, np.nan)}
    worlds = [World(), World(given=own), *(World(PATCHES[id_]) for id_ in FITTING)]
    together = solve_worlds(inputs, worlds, laid=laid)
    for i, world in enumerate(worlds):
        alone = solve_worlds(inputs, [world._replace(given=laid | world.given)])[0]
        assert_same(together[i]["output"], alone["output"])
        assert_same(together[i]["weights"], alone["weights"])


MANY = [
    World({"scores": lambda scores: scores + np.arange(3.0)[:, None, None]}, many=3),
    World({"weights": lambda weights: weights[..., ::-1]}, many=3),
    World({"q": lambda q: q * np.array([[[1.0]], [[2.0]], [[0.5]]]), **PATCHES["mask-ignored"]}, many=3),
    World(PATCHES["scale-forgotten"], {"weights": np.linspace(0, 1, 75).reshape(3, 5, 5)}, many=3),
]


@pytest.mark.parametrize("world", MANY, ids=["one each", "one for all", "both", "given"])
def test_many_worlds_that_are_alike_are_each_of_them(world: World) -> None:
    inputs = random_inputs(4, mask="causal")
    together = solve_worlds(inputs, [World(PATCHES["mask-ignored"]), world, World()])
    assert together.count == 5

    def nth(rule: Rule, n: int) -> Rule:
        def alone(**values: Array) -> Array:
            value = rule(**values)
            return value[n] if value.ndim == 3 else value

        return reading(reads(rule), alone)

    for n in range(3):
        rules = {stage: nth(rule, n) for stage, rule in world.rules.items()}
        alone = solve_worlds(inputs, [World(rules, {s: value[n] for s, value in world.given.items()})])[0]
        for stage in ("scaled", "weights", "output"):
            assert_same(together[1 + n][stage], alone[stage])
    assert_same(together[4]["output"], solve(inputs)["output"])


@pytest.mark.parametrize("many", [1, 2])
def test_a_rule_that_changes_the_shape_is_refused(many: int) -> None:
    broken = World({"output": lambda weights, v: (weights @ v)[..., :1]}, many=many)
    with pytest.raises(ArrayError, match="gives shape"):
        solve_worlds(random_inputs(1), [broken])


@pytest.mark.parametrize("id_", FITTING)
def test_patches_give_numbers(id_: str) -> None:
    """Never NaN, also where a patch hides a whole line."""
    trace = solve_worlds(random_inputs(7, mask="causal"), [World(PATCHES[id_])])[0]
    assert np.isfinite(trace["weights"]).all()
    assert np.isfinite(trace["output"]).all()


def test_spread_and_cost_tables() -> None:
    spread = solve({n: np.asarray(x) for n, x in {"d_k": 64.0, "sd_q": 2.0, "sd_k": 3.0}.items()}, SPREAD)
    assert [float(x) for x in spread.values()] == [2304.0, 48.0, 6.0]
    sizes = {"n": 100.0, "d_model": 64.0, "h": 8.0, "g": 3.0, "size": 2.0}
    cost = solve({n: np.asarray(x) for n, x in sizes.items()}, COST)
    assert float(cost["total_flops"]) == 8 * 100 * 64**2 + 4 * 100**2 * 64
    assert float(cost["score_entries"]) == 80_000


# --- bad input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arrays_", "message"),
    [
        ({"Q": [[1, 2], [3]], "K": [[1, 2]], "V": [[1]]}, "Q is not a matrix of numbers"),
        ({"Q": [["a", "b"]], "K": [[1, 2]], "V": [[1]]}, "Q is not a matrix of numbers"),
        ({"Q": [1, 2], "K": [[1, 2]], "V": [[1]]}, r"Q has shape \(2,\)"),
        ({"Q": [[1, float("nan")]], "K": [[1, 2]], "V": [[1]]}, "Q .* holds NaN"),
        ({"Q": [[1, 2, 3]], "K": [[1, 2]], "V": [[1]]}, "queries have 3 features and keys 2"),
        ({"Q": [[1, 2]], "K": [[1, 2], [3, 4]], "V": [[1]]}, "2 keys and 1 values"),
        ({"Q": [[1, 2]], "K": [[1, 2]]}, "V is missing"),
        ({"X": [[1, 2]], "W_Q": [[1]], "W_K": [[1]], "W_V": [[1]]}, "cannot be multiplied"),
        ({"Q": [[1, 2]], "K": [[1, 2]], "V": [[1]], "mask": "sliding"}, "mask “sliding” is not known"),
        ({"Q": [[1, 2]], "K": [[1, 2]], "V": [[1]], "mask": [[2]]}, "other than 0 and 1"),
        ({"Q": [[1, 2]], "K": [[1, 2]], "V": [[1]], "mask": [[1, 1]]}, r"the scores are 1×1"),
        ({"Q": [[1, 2]], "K": [[1, 2]], "V": [[1]], "scale": 0}, "scale = 0"),
        (
            {name: np.ones((20_000, 1)) for name in "QKV"},
            "20000 queries and 20000 keys make 400000000 scores",
        ),
        ({"Q": [[1, 2]], "K": [[1, 2]], "V": [[1]], "causal": "up"}, "causal = up"),
        ({"Q": [[1j, 2]], "K": [[1, 2]], "V": [[1]]}, "Q is not a matrix of numbers"),
        ({"Q": [[1, 2]], "K": [[1, 2]], "V": [[1]], "v_a": [[1]]}, r"v_a has shape \(1, 1\).* one row of 2"),
        ({"Q": [[1, 2]], "K": [[1, 2]], "V": [[1]], "v_a": [[1, 2]], "heads": 1}, "v_a and heads"),
        ({"Q": [[1, 2]], "K": [[1, 2]], "V": [[1]], "v_a": [[1, 2]], "scale": 2}, "v_a and scale"),
        ({"Q": [[1, 2]], "K": [[1, 2]], "V": [[1, 2]], "heads": 3}, "Q has 2 columns, which 3 heads"),
        ({"Q": [[1, 2]], "K": [[1, 2]], "V": [[1, 2]], "heads": 2, "kv_heads": 3}, "2 heads cannot share 3"),
        ({"Q": [[1, 2]], "K": [[1, 2]], "V": [[1, 2]], "heads": True}, "heads = True"),
        (
            {"Q": [[1, 2]], "K": [[1, 2]], "V": [[1, 2]], "heads": 2, "W_O": [[1]]},
            r"W_O \(1, 1\) needs 2 rows",
        ),
        ({"Q": [[1, 2]], "K": [[1, 2]], "V": [[1]], "past_K": [[1]]}, "past_K .* does not go before K"),
        ({"Q": np.ones((2, 1, 2)), "K": np.ones((3, 1, 2)), "V": [[1]]}, "leading axes do not fit"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_arrays_get_one_sentence(arrays_, message: str) -> None:
    with pytest.raises(ArrayError, match=message):
        prepare(arrays_)
