"""Slips of one kind are worked out together: they are what each of them is alone."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from quizengine.attention.patches import PATCHES, VARIANTS
from quizengine.attention.solver import World
from quizengine.attention.stage import Array, Rule, reading, reads
from quizengine.items.bank import load
from quizengine.items.policy import Policy
from quizengine.marking.entries import window
from quizengine.marking.follow import MOST_WINDOWS, Solution
from quizengine.marking.step import Ground
from quizengine.marking.worlds import pair, slips, with_slips
from quizengine.problems.pose import pose
from quizengine.responses.response import Number

ITEMS = (
    "order.whole-row",
    "masking.one-row",
    "masking.padded-keys",
    "variants.cross-by-hand",
    "multi-head.two-heads",
)


def nth(rule: Rule, n: int) -> Rule:
    """The rule of the n-th of many worlds, alone."""

    def alone(**values: Array) -> Array:
        return rule(**values)[n]

    return reading(reads(rule), alone)


def solved(solution: Solution, part, worlds: list[World]) -> Array:
    return solution.values(part, part.rows, worlds)


@pytest.mark.parametrize("item", ITEMS)
def test_slips_together_are_each_alone(bank, item: str) -> None:
    """Alone, and with every misconception beside them."""
    looked_at = 0
    problem = pose(bank.item(item), 1, "en", bank.catalogue)
    ids, solution = Ground(problem, Policy()).ids, Solution(problem, Policy())
    for part in problem.numeric:
        if not part.stage or len(part.rows) != 1:
            continue
        tried = list(slips(problem, solution, part, part.rows[0] - 1, ""))
        both = [*(("", one, one.worlds) for one in tried), *with_slips(ids, tried)]
        together = iter(solved(solution, part, [world for *_, world in both]))
        for id_, one, _ in both:
            [(stage, rule)] = one.worlds.rules.items()
            for n in range(one.worlds.many):
                own = {stage: nth(rule, n) if one.worlds.many > 1 else rule}
                rules = pair(own, PATCHES[id_]) if id_ else own
                [alone] = solved(solution, part, [World(rules)])
                np.testing.assert_allclose(next(together), alone, rtol=1e-12, err_msg=f"{one.code} {id_}")
                looked_at += 1
        assert next(together, None) is None
    assert looked_at > 100


def of_steps() -> list[str]:
    """Items of which several stages are asked."""
    bank = load()
    posed = [pose(item, 1, "en", bank.catalogue) for item in bank if item.type == "numeric"]
    return [p.item for p in posed if sum(bool(part.stage) for part in p.numeric) > 1]


@pytest.mark.parametrize("item", of_steps())
def test_a_tolerance_is_of_every_rounded_entry_alone(bank, item: str) -> None:
    """After steps that were typed before, in the world of every mistake, whichever way it is made."""
    problem = pose(bank.item(item), 1, "en", bank.catalogue)
    ids, solution = Ground(problem, Policy()).ids, Solution(problem, Policy())
    staged = [part for part in problem.numeric if part.stage]
    for before, part in pairwise(staged):
        typed = tuple(tuple(Number(k + 10**8, 3) for k in row) for row in before.key)
        solution = solution.overlaid(before, typed, before.rows, rounded=True)
        for patch in (way for id_ in ids for way in (PATCHES[id_], *VARIANTS.get(id_, ()))):
            halves = [{s: one} for s, half in solution._half.items() for one in solution._moved(s, half)]
            values = solved(solution, part, [World(patch), *(World(patch, moved) for moved in halves)])
            moved_by = np.abs(values[1:] - values[0]).sum(axis=0)
            own = float(window(part, Policy()))
            [within] = solution.tolerances(part, part.rows, World(patch))
            np.testing.assert_allclose(within, np.minimum(own + moved_by, MOST_WINDOWS * own), rtol=1e-12)


def test_slips_are_what_they_are_called(bank) -> None:
    """By hand: the weights of a row with one term left out, one product left out, two rows of V exchanged."""
    problem = pose(bank.item("order.whole-row"), 1, "en", bank.catalogue)
    solution = Solution(problem, Policy())
    part = problem.numeric[-1]
    row = part.rows[0] - 1
    made = {one.code: one for one in slips(problem, solution, part, row, "")}
    weights, v = solution.right["weights"][row], solution.right["v"]

    def of(code: str) -> list[tuple[dict, Array]]:
        values = solved(solution, part, [made[code].worlds])[:, 0] / 1e9
        return [(made[code].told(n), output) for n, output in enumerate(values)]

    for told, output in of("slip.term"):
        np.testing.assert_allclose(output, weights @ v / (1 - weights[told["key"] - 1]))
    for told, output in of("slip.product"):
        j = told["key"] - 1
        np.testing.assert_allclose(output, weights @ v - weights[j] * v[j], atol=1e-12)
    for told, output in of("slip.values-exchanged"):
        swapped, (a, b) = v.copy(), (told["a"] - 1, told["b"] - 1)
        swapped[[a, b]] = v[[b, a]]
        np.testing.assert_allclose(output, weights @ swapped)
    for told, output in of("slip.weights-exchanged"):
        swapped, (a, b) = weights.copy(), (told["a"] - 1, told["b"] - 1)
        swapped[[a, b]] = weights[[b, a]]
        np.testing.assert_allclose(output, swapped @ v)
    [(_, output)] = of("slip.reversed")
    np.testing.assert_allclose(output, (weights @ v)[::-1])
