"""Hints of numeric problems: three for every part, in both languages, and none that gives the answer away."""

from __future__ import annotations

import re

import pytest

from quizengine.problems.hints import DEPTH, hints
from quizengine.problems.part import NumericPart
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem

SEEDS = range(4)
FORMULA = re.compile(r"\$[^$]*\$")
LIST = re.compile(r"\[([^]]*)\]")


def numeric(bank, lang: str = "en") -> list[Problem]:
    items = [item for item in bank if item.type == "numeric"]
    return [pose(item, seed, lang, bank.catalogue) for item in items for seed in SEEDS]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_part_has_three_hints_after_those_of_the_author(bank, lang: str) -> None:
    for problem in numeric(bank, lang):
        for part in problem.parts:
            given = hints(problem, part)
            assert given[: len(problem.hints)] == problem.hints
            assert len(set(given)) == len(problem.hints) + DEPTH
            words = [FORMULA.sub("", hint) for hint in given]  # where a bracket belongs to no root
            assert not any("nan" in hint or "{" in hint for hint in words)


def told(hint: str) -> list[list[float]]:
    """The rows of numbers that a hint holds."""
    rows = [found.replace("−", "-").replace("∞", "inf").split(", ") for found in LIST.findall(hint)]
    return [[float(x) for x in row] for row in rows]


def test_no_hint_holds_the_numbers_of_a_part_that_is_asked(bank) -> None:
    for problem in numeric(bank):
        keys = [[x / 1e9 for x in row] for part in problem.numeric for row in part.key]
        units = {0.6931471805599453, 1.0}
        for part in problem.parts:
            for row in (row for hint in hints(problem, part)[len(problem.hints) :] for row in told(hint)):
                for key in keys:
                    alike = len(row) == len(key) and len(key) > 1
                    assert not alike or not any(
                        all(abs(unit * a - b) < 0.01 for a, b in zip(row, key, strict=True)) for unit in units
                    ), (problem.item, problem.seed, part.id, row)


@pytest.mark.parametrize(
    ("item", "part", "expected"),
    [
        ("masking.one-row", "scaled", "The scores are ln 2 × ["),
        ("order.whole-row", "scaled", "Divide each of your scores by √"),
        ("masking.padded-keys", "weights", "−∞"),
        ("multi-head.two-heads", "concat", "Head 1, row "),
        ("variants.additive-by-hand", "scores", "For key 1 the tanh is ["),
        ("averaging.running-mean", "output", "Column 1 is the mean of ["),
        ("complexity.cache", "saving", "Divide "),
    ],
)
def test_the_last_hint_leads_up_to_the_answer(bank, item: str, part: str, expected: str) -> None:
    problem = pose(bank.item(item), 1, "en", bank.catalogue)
    assert expected in hints(problem, problem.part(part))[-1]


def test_the_numbers_in_a_hint_are_those_of_the_problem(bank) -> None:
    """From the scores that a hint tells, the scaled ones follow."""
    for seed in SEEDS:
        problem = pose(bank.item("masking.one-row"), seed, "en", bank.catalogue)
        part = problem.part("scaled")
        assert isinstance(part, NumericPart)
        [scores] = told(hints(problem, part)[-1])
        root = float(problem.given["d_k"]) ** 0.5  # type: ignore[arg-type]
        for score, key in zip(scores, part.key[0], strict=True):
            assert score * 0.6931471805599453 / root == pytest.approx(key / 1e9)
