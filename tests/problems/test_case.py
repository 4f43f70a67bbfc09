"""Cases: questions about one situation are parts of one problem."""

from __future__ import annotations

import json

import pytest

from quizengine.errors import UsageError
from quizengine.marking.judge import judge
from quizengine.problems.part import key_text
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.problems.repose import repose
from quizengine.responses.read import read
from quizengine.sheets.plan import Section

ID = "inference.serving-long-texts"


def test_every_question_is_a_part_with_its_own_text(bank) -> None:
    problem = pose(bank.item(ID), 1, "en", bank.catalogue)
    assert [part.id for part in problem.parts] == ["cache", "texts", "first-token", "longer", "fewer"]
    assert [part.kind for part in problem.parts] == ["estimate", "estimate", "choice", "tiers", "choice"]
    assert problem.parts[2].prompt.startswith("A long prompt arrives")
    assert problem.parts[2].prompt.endswith("Choose one.")
    assert len(problem.worked) == 6
    assert problem.points == bank.item(ID).points == 5
    assert Problem.from_json(json.loads(json.dumps(problem.to_json()))) == problem


def test_parts_are_marked_by_themselves_and_misconceptions_named_where_they_show(bank) -> None:
    problem = pose(bank.item(ID), 1, "en", bank.catalogue)
    typed = {part.id: key_text(part, part.key) for part in problem.parts} | {"cache": "16", "texts": "?"}
    mark = judge(problem, {id_: read(problem.part(id_), text) for id_, text in typed.items()})
    assert {part.id: part.verdict for part in mark.parts} == {
        "cache": "wrong", "texts": "unreadable", "first-token": "right", "longer": "right", "fewer": "right",
    }  # fmt: skip
    assert [(found.misconceptions, found.stage) for found in mark.diagnosis] == [
        (("cache-query-heads",), "cache")
    ]


def test_the_points_of_a_section_are_shared_out_among_the_questions(bank) -> None:
    item = bank.item(ID)
    asked = Section((), 1, points=9).of(item)
    problem = pose(asked, 1, "en", bank.catalogue)
    assert problem.points == 9
    assert min(part.points for part in problem.parts) >= 1
    assert repose(item, problem, bank.catalogue).points == 9
    with pytest.raises(UsageError, match="5 points at least"):
        Section((), 1, points=4).of(item)


def test_its_misconceptions_are_those_of_its_questions(bank) -> None:
    assert {"cache-query-heads", "keys-depend-on-query"} <= set(bank.item(ID).misconceptions)


@pytest.mark.parametrize(
    "id_", ["masking.loss-too-good", "multi-head.weights-ported-wrong", "head.padded-batch"]
)
def test_a_case_has_four_to_six_questions(bank, id_: str) -> None:
    assert 4 <= len(bank.item(id_).answer.questions) <= 6
