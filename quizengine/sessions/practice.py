"""Practice: the questions of a session one after another, with feedback after every answer."""

from __future__ import annotations

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
from quizengine.sessions.dialogue import Again, Dialogue, Left, command_of
from quizengine.sessions.event import Added, Hinted, Skipped, Typed, Undone

if TYPE_CHECKING:
    from quizengine.sessions.coach import Coach
    from quizengine.sessions.reply import Judgement


class Practice(Dialogue):
    """A session of practice, at a terminal or on a pipe."""

    skipping = False  # was the part just asked skipped, rather than left blank?

    def ask(self) -> None:
        """Ask until the plan is done, then show the sum. Raises Left, Again."""
        while (index := self.following()) is not None or self.goes_on():
            if index is not None:
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
        """The place of the next question, once it is planned; None at the end. Raises Again."""
        if self.session.coach and (self.session.done or not self.session.plan):
            self.coach.plan()
        return self.session.at

    def goes_on(self) -> bool:
        """After the last question, if it went wrong and a person types: is another like it wanted?"""
        from quizengine.sessions import reply

        last = self.session.last
        if not self.desk.interactive() or last is None or not reply.missed(self.session.marked[last]):
            return False
        self.desk.print("", self.desk.keys(t(self.lang, "take.offer")))
        with suppress(Again):
            while (command := command_of(self.desk.answer() or "")) in (":t", ":w"):
                self.another() if command == ":t" else self.worked()
            if command == ":u":
                self.note(Undone(index=last))
        return self.session.at is not None

    def kept(self) -> None:
        """Say that it is kept, and how to go on."""
        done = {"answered": len(self.session.done), "count": self.session.count}
        self.desk.print("", t(self.lang, "take.kept", **done))

    def question(self, index: int) -> None:
        """Pose, ask every part, mark, and say what the mark means."""
        try:
            problem = self.problem(index)
        except UnknownName as error:  # the bank has changed since the plan was made
            self.desk.complain(error.message)
            self.note(Skipped(index=index))
            return
        head = title(problem, len(self.session.done) + 1, self.session.count, self.lang)
        self.desk.print("", *wrapped(head, self.desk.width()), style="bold")
        self.pose(problem)
        for part in problem.parts:
            if part.id in self.session.typed.get(index, {}):
                self.answered_before(index, part)
            else:
                self.part(index, problem, part)
        if any(self.session.typed.get(index, {}).values()) or (len(problem.parts) == 1 and not self.skipping):
            self.judge(index)
        else:
            self.desk.print(t(self.lang, "take.skipped"))
            self.note(Skipped(index=index))

    def answered_before(self, index: int, part: Part) -> None:
        """Show a part that was answered before the session was resumed, and how."""
        self.desk.print("", *wrapped(part.prompt, self.desk.width()))
        typed = self.session.typed[index][part.id]
        self.desk.print(
            *wrapped((Quoted(typed),), self.desk.width(), first="  " + t(self.lang, "your-answer"))
        )

    def part(self, index: int, problem: Problem, part: Part) -> None:
        """Ask one part until it is answered; what is skipped is kept as a blank. Raises Left, Again."""
        self.ask_part(problem, part, self.keys(index, problem, part))
        empty_before = False
        while True:
            raw = self.desk.answer(rows=lines_of(part))
            if raw is None:
                raise Left(130)
            if command := command_of(raw):
                if command == ":s":
                    self.skipping = True
                    self.note(Typed(index=index, part=part.id, raw=""))
                    return
                self.command(command, index, problem, part)
            elif not raw.strip() and self.desk.interactive() and not empty_before:
                empty_before = True
                self.desk.print(t(self.lang, "take.empty"))
            elif not self.refused(part, raw):
                self.skipping = False
                self.note(Typed(index=index, part=part.id, raw=raw))
                return

    def keys(self, index: int, problem: Problem, part: Part) -> list[str]:
        """The line of keys: those that do something here."""
        hint = t(self.lang, "take.keys-hint") if self.hints(index, problem, part) else ""
        givens = t(self.lang, "take.keys-givens") if givens_of(problem) else ""
        return self.key_lines(t(self.lang, "take.keys", hint=hint, givens=givens))

    def command(self, command: str, index: int, problem: Problem, part: Part) -> None:
        """Do what a line that begins with a colon asks for. Raises Left, Again."""
        match command:
            case ":q":
                raise Left(0)
            case ":h":
                self.hint(index, problem, part)
            case ":g" | ":c":
                self.given(command, problem, part)
            case ":u":
                self.undo(index)
            case ":b":
                self.back()
            case ":t":
                self.another()
            case ":w":
                self.worked()
            case _:
                self.desk.print(t(self.lang, "take.unknown", command=command))

    def undo(self, index: int) -> None:
        """Take back the part typed last, else the question answered last; nothing is deleted.
        Raises Again when there is one."""
        typed = self.session.typed.get(index)
        if typed:
            self.note(Undone(index=index, part=list(typed)[-1]))
        elif self.session.done:
            self.note(Undone(index=self.session.done[-1]))
        else:
            self.desk.print(t(self.lang, "take.nothing-to-undo"))
            return
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
            found = reply.another(self.bank, self.judged(last), self.session.plan)
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
        from quizengine.sessions import reply

        if made := self.mark(index):
            reply.show_feedback(self.desk, self.bank, made)
            if reply.missed(self.session.marked[index]) and self.desk.interactive():
                self.desk.print(t(self.lang, "take.like-it"))
