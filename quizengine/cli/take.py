"""`take`: a session at the terminal, or on a pipe."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import click

from quizengine.cli import screen
from quizengine.cli.options import (
    SEED,
    language,
    open_bank,
    with_bank,
    with_data,
    with_filters,
    with_lang,
)
from quizengine.errors import UnknownName, UsageError
from quizengine.items.bank import Bank
from quizengine.items.item import Head
from quizengine.lang.characters import plain
from quizengine.lang.messages import name, say
from quizengine.lang.text import Lang
from quizengine.problems.choose import choose
from quizengine.problems.dice import Dice, seed_of
from quizengine.sessions.event import Event, Kind
from quizengine.sessions.session import Session, apply
from quizengine.sessions.store import Store, data_folder

COUNT = 10


@click.command()
@with_filters
@click.option("--item", "items", multiple=True, help="This item (may be given several times).")
@click.option("--count", type=click.IntRange(1, 1000), help=f"How many items ({COUNT} by default).")
@click.option("--seed", type=SEED, help="The same seed gives the same session.")
@click.option("--new", is_flag=True, help="Begin anew even if a session is kept.")
@with_lang
@with_bank
@with_data
def take(
    items: tuple[str, ...],
    count: int | None,
    seed: int | None,
    new: bool,
    lang: str | None,
    bank_path: tuple[str, ...],
    data_dir: str | None,
    **filters: tuple[str, ...],
) -> int:
    """Sit down and answer. Without options a kept session is resumed.

    Example: quizengine take --topic masking --count 5
    """
    screen.prepare()
    bank = open_bank(bank_path)
    store = Store(data_folder(data_dir))
    wanted = any((items, count, seed is not None, *filters.values()))
    session = None if new or wanted else store.kept()
    if session is None:
        fitting = bank.select(**filters)
        named = [bank.item(id_).head for id_ in items]
        chosen = [head for head in named if head in fitting] if items else fitting
        if not chosen:
            raise UsageError(say(language(lang), "take.no-items"))
        seed = seed_of("chance", os.urandom(16).hex()) if seed is None else seed
        session = begin(store, _chosen(chosen, count, seed, bool(items)), seed, language(lang))
    else:
        session.lang = language(lang) if lang else session.lang
        number = len(session.plan) if session.at is None else session.at + 1
        day = datetime.fromisoformat(session.begun).astimezone().strftime("%Y-%m-%d %H:%M")
        screen.say(say(session.lang, "take.resume", when=day, number=number, count=len(session.plan)))
    try:
        return Taking(bank, store, session).run()
    finally:
        store.close()


def _chosen(items: list[Head], count: int | None, seed: int, named: bool) -> list[Head]:
    wanted = count or (len(items) if named else min(COUNT, len(items)))
    return choose(items, wanted, Dice("take", seed))


def begin(store: Store, items: list[Head], seed: int, lang: Lang) -> Session:
    """A session over these items; each problem's own seed comes from the session's."""
    plan = [{"item": item.id, "seed": seed_of("take", seed, i, item.id)} for i, item in enumerate(items)]
    return store.begin(Event("begun", _now(), {"plan": plan, "lang": lang, "seed": seed}))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _command(raw: str) -> str:
    """The command that a line is, in ASCII; empty when it is an answer."""
    typed = plain(raw).strip().lower()
    return typed if typed.startswith(":") and len(typed.split()) == 1 else ""


class _Left(Exception):
    """The learner leaves; what is answered is kept."""

    def __init__(self, status: int):
        super().__init__(status)
        self.status = status


class _Again(Exception):
    """Something was taken back: ask from where the session stands now."""


class Taking:
    """One sitting over a session."""

    def __init__(self, bank: Bank, store: Store, session: Session):
        self.bank, self.store, self.session = bank, store, session
        self.skipping = False  # was the part just asked skipped, rather than left blank?

    @property
    def lang(self) -> Lang:
        """The language of the sitting."""
        return self.session.lang

    def note(self, kind: Kind, **data: Any) -> None:
        """Keep what happened, then act on it."""
        event = Event(kind, _now(), data)
        self.store.add(self.session, event)
        apply(self.session, event)

    def run(self) -> int:
        """Ask until the plan is done or the learner leaves; the exit status."""
        try:
            while (index := self.session.at) is not None:
                with suppress(_Again):
                    self.question(index)
            self.note("ended")
            self.summary()
        except _Left as left:
            self.kept()
            return left.status
        except KeyboardInterrupt:
            screen.say("")
            self.kept()
            return 130
        return 0

    def kept(self) -> None:
        """Say that it is kept, and how to go on."""
        done = {"answered": len(self.session.done), "count": len(self.session.plan)}
        screen.say("", say(self.lang, "take.kept", **done))

    def question(self, index: int) -> None:
        """Pose, ask every part, mark, and say what the mark means."""
        from quizengine.problems.pose import pose
        from quizengine.problems.problem import Problem
        from quizengine.render.blocks import points, stem
        from quizengine.render.terminal import lines, wrapped

        planned = self.session.plan[index]
        if index not in self.session.posed:
            try:
                item = self.bank.item(planned.item)
            except UnknownName as error:  # the bank has changed since the plan was made
                screen.complain(error.message)
                self.note("skipped", index=index)
                return
            problem = pose(item, planned.seed, self.lang, self.bank.catalogue)
            self.note("posed", index=index, problem=problem.to_json())
        else:
            problem = Problem.from_json(self.session.posed[index])
        topic = name("topic", problem.topic, self.lang)
        head = {"number": index + 1, "count": len(self.session.plan), "topic": topic}
        title = say(self.lang, "take.head", **head, points=points(problem.points, self.lang))
        screen.say("", *wrapped(title, screen.width()), style="bold")
        screen.say(*lines(stem(problem), screen.width()))
        for part in problem.parts:
            if part.id in self.session.typed.get(index, {}):
                self.answered_before(index, part)
            else:
                self.part(index, problem, part)
        if any(self.session.typed.get(index, {}).values()) or (len(problem.parts) == 1 and not self.skipping):
            self.mark(index, problem)
        else:
            screen.say(say(self.lang, "take.skipped"))
            self.note("skipped", index=index)

    def answered_before(self, index: int, part: Any) -> None:
        """On resuming: a part that was answered, and how."""
        from quizengine.render.terminal import wrapped

        screen.say("", *wrapped(part.prompt, screen.width()))
        typed = self.session.typed[index][part.id]
        screen.say(*wrapped(typed, screen.width(), first="  " + say(self.lang, "your-answer")))

    def part(self, index: int, problem: Any, part: Any) -> None:
        """Ask one part until it is answered; what is skipped is kept as a blank."""
        from quizengine.render.blocks import ask
        from quizengine.render.terminal import lines, wrapped

        screen.say(*lines(ask(problem, part), screen.width()))
        screen.say(*wrapped(say(self.lang, "take.keys"), screen.width(), first="  "))
        empty_before = False
        while True:
            raw = screen.answer(array=part.kind == "array")
            if raw is None:
                raise _Left(130)
            if command := _command(raw):
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

    def refused(self, part: Any, raw: str) -> bool:
        """At a terminal, an answer that cannot be read is asked for again; on a pipe it counts."""
        from quizengine.marking.mark import Reason  # late: the learner is reading the question
        from quizengine.render.terminal import wrapped
        from quizengine.reports.feedback import reason_text
        from quizengine.responses.read import read
        from quizengine.responses.response import Unreadable

        reading = read(part, raw).reading
        if not isinstance(reading, Unreadable) or not screen.interactive():
            return False
        reason = Reason(f"unreadable.{reading.code}", {**reading.values, "at": reading.at + 1})
        screen.say(*wrapped(reason_text(reason, self.lang), screen.width()))
        screen.say(say(self.lang, "take.again"))
        return True

    def command(self, command: str, index: int, problem: Any) -> None:
        """What a line that begins with a colon asks for."""
        if command == ":q":
            raise _Left(0)
        if command == ":h":
            self.hint(index, problem)
        elif command == ":u":
            self.undo(index)
        else:
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
        raise _Again

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

    def mark(self, index: int, problem: Any) -> None:
        """Mark what was typed, keep the mark, then show it."""
        from quizengine.marking.judge import judge
        from quizengine.reports.feedback import mark_json
        from quizengine.responses.read import read

        typed = self.session.typed[index]
        responses = {part.id: read(part, typed[part.id]) for part in problem.parts}
        mark = judge(problem, responses)
        named = [d.misconceptions[0] for d in mark.diagnosis if d.certainty == "exact"]
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
        self.feedback(problem, responses, mark)

    def feedback(self, problem: Any, responses: Any, mark: Any) -> None:
        """Verdicts, reasons, remedies; own steps beside the right ones; the reason why, or the worked
        solution after a mistake."""
        from quizengine.render.blocks import told_key
        from quizengine.render.terminal import wrapped
        from quizengine.reports.feedback import part_feedback
        from quizengine.reports.trace import own_trace, trace_lines

        trace = own_trace(problem, responses, mark)
        styles = {"right": "green", "partial": "yellow", "wrong": "red"}
        screen.say("")
        for part, own in zip(problem.parts, mark.parts, strict=True):
            verdict, *why = part_feedback(own, self.bank.catalogue, self.lang)
            stage = name("stage", part.stage, self.lang)
            label = say(self.lang, "take.stage", stage=stage) if len(problem.parts) > 1 else ""
            screen.say(label + verdict, style=styles.get(own.verdict, ""))
            for sentence in why:
                screen.say(*wrapped(sentence, screen.width(), first="  "))
            if own.verdict != "right" and not trace:
                screen.say(*wrapped(told_key(part), screen.width(), first="  " + say(self.lang, "key")))
        if trace:
            screen.say(say(self.lang, "trace"), *trace_lines(trace, self.lang))
        if problem.worked and (problem.type != "numeric" or mark.credit < mark.points):
            title = "worked" if problem.type == "numeric" else "explanation"
            screen.say(say(self.lang, title))
            for line in problem.worked:
                screen.say(*wrapped(line, screen.width(), first="  "))

    def summary(self) -> None:
        """Points by topic, and the mistakes worth another look."""
        from fractions import Fraction

        from quizengine.marking.mark import rounded
        from quizengine.render.terminal import wrapped
        from quizengine.reports.tally import Total, tally

        def number(value: Any) -> str:
            return f"{rounded(value):.2f}".rstrip("0").rstrip(".")

        marks = self.session.marks
        whole = tally(("", Fraction(m.credit), m.points) for m in marks).get("", Total())
        sums = {
            "credit": number(whole.credit),
            "points": whole.points,
            "percent": number(whole.percent),
        }
        screen.say("", say(self.lang, "take.end", **sums), style="bold")
        for topic, total in tally((m.topic, Fraction(m.credit), m.points) for m in marks).items():
            line = {
                "topic": name("topic", topic, self.lang),
                "credit": number(total.credit),
                "points": total.points,
            }
            screen.say("  " + say(self.lang, "take.end-topic", **line))
        met = dict.fromkeys(id_ for m in marks for id_ in m.misconceptions if id_ in self.bank.catalogue)
        if met:
            names = " / ".join(self.bank.catalogue[id_].name[self.lang] for id_ in met)
            screen.say(*wrapped(say(self.lang, "take.met", names=names), screen.width()))
