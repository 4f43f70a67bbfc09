"""Coverage: what a bank examines, how often, and what it leaves out."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from quizengine.authoring.strategies import Each, Strategy, strategies
from quizengine.authoring.style import longest_keys
from quizengine.items.bank import Bank
from quizengine.items.item import Item
from quizengine.problems.pose import pose

LEAST = 2  # items for every objective and every misconception
SEEDS = 3  # over which the rivals of a numeric item are gathered
LEVELS = ("recall", "apply", "transfer")


class Coverage(NamedTuple):
    """Counts of items by (topic, level), (topic, type) and difficulty; ids that too few items examine or
    offer, or that no explanation sets right; how often the key is the longest choice; and what is earned by
    the look of the choices alone."""

    items: int
    concept: dict[str, int]
    levels: dict[str, dict[str, int]]
    types: dict[str, dict[str, int]]
    difficulties: dict[int, int]
    objectives: dict[str, int]
    offered: dict[str, int]
    unexamined: list[str]
    unoffered: list[str]
    untold: list[str]
    longest: tuple[int, float, int]
    strategies: list[Strategy]

    def to_json(self) -> dict[str, object]:
        """As `bank stats --json` shows it."""
        hits, expected, of = self.longest
        return self._asdict() | {
            "longest": {"hits": hits, "expected": round(expected, 1), "of": of},
            "strategies": [one.to_json() for one in self.strategies],
        }

    def tables(self) -> list[tuple[str, list[str], dict[str, list[int]]]]:
        """(what is counted, columns, rows) of the counts by topic."""
        types = sorted({kind for row in self.types.values() for kind in row})
        return [
            ("levels", list(LEVELS), {t: [row.get(x, 0) for x in LEVELS] for t, row in self.levels.items()}),
            ("types", types, {t: [row.get(x, 0) for x in types] for t, row in self.types.items()}),
        ]


def coverage(bank: Bank, each: Each = map) -> Coverage:
    """What the bank covers; `each` tries what the strategies earn, here or in other processes."""
    levels: dict[str, Counter[str]] = {}
    types: dict[str, Counter[str]] = {}
    objectives: Counter[str] = Counter(dict.fromkeys(bank.objectives, 0))
    offered: Counter[str] = Counter(dict.fromkeys(bank.catalogue, 0))
    told: set[str] = set()
    for item in bank:
        levels.setdefault(item.topic, Counter())[item.level] += 1
        types.setdefault(item.topic, Counter())[item.type] += 1
        objectives.update(set(item.objectives))
        offered.update(_offers(bank, item))
        told |= set() if item.family else set(item.misconceptions)
    return Coverage(
        items=len(bank),
        concept=dict(Counter(item.topic for item in bank if not item.family)),
        levels={topic: dict(row) for topic, row in levels.items()},
        types={topic: dict(row) for topic, row in types.items()},
        difficulties=dict(sorted(Counter(item.difficulty for item in bank).items())),
        objectives=dict(objectives),
        offered=dict(offered),
        unexamined=[id_ for id_ in bank.objectives if objectives[id_] < LEAST],
        unoffered=[id_ for id_ in bank.catalogue if offered[id_] < LEAST],
        untold=[id_ for id_ in bank.catalogue if id_ not in told],
        longest=longest_keys(bank),
        strategies=strategies(bank, bank, each),
    )


def _offers(bank: Bank, item: Item) -> set[str]:
    """The misconceptions that an item's wrong answers show."""
    if not item.family:
        return set(item.misconceptions)
    problems = (pose(item, seed, item.languages[0], bank.catalogue) for seed in range(SEEDS))
    return {rival.misconception for problem in problems for rival in problem.rivals}
