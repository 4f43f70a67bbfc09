"""From a file that runs in isolation to the verdict: the same as in this process, in both directions."""

from __future__ import annotations

from pathlib import Path

import pytest

from quizengine.checking import landlock, seccomp
from quizengine.checking.check import check
from quizengine.checking.isolate import Isolation, Source, child_of
from quizengine.checking.task import TASKS
from quizengine.checking.verdict import Verdict

from .conftest import as_function
from .right import RIGHT
from .wrong import WRONG

FILES = [("wrong", name, case.task, case.function) for name, case in WRONG.items()]
FILES += [("right", name, task, function) for name, (task, function) in RIGHT.items()]
ISOLATED = Isolation(bool(landlock.version()) and seccomp.available())


def said(verdict: Verdict) -> tuple[object, ...]:
    """What must not hang on where the function runs; what is seen of time and of a line does."""
    properties = {(p.id, p.holds) for p in verdict.properties if p.id not in ("time", "memory")}
    named = {*verdict.misconceptions}, {*verdict.possible}, verdict.stage
    return (verdict.verdict, *named, properties, type(verdict.fault), verdict.counterexample is None)


def assert_same(bank, file: str, name: str, task_id: str, function) -> None:
    task = TASKS[task_id]
    content = (Path(__file__).parent / f"{file}.py").read_bytes()
    with child_of(Source(f"{file}.py", content, name), task.function, ISOLATED) as child:
        through = check(task, child, bank.catalogue)
        assert child.loaded == name
    assert said(through) == said(check(task, as_function(function), bank.catalogue))


@pytest.mark.parametrize("case", FILES[::17], ids=lambda case: case[1])
def test_a_file_is_judged_like_its_function(bank, case) -> None:
    assert_same(bank, *case)


@pytest.mark.slow
@pytest.mark.parametrize("case", FILES, ids=lambda case: case[1])
def test_every_file_is_judged_like_its_function(bank, case) -> None:
    assert_same(bank, *case)
