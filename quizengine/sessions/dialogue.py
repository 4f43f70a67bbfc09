"""A dialogue: a learner before a session; what practice and an exam have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from quizengine.items.bank import Bank
from quizengine.lang.characters import cells, plain
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.problems.part import Part
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.render.blocks import Block, ask, recalled, stem
from quizengine.render.matrix import numpy_text
from quizengine.render.terminal import lines, wrapped
from quizengine.sessions.clock import Clock
from quizengine.sessions.event import Content, Ended, Posed, Ungraded, event_of
from quizengine.sessions.keys import Key, in_line, in_list, signs
from quizengine.sessions.roll import Roll
from quizengine.sessions.session import Session, fits
from quizengine.sessions.store import Store

if TYPE_CHECKING:
    from quizengine.sessions.desk import Desk
    from quizengine.sessions.reply import Judgement

_HELP = ("?", ":?", "help", ":help", "ヘルプ", ":ヘルプ")


def command_of(raw: str) -> str:
    """The command that a line is, in ASCII; empty when it is an answer."""
    typed = plain(raw).strip().lower()
    return typed if typed.startswith(":") and len(typed.split()) == 1 else ""


def key_of(raw: str) -> str:
    """The key that a line is: a command, `:?` for a call for help; empty when it is an answer."""
    return ":?" if plain(raw).strip().lower() in _HELP else command_of(raw)


class Left(Exception):
    """The learner leaves; what is answered is kept."""

    def __init__(self, status: int):
        super().__init__(status)
        self.status = status


class Again(Exception):
    """Ask from where the session stands now: something was taken back, or another terminal went on."""


class Dialogue:
    """A learner at a desk before a session. `ask` asks; whatever ends it, what is answered is kept."""

    def __init__(self, bank: Bank, store: Store, session: Session, desk: Desk):
        self.bank, self.store, self.session, self.desk = bank, store, session, Roll(desk)
        self.clock = Clock(session.latest, session.begun, session.boot)

    @property
    def lang(self) -> Lang:
        """The language of the session."""
        return self.session.lang

    def resumed(self) -> None:
        """Say that a kept session goes on."""
        session = self.session
        number = min(len(session.done) + 1, session.count)
        message = "take.resume-exam" if session.mode == "exam" else "take.resume"
        self.desk.print(t(self.lang, message, when=self.when(), number=number, count=session.count))

    def when(self) -> str:
        """When the session began, by the learner's own clock."""
        return datetime.fromisoformat(self.session.begun).astimezone().strftime("%Y-%m-%d %H:%M")

    def run(self) -> int:
        """Ask until the end, or until the learner leaves; the exit status."""
        try:
            while not self.session.ended:
                with suppress(Again):
                    self.ask()
        except Left as left:
            self.kept()
            return left.status
        except KeyboardInterrupt:
            self.desk.print("")
            if not self.session.ended:
                self.kept()
            return 130
        return 0

    def ask(self) -> None:
        """Ask what is open, up to the end; each kind of session does it in its way. Raises Left when the
        learner leaves, Again when it is to be asked from where the session stands then."""
        raise NotImplementedError

    def kept(self) -> None:
        """Say that it is kept, and how to go on; each kind of session does it in its way."""
        raise NotImplementedError

    def note(self, content: Content) -> None:
        """Keep what happened, and act on it. Raises Again where another terminal has gone on with the
        session, so that it cannot happen any more."""
        event = event_of(content, self.clock.stamp())
        while not self.store.add(self.session, event):
            lang, self.session = self.lang, self.store.session(self.session.id)
            self.session.lang = lang
            if not fits(self.session, event):
                self.tell("take.elsewhere")
                raise Again

    def tell(self, message: str, **values: object) -> None:
        """Show a message, wrapped to the width of the desk."""
        self.desk.print(*wrapped(t(self.lang, message, **values), self.desk.width()))

    def laid(self, blocks: Sequence[Block]) -> list[str]:
        """The lines of the blocks at this desk."""
        return lines(blocks, self.desk.width(), abreast=self.desk.abreast())

    def key_lines(self, keys: Iterable[Key], before: str = "") -> list[str]:
        """A line of keys, broken only between them where it is too long."""
        return self.broken(before + in_line(keys, self.lang))

    def broken(self, text: str) -> list[str]:
        """A line of keys as it is written, broken in the same way."""
        between, shown = " · ", [""]
        for entry in text.split(between):
            line = shown[-1] + (between if shown[-1] else "") + entry
            if shown[-1] and cells(line) > self.desk.width() - 2:
                shown.append(entry)
            else:
                shown[-1] = line
        return [out for line in shown for out in wrapped(self.desk.keys(line), self.desk.width(), first="  ")]

    def help(self, keys: Iterable[Key]) -> None:
        """Show the keys that do something here, and what."""
        self.desk.print(*in_list(keys, self.lang, self.desk.width()))

    def unknown(self, command: str, keys: Iterable[Key]) -> None:
        """Say that there is no such key here, and which there are."""
        self.tell("take.unknown", command=command[:20], keys=signs(keys, self.lang))

    def remind(self, command: str, keys: Sequence[Key], before: str = "") -> None:
        """Show the line of keys once more below what a key has shown."""
        if command == ":g" or command in [key.sign for key in keys]:
            self.desk.print(*self.key_lines(keys, before))

    def pose(self, problem: Problem) -> None:
        """Show what stands before the parts."""
        self.desk.print(*self.laid(stem(problem)))
        self.desk.since = len(self.laid(recalled(problem, problem.parts[0])))

    def recall(self, problem: Problem, part: Part) -> None:
        """Show the givens once more."""
        self.desk.since = 0
        self.desk.print(*self.laid(recalled(problem, part)))

    def ask_part(self, problem: Problem, part: Part, keys: Sequence[str], typed: Sequence[str] = ()) -> None:
        """Show what is asked, what was `typed` before, and the line of keys; before a later part the givens,
        where they would have rolled off by then."""
        shown = [*self.laid(ask(problem, part)), *typed, *keys]
        if part is not problem.parts[0] and self.desk.rolled_off(len(shown)):
            self.recall(problem, part)
        self.desk.print(*shown)

    def given(self, command: str, problem: Problem, part: Part) -> None:
        """Show the givens once more (:g), or hand them over as NumPy takes them (:c)."""
        if command == ":g":
            self.recall(problem, part)
        elif text := numpy_text(problem):
            self.desk.copy(text)
            self.desk.print(*text.split("\n"))
        else:
            self.tell("take.nothing-to-copy")

    def problem(self, index: int) -> Problem:
        """The problem of this place, posed once and for all. Raises UnknownName if the bank has lost
        its item before."""
        if index not in self.session.posed:
            planned = self.session.plan[index]
            problem = pose(self.bank.item(planned.item), planned.seed, self.lang, self.bank.catalogue)
            self.note(Posed(index=index, problem=problem.to_json()))
            return problem
        return Problem.from_json(self.session.posed[index])

    def refused(self, part: Part, raw: str) -> bool:
        """Is an answer to be asked for again, since it cannot be read?"""
        from quizengine.sessions import reply  # late: the learner is reading the first question

        return reply.refused(self.desk, part, raw, self.lang)

    def ended(self) -> None:
        """Keep that it is at its end, and what is due when, for the next session to choose by."""
        from quizengine.sessions import reply

        self.note(Ended())
        self.store.remember(reply.due_stamps(self.bank, self.store.marks(), self.clock.now()))

    def judged(self, index: int) -> Judgement:
        """The problem of this place, what was read of its answer, and the mark."""
        from quizengine.sessions import reply

        session = self.session
        return reply.judgement(
            self.problem(index), session.typed.get(index, {}), session.tried.get(index, {})
        )

    def settled(self, made: Judgement) -> Judgement:
        """The same, with what a person at the desk has to say of an answer that is open. Raises Left."""
        return made

    def mark(self, index: int) -> Judgement | None:
        """Mark what was typed and keep the mark. None after a fault of ours: the answer is kept, and
        nothing is taken off for it."""
        from quizengine.sessions import reply

        try:
            made = self.judged(index)
        except Exception as error:  # whatever it is, it is not the learner's fault
            self.desk.complain(f"{t(self.lang, 'verdict.ungraded')} ({type(error).__name__}: {error})")
            self.note(Ungraded(index=index))
            return None
        made = self.settled(made)
        self.note(reply.log_entry(index, made, self.bank, self.lang))
        return made
