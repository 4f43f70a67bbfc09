"""Schedule: what is to be asked again when, by spaced repetition (FSRS).

What is repeated is an objective, or a family of numeric problems, never a single variant. The log of
answers is the truth: states are worked out from it each time, with fuzz off and in UTC.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime

from quizengine.items.item import Metadata
from quizengine.problems.dice import Dice
from quizengine.sessions.day import day_of
from quizengine.sessions.session import Marked

LONGEST = 36_500  # days, where no exam is near


def units(metadata: Metadata) -> tuple[str, ...]:
    """What an answer to this item is a repetition of."""
    return (f"family {metadata.family}",) if metadata.family else metadata.objectives


def due(
    marks: Iterable[Marked], items: Mapping[str, Metadata], now: datetime, exam: date | None = None
) -> dict[str, datetime]:
    """When each unit met so far is due, soonest first. Right without a hint is Good, all else Again;
    with an exam ahead no interval exceeds half of the days that are left."""
    from fsrs import Card, Rating, Scheduler  # late: only reviews need it

    left = max(1, (exam - day_of(now.isoformat())).days // 2) if exam else LONGEST
    scheduler = Scheduler(enable_fuzzing=False, learning_steps=(), relearning_steps=(), maximum_interval=left)
    cards: dict[str, Card] = {}
    for mark in sorted((mark for mark in marks if mark.points), key=lambda mark: mark.at):
        good = mark.full and not mark.hints
        when = datetime.fromisoformat(mark.at).astimezone(UTC)
        for unit in units(items[mark.item]) if mark.item in items else ():
            card = cards.get(unit) or Card(card_id=_number(unit), due=when)
            rating = Rating.Good if good else Rating.Again
            cards[unit], _ = scheduler.review_card(card, rating, when)
    return dict(
        sorted(((unit, card.due) for unit, card in cards.items()), key=lambda pair: (pair[1], pair[0]))
    )


def _number(unit: str) -> int:
    """A card number that is the same for ever; the package would take the clock."""
    return int.from_bytes(hashlib.sha256(unit.encode()).digest()[:7], "big")


def plan(
    wanted: Sequence[str], marks: Iterable[Marked], items: Iterable[Metadata], count: int, dice: Dice
) -> list[Metadata]:
    """One item for each of these units, the least asked ones first; no item twice."""
    asked = Counter(mark.item for mark in marks)
    pool = dice.shuffled(list(items))
    chosen: list[Metadata] = []
    for unit in wanted:
        fitting = [metadata for metadata in pool if unit in units(metadata) and metadata not in chosen]
        if fitting and len(chosen) < count:
            chosen.append(min(fitting, key=lambda metadata: asked[metadata.id]))
    return chosen
