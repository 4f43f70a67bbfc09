"""Functions that a learner writes: what `check` finds of one is kept in the log as an answer is, and counts
for the objectives that its task examines."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from quizengine.items.bank import Bank
from quizengine.items.item import Metadata
from quizengine.lang.text import LANGUAGES, Lang
from quizengine.sessions.clock import Clock
from quizengine.sessions.day import day_of
from quizengine.sessions.event import Begun, Ended, Judged, Planned, event_of
from quizengine.sessions.session import Marked
from quizengine.sessions.store import Store

_ITEM = "check:"  # no id of a bank has a colon


class Checked(NamedTuple):
    """What was found of the code of a function: whether it is right, and which misconceptions it shows."""

    task: str
    code: bytes
    right: bool
    misconceptions: Sequence[str]


def functions(bank: Bank) -> dict[str, Metadata]:
    """The tasks of `check` that examine an objective of the bank, each by its name as an item is."""
    examined: dict[str, list[str]] = {}
    for id_, objective in bank.objectives.items():
        for task in objective.tasks:
            examined.setdefault(task, []).append(id_)
    return {
        task: Metadata(
            id=_ITEM + task,
            type="construct",
            topic=bank.objectives[ids[0]].topic,
            level="transfer",
            difficulty=4,
            objectives=tuple(ids),
            languages=LANGUAGES,
            family="",
            misconceptions=(),
        )
        for task, ids in examined.items()
    }


def answerable(bank: Bank) -> dict[str, Metadata]:
    """All that an answer on record may belong to, by id: the items of the bank, and functions."""
    return {**bank.by_id, **{each.id: each for each in functions(bank).values()}}


def note(store: Store, bank: Bank, lang: Lang, found: Checked) -> bool:
    """Keep a verdict as an answer of one point; is it kept? Not where the bank has no objective of its task;
    nor a second time for the same code, or for the same verdict on one day, so that saving often neither
    raises nor lowers what is mastered."""
    metadata = functions(bank).get(found.task)
    if metadata is None:
        return False
    now, named = Clock(store.latest()).stamp(), [*found.misconceptions]
    mark = {"code": hashlib.sha256(found.code).hexdigest()[:16]}
    judged = Judged(0, metadata.id, metadata.topic, "1" if found.right else "0", 1, named, mark)
    for _, event in store.log("kind = 'marked'"):
        was = event.content
        if isinstance(was, Judged) and was.item == metadata.id:
            same = (was.credit, [*was.misconceptions]) == (judged.credit, named)
            if was.mark == mark or (same and day_of(event.at) == day_of(now)):
                return False
    begun = Begun([Planned(metadata.id, 0)], lang, bank=bank.digest)
    return store.restore([[event_of(content, now) for content in (begun, judged, Ended())]]) == 1


def next_function(bank: Bank, answered: Iterable[Marked], marks: Iterable[Marked]) -> str | None:
    """The task to write now: the first of which an objective was just `answered` right, and whose function
    was not right when it was last checked, by all the `marks`."""
    items = bank.by_id
    right = {id_ for m in answered if m.full and m.item in items for id_ in items[m.item].objectives}
    last = {mark.item: mark for mark in marks}
    for task, metadata in functions(bank).items():
        done = metadata.id in last and last[metadata.id].full
        if right & {*metadata.objectives} and not done:
            return task
    return None


def due_functions(bank: Bank, marks: Iterable[Marked], due: Collection[str]) -> list[str]:
    """The tasks whose functions were written before, and of which an objective is `due` again."""
    written = {mark.item for mark in marks}
    return [
        task
        for task, metadata in functions(bank).items()
        if metadata.id in written and {*due} & {*metadata.objectives}
    ]
