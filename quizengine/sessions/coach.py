"""The coach: what a session of practice asks next, where its plan leaves that open. What it decides is kept
as an event, and made of the log alone, so that a session gone on with is the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from quizengine.errors import UnknownName
from quizengine.feedback.follow_up import sister
from quizengine.items.bank import Bank
from quizengine.items.item import Item, Metadata
from quizengine.lang.messages import t
from quizengine.problems.dice import Dice, seed_of
from quizengine.problems.part import labels_of
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.render.blocks import Options, stem, told_key
from quizengine.render.terminal import wrapped
from quizengine.sessions.day import day_end, day_of, day_start
from quizengine.sessions.event import Added, Planned, Swapped
from quizengine.sessions.goal import goal_line
from quizengine.sessions.lesson import MOST as LONGEST
from quizengine.sessions.lesson import difficulty, opening, question, to_teach, worked_out
from quizengine.sessions.map import Evidence, Ground, Map, evidence
from quizengine.sessions.mastery import weak_first
from quizengine.sessions.own_function import next_function
from quizengine.sessions.placement import MOST, placing, to_place
from quizengine.sessions.session import Marked, Session

if TYPE_CHECKING:
    from quizengine.sessions.dialogue import Dialogue

LATER = 4  # so many questions after the one that went wrong, it comes back
FREE = 2  # from this rank on an item may be swapped: it was neither wrong before, nor is it due


class Coach:
    """Who plans the next question of a dialogue, and says where it leads."""

    def __init__(self, dialogue: Dialogue):
        self.dialogue = dialogue
        self.taught = ""  # the objective of the lesson that goes on at this desk

    @cached_property
    def before(self) -> list[Marked]:
        """What was answered before this session."""
        begun = self.dialogue.session.begun
        return [mark for mark in self.dialogue.store.marks() if mark.at < begun]

    @cached_property
    def rank(self) -> Callable[[Metadata], int]:
        """The rank of items by what was answered before."""
        return weak_first(self.before, self.dialogue.store.due(day_end(self.dialogue.session.begun)))

    @cached_property
    def _evidence(self) -> tuple[Ground, Evidence]:
        bank = self.dialogue.bank
        return Ground(bank, self.dialogue.session.lang), evidence(bank, self.before)

    @property
    def placed(self) -> int:
        """How many questions the placement of this session has at most."""
        return min(MOST - len(self.before), self.dialogue.session.size)

    def map(self) -> Map:
        """The map as it stands now."""
        ground, before = self._evidence
        return Map(ground, evidence(self.dialogue.bank, self.dialogue.session.marks, before))

    def plan(self) -> None:
        """Plan the next question where that is open, and say what it is for. Raises Again."""
        if content := self._wanted(self.dialogue.session):
            self.dialogue.note(content)
        session = self.dialogue.session
        added = session.added.get(session.at) if session.at is not None else None
        if added and added.why == "again" and session.at not in session.posed:
            self.dialogue.desk.print("")
            self._say("back.again")
        if session.coach == "start":
            self._lead(added)

    def _wanted(self, session: Session) -> Added | Swapped | None:
        if any(index not in session.done for index in session.added):
            return None
        bank, index = self.dialogue.bank, next_back(session, at_end=False)
        if index is not None:
            return again(bank, session, index)
        if session.coach == "start":
            found = led(self.map(), session, [*self.before, *session.marks], self.dialogue.clock.stamp())
            if found:
                return found
        if session.at is None:
            index = next_back(session, at_end=True)
            return None if index is None else again(bank, session, index)
        if session.coach == "take" and session.done and session.at not in session.posed:
            return swap(bank, session, self.rank, session.at)
        return None

    def close(self) -> None:
        """After the sum: what was right the second time, where the map stands, a function to be written, and
        the goal of the day."""
        session = self.dialogue.session
        back = [index for index, added in session.added.items() if added.why == "again"]
        answered = [session.marked[index] for index in back if index in session.marked]
        if answered:
            self._say("back.sum", right=sum(mark.full for mark in answered), count=len(answered))
        if session.coach == "start":
            map_ = self.map()
            self._passed(map_)
            self._say("start.way", reached=len(map_.reached()), all=len(map_.objectives))
            self._next(map_)
        if task := next_function(self.dialogue.bank, session.marks, self.dialogue.store.marks()):
            self._say("function.next", task=task)
        if line := goal_line(self.dialogue.store, self.dialogue.clock.stamp(), session.lang):
            self._print(line)

    def _next(self, map_: Map) -> None:
        """What comes next time, or that nothing does."""
        coming = map_.to_learn(day_of(self.dialogue.clock.stamp()))
        if coming:
            self._say("start.next", objective=map_.ground.text(coming[0]))
        else:
            self._say("start.tomorrow" if map_.reached("passed") else "start.done")

    def _lead(self, added: Added | None) -> None:
        """Say what the next question of a sitting that is led is for, where that changes."""
        session = self.dialogue.session
        whys = [each.why for each in session.added.values()]
        if added and added.why == "placement" and whys == ["placement"]:
            self._say("start.placement", count=self.placed)
        if not added or added.why != "lesson" or added.objective == self.taught:
            return
        map_ = self.map()
        if "placement" in whys and whys.count("lesson") == 1:
            credited = len(map_.reached("credited"))
            self.dialogue.desk.print("")
            self._say("start.placed", credited=credited, all=len(map_.objectives))
        self._passed(map_)
        self.taught = added.objective
        self._head(map_, added)

    def _passed(self, map_: Map) -> None:
        """Say what has become of the lesson up to now."""
        if not self.taught:
            return
        added = self.dialogue.session.added.values()
        message = {"passed": "start.passed", "mastered": "start.mastered"}.get(map_.standing[self.taught], "")
        if not message and sum(each.objective == self.taught for each in added) >= LONGEST:
            message = "start.rest"
        if not message and not map_.ready(self.taught):
            message = "start.below"
        if message:
            self.dialogue.desk.print("")
            self._say(message, objective=map_.ground.text(self.taught))
        self.taught = ""

    def _head(self, map_: Map, added: Added) -> None:
        """The head of a lesson; at its very beginning also how far the way is, and an example."""
        session, id_ = self.dialogue.session, added.objective
        coming_back = map_.standing[id_] == "passed"
        self.dialogue.desk.print("")
        self._say("start.back" if coming_back else "start.lesson", objective=map_.ground.text(id_))
        self._say("start.way", reached=len(map_.reached()), all=len(map_.objectives))
        opens = [map_.ground.text(other) for other in map_.ground.unlocks[id_]]
        if opens:
            self._say("start.unlocks", objectives=" / ".join(opens))
        if added.example and session.at not in session.posed:
            with suppress(UnknownName):  # the bank has changed since
                self._example(self.dialogue.bank.item(added.example))

    def _example(self, item: Item) -> None:
        """An item that is asked and answered, and why."""
        from quizengine.sessions import reply

        dialogue = self.dialogue
        seed = seed_of("example", dialogue.session.seed, item.id)
        problem = pose(item, seed, dialogue.lang, dialogue.bank.catalogue)
        dialogue.desk.print("")
        self._say("start.example")
        dialogue.desk.print(*dialogue.laid(stem(problem)))
        if problem.type == "numeric":
            for part in problem.parts:
                dialogue.desk.print(*wrapped(part.prompt, dialogue.desk.width()))
        for part in problem.parts if problem.type != "numeric" else ():
            if len(problem.parts) > 1:
                dialogue.desk.print("", *wrapped(part.prompt, dialogue.desk.width()))
            if labels := labels_of(part):
                dialogue.desk.print(*dialogue.laid([Options(labels)]))
            self._print(t(dialogue.lang, "key") + told_key(part, dialogue.lang))
        reply.show_worked(dialogue.desk, problem)

    def _say(self, message: str, **values: object) -> None:
        self._print(t(self.dialogue.lang, message, **values))

    def _print(self, text: str) -> None:
        self.dialogue.desk.print(*wrapped(text, self.dialogue.desk.width()))


def next_back(session: Session, *, at_end: bool) -> int | None:
    """The question that is to come back now, if any; at the end none waits any longer."""
    for index in session.to_come_back:
        if at_end or len(session.done) - session.done.index(index) >= LATER:
            return index
    return None


def again(bank: Bank, session: Session, index: int) -> Added:
    """The problem as which a question comes back: with new numbers, else another item of the same mistake or
    objective among those that were chosen from, else itself in another order."""
    from quizengine.sessions import reply

    planned, found = session.plan[index], None
    with suppress(UnknownName):  # the bank has changed since
        made = reply.judgement(Problem.from_json(session.posed[index]), session.typed.get(index, {}))
        fitting = {item.id for item in bank.select(**session.filters) if item.type != "short_answer"}
        passed_over = {item.id for item in bank.metadata if item.id not in fitting}
        asked = {place.item for place in session.plan}
        found = sister(bank, made.problem, made.mark, passed_over | asked | session.examples)
    if found and Planned(*found) in session.plan:  # the learner has asked for it before
        found = None
    item, seed = found or (planned.item, seed_of("again", planned.seed, planned.item))
    return Added(item, seed, "again", back=index)


def led(map_: Map, session: Session, marks: Sequence[Marked], at: str) -> Added | None:
    """The next question of a sitting that is led over the map; None when all of it is asked, or nothing is
    left for today."""
    extra = sum(added.why in ("", "again") for added in session.added.values())
    if len(session.plan) - extra >= session.size:
        return None
    number = len(session.plan)
    begun = any(added.why == "lesson" for added in session.added.values())
    asked = len(marks) + sum(
        session.added[i].why == "placement" for i in session.skipped if i in session.added
    )
    if not begun and asked < MOST and (id_ := to_place(map_, session, marks)):
        item = placing(map_, id_, session, marks)
        return Added(item.id, seed_of("start", session.seed, number, item.id), "placement", id_)
    if id_ := to_teach(map_, session, day_of(at)):
        start, first = day_start(at), opening(map_, id_, session)
        shown = worked_out(map_, session, [mark for mark in marks if start <= mark.at < session.begun], first)
        item = question(map_, id_, session, marks, shown)
        return Added(item.id, seed_of("start", session.seed, number, item.id), "lesson", id_, example=first)
    return None


def swap(bank: Bank, session: Session, rank: Callable[[Metadata], int], index: int) -> Swapped | None:
    """Another item of the same topic and kind for this place, where one is nearer to the difficulty that the
    session has come to; what went wrong before the session or is due stays (`rank` is that of the choice)."""
    items = bank.by_id
    planned, wanted = items.get(session.plan[index].item), difficulty(session, items)
    if planned is None or wanted is None or rank(planned) < FREE:
        return None
    there = {place.item for place in session.plan}

    def far(item: Metadata) -> tuple[int, int]:
        return abs(item.difficulty - wanted), rank(item)

    pool = [
        item
        for item in bank.select(**session.filters)
        if item.topic == planned.topic and bool(item.family) == bool(planned.family)
        if item.id not in there and session.lang in item.languages and rank(item) >= FREE
    ]
    best = min(Dice("swap", session.seed, index).shuffled(pool), key=far, default=planned)
    if far(best)[0] >= far(planned)[0]:
        return None
    return Swapped(index, best.id, seed_of("take", session.seed, index, best.id))
