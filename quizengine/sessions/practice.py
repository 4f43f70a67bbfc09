"""Practice: the questions of a session one after another, with feedback after every answer."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from quizengine.errors import UnknownName
from quizengine.lang.messages import t
from quizengine.lang.quotation import Quoted
from quizengine.problems.part import Part, lines_of
from quizengine.problems.problem import Problem
from quizengine.render.blocks import givens as givens_of
from quizengine.render.blocks import title
from quizengine.render.terminal import wrapped
from quizengine.sessions.dialogue import Again, Dialogue, Left, key_of
from quizengine.sessions.event import Added, Hinted, Skipped, Typed, Undone
from quizengine.sessions.keys import (
    ALIKE,
    BACK,
    FEEDBACK,
    FINISH,
    GIVENS,
    HINT,
    KEEP,
    KEYS,
    LEAVE,
    LED,
    NEXT,
    QUIT,
    SKIP,
    UNDO,
    WORKED,
    Key,
)

if TYPE_CHECKING:
    from quizengine.sessions.coach import Coach
    from quizengine.sessions.reply import Judgement


class Practice(Dialogue):
    """A session of practice, at a terminal or on a pipe."""

    skipping = False  # was the part just asked skipped, rather than left blank?
    made: tuple[int, Judgement] | None = None  # the newest mark, and of which question
    standing = False  # does the feedback stand that was shown last?

    def ask(self) -> None:
        """Ask until the plan is done, then show the sum. Raises Left, Again."""
        self.standing = self.session.at is None and self.session.last is not None
        while (index := self.following()) is not None:
            self.question(index)
        from quizengine.sessions import reply  # late, here and below: the first question has been answered

        reply.show_summary(self.desk, self.bank, self.session)
        self.ended()
        self.coach.close()

    @cached_property
    def coach(self) -> Coach:
        """Who plans what comes next, where the session leaves that open."""
        from quizengine.sessions.coach import Coach

        return Coach(self)

    def following(self) -> int | None:
        """The place of the next question, once the feedback was read and it is planned: what is open, then,
        once more, what was skipped; None at the end. Raises Left, Again."""
        if self.standing and self.desk.interactive():
            self.standing = False
            self.wait()
        if self.session.coach and (self.session.done or not self.session.plan):
            self.coach.plan()
        if self.session.at is None and (skipped := self.session.once_more) is not None:
            self.tell("take.once-more")
            self.note(Undone(index=skipped))
        return self.session.at

    def wait(self) -> None:
        """Let the feedback stand until Enter. Raises Left, Again."""
        session = self.session
        end = session.at is None and session.once_more is None and len(session.done) >= session.count
        assert self.session.last is not None
        behind = not self.problem(self.session.last).reasoned and self.desk.abreast()
        keys = [FINISH if end else NEXT, *([WORKED] if behind else []), FEEDBACK, ALIKE, UNDO]
        keys += [BACK] if self.session.skipped else []
        keys += [KEYS] if end else [self.led(LEAVE), KEYS]
        self.desk.print("", *self.key_lines(keys))
        while (raw := self.desk.answer()) is not None:
            match key_of(raw):
                case "" if not raw.strip():
                    return
                case "":
                    self.tell("take.press-enter")
                    self.desk.print(*self.key_lines(keys))
                case ":q" if not end:
                    raise Left(0)
                case ":q":
                    return
                case ":u":
                    self.undo_question()
                case command:
                    self.at_any_time(command, keys)
                    self.remind(command, keys)
        if not end:
            raise Left(130)

    def kept(self) -> None:
        """Say that it is kept, and how to go on."""
        session = self.session
        command = "start" if session.coach == "start" else "take"
        done = {"answered": session.answered, "count": session.count, "command": command}
        self.desk.print("", t(self.lang, "take.kept", **done))

    def resumed(self) -> None:
        """Say that a kept session goes on; of one that is led the next question is not known yet."""
        if self.session.coach == "start":
            self.tell("start.resume", when=self.when())
        else:
            super().resumed()

    def question(self, index: int) -> None:
        """Pose, ask every part, mark, and say what the mark means."""
        try:
            problem = self.problem(index)
        except UnknownName as error:  # the bank has changed since the plan was made
            self.desk.complain(error.message)
            self.note(Skipped(index=index))
            return
        self.desk.print("", *wrapped(self.title(index, problem), self.desk.width()), style="bold")
        self.pose(problem)
        for part in problem.parts:
            if part.id in self.session.typed.get(index, {}):
                self.answered_before(index, part)
            else:
                self.part(index, problem, part)
            if self.session.steps and [*self.session.typed[index]][-1] == part.id:
                self.step(index, problem, part)
        if any(self.session.typed.get(index, {}).values()) or (len(problem.parts) == 1 and not self.skipping):
            self.judge(index)
        else:
            self.desk.print(t(self.lang, "take.skipped"))
            self.note(Skipped(index=index))

    def title(self, index: int, problem: Problem) -> str:
        """The title of a question. A placement is counted by itself, and so is what follows it."""
        session = self.session
        placement = session.placement
        done = sum((i in placement) == (index in placement) for i in session.done)
        if index in placement:
            return title(problem, done + 1, self.coach.placed, self.lang, "take.head-first")
        return title(problem, done + 1, session.count - len(placement), self.lang)

    def answered_before(self, index: int, part: Part) -> None:
        """Show a part that was answered before the session was resumed, and how."""
        self.desk.print("", *wrapped(part.prompt, self.desk.width()))
        typed = self.session.typed[index][part.id]
        self.desk.print(
            *wrapped((Quoted(typed),), self.desk.width(), first="  " + t(self.lang, "your-answer"))
        )

    def part(self, index: int, problem: Problem, part: Part) -> None:
        """Ask one part until it is answered; what is skipped is kept as a blank. Raises Left, Again."""
        self.ask_part(problem, part, self.key_lines(self.keys(index, problem, part)))
        self.answer(index, problem, part)

    def answer(self, index: int, problem: Problem, part: Part, *, second: bool | None = None) -> None:
        """Take an answer to a part; at the `second` try the first may stay as it is. Raises Left, Again."""
        empty_before = False
        while True:
            raw = self.desk.answer(rows=lines_of(part))
            if raw is None and self.left_out(index):
                raw = ":s"
            if raw is None:
                raise Left(130)
            command = key_of(raw)
            if second and (command == ":s" or not raw.strip()):
                return
            if command == ":s":
                self.skipping = True
                self.note(Typed(index=index, part=part.id, raw=""))
                return
            if command:
                self.command(command, index, problem, part)
                self.remind(command, self.keys(index, problem, part))
            elif not raw.strip() and self.desk.interactive() and not empty_before:
                empty_before = True
                keys = self.key_lines(self.keys(index, problem, part))
                self.desk.print(t(self.lang, "take.empty"), *keys)
            elif not self.refused(part, raw):
                self.skipping = False
                self.note(Typed(index=index, part=part.id, raw=raw, second=second))
                return

    def step(self, index: int, problem: Problem, part: Part) -> None:
        """Judge the part that was typed last at once, and take a second try where it is wrong. Raises Left,
        Again."""
        from quizengine.sessions import reply

        last = part is problem.parts[-1]
        while self.session.typed[index][part.id].strip():
            second = part.id in self.session.tried.get(index, {})
            try:
                made = self.judged(index)
            except Exception:  # a fault of ours: it is told when all parts are judged
                return
            if not reply.step(self.desk, self.bank, made, part, last=last, second=second):
                return
            self.tell("take.second-try")
            self.desk.print(*self.key_lines(self.keys(index, problem, part)))
            self.answer(index, problem, part, second=True)
            if part.id not in self.session.tried.get(index, {}):  # the first one stands
                return

    def left_out(self, index: int) -> bool:
        """Is this a question that was skipped before, on a pipe that has no answer to it?"""
        again, typed = index in self.session.skips, self.session.typed.get(index, {})
        return again and not self.desk.interactive() and not any(typed.values())

    def keys(self, index: int, problem: Problem, part: Part) -> list[Key]:
        """The keys that do something here."""
        session = self.session
        found = [HINT] if self.hints(index, problem, part) else []
        found += [KEEP] if part.id in session.typed.get(index, {}) else [self.led(SKIP)]
        found += [UNDO] if session.typed.get(index) or session.done else []
        found += [BACK] if session.skipped else []
        found += GIVENS if givens_of(problem) else ()
        found += [FEEDBACK] if session.told is not None else []
        late = [WORKED, ALIKE] if session.last is not None else []
        found += [key._replace(name="") for key in late]  # told in the list alone
        return [*found, self.led(QUIT), KEYS]

    def led(self, key: Key) -> Key:
        """The key, with what it means where `start` leads."""
        return key._replace(means=LED[key.sign]) if self.session.coach == "start" else key

    def command(self, command: str, index: int, problem: Problem, part: Part) -> None:
        """Do what a key asks for while a question stands. Raises Left, Again."""
        match command:
            case ":q":
                raise Left(0)
            case ":h":
                self.hint(index, problem, part)
            case ":g" | ":c":
                self.given(command, problem, part)
            case ":u":
                self.undo(index)
            case _:
                self.at_any_time(command, self.keys(index, problem, part))

    def at_any_time(self, command: str, keys: Sequence[Key]) -> None:
        """Do what a key asks for, be it while a question stands or while feedback does. Raises Again."""
        match command:
            case ":?":
                self.help(keys)
            case ":b":
                self.back()
            case ":f":
                self.feedback()
            case ":t":
                self.another()
            case ":w":
                self.worked()
            case _:
                self.unknown(command, keys)

    def undo(self, index: int) -> None:
        """Take back the part typed last, else the question answered last; nothing is deleted.
        Raises Again when there is one."""
        if typed := self.session.typed.get(index):
            self.note(Undone(index=index, part=list(typed)[-1]))
            self.desk.print(t(self.lang, "take.undone"))
            raise Again
        self.undo_question()

    def undo_question(self) -> None:
        """Take back the question answered or skipped last. Raises Again when there is one."""
        if not self.session.done:
            self.desk.print(t(self.lang, "take.nothing-to-undo"))
            return
        self.note(Undone(index=self.session.done[-1]))
        self.desk.print(t(self.lang, "take.undone"))
        raise Again

    def back(self) -> None:
        """Go back to the question skipped last. Raises Again when there is one."""
        if not self.session.skipped:
            self.desk.print(t(self.lang, "take.nothing-skipped"))
            return
        self.note(Undone(index=self.session.skipped[-1]))
        raise Again

    def another(self) -> None:
        """Plan one more problem like the one answered last, to be asked now. Raises Again when there is
        one."""
        from quizengine.sessions import reply

        last, found = self.session.last, None
        if last is not None:
            met = {planned.item for planned in self.session.plan} | self.session.examples
            found = reply.another(self.bank, self.judged(last), self.session.plan, met)
        if found is None:
            self.desk.print(t(self.lang, "take.nothing-alike"))
            return
        self.note(Added(item=found.item, seed=found.seed))
        raise Again

    def worked(self) -> None:
        """Show the worked solution of the question answered last."""
        from quizengine.sessions import reply

        if self.session.last is None:
            self.desk.print(t(self.lang, "take.nothing-answered"))
        else:
            reply.show_worked(self.desk, self.problem(self.session.last))

    def hints(self, index: int, problem: Problem, part: Part) -> list[str]:
        """The hints for this part that were not shown yet."""
        shown, all_ = self.session.hints.get(index, ()), problem.hints
        if problem.type == "numeric":
            from quizengine.problems.hints import hints

            with suppress(Exception):  # a hint that cannot be made stops no question
                all_ = hints(problem, part)
        return [hint for hint in all_ if hint not in shown]

    def hint(self, index: int, problem: Problem, part: Part) -> None:
        """Show the next hint, or say that there is none."""
        left = self.hints(index, problem, part)
        if not left:
            any_ = index in self.session.hints
            self.desk.print(t(self.lang, "take.no-more-hints" if any_ else "take.no-hint"))
            return
        self.note(Hinted(index=index, text=left[0]))
        self.desk.print(*wrapped(left[0], self.desk.width(), first=t(self.lang, "hint")))

    def settled(self, made: Judgement) -> Judgement:
        """The learner reads an own answer in words beside the model; on a pipe it stays open. Raises Left."""
        from quizengine.sessions import reply

        return reply.self_marked(self.desk, self.bank, made)

    def judge(self, index: int) -> None:
        """Mark what was typed, keep the mark, then show it."""
        if made := self.mark(index):
            self.made = index, made
            self.show(made)
            self.standing = True

    def feedback(self) -> None:
        """Show the feedback on the newest answer once more."""
        from quizengine.sessions import reply

        newest = self.session.told
        if newest is None:
            self.tell("take.nothing-told")
        elif self.made and self.made[0] == newest:
            self.show(self.made[1])
        else:
            self.show(reply.remembered(self.judged(newest), self.session.details[newest]))

    def show(self, made: Judgement) -> None:
        """The feedback; before a person the worked solution waits for its key."""
        from quizengine.sessions import reply

        whole = not (self.desk.interactive() and self.desk.abreast())
        reply.show_feedback(self.desk, self.bank, made, whole=whole)
