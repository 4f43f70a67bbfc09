"""A lesson: an objective, by an example that is worked out and by questions, until it is passed for today."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date

from quizengine.items.item import Metadata
from quizengine.problems.dice import Dice
from quizengine.sessions.map import GUESSED, Map
from quizengine.sessions.mastery import PASSED, Mastery
from quizengine.sessions.session import Marked, Session

MOST = 6  # questions on one objective in a sitting; then it rests, and others go on
EASY, HARD = 1, 5  # the range of difficulties
MOVED_BY = 2  # right answers in a row, or wrong ones


def to_teach(map_: Map, session: Session, today: date) -> str | None:
    """The objective of the next question: of the lesson that is going on, while what it builds on is reached,
    else of a new one. None when nothing is left for today."""
    lessons = [added.objective for added in session.added.values() if added.why == "lesson"]
    left = [id_ for id_ in map_.to_learn(today) if lessons.count(id_) < MOST]
    begun = [id_ for id_ in left if id_ in lessons[-1:] and map_.ready(id_)]
    return next(iter([*begun, *left]), None)


def question(
    map_: Map, id_: str, session: Session, marks: Sequence[Marked], shown: Collection[str] = ()
) -> Metadata:
    """The item that asks it next: none of those that were `shown` with their keys; the last of three in a row
    with numbers, where there are such; what was asked least; near the difficulty of the sitting."""
    asked = Counter(mark.item for mark in marks)
    asked.update(planned.item for planned in session.plan[-PASSED:])
    numbers = len(map_.mastery.get(id_, Mastery()).run) == PASSED - 1
    wanted = difficulty(session, map_.ground.bank.by_id) or EASY + 1
    pool = Dice("lesson", session.seed, len(session.plan), id_).shuffled(_items(map_, id_))
    last = session.plan[-1].item if session.plan else ""
    return min(
        pool,
        key=lambda item: (
            item.id in shown,
            item.id == last,
            bool(item.family) != numbers,
            asked[item.id],
            abs(item.difficulty - wanted),
        ),
    )


def example(map_: Map, id_: str) -> Metadata | None:
    """The item that is worked out before the questions: one with numbers, else the easiest, where enough are
    left to ask."""
    items = sorted(
        _items(map_, id_), key=lambda item: (not item.family, item.type in GUESSED, item.difficulty)
    )
    return items[0] if items[0].family or len(items) >= PASSED else None


def opening(map_: Map, id_: str, session: Session) -> str:
    """The item that is worked out before the next question, if any: a lesson on something new opens so."""
    begun = any(added.objective == id_ and added.why == "lesson" for added in session.added.values())
    found = None if begun or map_.standing[id_] == "passed" else example(map_, id_)
    return found.id if found else ""


def worked_out(map_: Map, session: Session, today: Sequence[Marked], first: str) -> set[str]:
    """The items that are worked out in this session, `first` or before, or may have been in one before it
    that was `today`; not those that come with new numbers."""
    items = map_.ground.bank.by_id
    met = {o for mark in today if mark.item in items for o in items[mark.item].objectives}
    found = [example(map_, id_) for id_ in map_.objectives if id_ in met]
    shown = {first} | session.examples | {item.id for item in found if item}
    return {id_ for id_ in shown if id_ in items and not items[id_].family}


def _items(map_: Map, id_: str) -> list[Metadata]:
    """The items that ask it and nothing that stands on what is not reached yet, where they are enough."""
    ahead = {other for other in map_.objectives if not map_.ready(other)} - {id_}
    items = map_.ground.items[id_]
    fitting = [item for item in items if not ahead & {*item.objectives}]
    return fitting if len(fitting) >= PASSED else items


def difficulty(session: Session, items: Mapping[str, Metadata]) -> int | None:
    """How difficult the next question of this session should be: that of the first, one more after two right
    answers in a row, one less after two wrong ones. None while nothing is answered."""
    level, run = None, 0
    for mark in session.marks:
        if mark.item not in items:
            continue
        level = items[mark.item].difficulty if level is None else level
        run = max(run, 0) + 1 if mark.full and not mark.hints else min(run, 0) - 1
        if abs(run) == MOVED_BY:
            level, run = max(EASY, min(HARD, level + run // MOVED_BY)), 0
    return level
