"""What a sitting tells: feedback on an answer, and the sum at the end. Imported late what is needed late:
the first question must not wait for it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from quizengine.cli import screen
from quizengine.items.bank import Bank
from quizengine.lang.messages import name, say
from quizengine.sessions.session import Session

if TYPE_CHECKING:
    from quizengine.feedback.lines import Line

_STYLES = {"right": "green", "partial": "yellow", "wrong": "red"}


def feedback(bank: Bank, problem: Any, responses: Any, mark: Any) -> None:
    """What an answer earned, and why."""
    from quizengine.feedback.lines import told

    screen.say("")
    show(told(problem, responses, mark, bank.catalogue, screen.width()))


def worked(problem: Any) -> None:
    """The reason why, or the worked solution stage by stage."""
    from quizengine.feedback.lines import worked

    show(worked(problem, screen.width()))


def show(lines: Iterable[Line]) -> None:
    """Lines, in the colour of the verdict that they tell."""
    for line in lines:
        screen.say(line.text, style=_STYLES.get(line.verdict, ""))


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
