"""Shapes of lines of NumPy: the line that is shown is the one that is worked out; its rivals are others."""

from __future__ import annotations

import re

import numpy as np
import pytest

from quizengine.errors import UnknownName, UsageError
from quizengine.items.answer import Ask, Numeric
from quizengine.marking.judge import judge
from quizengine.problems.families.broadcast import LINES
from quizengine.problems.part import FAILS
from quizengine.problems.pose import pose
from quizengine.render.blocks import told_key
from quizengine.responses.read import read


def posed(bank, line: str, seed: int = 1, stage: str = "shape"):
    item = bank.item("order.shape-of-a-product")
    return pose(
        item._replace(answer=Numeric("broadcast", {}, (Ask(stage),), (line,))), seed, "en", bank.catalogue
    )


@pytest.mark.parametrize("line", LINES)
def test_the_program_as_shown_gives_the_key(bank, line: str) -> None:
    for seed in range(20):
        problem = posed(bank, line, seed)
        space = {"np": np}
        try:
            exec(problem.code, space)
            found = str(space["R"].shape)
        except ValueError:
            found = FAILS
        [part] = problem.parts
        assert part.key == found
        assert len(problem.rivals) == len(LINES[line].rivals)
        for rival in problem.rivals:
            mark = judge(problem, {"shape": read(part, rival.values["shape"])})
            alike = [other.misconception for other in problem.rivals if other.values == rival.values]
            assert (mark.credit, mark.named) == (0, tuple(alike))


@pytest.mark.parametrize("line", ["split", "cached"])
def test_what_a_line_makes_of_its_sizes_differs_from_all_of_them(bank, line: str) -> None:
    for seed in range(40):
        space: dict[str, np.ndarray] = {"np": np}
        exec(posed(bank, line, seed).code, space)
        first = space["X" if line == "split" else "past"].shape
        assert len({*first, *space["R"].shape}) == 5


FAILING = (
    "mask-per-text", "mask-per-query", "divided", "turned-product", "product-unturned", "product-grouped",
)  # fmt: skip


def test_some_lines_fail_and_most_do_not(bank) -> None:
    assert tuple(line for line in LINES if posed(bank, line).parts[0].key == FAILS) == FAILING


@pytest.mark.parametrize("line", FAILING)
def test_the_solution_names_the_sizes_that_clash(bank, line: str) -> None:
    """NumPy's own complaint names the same."""
    problem = posed(bank, line, 3)
    with pytest.raises(ValueError, match=r"mismatch|broadcast") as raised:
        exec(problem.code, {"np": np})
    complaint = str(raised.value)
    told = re.search(r"sizes (\d+) and (\d+) clash|one, (\d+), .*one, (\d+)\.$", problem.worked[-1])
    assert told
    one, other = filter(None, told.groups())
    assert one != other
    assert re.search(rf"\b{one}\b", complaint)
    assert re.search(rf"\b{other}\b", complaint)


@pytest.mark.parametrize("line", [line for line in LINES if line not in FAILING])
def test_the_solution_of_a_line_that_runs_ends_at_its_shape(bank, line: str) -> None:
    problem = posed(bank, line, 3)
    assert problem.worked[-1].endswith(f"{problem.parts[0].key}.")


@pytest.mark.parametrize("line", [line for line in LINES if line not in (*FAILING, "split", "turned")])
def test_the_solution_shows_the_shapes_that_meet(bank, line: str) -> None:
    """Arrays of these shapes give the same by what stands between them, once nothing turns them any more."""
    problem = posed(bank, line, 3)
    found = re.findall(r"\(\d[^)]*\)", problem.worked[-1])
    left, *right = (np.ones(tuple(map(int, re.findall(r"\d+", shape)))) for shape in found[:-1])
    if right and "einsum" not in problem.code and "concatenate" not in problem.code:
        result = left @ right[0] if "@" in problem.code else left + right[0]
        assert str(result.shape) == found[-1]


def test_query_heads_that_share_are_a_multiple_of_the_key_value_heads(bank) -> None:
    for seed in range(40):
        queries, keys = re.findall(r"ones\(\(\d+, (\d+),", posed(bank, "product-grouped", seed).code)
        assert int(queries) % int(keys) == 0
        assert int(queries) > int(keys) > 1


@pytest.mark.parametrize(("lang", "says"), [("en", "error"), ("ja", "エラー")])
def test_the_key_of_a_failure_is_told_in_the_language(bank, lang, says: str) -> None:
    item = bank.item("order.shape-of-a-product")
    problem = pose(
        item._replace(answer=Numeric("broadcast", {}, (Ask("shape"),), ("divided",))),
        1, lang, bank.catalogue,
    )  # fmt: skip
    [part] = problem.parts
    assert told_key(part, lang) == says
    assert judge(problem, {"shape": read(part, says)}).credit == 1


@pytest.mark.parametrize(
    ("stage", "line", "says"), [("scores", "product", "shape"), ("shape", "produkt", "product")]
)
def test_what_cannot_be_asked_is_said(bank, stage: str, line: str, says: str) -> None:
    with pytest.raises((UsageError, UnknownName), match=says):
        posed(bank, line, stage=stage)
