"""What is made of a problem without numbers is made once; of one with numbers, each time."""

from __future__ import annotations

import pytest

from quizengine.problems.memory import once
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem

ITEMS = {  # and is it the same for many?
    "masking.where": True,
    "roles.who-does-what": True,
    "masking.prefix-mask": True,
    "masking.one-row": False,
    "complexity.layer-cost": False,
    "roles.aim-drawn": False,
    "order.picture-of-an-axis": False,
}


@pytest.mark.parametrize(("id_", "same"), ITEMS.items(), ids=ITEMS)
def test_once_or_each_time(bank, id_: str, same: bool) -> None:
    calls = []

    @once
    def made(problem, number, labels) -> str:
        calls.append(number)
        return f"{number} {labels} {problem.prompt} {problem.given} {problem.lang}"

    problem = pose(bank.item(id_), 1, "en", bank.catalogue)
    again = Problem.from_json(problem.to_json())._replace(seed=7)
    texts = [made(one, 1, (("a", "1"),)) for one in (problem, again)]
    assert texts[0] == texts[1]
    assert len(calls) == (1 if same else 2)
    others = [
        made(problem, 2, (("a", "1"),)),
        made(problem, 1, (("a", "2"),)),
        made(problem._replace(prompt="Another?"), 1, (("a", "1"),)),
        made(pose(bank.item(id_), 1, "ja", bank.catalogue), 1, (("a", "1"),)),
    ]
    assert len({texts[0], *others}) == 5


def test_what_differs_only_in_its_key_or_rivals_is_another(bank) -> None:
    problem = pose(bank.item("masking.where"), 1, "en", bank.catalogue)
    [part] = problem.parts
    others = [
        problem._replace(parts=(part._replace(key="B" if part.key != "B" else "C"),)),
        problem._replace(rivals=problem.rivals[1:]),
        problem._replace(rivals=problem.rivals[::-1]),
        problem._replace(worked=()),
        problem._replace(hints=("A hint.",)),
    ]
    assert len({problem.unseeded(), *(other.unseeded() for other in others)}) == 6
    kept = Problem.from_json(problem.to_json())
    assert kept.unseeded() == problem.unseeded()
    assert hash(kept.unseeded()) == hash(problem.unseeded())
