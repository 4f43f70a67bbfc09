"""Worked solutions: they begin at what is given, and skip no step."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest

from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem

LIST = re.compile(r"\[([^]]*)\]")


def told(line: str) -> list[list[float]]:
    """The lists of numbers in a line."""
    return [[float(Fraction(x)) for x in found.replace("−", "-").split(", ")] for found in LIST.findall(line)]


def posed(bank, item: str, seed: int) -> Problem:
    return pose(bank.item(item), seed, "en", bank.catalogue)


@pytest.mark.parametrize(("item", "source"), [("head.from-input", "X"), ("variants.cross-by-hand", "C")])
@pytest.mark.parametrize("seed", range(4))
def test_from_the_input_on_the_query_the_keys_and_the_values_are_made(
    bank, item: str, source: str, seed: int
) -> None:
    problem = posed(bank, item, seed)
    given = {name: np.array(value) for name, value in problem.given.items() if isinstance(value, list)}
    [row] = problem.parts[0].rows
    visible = given["mask"][row - 1].astype(bool) if source == "X" else np.ones(len(given["C"]), dtype=bool)
    query, keys, *_, values, _ = map(told, problem.worked)
    assert np.allclose(query, given["X"][row - 1] @ given["W_Q"] / np.log(2))
    assert keys == (given[source] @ given["W_K"])[visible].tolist()
    assert values == (given[source] @ given["W_V"])[visible].tolist()
    [dots] = told(problem.worked[2])
    assert np.allclose(dots, np.array(keys) @ query[0])


@pytest.mark.parametrize("seed", range(4))
def test_every_head_is_scaled_before_its_softmax(bank, seed: int) -> None:
    problem = posed(bank, "multi-head.two-heads", seed)
    for line in problem.worked[:2]:
        dots, shares = told(line)[0], told(line.split("smallest")[1].split(";")[0])[0]
        scaled = np.array(dots) / np.sqrt(problem.given["d_k"])
        assert np.allclose(shares, 2 ** (scaled - scaled.min()))
        assert f"together {sum(shares):g}" in line


@pytest.mark.parametrize("item", ["variants.additive-by-hand", "variants.additive-two"])
def test_additive_scores_become_exponentials_before_they_are_divided(bank, item: str) -> None:
    sums, scores, shares, *_ = posed(bank, item, 2).worked
    [powers], [exponentials] = told(scores), told(shares)
    assert np.allclose(exponentials, 2.0 ** (np.array(powers) - min(powers)))
    assert len(told(sums)) == len(powers)


def test_a_line_that_is_not_the_first_wrong_one_is_told_where_that_stands(bank) -> None:
    for seed in range(8):
        [part] = posed(bank, "head.spot-the-error", seed).parts
        for choice in part.choices:
            where = {True: "later", False: "earlier"}[choice.label < part.key]
            assert choice.label == part.key or where in choice.why


def test_a_row_without_keys_is_spoken_of_where_one_can_be_meant(bank) -> None:
    said = {
        item: "NaN" in posed(bank, item, 1).prompt
        for item in ("masking.picture-of-a-fault", "order.picture-of-an-axis")
    }
    assert said == {"masking.picture-of-a-fault": True, "order.picture-of-an-axis": False}
