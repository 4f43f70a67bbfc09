"""What is due when: by replay of the log, the same on every machine."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from quizengine.problems.dice import Dice
from quizengine.sessions.schedule import due, plan, units
from quizengine.sessions.session import Marked

START = datetime(2026, 1, 1, 12, tzinfo=UTC)


def marked(item: str, credit: str = "1", after: float = 0, hints: int = 0) -> Marked:
    at = (START + timedelta(days=after)).isoformat()
    return Marked(item, "t", credit, 1, (), at, 0, hints)


def known_items(bank):
    return {metadata.id: metadata for metadata in bank.metadata}


def test_a_concept_item_repeats_objectives_a_numeric_one_its_family(bank) -> None:
    assert units(bank.item("masking.where").metadata) == bank.item("masking.where").metadata.objectives
    assert units(bank.item("masking.one-row").metadata) == ("family causal",)


def test_wrong_or_hinted_answers_are_due_sooner(bank) -> None:
    known = known_items(bank)
    [right] = set(due([marked("masking.one-row")], known, START).values())
    [wrong] = set(due([marked("masking.one-row", "1/2")], known, START).values())
    [hinted] = set(due([marked("masking.one-row", hints=1)], known, START).values())
    assert START < wrong == hinted < right


def test_intervals_grow_and_an_exam_caps_them(bank) -> None:
    known, marks, gaps = known_items(bank), [], []
    at = 0.0
    for _ in range(5):
        marks.append(marked("masking.one-row", after=at))
        [when] = due(marks, known, START).values()
        gaps.append((when - START).total_seconds() / 86400 - at)
        at += gaps[-1]
    assert gaps == sorted(gaps)
    assert gaps[-1] > 20
    [capped] = due(marks, known, START, date(2026, 1, 11)).values()
    assert capped - datetime.fromisoformat(marks[-1].at) <= timedelta(days=5)


def test_items_that_are_gone_are_passed_over(bank) -> None:
    assert due([marked("no.such-item")], known_items(bank), START) == {}


@given(st.permutations([0.0, 1.0, 2.5, 9.0]))
def test_the_order_of_the_log_does_not_matter(bank, days) -> None:
    known = known_items(bank)
    in_order = [marked("masking.one-row", after=day) for day in sorted(days)]
    assert due([marked("masking.one-row", after=day) for day in days], known, START) == due(
        in_order, known, START
    )


def test_the_plan_asks_one_item_a_unit_the_least_asked_first(bank) -> None:
    wanted = ["family causal", "E1"]
    asked = [marked(metadata.id) for metadata in bank.metadata if "E1" in units(metadata)][1:]
    fresh = next(metadata.id for metadata in bank.metadata if "E1" in units(metadata))
    chosen = plan(wanted, asked, bank.metadata, 5, Dice("review", 1))
    assert [unit in units(metadata) for unit, metadata in zip(wanted, chosen, strict=True)] == [True, True]
    assert chosen[1].id == fresh
    assert chosen == plan(wanted, asked, bank.metadata, 5, Dice("review", 1))
    assert len(plan(wanted, asked, bank.metadata, 1, Dice("review", 1))) == 1
    assert len(set(plan(["E1"] * 4, [], bank.metadata, 4, Dice("review", 1)))) == 4
