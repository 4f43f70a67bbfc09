"""The shipped bank, examined by the product's own code."""

from __future__ import annotations

from collections import Counter

import pytest

from quizengine.attention.patches import PATCHES
from quizengine.authoring.examine import catalogue_faults, examine, item_faults, problem_faults
from quizengine.authoring.strategies import MARGIN, strategies
from quizengine.authoring.style import misnamed, style_faults
from quizengine.items.answer import AnswerReason, Requirement, TrueFalse
from quizengine.items.bank import Bank, load
from quizengine.items.close import SEAL
from quizengine.lang.messages import CATALOGUE
from quizengine.lang.text import LANGUAGES
from quizengine.problems.aim import CONSTRUCTIONS
from quizengine.problems.families import CHOICES, FAMILIES, POSED

MISSION = ("roles", "order", "scaling", "masking", "complexity")
IDS = [item.id for item in load()]


@pytest.mark.parametrize("id_", IDS)
def test_every_item_passes_the_whole_engine(bank, id_: str) -> None:
    """Key full, rivals less and named, the unreadable sample unreadable: numeric items on 25 seeds, others
    on 20, in both languages."""
    item = bank.item(id_)
    assert list(item_faults(bank, item, 25 if item.family else 20)) == []


@pytest.mark.slow
@pytest.mark.parametrize("id_", [item.id for item in load() if item.family])
def test_many_seeds(bank, id_: str) -> None:
    assert list(item_faults(bank, bank.item(id_), 200)) == []


def test_the_catalogue_is_proved_distinct(bank) -> None:
    assert list(catalogue_faults(bank)) == []
    assert len(PATCHES) >= 12


def test_the_bank_keeps_the_rules_of_style(bank) -> None:
    assert style_faults(bank, list(bank)) == []


def test_statements_are_true_as_often_as_false(bank) -> None:
    """Of all that are judged true or false, with a reason or without."""
    truths: Counter[bool] = Counter()
    with_reason = 0
    for question in (question for item in bank for question in item.questions):
        match question.answer:
            case TrueFalse(right=right):
                truths[right] += 1
            case AnswerReason(answers=answers, truth=True):
                truths[next(one.id == "True" for one in answers if one.right)] += 1
                with_reason += 1
    assert abs(truths[True] - truths[False]) <= 2
    assert with_reason >= 26


def test_no_guesser_earns_more_than_chance(bank) -> None:
    """By no look of the choices, on the mean of any type."""
    found = strategies(bank, bank)
    assert {one.type for one in found} >= {"single_choice", "true_false", "answer_and_reason", "ordering"}
    assert [one for one in found if one.share > one.chance + MARGIN] == []


def _way(item) -> str:
    """Which of the newer ways of asking an item is; none of them is empty."""
    family = item.family.rpartition("-")[2]
    if item.type in ("construct", "gaps", "estimate", "case", "answer_and_reason"):
        return item.type
    return family if family in ("picture", "bug", "broadcast") else ""


def test_every_topic_is_asked_in_two_of_the_newer_ways_at_least(bank) -> None:
    ways: dict[str, set[str]] = {}
    for item in bank:
        ways.setdefault(item.topic, set()).update(filter(None, [_way(item)]))
    assert len(ways) == 12
    assert {topic: found for topic, found in ways.items() if len(found) < 2} == {}


def test_objectives_build_on_each_other(bank) -> None:
    """From what stands before them, and never in a circle; few stand on nothing."""
    first = {id_ for id_, objective in bank.objectives.items() if not objective.after}
    met = set(first)
    while more := {i for i, o in bank.objectives.items() if i not in met and set(o.after) <= met}:
        met |= more
    assert met == set(bank.objectives)
    assert len(first) <= 3


def test_coverage(bank) -> None:
    concept = Counter(item.topic for item in bank if not item.family)
    numeric = Counter(item.topic for item in bank if item.family)
    assert len(bank) >= 30
    assert all(concept[topic] >= 5 and numeric[topic] >= 1 for topic in MISSION)
    assert {item.family for item in bank if item.family} == {*FAMILIES, *CHOICES, *POSED, *CONSTRUCTIONS}


def test_an_explanation_never_is_the_key(bank) -> None:
    for item in bank:
        for lang in item.languages:
            for option in getattr(item.answer, "options", ()):
                assert not (option.right and option.text[lang] == item.explanation[lang])


def test_the_examiner_can_fail(bank) -> None:
    """A rival that equals the key, and a patch without an entry, are both found."""
    from quizengine.problems.pose import pose

    problem = pose(bank.item("masking.where"), 1, "en", bank.catalogue)
    same = problem.rivals[0]._replace(values={"answer": problem.parts[0].key})
    broken = problem._replace(rivals=(same,))
    assert {"rival-full", "rival-unnamed"} & {code for code, _ in problem_faults(broken)}

    fewer = {k: v for k, v in bank.catalogue.items() if k != "mask-past"}
    without = Bank(bank.metadata, bank.items, fewer, bank.objectives, bank.glossary, bank.digest)
    assert "entry" in {fault.code for fault in examine(without, [], 1)}
    twin = bank.catalogue["scale-by-dk"]._replace(aliases=())
    undeclared = Bank(
        bank.metadata,
        bank.items,
        {**bank.catalogue, "scale-by-dk": twin},
        bank.objectives,
        bank.glossary,
        bank.digest,
    )
    assert "not-distinct" in {fault.code for fault in examine(undeclared, [], 1)}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"sample": ((SEAL, SEAL),)}, "key-not-full"),
        ({"sample": ((0, SEAL),), "require": (Requirement("weights", "at-least", ((0,),)),)}, "stock-answer"),
        ({"given": {"K": [[1.0, 2.0, 3.0]]}}, "array"),
        ({"wrong": ((((-7 * SEAL, 2 * SEAL),), "mask-past"),)}, "rival-full"),
    ],
)
def test_a_construction_that_proves_nothing_is_caught(bank, change, code: str) -> None:
    item = bank.item("roles.aim-past-a-twin")
    faulty = item._replace(answer=item.answer._replace(**change))
    assert code in {fault.code for fault in item_faults(bank, faulty, 1)}


def test_catalogue_objectives_and_messages_call_things_what_the_glossary_calls_them(bank) -> None:
    texts = {f"message {key}": text for catalogue in CATALOGUE.values() for key, text in catalogue.items()}
    for id_, entry in bank.catalogue.items():
        texts[id_] = " ".join(
            text[lang] for text in (entry.name, entry.looks, entry.remedy) for lang in LANGUAGES
        )
    texts |= {id_: objective.text.en + objective.text.ja for id_, objective in bank.objectives.items()}
    assert [(key, word) for key, text in texts.items() for word, _ in misnamed(bank, text)] == []
