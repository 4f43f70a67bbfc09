"""Shapes of lines of NumPy: the line that is shown is the one that is worked out; its rivals are others."""

from __future__ import annotations

import numpy as np
import pytest

from quizengine.errors import UnknownName, UsageError
from quizengine.items.answer import Ask, Numeric
from quizengine.marking.judge import judge
from quizengine.problems.families.broadcast import LINES
from quizengine.problems.part import FAILS
from quizengine.problems.pose import pose
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
            assert (mark.credit, mark.named) == (0, (rival.misconception,))


def test_some_lines_fail_and_most_do_not(bank) -> None:
    failing = [line for line in LINES if posed(bank, line).parts[0].key == FAILS]
    assert failing == [
        "mask-per-text", "mask-per-query", "divided", "turned-product", "product-unturned", "product-grouped",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("stage", "line", "says"), [("scores", "product", "shape"), ("shape", "produkt", "product")]
)
def test_what_cannot_be_asked_is_said(bank, stage: str, line: str, says: str) -> None:
    with pytest.raises((UsageError, UnknownName), match=says):
        posed(bank, line, stage=stage)
