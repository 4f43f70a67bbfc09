"""A placement: a few questions, spread over the map by halves, that show where a learner stands."""

from __future__ import annotations

from collections.abc import Sequence

from quizengine.items.item import Metadata
from quizengine.problems.dice import Dice
from quizengine.sessions.map import UNSURE, Map
from quizengine.sessions.session import Marked, Session

EASY = 2  # the difficulty that a placement begins with at most
MOST = 8  # questions, with all that the learner has ever answered


def to_place(map_: Map, session: Session, marks: Sequence[Marked]) -> str | None:
    """The objective whose answer tells most: right, it credits all that it stands on; not right or skipped,
    it leaves all that builds on it to the lessons. None when nothing is undecided that is easy enough."""
    most = _hardest(map_, marks)
    skipped = {session.added[index].objective for index in session.skipped if index in session.added}
    failed = {id_ for id_ in map_.objectives if id_ in skipped or map_.failed(id_)}
    undecided = {
        id_
        for id_ in map_.reached("open")
        if id_ not in failed
        and not failed & map_.ground.below[id_]
        and any(item.difficulty <= most for item in _items(map_, id_))
    }

    def told(id_: str) -> tuple[int, int]:
        """How much else is decided at least, and at most."""
        right, wrong = len(undecided & map_.ground.below[id_]), len(undecided & map_.ground.above[id_])
        return min(right, wrong), max(right, wrong)

    best = max((id_ for id_ in map_.objectives if id_ in undecided), key=told, default=None)
    return best if best and any(told(best)) else None


def placing(map_: Map, id_: str, session: Session, marks: Sequence[Marked]) -> Metadata:
    """The item that asks it: none that is too hard, examines much else, or takes long."""
    most = _hardest(map_, marks)
    asked = {planned.item for planned in session.plan}
    pool = Dice("placement", session.seed, id_).shuffled(_items(map_, id_))
    return min(
        pool,
        key=lambda item: (
            item.difficulty > most,
            item.id in asked,
            bool(item.family),
            len({*item.objectives} - map_.ground.below[id_]),
            abs(item.difficulty - 3),
        ),
    )


def _hardest(map_: Map, marks: Sequence[Marked]) -> int:
    """How difficult a question may be: easy for who has no history, one more than what was answered right."""
    known = map_.ground.bank.by_id
    right = [
        known[mark.item].difficulty for mark in marks if mark.full and not mark.helped and mark.item in known
    ]
    return max([EASY, *(difficulty + 1 for difficulty in right)])


def _items(map_: Map, id_: str) -> list[Metadata]:
    return [item for item in map_.ground.items[id_] if item.type not in UNSURE]
