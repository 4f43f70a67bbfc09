"""Tasks of construction: drawn and written ones."""

from __future__ import annotations

import json

import numpy as np
import pytest

from quizengine.attention.inputs import prepare
from quizengine.attention.solver import solve
from quizengine.errors import QuizError
from quizengine.items.answer import Construct, Requirement
from quizengine.items.close import SEAL
from quizengine.problems.construction import says
from quizengine.problems.part import ConstructPart
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem


def drawn(bank, seed: int, **ranges: int) -> Problem:
    item = bank.item("roles.aim-drawn")
    return pose(item._replace(answer=Construct(family="aim", ranges=ranges)), seed, "en", bank.catalogue)


@pytest.mark.parametrize("seed", range(30))
def test_a_drawn_task_is_met_by_its_sample_and_not_by_the_keys(bank, seed: int) -> None:
    problem = drawn(bank, seed)
    [part] = problem.parts
    keys, queries = problem.given["K"], np.array(part.key) / SEAL
    weights = solve(prepare({"Q": queries, "K": keys, "V": keys}))["weights"]
    for _, (_, _, [[least]], row, column, _) in part.conditions:
        assert weights[row - 1, column - 1] * SEAL >= least
    target = part.conditions[0].requirement.column - 1
    copied = solve(prepare({"Q": [keys[target]], "K": keys, "V": keys}))["weights"][0]
    assert copied[target] <= copied.max()
    assert np.delete(copied, target).max() >= copied[target]  # another key wins, however long the copy


def test_drawn_tasks_differ(bank) -> None:
    assert len({str(drawn(bank, seed).given) for seed in range(20)}) == 20
    assert {len(drawn(bank, seed, n=4).given["K"]) for seed in range(9)} == {4}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Construct(family="aims"), "did you mean aim"),
        (Construct(family="aim", ranges={"m": 3}), "family aim has no “m”"),
        (Construct(family="aim", ranges={"n": 7}), "n must be one of 3, 4"),
    ],
    ids=["family", "size", "value"],
)
def test_what_cannot_be_drawn_is_refused(bank, answer: Construct, said: str) -> None:
    with pytest.raises(QuizError, match=said):
        pose(bank.item("roles.aim-drawn")._replace(answer=answer), 1, "en", bank.catalogue)


def test_it_is_whole_in_its_json_and_tells_no_condition_without_the_key(bank) -> None:
    for id_ in ("masking.prefix-mask", "multi-head.two-heads-two-finds"):
        posed = pose(bank.item(id_), 1, "en", bank.catalogue)
        assert Problem.from_json(json.loads(json.dumps(posed.to_json()))) == posed
        assert "accept" not in str(posed.to_json(key=False))
        [part] = posed.parts
        assert isinstance(part, ConstructPart)
        assert part.shape == (len(part.key), len(part.key[0]))


@pytest.mark.parametrize(
    ("requirement", "en", "ja"),
    [
        (Requirement("weights", "at-least", ((9 * SEAL // 10,),), 1, 2),
         "weights, row 1, column 2: at least 0.9", "重みの第 1 行第 2 列が 0.9 以上"),
        (Requirement("mask", "equals", ((SEAL, 0),), 3),
         "mask, row 3: (1, 0)", "マスクの第 3 行が (1, 0)"),
        (Requirement("V", "at-most", ((-SEAL,),)), "V: at most −1", "Vが −1 以下"),
        (Requirement("output", "equals", ((SEAL // 3,),), 1, 1, SEAL // 100),
         "output, row 1, column 1: 0.3333, give or take 0.01",
         "出力の第 1 行第 1 列が 0.3333（誤差 0.01 以内）"),
    ],
    ids=["cell", "row", "whole", "within"],
)  # fmt: skip
def test_a_requirement_in_words(requirement: Requirement, en: str, ja: str) -> None:
    assert (says(requirement, "en"), says(requirement, "ja")) == (en, ja)
