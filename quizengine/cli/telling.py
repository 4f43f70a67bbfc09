"""What a sitting tells: feedback on an answer, and the sum at the end. Imported late what is needed late:
the first question must not wait for it."""

from __future__ import annotations

from typing import Any

from quizengine.cli import screen
from quizengine.items.bank import Bank
from quizengine.lang.messages import name, say
from quizengine.sessions.session import Session


def feedback(bank: Bank, problem: Any, responses: Any, mark: Any) -> None:
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
        verdict, *why = part_feedback(own, bank.catalogue, problem.lang)
        stage = name("stage", part.stage, problem.lang)
        label = say(problem.lang, "take.stage", stage=stage) if len(problem.parts) > 1 else ""
        screen.say(label + verdict, style=styles.get(own.verdict, ""))
        for sentence in why:
            screen.say(*wrapped(sentence, screen.width(), first="  "))
        if own.verdict != "right" and not trace:
            screen.say(*wrapped(told_key(part), screen.width(), first="  " + say(problem.lang, "key")))
    if trace:
        screen.say(say(problem.lang, "trace"), *trace_lines(trace, problem.lang))
    if problem.type != "numeric" or mark.credit < mark.points:
        worked(problem)


def worked(problem: Any) -> None:
    """The reason why, or the worked solution stage by stage."""
    from quizengine.render.terminal import wrapped

    if problem.worked:
        title = "worked" if problem.type == "numeric" else "explanation"
        screen.say(say(problem.lang, title))
        for line in problem.worked:
            screen.say(*wrapped(line, screen.width(), first="  "))


def summary(bank: Bank, session: Session) -> None:
    """Points by topic, and the mistakes worth another look."""
    from fractions import Fraction

    from quizengine.render.terminal import wrapped
    from quizengine.reports.tally import Total, tally

    marks = session.marks
    whole = tally(("", Fraction(m.credit), m.points) for m in marks).get("", Total())
    screen.say("", say(session.lang, "take.end", **whole.sums), style="bold")
    for topic, total in tally((m.topic, Fraction(m.credit), m.points) for m in marks).items():
        line = say(session.lang, "take.end-topic", topic=name("topic", topic, session.lang), **total.sums)
        screen.say("  " + line)
    met = dict.fromkeys(id_ for m in marks for id_ in m.misconceptions if id_ in bank.catalogue)
    if met:
        names = " / ".join(bank.catalogue[id_].name[session.lang] for id_ in met)
        screen.say(*wrapped(say(session.lang, "take.met", names=names), screen.width()))
