"""Follow-up: what to try after a problem that did not go well."""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain

from quizengine.items.bank import Bank
from quizengine.items.item import Metadata
from quizengine.lang.text import Lang
from quizengine.marking.mark import Mark
from quizengine.problems.dice import Dice, seed_of
from quizengine.problems.problem import Problem
from quizengine.problems.separate import separating_variant


def separate(bank: Bank, problem: Problem, mark: Mark) -> tuple[str, int] | None:
    """Where two misconceptions fit: item and seed of a variant that tells them apart, of the same item
    if it can."""
    for found in mark.diagnosis:
        if found.certainty == "one-of":
            others = (
                metadata.id for metadata in bank.metadata if metadata.family and metadata.id != problem.item
            )
            items = map(bank.item, chain([problem.item], others))  # each is built only when it is tried
            if pair := separating_variant(
                items, found.misconceptions, problem.seed, problem.lang, bank.catalogue
            ):
                return pair
    return None


def sister(bank: Bank, problem: Problem, mark: Mark, asked: Collection[str]) -> tuple[str, int] | None:
    """Item and seed of a problem like this one: one that separates two suspected misconceptions, else the
    same item with new numbers; else an item that was not `asked`, on the same misconception (and objective,
    if there is one), or on the same objective; else a numeric one of that objective with new numbers."""
    seed = seed_of("sister", problem.seed, problem.item)
    own = bank.item(problem.item).metadata
    if own.family:
        return separate(bank, problem, mark) or (own.id, seed)
    met = {id_ for found in mark.diagnosis for id_ in found.misconceptions}
    fresh = [
        metadata
        for metadata in bank.metadata
        if metadata.id not in asked and problem.lang in metadata.languages
    ]
    same = [metadata for metadata in fresh if {*own.objectives} & {*metadata.objectives}]

    def far(metadata: Metadata) -> tuple[int, int, int]:
        """Is it of another topic, how much else does it ask for, how much harder or easier is it?"""
        more = len({*metadata.objectives} - {*own.objectives})
        return metadata.topic != own.topic, more, abs(metadata.difficulty - own.difficulty)

    for alike in (
        [metadata for metadata in same if met & {*metadata.misconceptions}],
        [metadata for metadata in fresh if met & {*metadata.misconceptions}],
        same,
        _with_new_numbers(bank, own, problem.lang),
    ):
        if alike:
            return min(Dice("sister", seed).shuffled(alike), key=far).id, seed
    return None


def _with_new_numbers(bank: Bank, own: Metadata, lang: Lang) -> list[Metadata]:
    """The numeric items of the same objective, asked or not."""
    numeric = [item for item in bank.metadata if item.family and lang in item.languages]
    return [item for item in numeric if {*own.objectives} & {*item.objectives}]
