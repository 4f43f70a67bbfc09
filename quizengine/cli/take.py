"""`take`: a session at the terminal, or on a pipe; practice or an exam."""

from __future__ import annotations

import re
from contextlib import closing

import click

from quizengine.cli import screen
from quizengine.cli.options import (
    SEED,
    language,
    open_bank,
    open_store,
    suggest,
    with_bank,
    with_data,
    with_filters,
    with_lang,
    with_no_input,
    with_plain,
)
from quizengine.errors import UsageError
from quizengine.items.bank import Bank
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.sessions.dialogue import Dialogue
from quizengine.sessions.event import Mode
from quizengine.sessions.practice import Practice
from quizengine.sessions.selection import COUNT, Selection, begin
from quizengine.sessions.session import Session
from quizengine.sessions.store import Store

LONGEST = 24 * 3600  # seconds of an exam


class Span(click.ParamType[int]):
    """A span of time, such as 40m, 1h30m or 90s; a bare number is minutes. In seconds."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """As click asks for it."""
        text = str(value).strip().lower()
        text += "m" if text.isdecimal() else ""
        found = re.fullmatch(r"(?:(\d{1,5})h)?(?:(\d{1,5})m)?(?:(\d{1,5})s)?", text)
        hours, minutes, seconds = (int(part or 0) for part in (found.groups() if found else (0, 0, 0)))
        span = hours * 3600 + minutes * 60 + seconds
        if not 1 <= span <= LONGEST:
            self.fail(f"“{value}” is not a time from 1s to 24h; write 40m, 1h30m or 90s.", param, ctx)
        return span


@click.command()
@with_filters
@click.option(
    "--item", "items", multiple=True, shell_complete=suggest, help="This item (may be given several times)."
)
@click.option("--count", type=click.IntRange(1, 1000), help=f"How many items ({COUNT} by default).")
@click.option(
    "--mode",
    type=click.Choice(["practice", "exam"]),
    help="Practice (by default): feedback after every answer. Exam: none before it is handed in.",
)
@click.option(
    "--steps",
    is_flag=True,
    help="Judge each part as it is typed; what is wrong may be tried once more, for half the points.",
)
@click.option("--time", type=Span(), metavar="SPAN", help="The time for an exam: 40m, 1h30m, 90s.")
@click.option(
    "--deadlines",
    type=click.Path(),
    help="Who has more time in an exam: a table with the columns student, and deadline (such as "
    "2030-02-01T23:59+09:00) or extra (15, 1h30m, or a share of --time such as 25%).",
)
@click.option("--student", metavar="ID", help="Who sits down, as --deadlines has it.")
@click.option("--seed", type=SEED, help="The same seed gives the same session.")
@click.option("--new", is_flag=True, help="Begin anew even if a session is kept.")
@with_plain
@with_no_input
@with_lang
@with_bank
@with_data
def take(
    items: tuple[str, ...],
    count: int | None,
    mode: Mode | None,
    steps: bool,
    time: int | None,
    deadlines: str | None,
    student: str | None,
    seed: int | None,
    new: bool,
    lang: str | None,
    bank_path: tuple[str, ...],
    data_dir: str | None,
    **filters: tuple[str, ...],
) -> int:
    """Sit down and answer. Without options a kept session is resumed.

    Example: quizengine take --topic masking --count 5

    Example: quizengine take --mode exam --time 40m --count 20

    Example: quizengine take --mode exam --time 40m --deadlines deadlines.csv --student s01
    """
    screen.prepare()
    chosen = language(lang)
    if steps and mode == "exam":
        raise UsageError(t(chosen, "take.no-steps"))
    if time and mode != "exam":
        raise UsageError(t(chosen, "take.no-exam"))
    if deadlines is not None and mode != "exam":
        raise UsageError(t(chosen, "take.no-exam-deadlines"))
    if (deadlines is None) == bool(student):
        raise UsageError(t(chosen, "take.deadlines-and-student"))
    bank = open_bank(bank_path)
    wanted = Selection(items, filters, count, mode, seed, time, steps=steps)
    with closing(open_store(data_dir)) as store:
        session = None if new else store.kept()
        anew = wanted.made or (steps and not (session and session.steps))
        if session and session.mode == "exam" and anew:
            if mode == "exam":
                raise UsageError(t(chosen, "exam.running"))
            screen.complain(t(chosen, "exam.running"))
        if session is None or anew:
            if deadlines is not None and student:
                wanted = _allowed(wanted, deadlines, student, chosen)
            return _dialogue(bank, store, begin(bank, store, wanted, chosen)).run()
        session.lang = chosen if lang and session.mode == "practice" else session.lang
        dialogue = _dialogue(bank, store, session)
        dialogue.resumed()
        return dialogue.run()


def _allowed(wanted: Selection, name: str, student: str, lang: Lang) -> Selection:
    """What is asked for, with the time that this student has. Raises UsageError where there is none to add
    to."""
    from pathlib import Path

    from quizengine.grading.intake.deadlines import load_allowances

    path = Path(name)
    given = load_allowances(path).get(student)
    if given is None:
        screen.complain(t(lang, "exam.no-allowance", student=student, path=path))
        return wanted
    if given.deadline:
        screen.complain(t(lang, "exam.own-deadline", student=student))
        return wanted._replace(until=given.deadline)
    if not wanted.seconds:
        raise UsageError(t(lang, "take.extra-alone", student=student))
    more = given.extra.more(wanted.seconds)
    screen.complain(t(lang, "exam.extra-time", student=student, minutes=f"{more / 60:g}"))
    return wanted._replace(seconds=wanted.seconds + more)


def _dialogue(bank: Bank, store: Store, session: Session) -> Dialogue:
    if session.mode == "practice":
        return Practice(bank, store, session, screen)
    from quizengine.sessions.exam import Exam  # late: the first question of practice waits for nothing

    return Exam(bank, store, session, screen)
