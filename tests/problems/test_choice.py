"""Choosing instead of writing: nothing but working it out is right more often than chance."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

from quizengine.lang.messages import name
from quizengine.problems.families import CHOICES
from quizengine.problems.families.family import inputs_of
from quizengine.problems.pose import pose

SEEDS = range(400)
MORE = 0.05 + 2 * (0.25 * 0.75 / len(SEEDS)) ** 0.5  # five points above chance, and what chance does itself


@pytest.fixture(scope="module")
def spotted(bank):
    return [pose(bank.item("head.spot-the-error"), seed, "en", bank.catalogue) for seed in SEEDS]


@pytest.fixture(scope="module")
def picked(bank):
    return [pose(bank.item("head.pick-the-output"), seed, "en", bank.catalogue) for seed in SEEDS]


def numbers(text: str) -> np.ndarray:
    return np.array([float(x.replace("−", "-")) for x in re.findall(r"[−-]?\d+\.\d+", text)])


def options(problem) -> np.ndarray:
    return np.array([numbers(label.text) for label in problem.parts[0].choices])


def right(problem) -> int:
    return "ABCDE".index(problem.parts[0].key)


def test_no_stage_is_wrong_more_often_than_another(spotted) -> None:
    keys = Counter(problem.parts[0].key for problem in spotted)
    assert set(keys) == set("ABCD")
    assert max(keys.values()) <= (0.25 + MORE) * len(SEEDS)


def test_no_shown_line_is_degenerate(spotted) -> None:
    """None is all 0 or one value throughout, and none says an earlier one again."""
    stages = [name("stage", stage, "en") for stage in CHOICES["spot"][1]]
    for problem in spotted:
        shown = dict(re.findall(r"^([a-z ]+): \((.*)\)$", problem.prompt, re.MULTILINE))
        lines = [numbers(shown[stage]) for stage in stages]
        assert all(len(set(line[line != 0])) > 1 for line in lines), problem.seed
        scores, scaled, weights, _ = lines
        assert np.abs(scores - scaled).max() > 1e-3
        assert np.abs((scaled - weights)[weights != 0]).max() > 1e-3


def rank(problem, distance) -> int:
    """How many options are nearer than the key, by a distance from each."""
    away = [distance(row) for row in options(problem)]
    return sum(other < away[right(problem)] - 1e-9 for other in away)


def test_no_place_and_no_look_is_right_more_often_than_chance(picked) -> None:
    """By position, by how near the middle of the options it is, by the first number."""
    looks = {
        "position": Counter(map(right, picked)),
        "middle": Counter(
            rank(p, lambda row, p=p: np.abs(row - options(p).mean(axis=0)).sum()) for p in picked
        ),
        "first": Counter(rank(p, lambda row: row[0]) for p in picked),
        "sum": Counter(rank(p, lambda row: row.sum()) for p in picked),
    }
    for look, counted in looks.items():
        assert max(counted.values()) <= (0.2 + MORE) * len(SEEDS), (look, counted)


def test_others_are_inside_v_and_as_simple_as_the_key(picked) -> None:
    """Who takes an option at random from those that could be: between the rows of V, of one denominator."""
    gained = {"inside": 0.0, "simple": 0.0}
    for problem in picked:
        v, shown = inputs_of(problem)["V"], options(problem)
        inside = [i for i, x in enumerate(shown) if (x >= v.min(axis=0)).all() and (x <= v.max(axis=0)).all()]
        simple = [
            i for i in inside
            if any(np.abs(shown[i] * k - np.round(shown[i] * k)).max() < 6e-4 * k for k in range(2, 18))
        ]  # fmt: skip
        gained["inside"] += 1 / len(inside)
        gained["simple"] += (right(problem) in simple) / len(simple) if simple else 1 / len(inside)
    assert all(gain <= 0.26 * len(SEEDS) for gain in gained.values()), gained


def test_no_option_is_one_value_throughout(picked) -> None:
    assert all((np.ptp(options(problem), axis=1) > 0).all() for problem in picked)
