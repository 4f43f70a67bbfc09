"""What a verdict shows: the counterexample, the machine's form, and sentences in both languages."""

from __future__ import annotations

import json

import numpy as np
import pytest

from quizengine.checking.call import Broken, Call, Returned
from quizengine.checking.check import check
from quizengine.checking.counterexample import smallest
from quizengine.checking.speech import counterexample_lines, verdict_lines
from quizengine.checking.task import TASKS, contract, task_of
from quizengine.errors import UnknownName, UsageError
from quizengine.lang.quotation import shown

from .conftest import as_function
from .wrong import WRONG


def told(*about) -> list[str]:
    """What is said of a verdict, as plain text."""
    return [shown(line) for line in verdict_lines(*about)]


def verdict_of(bank, name: str):
    return check(TASKS[WRONG[name].task], as_function(WRONG[name].function), bank.catalogue)


@pytest.mark.parametrize(
    ("name", "entries"),
    [
        ("no_scale", 6),
        ("mixes_keys", 4),
        ("one_future", 6),
        ("times_mask", 8),
        ("merged_without_transpose", 30),
    ],
)
def test_the_counterexample_is_small_and_of_whole_numbers(name: str, entries: int) -> None:
    case = WRONG[name]
    example = smallest(as_function(case.function), TASKS[case.task])
    assert example is not None
    arrays = [a for a in example.given.values() if isinstance(a, np.ndarray) and a.dtype == float]
    assert all((a == np.round(a)).all() and max(a.shape) <= 4 for a in arrays)
    assert sum(int(np.count_nonzero(a)) for a in arrays) <= entries
    row, column = example.first
    yours, right = example.yours, example.right
    assert not abs(yours[..., row - 1, column - 1] - right[..., row - 1, column - 1]) <= 0.005
    again = as_function(case.function)([Call(example.given)])[0]
    assert isinstance(again, Returned)
    assert np.array_equal(again.stages["output"], yours)


def test_the_machine_interface(bank) -> None:
    data = json.loads(json.dumps(verdict_of(bank, "over_queries").to_json(), allow_nan=False))
    assert (data["verdict"], data["misconceptions"], data["stage"]) == (
        "wrong",
        ["softmax-columns"],
        "weights",
    )
    assert {"task", "possible", "properties", "observations", "counterexample"} <= data.keys()
    assert {"given", "yours", "right", "first"} == data["counterexample"].keys()


def test_numbers_that_are_none_are_text_for_machines(bank) -> None:
    data = verdict_of(bank, "other_way_round").to_json()
    assert "nan" in json.dumps(data["counterexample"]["yours"], allow_nan=False)


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("name", ["no_scale", "masked_late", "two_at_once", "divided_by_eight", "minus_ten"])
def test_every_verdict_is_said(bank, name: str, lang) -> None:
    verdict = verdict_of(bank, name)
    lines = told(verdict, bank.catalogue, lang)
    named = [bank.catalogue[id_] for id_ in verdict.misconceptions]
    assert all(any(entry.name[lang] in line for line in lines) for entry in named)
    assert len(lines) > 1
    assert counterexample_lines(verdict.counterexample, lang)


def raising(*_):
    raise ValueError("shapes do not match")


def too_wide(Q, K, V, mask=None):
    return Q @ K.T


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (raising, "It stops with ValueError: shapes do not match"),
        (too_wide, "The result has the shape (3, 5); it should be (3, 4)."),
        (
            lambda Q, K, V, mask: Q @ K.T @ V + 1j,
            "“output” holds something other than real numbers (type complex128)",
        ),
        (lambda Q, K, V, mask: str(Q), "“output” holds something other than real numbers (type <U"),
        (lambda *_: {"weights": np.eye(3)}, "There is no “output” among what was returned: weights."),
    ],
    ids=["raises", "shape", "complex", "text", "no-output"],
)
def test_what_cannot_be_compared(bank, function, said: str) -> None:
    verdict = check(TASKS["single"], as_function(function), bank.catalogue)
    assert verdict.verdict == "broken" or function is too_wide
    assert any(line.startswith(said) for line in told(verdict, bank.catalogue, "en"))


def infinite(Q, K, V, mask=None):
    return np.full((len(Q), V.shape[1]), -np.inf)


def test_infinite_numbers_are_wrong_and_shown(bank) -> None:
    verdict = check(TASKS["single"], as_function(infinite), bank.catalogue)
    assert (verdict.verdict, verdict.misconceptions, verdict.possible) == ("wrong", (), ())
    assert "not-finite" in {reason.code for reason in verdict.observations}
    assert counterexample_lines(verdict.counterexample, "en")


def test_a_function_that_gives_nothing_is_broken(bank) -> None:
    nothing = Broken("check.no-output", {"stages": ""})
    verdict = check(TASKS["single"], lambda calls: [nothing] * len(calls), bank.catalogue)
    assert (verdict.verdict, verdict.counterexample) == ("broken", None)


def test_a_fault_of_ours_is_ungraded(bank) -> None:
    verdict = check(TASKS["single"], lambda _: [], bank.catalogue)
    assert verdict.verdict == "ungraded"
    assert "The engine itself failed" in told(verdict, bank.catalogue, "en")[1]


def test_what_the_user_must_be_told_passes(bank) -> None:
    def refused(_):
        raise UsageError("there is no isolation here")

    with pytest.raises(UsageError):
        check(TASKS["single"], refused, bank.catalogue)


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("task", TASKS)
def test_a_contract_says_every_argument(task: str, lang) -> None:
    lines = contract(TASKS[task], lang)
    assert [line.partition(":")[0] for line in lines[1:-1]] == list(TASKS[task].arguments)


def test_a_task_that_does_not_exist() -> None:
    with pytest.raises(UnknownName, match="multi-head"):
        task_of("multihead")
