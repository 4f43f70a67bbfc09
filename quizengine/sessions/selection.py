"""A selection: which items a new session asks, and its beginning in the store."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from quizengine.errors import UsageError
from quizengine.items.bank import Bank
from quizengine.items.item import Metadata
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.problems.choose import choose
from quizengine.problems.dice import Dice, seed_of
from quizengine.sessions.clock import Clock, boot, local
from quizengine.sessions.day import day_end
from quizengine.sessions.event import Begun, Mode, Planned, event_of
from quizengine.sessions.session import Session
from quizengine.sessions.store import Store

COUNT = 10
EASY = 2  # up to this difficulty an item is easy


class Selection(NamedTuple):
    """What is asked for: these items by id, or those that fit the filters; of them so many (None: all that
    are named, else ten). The same seed selects the same. `seconds` is the time for an exam, `until` its
    end at the latest. With `steps` each part is judged as it is typed."""

    ids: Sequence[str] = ()
    filters: Mapping[str, Sequence[str]] = {}
    number: int | None = None
    mode: Mode | None = None
    seed: int | None = None
    seconds: int | None = None
    until: datetime | None = None
    steps: bool = False

    @property
    def made(self) -> bool:
        """Is anything asked for?"""
        return any((self.ids, self.number, self.mode, self.seed is not None, *self.filters.values()))


def begin(bank: Bank, store: Store, wanted: Selection, lang: Lang) -> Session:
    """A new session of what is asked for. Without a seed, practice asks by the learner's own history.
    Raises UsageError where nothing fits."""
    fitting = bank.select(**wanted.filters)
    named = [bank.item(id_).metadata for id_ in wanted.ids]
    pool = [item for item in named if item in fitting] if wanted.ids else fitting
    if not pool:
        raise UsageError(t(lang, "take.no-items"))
    count = wanted.number or (len(pool) if wanted.ids else min(COUNT, len(pool)))
    seed = seed_or_chance(wanted.seed)
    if wanted.mode == "exam":
        return _exam(bank, store, choose(pool, count, Dice("take", seed)), seed, lang, wanted)
    steps = wanted.steps or None
    if wanted.seed is not None:
        fixed = begun(bank, choose(pool, count, Dice("take", seed)), seed, lang)
        return practice(store, fixed._replace(steps=steps))
    chosen = choose(pool, count, Dice("take", seed), _rank(store))
    filters = {field: values for field, values in wanted.filters.items() if values}
    coached = begun(bank, chosen, seed, lang)._replace(
        coach="" if wanted.ids else "take", filters=filters, steps=steps
    )
    return practice(store, coached)


def _rank(store: Store) -> Callable[[Metadata], int]:
    """What is asked first, by the learner's own history; who has none begins with what is easy."""
    marks = store.marks()
    if not marks:
        return lambda item: int(item.difficulty > EASY)
    from quizengine.sessions.mastery import weak_first  # late: the very first question is not to wait

    return weak_first(marks, store.due(day_end(Clock().stamp())))


def practice(store: Store, begun: Begun) -> Session:
    """A session of practice that begins so, now."""
    return store.begin(event_of(begun, Clock().stamp()))


def _exam(
    bank: Bank, store: Store, items: Sequence[Metadata], seed: int, lang: Lang, wanted: Selection
) -> Session:
    """An exam over these items, with as much time as is wanted. Raises UsageError where none is left."""
    clock = Clock()
    stamps = [clock.stamp(wanted.seconds)] if wanted.seconds else []
    if wanted.until:
        stamps.append(wanted.until.astimezone(UTC).isoformat(timespec="milliseconds"))
    deadline = min(stamps, default="")
    if deadline and deadline < clock.stamp():
        raise UsageError(t(lang, "exam.over", until=local(deadline)))
    exam = begun(bank, items, seed, lang)._replace(mode="exam", deadline=deadline, boot=boot())
    return store.begin(event_of(exam, clock.stamp()))


def begun(bank: Bank, items: Sequence[Metadata], seed: int, lang: Lang) -> Begun:
    """How a session over these items begins; each problem's own seed comes from the session's."""
    plan = [Planned(item.id, seed_of("take", seed, i, item.id)) for i, item in enumerate(items)]
    return Begun(plan, lang, seed, bank.digest)


def seed_or_chance(wanted: int | None) -> int:
    """The seed that is asked for, else one of chance."""
    return seed_of("chance", os.urandom(16).hex()) if wanted is None else wanted
