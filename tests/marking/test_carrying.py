"""The laws of errors carried forward, on learners who work on from what they wrote, rightly or not."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizengine.attention.patches import PATCHES
from quizengine.attention.solver import World, solve, solve_worlds
from quizengine.items.bank import load
from quizengine.items.policy import Policy
from quizengine.marking.judge import judge
from quizengine.marking.mark import Mark
from quizengine.problems.families import FAMILIES
from quizengine.problems.families.family import at_rows, inputs_of, table_of
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.responses.read import read

BANK = load()
DECIMALS = [
    item.id
    for item in BANK
    if item.family in FAMILIES
    and len(item.answer.ask) > 1
    and all(part.decimals for part in pose(item, 1, "en", BANK.catalogue).numeric)
]
Array = np.ndarray


def text_of(values: Array, decimals: int) -> str:
    rows = np.atleast_2d(values)
    return "[" + ", ".join("[" + ", ".join(f"{x:.{decimals}f}" for x in row) + "]" for row in rows) + "]"


def typed(problem: Problem, values: dict[str, Array], places: dict[str, int]) -> dict[str, str]:
    texts = {}
    for part in problem.numeric:
        text = text_of(values[part.id], places[part.id])
        texts[part.id] = text.strip("[]") if part.kind == "number" else text
    return texts


def marked(problem: Problem, texts: dict[str, str], policy: Policy | None = None) -> Mark:
    return judge(problem, {id_: read(problem.part(id_), text) for id_, text in texts.items()}, policy)


@st.composite
def worked(draw) -> tuple[Problem, dict[str, Array], dict[str, int]]:
    """A problem worked part by part, each from what was written before: with a mistake in one step, a wrong
    number in another, and any number of places written."""
    problem = pose(BANK.item(draw(st.sampled_from(DECIMALS))), draw(st.integers(0, 20)), "en", BANK.catalogue)
    inputs, table = inputs_of(problem), table_of(problem)
    right, laid = solve(inputs, table), {}
    struck = draw(st.integers(0, len(problem.parts)))  # the last: no part
    rule = draw(st.sampled_from(["", *(rival.misconception for rival in problem.rivals)]))
    values, places = {}, {}
    for n, part in enumerate(problem.numeric):
        world = World(PATCHES[rule] if rule and n == struck else {}, laid)
        value = at_rows(solve_worlds(inputs, [world], table)[0][part.stage], part.rows)
        if not rule and n == struck:
            value = value + draw(st.sampled_from([0.5, -0.25, 0.031]))
        places[part.id] = part.decimals + draw(st.integers(0, 3))
        values[part.id] = np.round(value, places[part.id])
        laid[part.stage] = np.full(right[part.stage].shape, np.nan)
        laid[part.stage][[row - 1 for row in part.rows] if part.rows else ...] = (
            values[part.id] if part.rows else values[part.id].item()
        )
    return problem, values, places


@given(worked(), st.data())
def test_writing_a_part_coarser_never_raises_the_total(case, data) -> None:
    """The later parts are as they were. (That a wrong number may be right when it is rounded is no gain of
    writing less: what the part itself earns by that is left out.)"""
    problem, values, places = case
    part = data.draw(st.sampled_from(problem.numeric))
    fewer = data.draw(st.integers(0, places[part.id]))
    exact = marked(problem, typed(problem, values, places))
    coarse = marked(problem, typed(problem, values, {**places, part.id: fewer}))
    gained = max(coarse.part(part.id).credit - exact.part(part.id).credit, 0)
    assert coarse.credit - gained <= exact.credit, (part.id, fewer)


@given(worked())
def test_an_error_costs_its_own_part_at_most(case) -> None:
    """What comes after is full, unless the error made it easier."""
    problem, values, places = case
    mark = marked(problem, typed(problem, values, places))
    wrong = [n for n, part in enumerate(mark.parts) if part.share < 1]
    if not wrong or wrong == [len(mark.parts) - 1]:
        return
    first = problem.numeric[wrong[0]]
    live = np.array(first.free or np.ones((len(first.key), len(first.key[0])), bool))
    kept = {round(float(x), 6) for x in np.atleast_2d(values[first.id])[live]}
    worked_with = {x for x in np.array(first.key)[live].tolist() if x}
    if len(kept - {0.0}) >= max(2, len(worked_with)):
        assert wrong == wrong[:1], mark


@given(worked(), st.data())
def test_the_order_in_which_parts_are_listed_changes_nothing(case, data) -> None:
    problem, values, places = case
    texts = typed(problem, values, places)
    turned = problem._replace(parts=tuple(data.draw(st.permutations(problem.parts))))
    here, there = marked(problem, texts), marked(turned, texts)
    assert {part.id: part for part in here.parts} == {part.id: part for part in there.parts}
    assert here.diagnosis == there.diagnosis


@pytest.mark.parametrize("carry", [Fraction(0), Fraction(1, 3), Fraction(1)])
def test_the_policy_says_what_is_carried_after_an_error_that_nothing_explains(carry: Fraction) -> None:
    problem = pose(BANK.item("masking.one-row"), 4, "en", BANK.catalogue)
    laid = np.full((6, 6), np.nan)
    laid[3] = [0.91, 0.32, -0.53, 0.24, 1.75, 0.46]
    trace = solve(inputs_of(problem), given={"scaled": laid})
    values = {part.id: at_rows(trace[part.stage], part.rows).round(5) for part in problem.numeric}
    texts = typed(problem, values, dict.fromkeys(values, 5))
    mark = marked(problem, texts, Policy(carry_unexplained=carry))
    assert [part.share for part in mark.parts] == [0, carry, carry]
