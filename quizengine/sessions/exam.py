"""An exam: free movement, no feedback before it is handed in, and a deadline."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

from quizengine.errors import InputError, UnknownName
from quizengine.files.whole import write_whole
from quizengine.lang.characters import harmless, plain
from quizengine.lang.messages import name, t
from quizengine.lang.quotation import Quoted
from quizengine.problems.part import Part, lines_of
from quizengine.problems.problem import Problem
from quizengine.render.blocks import givens as givens_of
from quizengine.render.blocks import title
from quizengine.render.terminal import wrapped
from quizengine.sessions import reply
from quizengine.sessions.clock import local
from quizengine.sessions.dialogue import Dialogue, Left, command_of, key_of
from quizengine.sessions.event import Ended, Flagged, Submitted, Typed, Undone
from quizengine.sessions.keys import AWAY, EXAM, GIVENS, KEYS, TAKE_AWAY, Key
from quizengine.sessions.result import Question, overview, questions, shown, text, to_json

EXAMS = "exams"  # the folder of results, beside the store
SOON = 120  # seconds: from here on they are counted one by one
_STATES = {"open": "exam.open", "partly": "exam.partly", "answered": "exam.answered"}


class Exam(Dialogue):
    """An exam at a desk. `here` is the question that stands; None is the list of all."""

    here: int | None = 0

    def ask(self) -> None:
        """Take answers until the exam is handed in, mark them, and show the marks. Raises Left, Again."""
        if not self.posed():
            return
        if not self.session.submitted:
            self.here = self.following(-1)
        while not self.session.submitted:
            if self.out_of_time():
                self.desk.print("")
                self.tell("exam.time-up")
                self.note(Submitted(why="time"))
            elif self.here is None:
                self.all()
            else:
                self.question(self.here)
        for index in range(len(self.session.plan)):
            if index not in self.session.done:
                self.mark(index)
        self.results()

    def posed(self) -> bool:
        """All problems at once: what is asked stands, whatever becomes of the bank. False: the exam
        cannot be held, since the bank has lost an item before."""
        fresh = not self.session.posed
        try:
            for index in range(len(self.session.plan)):
                self.problem(index)
        except UnknownName as error:
            self.desk.complain(error.message)
            self.note(Ended())
            return False
        if fresh:
            self.tell("exam.begin", count=len(self.session.plan))
        if self.session.deadline and not self.session.submitted:
            self.tell("exam.until", until=self.until())
        return True

    def kept(self) -> None:
        """Say what is kept, and that the time goes on."""
        answered = sum(self.session.state(i) == "answered" for i in self.session.posed)
        done = {"answered": answered, "count": len(self.session.plan), "command": "take"}
        self.desk.print("", t(self.lang, "take.kept", **done))
        if self.session.deadline and not self.session.submitted:
            self.desk.print(t(self.lang, "exam.goes-on", until=self.until()))

    def until(self) -> str:
        """The deadline, by the learner's own clock."""
        return local(self.session.deadline)

    def out_of_time(self) -> bool:
        """Is the deadline over? (The deadline itself is still in time.)"""
        return bool(self.session.deadline) and self.clock.stamp() > self.session.deadline

    def left(self) -> str:
        """The time that is left, in words; empty without a limit."""
        if not self.session.deadline:
            return ""
        seconds = max(0, int(self.clock.until(self.session.deadline)))
        if seconds < SOON:
            return t(self.lang, "exam.seconds-left", seconds=seconds) + " · "
        return t(self.lang, "exam.minutes-left", minutes=(seconds + 30) // 60) + " · "

    def keys(self, index: int, problem: Problem, part: Part) -> list[Key]:
        """The keys that do something at this part."""
        take_away = [TAKE_AWAY] if part.id in self.session.typed.get(index, {}) else []
        return [*EXAM, *take_away, *(GIVENS if givens_of(problem) else ()), AWAY, KEYS]

    def following(self, index: int) -> int | None:
        """The next question after this one that is not answered in all its parts."""
        after = range(index + 1, len(self.session.plan))
        return next((i for i in after if self.session.state(i) != "answered"), None)

    def question(self, index: int) -> None:
        """Show a question, with what was answered so far, and take answers part by part."""
        problem = self.problem(index)
        head = title(problem, index + 1, len(self.session.plan), self.lang)
        if index in self.session.flagged:
            head += "   " + t(self.lang, "exam.flag")
        self.desk.print("", *wrapped(head, self.desk.width()), style="bold")
        self.pose(problem)
        if all(self.part(index, problem, part) for part in problem.parts):
            self.here = self.following(index)

    def part(self, index: int, problem: Problem, part: Part) -> bool:
        """Ask one part; is the next one to be asked?"""
        width, typed = self.desk.width(), []
        if before := self.session.typed.get(index, {}).get(part.id, "").strip():
            typed = wrapped((Quoted(before),), width, first="  " + t(self.lang, "your-answer"))
            typed += wrapped(t(self.lang, "exam.enter-keeps"), width)
        keys = self.keys(index, problem, part)
        self.ask_part(problem, part, self.key_lines(keys, self.left()), typed)
        while (raw := self.line(rows=lines_of(part))) is not None:
            if command := key_of(raw):
                if command in (":g", ":c"):
                    self.given(command, problem, part)
                    self.remind(command, keys, self.left())
                elif command == ":?":
                    self.help(keys)
                elif self.command(command, index, part.id, keys):
                    return False
            elif not raw.strip():
                return True
            elif self.out_of_time() or not self.refused(part, raw):
                self.note(Typed(index=index, part=part.id, raw=raw))
                if index in self.session.late:
                    return False
                self.desk.print("  " + t(self.lang, "exam.saved"))
                return True
        return False

    def line(self, *, rows: int = 0) -> str | None:
        """What is typed; None when the time has run out without an answer to be kept. Raises Left at the end
        of input."""
        raw = self.desk.answer(rows=rows)
        if raw is None:
            raise Left(130)
        return None if self.out_of_time() and (key_of(raw) or not raw.strip()) else raw

    def command(self, command: str, index: int, part: str, keys: Iterable[Key]) -> bool:
        """Do what a command asks for; is the question to be left, or shown anew? Raises Left."""
        match command[1:]:
            case "q":
                raise Left(0)
            case "n":
                self.here = index + 1 if index + 1 < len(self.session.plan) else None
            case "b":
                self.here = max(0, index - 1)
            case "l" | "e":
                self.here = None
            case "f":
                self.note(Flagged(index=index, on=index not in self.session.flagged))
                self.tell("exam.flagged" if index in self.session.flagged else "exam.unflagged")
                return False
            case "u" if part in self.session.typed.get(index, {}):
                self.note(Undone(index=index, part=part))
                self.tell("take.undone")
            case "u":
                self.tell("exam.nothing-here")
                return False
            case number if (place := self.place(number)) is not None:
                self.here = place
            case _:
                self.unknown(command, keys)
                return False
        return True

    def place(self, number: str) -> int | None:
        """The place of the question of this number, if there is one."""
        if not number.isdecimal() or len(number) > 4 or not 1 <= int(number) <= len(self.session.plan):
            return None
        return int(number) - 1

    def all(self) -> None:
        """Show all questions, and what is still open; from here the exam is handed in. Raises Left."""
        states = [self.session.state(i) for i in range(len(self.session.plan))]
        self.desk.print("", t(self.lang, "exam.list"), style="bold")
        for index, state in enumerate(states):
            topic = name("topic", self.session.posed[index]["topic"], self.lang)
            flag = [t(self.lang, "exam.flag")] if index in self.session.flagged else []
            line = "   ".join([topic, t(self.lang, _STATES[state]), *flag])
            self.desk.print(*wrapped(line, self.desk.width(), first=f"{index + 1:>3}  "))
        missing = [str(i + 1) for i, state in enumerate(states) if state != "answered"]
        between = t(self.lang, "rows.between")
        if missing:
            self.tell("exam.missing", numbers=between.join(missing))
        else:
            self.tell("exam.complete")
        self.desk.print(*self.broken(self.left() + t(self.lang, "exam.list-keys")))
        while (raw := self.line()) is not None:
            command = command_of(raw)
            if command == ":q":
                raise Left(0)
            if command == ":e":
                self.note(Submitted(why="learner"))
                return
            if (place := self.place(command[1:] or plain(raw).strip())) is not None:
                self.here = place
                return
            self.tell("exam.list-unknown")

    def results(self) -> None:
        """The marks; the result as files; then question by question what was right."""
        asked = list(questions(self.session, self.judged))
        reply.show_summary(self.desk, self.bank, self.session)
        self.desk.print("", *overview(self.session, asked))
        for path in self.files(asked):
            self.desk.print(t(self.lang, "exam.kept-in", path=path))
        self.ended()
        wanted = [q for q in asked if not q.mark or q.earned < q.problem.points]
        if not self.desk.interactive():
            for question in wanted:
                self.show(question)
            return
        while True:
            self.desk.print("", self.desk.keys(t(self.lang, "exam.review" if wanted else "exam.review-any")))
            raw = self.desk.answer()
            if raw is None or command_of(raw) == ":q" or not (raw.strip() or wanted):
                return
            if not raw.strip():
                self.show(wanted.pop(0))
            elif (place := self.place(command_of(raw)[1:] or plain(raw).strip())) is not None:
                self.show(asked[place])
            else:
                self.tell("exam.review-unknown")

    def show(self, question: Question) -> None:
        """One question with its marks."""
        self.desk.print("")
        reply.show_lines(self.desk, shown(self.session, question, self.bank.catalogue, self.desk.width()))

    def files(self, asked: list[Question]) -> list[str]:
        """Write the result beside the learner's store, as JSON and as text; the paths. Raises InputError;
        the exam is not at its end then, and its result is written when it is taken up again."""
        folder = os.path.join(os.path.dirname(self.store.path), EXAMS)
        moment = self.session.begun[:19].replace("T", "-").replace(":", "")
        contents = {
            "json": harmless(json.dumps(to_json(self.session, asked), ensure_ascii=False, indent=1)) + "\n",
            "txt": text(self.session, asked, self.bank.catalogue),
        }
        paths = []
        try:
            os.makedirs(folder, exist_ok=True)
            for ending, content in contents.items():
                path = os.path.join(folder, f"exam-{moment}-{self.session.id}.{ending}")
                write_whole(Path(path), content.encode())
                paths.append(path)
        except OSError as error:
            message = t(self.lang, "exam.not-written", path=folder, why=error.strerror)
            raise InputError(message, code="not-written") from None
        return paths
