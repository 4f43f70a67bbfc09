"""A review: what is due for another look."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import NamedTuple

from quizengine.items.bank import Bank
from quizengine.items.item import Metadata
from quizengine.problems.dice import Dice
from quizengine.sessions.day import day_of
from quizengine.sessions.own_function import answerable, due_functions
from quizengine.sessions.schedule import due, plan
from quizengine.sessions.selection import seed_or_chance
from quizengine.sessions.store import Store


class Review(NamedTuple):
    """What is due for another look: so many units, the items that ask them, and, where nothing is due, the
    moment when the next unit is (None: nothing has been answered). `functions`: the tasks of `check` that are
    due among them."""

    due: int
    items: Sequence[Metadata]
    seed: int
    next: datetime | None
    functions: Sequence[str] = ()


def review(bank: Bank, store: Store, count: int, exam: date | None, seed: int | None) -> Review:
    """At most so many items of what is due today, by the learner's own day; with an exam ahead nothing is put
    off beyond half of the days that are left."""
    marks, now, chosen = store.marks(), datetime.now(UTC), seed_or_chance(seed)
    dates = due(marks, answerable(bank), now, exam)
    today = day_of(now.isoformat())
    ready = [unit for unit, when in dates.items() if day_of(when.isoformat()) <= today]
    items = plan(ready, marks, bank.metadata, count, Dice("review", chosen))
    functions = due_functions(bank, marks, ready)
    return Review(len(ready), items, chosen, min(dates.values(), default=None), functions)
