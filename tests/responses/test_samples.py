"""Samples: every fate for every kind of part."""

from __future__ import annotations

from typing import get_args

import pytest

from quizengine.marking.judge import judge
from quizengine.problems.part import Kind, Part
from quizengine.problems.pose import pose
from quizengine.render.blocks import ask
from quizengine.render.terminal import lines
from quizengine.responses import samples
from quizengine.responses.read import read
from quizengine.responses.response import Unreadable, Value

ITEMS = ["masking.where", "masking.causal-facts", "order.steps", "order.shapes", "masking.why-causal",
         "masking.one-row", "scaling.spread", "roles.symmetric", "roles.aim-past-a-twin",
         "inference.old-keys-stay-good", "complexity.bytes-of-a-score-matrix",
         "head.shape-by-einsum", "masking.gaps-causal-mask"]  # fmt: skip


@pytest.mark.parametrize("id_", ITEMS)
def test_each_fate_is_what_it_says(bank, id_: str) -> None:
    problem = pose(bank.item(id_), 5, "en", bank.catalogue)
    for part in problem.parts:
        readings = [read(part, text) for text in (samples.right(part), samples.wrong(part))]
        assert all(isinstance(response.reading, Value) for response in readings)
        right, wrong = (judge(problem, {part.id: response}).part(part.id) for response in readings)
        assert right.verdict == ("open" if part.kind == "words" else "right")
        assert wrong.share < 1
        assert isinstance(read(part, samples.unreadable(part)).reading, Unreadable)
        assert lines(ask(problem, part), 80)


def test_coarse_has_one_decimal_fewer(bank) -> None:
    problem = pose(bank.item("masking.one-row"), 4, "en", bank.catalogue)
    [row] = read(problem.part("output"), samples.coarse(problem.part("output"))).reading.content
    assert {cell.decimals for cell in row} == {2}
    whole = pose(bank.item("complexity.layer-cost"), 4, "en", bank.catalogue)
    assert {samples.coarse(part) for part in whole.parts} == {""}


def test_every_kind_has_samples(bank) -> None:
    parts = [part for id_ in ITEMS for part in pose(bank.item(id_), 0, "en", bank.catalogue).parts]
    assert {part.kind for part in parts} == set(get_args(Kind))
    assert {type(part) for part in parts} == set(get_args(Part))
