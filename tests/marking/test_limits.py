"""The limits that the rules of marking set, each from both sides: how far a shaken constant is one, how far
rounding excuses, when a misconception explains better than a right step, and what lies outside the values."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from quizengine.attention.patches import PATCHES
from quizengine.attention.solver import World, solve, solve_worlds
from quizengine.items.bank import load
from quizengine.marking.judge import judge
from quizengine.marking.mark import Mark
from quizengine.problems.families.family import at_rows, inputs_of, table_of
from quizengine.problems.part import NumericPart
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.responses.read import read

BANK = load()
FROM_SCORES = ["head.three-positions", "head.square", "head.from-input", "masking.one-row", "order.whole-row",
               "variants.cross-by-hand", "variants.additive-by-hand", "variants.additive-two"]  # fmt: skip
Array = np.ndarray


def posed(id_: str, seed: int) -> Problem:
    return pose(BANK.item(id_), seed, "en", BANK.catalogue)


def key(part: NumericPart) -> Array:
    return np.array(part.key, float) / 1e9


def text_of(values: Array) -> str:
    return str([[round(float(x), 9) for x in row] for row in values])


def next_step(problem: Problem, written: dict[str, Array], part: NumericPart, rule: str = "") -> Array:
    """What this part is after what is written, by a right step or by a misconception."""
    right, laid = solve(inputs_of(problem), table_of(problem)), {}
    for id_, values in written.items():
        before = problem.part(id_)
        laid[before.stage] = np.full(right[before.stage].shape, np.nan)
        laid[before.stage][[row - 1 for row in before.rows]] = values
    world = World(PATCHES[rule] if rule else {}, laid)
    return at_rows(solve_worlds(inputs_of(problem), [world], table_of(problem))[0][part.stage], part.rows)


def marked(problem: Problem, written: dict[str, Array]) -> Mark:
    return judge(problem, {id_: read(problem.part(id_), text_of(v)) for id_, v in written.items()})


def commonest(part: NumericPart) -> tuple[Array, Array]:
    """(rows, columns): the entry that the key holds most often, everywhere; and where it is wrong."""
    [(value, _)] = Counter(np.round(key(part)[key(part) != 0], 3).tolist()).most_common(1)
    return np.full(key(part).shape, value), np.abs(key(part) - value) > 0.003


def chain_from_constant(problem: Problem, span: float) -> Mark:
    """One value throughout the first part, shaken to `span` windows where it is wrong anyway, and right steps
    from it."""
    first = problem.parts[0]
    value, wrong = commonest(first)
    turns = np.where(np.arange(value.size) % 2, 1, -1).reshape(value.shape)
    if len(set(turns[wrong])) < 2:
        turns = 2 * turns
    written = {first.id: (value + wrong * turns * span * 0.00101 / 2).round(6)}
    for part in problem.parts[1:]:
        written[part.id] = next_step(problem, written, part).round(6)
    return marked(problem, written)


@pytest.mark.parametrize("span", [0.5, 2, 4, 9.9])
def test_a_constant_is_one_however_it_is_shaken_up_to_ten_windows(span: float) -> None:
    """It earns nothing, nor does what follows from it, though it hits some entries of the key."""
    for id_ in FROM_SCORES:
        for seed in range(12):
            assert chain_from_constant(posed(id_, seed), span).credit == 0, (id_, seed)


def test_what_is_further_from_a_constant_than_ten_windows_is_an_error_to_carry_from() -> None:
    """Half of the entries right and the others a little off is no constant: later steps keep their points."""
    kept = [chain_from_constant(posed(id_, seed), 10.2).credit for id_ in FROM_SCORES for seed in range(12)]
    assert sum(credit > 0 for credit in kept) >= 20


def after_mistake(problem: Problem) -> tuple[dict[str, Array], Array]:
    """The weights of who forgets the mask, to the asked decimals, and all parts up to them; and how far an
    output may be, in units: the window, and what half a unit of every weight moves, ten windows at most."""
    before = problem.parts[:-1]
    [rival] = [rival for rival in problem.rivals if rival.misconception == "mask-ignored"]
    written = {p.id: (np.array(rival.values[p.id], float) / 1e9).round(p.decimals) for p in before}
    moved = np.abs(np.array(problem.given["V"])).sum(axis=0) / 2
    return written, np.minimum(1.01 + moved, 10.1)


@pytest.mark.parametrize("id_", ["masking.one-row", "roles.mix-by-hand"])
@pytest.mark.parametrize("sign", [1, -1])
def test_rounding_excuses_what_it_moves_and_never_more_than_ten_windows(id_: str, sign: int) -> None:
    capped = 0
    for seed in range(20):
        problem = posed(id_, seed)
        written, allowed = after_mistake(problem)
        output = problem.parts[-1]
        follows = next_step(problem, written, output)
        unit = 10.0**-output.decimals
        inside, outside = (marked(problem, written | {output.id: follows + sign * by * allowed * unit})
                           for by in (0.97, 1.03))  # fmt: skip
        assert inside.part(output.id).carried, (seed, inside)
        assert not outside.part(output.id).carried, (seed, outside)
        assert outside.part(output.id).verdict != "right"
        capped += bool((allowed == 10.1).any())
    assert capped >= 5


@pytest.mark.parametrize("id_", FROM_SCORES)
def test_no_mark_changes_when_a_misconception_gets_a_name(id_: str) -> None:
    """Marked with every rival known, and with none: the same credit, part by part."""
    for seed in range(4):
        problem = posed(id_, seed)
        nameless = problem._replace(rivals=())
        for rival in problem.rivals:
            texts = {part.id: text_of(np.array(rival.values[part.id], float) / 1e9) for part in problem.parts}
            responses = {part.id: read(part, texts[part.id]) for part in problem.parts}
            known, unknown = judge(problem, responses), judge(nameless, responses)
            assert [part.share for part in known.parts] == [part.share for part in unknown.parts]
            assert unknown.diagnosis == ()


@pytest.mark.parametrize(("by", "told"), [(0.0099, False), (0.0101, True)])
@pytest.mark.parametrize("side", [1, -1])
def test_an_output_is_outside_the_values_when_a_hundredth_is_not_enough(
    side: int, by: float, told: bool
) -> None:
    """An entry rounded to two places is not called impossible for that."""
    problem = posed("masking.one-row", 4)
    part = problem.part("output")
    visible = np.array(problem.given["V"], float)[: part.rows[0]]
    typed = (visible.min(axis=0) + 0.31 * np.ptp(visible, axis=0)).round(3)
    typed[0] = (visible[:, 0].max() if side > 0 else visible[:, 0].min()) + side * by
    mark = marked(problem, {"output": typed[None]}).part("output")
    assert mark.verdict != "right"
    assert ("outside" in [reason.code for reason in mark.reasons]) is told
