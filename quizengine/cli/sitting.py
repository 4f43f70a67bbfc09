"""A sitting over a session: what practice and an exam have in common."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from quizengine.cli import screen
from quizengine.items.bank import Bank
from quizengine.items.item import Metadata
from quizengine.lang.characters import plain
from quizengine.lang.messages import say
from quizengine.lang.text import Lang
from quizengine.problems.dice import seed_of
from quizengine.sessions.clock import Clock, boot
from quizengine.sessions.event import Event, Kind
from quizengine.sessions.session import Session, fits
from quizengine.sessions.store import Store


def begin(bank: Bank, store: Store, items: list[Metadata], seed: int, lang: Lang) -> Session:
    """Practice over these items; each problem's own seed comes from the session's."""
    return store.begin(Event("begun", Clock().stamp(), _plan(bank, items, seed, lang)))


def begin_exam(
    bank: Bank, store: Store, items: list[Metadata], seed: int, lang: Lang, seconds: int | None
) -> Session:
    """An exam over these items, with so much time; without a limit where that is None."""
    clock = Clock()
    deadline = clock.stamp(seconds) if seconds else ""
    data = _plan(bank, items, seed, lang) | {"mode": "exam", "deadline": deadline, "boot": boot()}
    return store.begin(Event("begun", clock.stamp(), data))


def _plan(bank: Bank, items: list[Metadata], seed: int, lang: Lang) -> dict[str, Any]:
    plan = [{"item": item.id, "seed": seed_of("take", seed, i, item.id)} for i, item in enumerate(items)]
    return {"plan": plan, "lang": lang, "seed": seed, "bank": bank.digest}


def command_of(raw: str) -> str:
    """The command that a line is, in ASCII; empty when it is an answer."""
    typed = plain(raw).strip().lower()
    return typed if typed.startswith(":") and len(typed.split()) == 1 else ""


class Left(Exception):
    """The learner leaves; what is answered is kept."""

    def __init__(self, status: int):
        super().__init__(status)
        self.status = status


class Again(Exception):
    """Ask from where the session stands now: something was taken back, or another terminal went on."""


class Sitting:
    """A learner before a session. `sit` asks; whatever ends it, what is answered is kept."""

    def __init__(self, bank: Bank, store: Store, session: Session):
        self.bank, self.store, self.session = bank, store, session
        self.clock = Clock(session.latest, session.begun, session.boot)

    @property
    def lang(self) -> Lang:
        """The language of the sitting."""
        return self.session.lang

    def run(self) -> int:
        """Sit until the end, or until the learner leaves; the exit status."""
        try:
            while not self.session.ended:
                with suppress(Again):
                    self.sit()
        except Left as left:
            self.kept()
            return left.status
        except KeyboardInterrupt:
            screen.say("")
            if not self.session.ended:
                self.kept()
            return 130
        return 0

    def sit(self) -> None:
        """Ask."""
        raise NotImplementedError

    def kept(self) -> None:
        """Say that it is kept, and how to go on."""
        raise NotImplementedError

    def note(self, kind: Kind, **data: Any) -> None:
        """Keep what happened, and act on it. Raises Again where another terminal has gone on with the
        session, so that it cannot happen any more."""
        event = Event(kind, self.clock.stamp(), data)
        while not self.store.add(self.session, event):
            lang, self.session = self.lang, self.store.session(self.session.id)
            self.session.lang = lang
            if not fits(self.session, event):
                self.tell("take.elsewhere")
                raise Again

    def tell(self, message: str, **values: Any) -> None:
        """A message, wrapped."""
        from quizengine.render.terminal import wrapped

        screen.say(*wrapped(say(self.lang, message, **values), screen.width()))

    def problem(self, index: int) -> Any:
        """The problem of this place, posed once and for all. Raises UnknownName if the bank has lost
        its item before."""
        from quizengine.problems.problem import Problem

        if index not in self.session.posed:
            from quizengine.problems.pose import pose

            planned = self.session.plan[index]
            problem = pose(self.bank.item(planned.item), planned.seed, self.lang, self.bank.catalogue)
            self.note("posed", index=index, problem=problem.to_json())
            return problem
        return Problem.from_json(self.session.posed[index])

    def refused(self, part: Any, raw: str) -> bool:
        """At a terminal, an answer that cannot be read is asked for again; on a pipe it counts. Of an
        array the shape is told as it was read."""
        from quizengine.feedback.sentences import unreadable_text
        from quizengine.render.terminal import wrapped  # late: the learner is reading the question
        from quizengine.responses.read import read
        from quizengine.responses.response import NumericValue, Unreadable

        reading = read(part, raw).reading
        if part.kind == "array" and isinstance(reading, NumericValue):
            rows, columns = len(reading.content), len(reading.content[0])
            screen.say("  " + say(self.lang, "take.read-as", rows=rows, columns=columns))
        if not isinstance(reading, Unreadable) or not screen.interactive():
            return False
        screen.say(*wrapped(unreadable_text(reading, self.lang), screen.width()))
        screen.say(say(self.lang, "take.again"))
        return True

    def ended(self) -> None:
        """Keep that it is at its end, and what is due when, for `take` to choose by."""
        from quizengine.sessions.schedule import due

        self.note("ended")
        dates = due(self.store.marks(), {head.id: head for head in self.bank.metadata}, self.clock.now())
        self.store.remember({unit: when.isoformat(timespec="milliseconds") for unit, when in dates.items()})

    def judged(self, index: int) -> tuple[Any, Any, Any]:
        """The problem as it was posed, what was read, and the mark."""
        from quizengine.marking.judge import judge
        from quizengine.responses.read import read

        problem, typed = self.problem(index), self.session.typed.get(index, {})
        responses = {part.id: read(part, typed.get(part.id, "")) for part in problem.parts}
        return problem, responses, judge(problem, responses)

    def mark(self, index: int) -> tuple[Any, Any, Any] | None:
        """Mark what was typed and keep the mark. None after a fault of ours: the answer is kept, and
        nothing is taken off for it."""
        from quizengine.feedback.sentences import mark_json

        try:
            problem, responses, mark = self.judged(index)
        except Exception as error:  # whatever it is, it is not the learner's fault
            screen.complain(f"{say(self.lang, 'verdict.ungraded')} ({type(error).__name__}: {error})")
            self.note("ungraded", index=index)
            return None
        named = list(mark.named)
        self.note(
            "marked",
            index=index,
            item=problem.item,
            topic=problem.topic,
            credit=str(mark.credit),
            points=mark.points,
            misconceptions=named,
            mark=mark_json(problem, mark, self.bank.catalogue, self.lang),
        )
        return problem, responses, mark
