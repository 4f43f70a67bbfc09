"""What to try after a problem that did not go well."""

from __future__ import annotations

import pytest

from quizengine.feedback.follow_up import separate, sister
from quizengine.marking.judge import judge
from quizengine.marking.mark import Mark
from quizengine.problems.part import key_text
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.problems.separate import tells_apart
from quizengine.responses.read import read


def believed(bank, item: str, misconception: str, seed: int = 1) -> tuple[Problem, Mark]:
    """The problem, and the mark of who holds the misconception throughout."""
    problem = pose(bank.item(item), seed, "en", bank.catalogue)
    [rival] = [rival for rival in problem.rivals if rival.misconception == misconception]
    responses = {
        part.id: read(part, key_text(part, rival.values.get(part.id, part.key))) for part in problem.parts
    }
    return problem, judge(problem, responses)


def test_numbers_come_again_as_other_numbers(bank) -> None:
    problem, mark = believed(bank, "masking.one-row", "mask-ignored")
    item, seed = sister(bank, problem, mark, ["masking.one-row"])
    assert item == problem.item
    assert seed != problem.seed
    assert sister(bank, problem, mark, ["masking.one-row"]) == (item, seed)


def test_two_suspects_are_told_apart(bank) -> None:
    problem, mark = believed(bank, "masking.one-row", "mask-ignored")
    [found] = mark.diagnosis
    suspects = ("scale-forgotten", "scale-by-dk")
    doubtful = mark._replace(diagnosis=(found._replace(misconceptions=suspects),))
    item, seed = sister(bank, problem, doubtful, [])
    assert (item, seed) == separate(bank, problem, doubtful)
    assert tells_apart(pose(bank.item(item), seed, "en", bank.catalogue), suspects)
    assert separate(bank, problem, mark) is None


@pytest.mark.parametrize("asked", [["masking.where"], []])
def test_words_come_again_as_another_question_on_the_same_mistake(bank, asked: list[str]) -> None:
    problem, mark = believed(bank, "masking.where", "mask-on-values")
    item, _ = sister(bank, problem, mark, {*asked, "masking.where"})
    assert item != "masking.where"
    assert "mask-on-values" in bank.item(item).metadata.misconceptions


def test_a_right_answer_leads_to_the_same_objective(bank) -> None:
    problem = pose(bank.item("masking.where"), 1, "en", bank.catalogue)
    [part] = problem.parts
    mark = judge(problem, {part.id: read(part, str(part.key))})
    item, _ = sister(bank, problem, mark, ["masking.where"])
    assert {*bank.item(item).objectives} & {*bank.item("masking.where").objectives}


@pytest.mark.parametrize("seed", range(5))
def test_of_several_the_nearest_is_asked(bank, seed: int) -> None:
    """Nothing else is asked for than before, and it is as hard, where there is such an item."""
    problem = pose(bank.item("masking.where"), seed, "en", bank.catalogue)
    [part] = problem.parts
    mark = judge(problem, {part.id: read(part, str(part.key))})
    own, found = bank.item("masking.where"), bank.item(sister(bank, problem, mark, ["masking.where"])[0])
    alike = [item for item in bank if item.topic == own.topic and {*item.objectives} <= {*own.objectives}]
    nearest = min(abs(item.difficulty - own.difficulty) for item in alike if item.id != own.id)
    assert found in alike
    assert abs(found.difficulty - own.difficulty) == nearest


def test_when_all_were_asked_there_are_new_numbers_or_no_other(bank) -> None:
    everything = [metadata.id for metadata in bank.metadata]
    found = set()
    for id_ in everything:
        if not bank.item(id_).metadata.family:
            problem = pose(bank.item(id_), 1, "en", bank.catalogue)
            other = sister(bank, problem, judge(problem, {}), everything)
            found.add(other is not None)
            assert other is None or bank.item(other[0]).metadata.family
            assert other is None or {*bank.item(other[0]).objectives} & {*bank.item(id_).objectives}
    assert found == {True, False}
