"""Wrong functions as they are met, and right ones in other styles: what is named, and nothing falsely."""

from __future__ import annotations

import pytest

from quizengine.checking.check import check, outcomes_of
from quizengine.checking.name import Naming, is_right, naming
from quizengine.checking.task import TASKS

from .conftest import as_function
from .held_out import is_true, patches_of
from .mutants import Mutant, mutants
from .right import RIGHT
from .wrong import WRONG


def named(bank, task: str, function) -> tuple[Naming, tuple[int, ...]]:
    probes, outcomes, batch = outcomes_of(TASKS[task], as_function(function))
    if all(is_right(*both) for both in zip(probes, outcomes, strict=True)):
        return Naming(), batch
    return naming(TASKS[task], probes, outcomes, bank.catalogue), batch


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_function_is_named_and_never_falsely(bank, name: str) -> None:
    case = WRONG[name]
    found, batch = named(bank, case.task, case.function)
    assert set(found.ids) == case.is_
    assert case.pair in ({frozenset()} if not case.pair else {frozenset(both) for both in found.pairs})
    assert not found.ids or found.stage
    for ids in [(id_,) for id_ in found.ids] + [*found.pairs]:
        assert is_true(TASKS[case.task], case.function, patches_of(ids), batch), ids


def test_how_many_are_named() -> None:
    assert len(WRONG) >= 60
    assert all(case.source for case in WRONG.values())
    assert sum(bool(case.is_) for case in WRONG.values()) >= 0.85 * len(WRONG)


UNNAMED = [name for name, case in WRONG.items() if not case.is_]


@pytest.mark.parametrize("name", UNNAMED)
def test_what_is_not_named_is_wrong_all_the_same_and_shown(bank, name: str) -> None:
    verdict = check(TASKS[WRONG[name].task], as_function(WRONG[name].function), bank.catalogue)
    assert (verdict.verdict, verdict.misconceptions) == ("wrong", ())
    example = verdict.counterexample
    assert example is not None
    assert example.first is not None
    assert max(example.right.shape) <= 3


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("always_causal", "own-causal"),
        ("twice_unmasked", "softmax-unmasked"),
        ("past_forgotten", "past-unseen"),
        ("causal_from_the_start", "past-uncounted"),
        ("values_by_wq", "values-by-queries"),
        ("queries_by_wk", "queries-by-keys"),
        ("divided_by_eight", "seen.divided"),
    ],
)
def test_what_the_catalogue_does_not_list_is_told(bank, name: str, code: str) -> None:
    verdict = check(TASKS[WRONG[name].task], as_function(WRONG[name].function), bank.catalogue)
    assert [reason.code for reason in verdict.observations] == [code]


LACKING = {  # besides a batch axis, which most do without
    "single_precision": {"precision"},
    "single_precision_inside": {"precision"},
    "queries_first": {"large"},
    "both_by_the_fourth_root": {"large"},
    "renormalised_late": {"large"},
    "half_precision_result": {"precision", "dtype"},
    "row_by_row": {"large"},
    "triangle_of_exponentials": {"large"},
    "bahdanau": set(),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_function_is_right_in_any_style(bank, name: str) -> None:
    task, function = RIGHT[name]
    verdict = check(TASKS[task], as_function(function), bank.catalogue)
    assert (verdict.verdict, verdict.misconceptions, verdict.possible) == ("right", (), ())
    assert verdict.counterexample is None
    assert {p.id for p in verdict.lacking} - {"batch"} == LACKING.get(name, set())


def test_how_many_are_right() -> None:
    assert len(RIGHT) >= 12
    assert {task for task, _ in RIGHT.values()} == set(TASKS)


def false_names(bank, some: list[Mutant]) -> list[str]:
    """The mutants with a name that does not hold on what was held out."""
    false = []
    for mutant in some:
        found, batch = named(bank, mutant.task, mutant.function)
        for ids in [(id_,) for id_ in found.ids] + [*found.pairs]:
            if not is_true(TASKS[mutant.task], mutant.function, patches_of(ids), batch):
                false.append(f"{mutant.id}: {ids}\n{mutant.source}")
    return false


def test_no_mutant_is_named_falsely(bank) -> None:
    some = list(mutants(every=20))
    assert len(some) >= 100
    assert false_names(bank, some) == []


@pytest.mark.slow
def test_no_mutant_at_all_is_named_falsely(bank) -> None:
    assert false_names(bank, list(mutants())) == []
