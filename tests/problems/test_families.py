"""What the families say of their numbers: whose columns, how wide, what a part has been through, how far."""

from __future__ import annotations

import pytest

from quizengine.items.bank import load
from quizengine.problems.families.family import inputs_of
from quizengine.problems.pose import pose


def test_shared_heads_say_which_columns_are_whose(bank) -> None:
    """And W_O is shown only where its product is asked."""
    shared = pose(bank.item("multi-head.shared-keys"), 1, "en", bank.catalogue)
    assert "query heads 1–2 use key/value head 1, query heads 3–4 use key/value head 2" in shared.prompt
    assert "W_O" not in shared.given
    assert "W_O" not in shared.prompt + " ".join(shared.worked)
    assert "W_O" in pose(bank.item("multi-head.two-heads"), 1, "en", bank.catalogue).given


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_problem_says_how_wide_keys_and_values_are(bank, lang: str) -> None:
    for item in (item for item in bank if item.family):
        problem = pose(item, 3, lang, bank.catalogue)
        if "d_k" in problem.given and "V" in inputs_of(problem):
            for name, value in (("d_k", problem.given["d_k"]), ("d_v", inputs_of(problem)["d_v"])):
                assert f"${name}$ = {int(value)}" in problem.prompt, item.id


@pytest.mark.parametrize(
    ("item", "part", "words"),
    [
        ("masking.one-row", "scaled", "-inf"),
        ("head.from-input", "weights", "after the mask"),
        ("masking.one-row", "weights", "after the mask"),
        ("order.whole-row", "weights", "Weights (after the softmax)"),
        ("averaging.running-mean", "weights", "Averaging weights"),
    ],
)
def test_a_part_says_what_its_head_has(bank, item: str, part: str, words: str) -> None:
    asked = {p.id: p.prompt for p in pose(bank.item(item), 1, "en", bank.catalogue).parts}
    assert words in asked[part]
    assert "if any" not in asked[part]


def test_a_worked_solution_ends_with_what_is_asked(bank) -> None:
    worked = pose(bank.item("scaling.scaled-weights"), 1, "en", bank.catalogue).worked
    assert ", weights:" in worked[-1]


def test_sharpening_is_worked_out_by_the_factor(bank) -> None:
    for seed in range(10):
        problem = pose(bank.item("head.softmax-by-hand"), seed, "en", bank.catalogue)
        assert f"raised to the power {problem.given['c']}:" in problem.worked[-1]


def test_caches_are_those_of_models_in_use(bank) -> None:
    for seed in range(30):
        given = pose(bank.item("complexity.cache"), seed, "en", bank.catalogue).given
        assert given["d_head"] in (64, 128)
        assert given["heads"] <= 64
        assert given["kv_heads"] in (2, 4, 8)
        assert 16 <= given["layers"] <= 48


@pytest.mark.parametrize("id_", [*(item.id for item in load() if item.family in ("head", "cross"))])
def test_what_begins_with_projections_can_be_done_by_hand(bank, id_: str) -> None:
    """Multiplications for one row: its query, what it sees of keys, scores and values, the mixture."""
    for seed in range(10):
        problem = pose(bank.item(id_), seed, "en", bank.catalogue)
        inputs, [row] = inputs_of(problem), {row for part in problem.numeric for row in part.rows}
        d_k, d_v = int(inputs["d_k"]), int(inputs["d_v"])
        d_model, seen = len(problem.given["W_Q"]), int(inputs["mask"][row - 1].sum())
        assert d_model * d_k * (1 + seen) + seen * d_k + seen * d_v * (d_model + 1) <= 150
