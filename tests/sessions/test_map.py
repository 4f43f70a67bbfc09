"""The map: standings out of marks, in the order of what builds on what."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from quizengine.items.bank import Bank
from quizengine.items.item import Metadata, Objective
from quizengine.lang.text import Text
from quizengine.sessions.map import Ground, Map, evidence
from quizengine.sessions.session import Marked

AFTER = {"top": ("left", "right"), "left": ("root",), "right": ("hidden",), "hidden": ("root",), "root": ()}
HEAD = Metadata("", "single_choice", "t", "recall", 2, (), ("en",), "", ())
ITEMS = [
    HEAD._replace(id=f"{objective}{n}", objectives=(objective,))
    for objective in ("root", "left", "right", "top")
    for n in range(3)
]
ITEMS += [
    HEAD._replace(id="guess", type="true_false", objectives=("top",)),
    HEAD._replace(id="both", objectives=("left", "root")),
]


def bank_of(after=AFTER, items=ITEMS) -> Bank:
    objectives = {id_: Objective("t", Text(id_, id_), before) for id_, before in after.items()}
    return Bank(items, {}, {}, objectives, {}, "")


def marked(item: str, credit: str = "1", day: int = 1, **more) -> Marked:
    return Marked(item, "t", credit, 1, (), datetime(2030, 1, day, 12).astimezone().isoformat(), **more)


def standing(*marks: Marked) -> dict[str, str]:
    bank = bank_of()
    return dict(Map(Ground(bank, "en"), evidence(bank, marks)).standing)


def test_what_builds_on_something_comes_after_it_and_what_has_no_items_is_stepped_over() -> None:
    ground = Ground(bank_of(), "en")
    assert ground.objectives == ["root", "left", "right", "top"]
    assert ground.after["right"] == ["root"]
    assert ground.unlocks["root"] == ["left", "right"]
    assert Ground(bank_of(), "ja").objectives == []


def test_a_circle_of_objectives_is_no_fault_of_the_learner() -> None:
    ground = Ground(bank_of({"root": ("top",), "left": ("root",), "top": ("left",)}), "en")
    assert sorted(ground.objectives) == ["left", "root", "top"]
    assert ground.below["root"] == {"left", "top"}


RIGHT = [marked(f"left{n}") for n in range(3)]


@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        ([], {"root": "open", "top": "open"}),
        ([marked("top0")], {"top": "begun", "left": "credited", "right": "credited", "root": "credited"}),
        ([marked("guess")], {"root": "open"}),
        ([marked("top0", hints=1)], {"root": "open"}),
        ([marked("top0"), marked("top1", "0", 2)], {"root": "open", "top": "begun"}),
        ([marked("root0", "0"), marked("top0", day=2)], {"root": "begun", "left": "credited"}),
        ([marked("root0"), marked("top0", day=2)], {"root": "credited"}),
        ([marked("both")], {"left": "begun", "root": "begun"}),
        (RIGHT, {"left": "passed", "root": "credited", "top": "open"}),
        ([*RIGHT, marked("left0", "1/2", 2)], {"left": "begun"}),
        ([marked("left0")] * 5, {"left": "begun"}),
        ([*RIGHT, marked("left0", day=2), marked("left1", day=2)], {"left": "mastered"}),
        ([*RIGHT, marked("left0"), marked("left1")], {"left": "passed"}),
    ],
    ids=[
        "nothing",
        "a right answer credits what it stands on",
        "not one that every second guess gives",
        "not one with a hint",
        "a wrong one takes that back",
        "what was wrong itself is not credited",
        "what was right itself stays credited",
        "an item does not credit what it examined itself",
        "three in a row pass",
        "a slip ends that",
        "one item alone never",
        "two more on another day are mastery",
        "two more on the same day are not",
    ],
)
def test_standing(marks: list[Marked], expected: dict[str, str]) -> None:
    found = standing(*marks)
    assert {id_: found[id_] for id_ in expected} == expected


def test_what_was_passed_comes_back_on_another_day_before_anything_new() -> None:
    bank = bank_of()
    map_ = Map(Ground(bank, "en"), evidence(bank, RIGHT))
    assert map_.to_learn(date(2030, 1, 1)) == ["right", "top"]
    assert map_.to_learn(date(2030, 1, 2)) == ["left", "right", "top"]
    assert not map_.ready("top")


def test_evidence_of_two_times_is_that_of_both() -> None:
    bank, marks = bank_of(), [marked("top0"), marked("left0", "0", 2), marked("root1", day=3)]
    assert evidence(bank, marks[1:], evidence(bank, marks[:1])) == evidence(bank, marks)


def test_the_map_of_the_shipped_bank_says_all_of_it_in_either_language(bank: Bank) -> None:
    for lang in ("en", "ja"):
        map_ = Map(Ground(bank, lang), evidence(bank, []))
        text = "\n".join(map_.lines())
        assert all(bank.objectives[id_].text[lang] in text for id_ in map_.objectives)
        assert map_.to_json()["never_met"] == list(dict.fromkeys(o.topic for o in bank.objectives.values()))
    assert set(map_.objectives) == set(bank.objectives)
