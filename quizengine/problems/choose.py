"""Choose: which items a session or a sheet asks, spread over topics and over kinds of work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from quizengine.items.item import Metadata
from quizengine.problems.dice import Dice

EVERY = 3  # one item in so many is to be worked out with numbers, where there are such


def choose(
    items: Iterable[Metadata], count: int, dice: Dice, rank: Callable[[Metadata], int] = lambda _: 0
) -> list[Metadata]:
    """`count` items from the least used topics in turn, in a topic those of the lowest rank first and of
    them those with an objective that was asked least, the same family never twice in a row where that can be
    helped. When all have been asked they come round again."""
    pool = dice.shuffled(list(items))
    topics = dice.shuffled(sorted({item.topic for item in pool}))
    asked: Counter[str] = Counter()
    chosen: list[Metadata] = []
    deck: list[Metadata] = []
    while pool and len(chosen) < count:
        deck = deck or list(pool)
        numeric = len(chosen) % EVERY == EVERY - 1
        last = chosen[-1].family if chosen else ""

        def order(item: Metadata, numeric: bool = numeric, last: str = last) -> tuple[int, ...]:
            repeats, other = bool(last) and item.family == last, bool(item.family) != numeric
            examined = min((asked[objective] for objective in item.objectives), default=0)
            return repeats, other, asked[item.topic], rank(item), examined, topics.index(item.topic)

        item = min(deck, key=order)
        deck.remove(item)
        asked.update([item.topic, *item.objectives])
        chosen.append(item)
    return chosen
