"""An exam at the terminal: free movement, no feedback before it is handed in, and a deadline."""

from __future__ import annotations

import json
import os
from datetime import datetime
from typing import Any

from quizengine.cli import screen, telling
from quizengine.cli.sitting import Left, Sitting, command_of
from quizengine.lang.messages import name, say
from quizengine.sessions.result import Question, overview, questions, shown, text, to_json

SOON = 120  # seconds: from here on they are counted one by one
_STATES = {"open": "exam.open", "partly": "exam.partly", "answered": "exam.answered"}


class Exam(Sitting):
    """One sitting over an exam. `here` is the question that stands; None is the list of all."""

    here: int | None = 0

    def sit(self) -> None:
        """Answer, hand in, see the marks."""
        for index in range(len(self.session.plan)):
            self.problem(index)  # all at once: what is asked stands, whatever becomes of the bank
        if not self.session.submitted:
            screen.say(say(self.lang, "exam.begin", count=len(self.session.plan)))
            if self.session.deadline:
                screen.say(say(self.lang, "exam.until", until=self.until()))
            self.here = self.following(-1)
        while not self.session.submitted:
            if self.out_of_time():
                screen.say("", say(self.lang, "exam.time-up"), style="bold")
                self.note("submitted", why="time")
            elif self.here is None:
                self.all()
            else:
                self.question(self.here)
        for index in range(len(self.session.plan)):
            if index not in self.session.done:
                self.mark(index)
        self.results()

    def kept(self) -> None:
        """Say what is kept, and that the time goes on."""
        answered = sum(self.session.state(i) == "answered" for i in self.session.posed)
        done = {"answered": answered, "count": len(self.session.plan)}
        screen.say("", say(self.lang, "take.kept", **done))
        if self.session.deadline and not self.session.submitted:
            screen.say(say(self.lang, "exam.goes-on", until=self.until()))

    def until(self) -> str:
        """The deadline, by the learner's own clock."""
        return datetime.fromisoformat(self.session.deadline).astimezone().strftime("%Y-%m-%d %H:%M:%S")

    def out_of_time(self) -> bool:
        """Is the deadline over? (The deadline itself is still in time.)"""
        return bool(self.session.deadline) and self.clock.stamp() > self.session.deadline

    def left(self) -> str:
        """The time that is left, in words; empty without a limit."""
        if not self.session.deadline:
            return ""
        seconds = max(0, int(self.clock.until(self.session.deadline)))
        if seconds < SOON:
            return say(self.lang, "exam.seconds-left", seconds=seconds) + " · "
        return say(self.lang, "exam.minutes-left", minutes=(seconds + 30) // 60) + " · "

    def keys(self, message: str) -> None:
        """The key line, with the time that is left."""
        from quizengine.render.terminal import wrapped

        screen.say(*wrapped(screen.keys(self.left() + say(self.lang, message)), screen.width(), first="  "))

    def following(self, index: int) -> int | None:
        """The next question after this one that is not answered in all its parts."""
        after = range(index + 1, len(self.session.plan))
        return next((i for i in after if self.session.state(i) != "answered"), None)

    def question(self, index: int) -> None:
        """Show a question, with what was answered so far, and take answers part by part."""
        from quizengine.render.blocks import points, stem
        from quizengine.render.terminal import lines, wrapped

        problem = self.problem(index)
        topic = name("topic", problem.topic, self.lang)
        head = {"number": index + 1, "count": len(self.session.plan), "topic": topic}
        title = say(self.lang, "take.head", **head, points=points(problem.points, self.lang))
        if index in self.session.flagged:
            title += "   " + say(self.lang, "exam.flag")
        screen.say("", *wrapped(title, screen.width()), style="bold")
        screen.say(*lines(stem(problem), screen.width()))
        if all(self.part(index, problem, part) for part in problem.parts):
            self.here = self.following(index)

    def part(self, index: int, problem: Any, part: Any) -> bool:
        """Ask one part; is the next one to be asked?"""
        from quizengine.render.blocks import ask
        from quizengine.render.terminal import lines, wrapped

        screen.say(*lines(ask(problem, part), screen.width()))
        if given := self.session.typed.get(index, {}).get(part.id, "").strip():
            screen.say(*wrapped(given, screen.width(), first="  " + say(self.lang, "your-answer")))
            screen.say("  " + say(self.lang, "exam.enter-keeps"))
        self.keys("exam.keys")
        while (raw := self.line(array=part.kind == "array")) is not None:
            if command := command_of(raw):
                if self.command(command, index):
                    return False
            elif not raw.strip():
                return True
            elif self.out_of_time() or not self.refused(part, raw):
                self.note("typed", index=index, part=part.id, raw=raw)
                if index in self.session.late:
                    return False
                screen.say("  " + say(self.lang, "exam.saved"))
                return True
        return False

    def line(self, *, array: bool = False) -> str | None:
        """What is typed; None when the time has run out without an answer to be kept."""
        raw = screen.answer(array=array)
        if raw is None:
            raise Left(130)
        return None if self.out_of_time() and (command_of(raw) or not raw.strip()) else raw

    def command(self, command: str, index: int) -> bool:
        """Do what a command asks for; is the question to be left, or shown anew?"""
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
                self.note("flagged", index=index, on=index not in self.session.flagged)
                on = index in self.session.flagged
                screen.say(say(self.lang, "exam.flagged" if on else "exam.unflagged"))
                return False
            case "u" if self.session.typed.get(index):
                self.note("undone", index=index, part=list(self.session.typed[index])[-1])
                screen.say(say(self.lang, "take.undone"))
            case "u":
                screen.say(say(self.lang, "take.nothing-to-undo"))
                return False
            case number if self.goes_to(number):
                pass
            case _:
                screen.say(say(self.lang, "exam.unknown", command=command))
                return False
        return True

    def goes_to(self, number: str) -> bool:
        """Go to the question of this number, if there is one."""
        if not (number.isdecimal() and 1 <= int(number) <= len(self.session.plan)):
            return False
        self.here = int(number) - 1
        return True

    def all(self) -> None:
        """All questions, and what is still open; from here the exam is handed in."""
        states = [self.session.state(i) for i in range(len(self.session.plan))]
        screen.say("", say(self.lang, "exam.list"), style="bold")
        for index, state in enumerate(states):
            topic = name("topic", self.session.posed[index]["topic"], self.lang)
            flag = [say(self.lang, "exam.flag")] if index in self.session.flagged else []
            line = "   ".join([f"{index + 1:>3}  {topic}", say(self.lang, _STATES[state]), *flag])
            screen.say(line)
        missing = [str(i + 1) for i, state in enumerate(states) if state != "answered"]
        between = say(self.lang, "rows.between")
        if missing:
            screen.say(say(self.lang, "exam.missing", numbers=between.join(missing)))
        else:
            screen.say(say(self.lang, "exam.complete"))
        self.keys("exam.list-keys")
        while (raw := self.line()) is not None:
            typed = command_of(raw).removeprefix(":") or raw.strip()
            if typed == "q":
                raise Left(0)
            if typed == "e":
                self.note("submitted", why="learner")
                return
            if self.goes_to(typed):
                return
            screen.say(say(self.lang, "exam.list-unknown"))

    def results(self) -> None:
        """The marks; the result as files; then question by question what was right."""
        asked = list(questions(self.session, self.judged))
        telling.summary(self.bank, self.session)
        screen.say("", *overview(self.session, asked))
        for path in self.files(asked):
            screen.say(say(self.lang, "exam.kept-in", path=path))
        self.ended()
        wanted = [q for q in asked if not q.mark or q.earned < q.problem.points]
        at_hand = screen.interactive()
        while wanted:
            if at_hand:
                screen.say("", screen.keys(say(self.lang, "exam.review", number=wanted[0].number)))
                typed = screen.answer()
                number = command_of(typed or "").removeprefix(":") or (typed or "").strip()
                if typed is None or number == "q":
                    return
                if number.isdecimal() and 1 <= int(number) <= len(asked):
                    self.show(asked[int(number) - 1])
                    continue
            self.show(wanted.pop(0))

    def show(self, question: Question) -> None:
        """One question with its marks."""
        screen.say("")
        telling.show(shown(self.session, question, self.bank.catalogue, screen.width()))

    def files(self, asked: list[Question]) -> list[str]:
        """Write the result beside the learner's store, as JSON and as text; the paths."""
        folder = os.path.join(os.path.dirname(self.store.path), "exams")
        os.makedirs(folder, exist_ok=True)
        day = self.session.begun[:10]
        contents = {
            "json": json.dumps(to_json(self.session, asked), ensure_ascii=False, indent=1) + "\n",
            "txt": text(self.session, asked, self.bank.catalogue),
        }
        paths = []
        for ending, content in contents.items():
            path = os.path.join(folder, f"exam-{day}-{self.session.id}.{ending}")
            with open(path + ".part", "w", encoding="utf-8") as file:
                file.write(content)
            os.replace(path + ".part", path)
            paths.append(path)
        return paths
