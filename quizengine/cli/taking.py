"""A sitting: asking the questions of a session one after another, at a terminal or on a pipe."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from quizengine.cli import screen, telling
from quizengine.cli.sitting import Again, Left, Sitting, command_of
from quizengine.errors import UnknownName
from quizengine.lang.messages import say
from quizengine.lang.quotation import Quoted
from quizengine.problems.part import lines_of


class Taking(Sitting):
    """Practice: feedback after every answer."""

    skipping = False  # was the part just asked skipped, rather than left blank?

    def sit(self) -> None:
        """Ask until the plan is done."""
        while (index := self.session.at) is not None or self.goes_on():
            if index is not None:
                self.question(index)
        telling.summary(self.bank, self.session)
        self.ended()

    def goes_on(self) -> bool:
        """After the last question, if it went wrong and a person types: is another like it wanted?"""
        last = self.session.last
        if not screen.interactive() or last is None or not self.missed(last):
            return False
        screen.say("", screen.keys(say(self.lang, "take.offer")))
        with suppress(Again):
            while (command := command_of(screen.answer() or "")) in (":t", ":w"):
                self.another() if command == ":t" else self.worked()
            if command == ":u":
                self.note("undone", index=last)
        return self.session.at is not None

    def missed(self, index: int) -> bool:
        """Did the answer earn less than all?"""
        from fractions import Fraction  # late: the first question must not wait for it

        mark = self.session.marked[index]
        return Fraction(mark.credit) < mark.points

    def kept(self) -> None:
        """Say that it is kept, and how to go on."""
        done = {"answered": len(self.session.done), "count": len(self.session.plan)}
        screen.say("", say(self.lang, "take.kept", **done))

    def question(self, index: int) -> None:
        """Pose, ask every part, mark, and say what the mark means."""
        from quizengine.render.blocks import stem, title
        from quizengine.render.terminal import lines, wrapped

        try:
            problem = self.problem(index)
        except UnknownName as error:  # the bank has changed since the plan was made
            screen.complain(error.message)
            self.note("skipped", index=index)
            return
        head = title(problem, len(self.session.done) + 1, len(self.session.plan), self.lang)
        screen.say("", *wrapped(head, screen.width()), style="bold")
        screen.say(*lines(stem(problem), screen.width()))
        for part in problem.parts:
            if part.id in self.session.typed.get(index, {}):
                self.answered_before(index, part)
            else:
                self.part(index, problem, part)
        if any(self.session.typed.get(index, {}).values()) or (len(problem.parts) == 1 and not self.skipping):
            self.judge(index)
        else:
            screen.say(say(self.lang, "take.skipped"))
            self.note("skipped", index=index)

    def answered_before(self, index: int, part: Any) -> None:
        """On resuming: a part that was answered, and how."""
        from quizengine.render.terminal import wrapped

        screen.say("", *wrapped(part.prompt, screen.width()))
        typed = self.session.typed[index][part.id]
        screen.say(*wrapped((Quoted(typed),), screen.width(), first="  " + say(self.lang, "your-answer")))

    def part(self, index: int, problem: Any, part: Any) -> None:
        """Ask one part until it is answered; what is skipped is kept as a blank."""
        from quizengine.render.blocks import ask
        from quizengine.render.terminal import lines, wrapped

        screen.say(*lines(ask(problem, part), screen.width()))
        screen.say(*wrapped(screen.keys(say(self.lang, "take.keys")), screen.width(), first="  "))
        empty_before = False
        while True:
            raw = screen.answer(rows=lines_of(part))
            if raw is None:
                raise Left(130)
            if command := command_of(raw):
                if command == ":s":
                    self.skipping = True
                    self.note("typed", index=index, part=part.id, raw="")
                    return
                self.command(command, index, problem)
            elif not raw.strip() and screen.interactive() and not empty_before:
                empty_before = True
                screen.say(say(self.lang, "take.empty"))
            elif not self.refused(part, raw):
                self.skipping = False
                self.note("typed", index=index, part=part.id, raw=raw)
                return

    def command(self, command: str, index: int, problem: Any) -> None:
        """What a line that begins with a colon asks for."""
        match command:
            case ":q":
                raise Left(0)
            case ":h":
                self.hint(index, problem)
            case ":u":
                self.undo(index)
            case ":b":
                self.back()
            case ":t":
                self.another()
            case ":w":
                self.worked()
            case _:
                screen.say(say(self.lang, "take.unknown", command=command))

    def undo(self, index: int) -> None:
        """Take back the part typed last, else the question answered last; nothing is deleted."""
        typed = self.session.typed.get(index)
        if typed:
            self.note("undone", index=index, part=list(typed)[-1])
        elif self.session.done:
            self.note("undone", index=self.session.done[-1])
        else:
            screen.say(say(self.lang, "take.nothing-to-undo"))
            return
        screen.say(say(self.lang, "take.undone"))
        raise Again

    def back(self) -> None:
        """Go back to the question skipped last."""
        if not self.session.skipped:
            screen.say(say(self.lang, "take.nothing-skipped"))
            return
        self.note("undone", index=self.session.skipped[-1])
        raise Again

    def another(self) -> None:
        """One more problem like the one answered last, to be asked now."""
        from quizengine.feedback.follow_up import sister

        found = None
        if self.session.last is not None:
            problem, _, mark = self.judged(self.session.last)
            with suppress(UnknownName):  # the bank has changed since
                found = sister(self.bank, problem, mark, {planned.item for planned in self.session.plan})
        if found is None or found in self.session.plan:
            screen.say(say(self.lang, "take.nothing-alike"))
            return
        item, seed = found
        self.note("added", item=item, seed=seed)
        raise Again

    def worked(self) -> None:
        """The worked solution of the question answered last."""
        if self.session.last is None:
            screen.say(say(self.lang, "take.nothing-answered"))
        else:
            telling.worked(self.judged(self.session.last)[0])

    def hint(self, index: int, problem: Any) -> None:
        """The next hint, or the word that there is none."""
        from quizengine.render.terminal import wrapped

        used = self.session.hints.get(index, 0)
        if used >= len(problem.hints):
            screen.say(say(self.lang, "take.no-more-hints" if problem.hints else "take.no-hint"))
            return
        text = problem.hints[used]
        self.note("hinted", index=index)
        screen.say(*wrapped(text, screen.width(), first=say(self.lang, "hint")))

    def judge(self, index: int) -> None:
        """Mark what was typed, keep the mark, then show it."""
        if judged := self.mark(index):
            telling.feedback(self.bank, *judged)
            if self.missed(index) and screen.interactive():
                screen.say(say(self.lang, "take.like-it"))
