"""`take`: a session at the terminal, or on a pipe; practice or an exam."""

from __future__ import annotations

import os
import re
from datetime import datetime
from typing import Any

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
from quizengine.cli.sitting import Sitting, begin, begin_exam
from quizengine.errors import UsageError
from quizengine.items.bank import Bank
from quizengine.items.item import Metadata
from quizengine.lang.messages import say
from quizengine.problems.choose import choose
from quizengine.problems.dice import Dice, seed_of
from quizengine.sessions.clock import Clock
from quizengine.sessions.session import Session
from quizengine.sessions.store import Store

COUNT = 10
LONGEST = 24 * 3600  # seconds of an exam


class Span(click.ParamType[int]):
    """A span of time, such as 40m, 1h30m or 90s; a bare number is minutes. In seconds."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
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
@click.option("--time", type=Span(), metavar="SPAN", help="The time for an exam: 40m, 1h30m, 90s.")
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
    mode: str | None,
    time: int | None,
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
    """
    screen.prepare()
    if time and mode != "exam":
        raise UsageError(say(language(lang), "take.no-exam"))
    bank = open_bank(bank_path)
    store = open_store(data_dir)
    wanted = any((items, count, mode, seed is not None, *filters.values()))
    session = None if new else store.kept()
    if session and wanted:
        if session.mode == "exam" and mode == "exam":
            raise UsageError(say(language(lang), "exam.running"))
        if session.mode == "exam":
            screen.complain(say(language(lang), "exam.running"))
        session = None
    if session is None:
        fitting = bank.select(**filters)
        named = [bank.item(id_).metadata for id_ in items]
        chosen = [head for head in named if head in fitting] if items else fitting
        if not chosen:
            raise UsageError(say(language(lang), "take.no-items"))
        number = count or (len(chosen) if items else min(COUNT, len(chosen)))
        if mode == "exam":
            seed = _seed() if seed is None else seed
            plan = choose(chosen, number, Dice("take", seed))
            session = begin_exam(bank, store, plan, seed, language(lang), time)
        else:
            plan, seed = _plan(store, chosen, number, seed)
            session = begin(bank, store, plan, seed, language(lang))
    else:
        session.lang = language(lang) if lang and session.mode == "practice" else session.lang
        _resumed(session)
    try:
        return _sitting(bank, store, session).run()
    finally:
        store.close()


def _resumed(session: Session) -> None:
    """Say that a kept session goes on."""
    number = min(len(session.done) + 1, len(session.plan))
    day = datetime.fromisoformat(session.begun).astimezone().strftime("%Y-%m-%d %H:%M")
    message = "take.resume-exam" if session.mode == "exam" else "take.resume"
    screen.say(say(session.lang, message, when=day, number=number, count=len(session.plan)))


def _sitting(bank: Bank, store: Store, session: Session) -> Sitting:
    if session.mode == "exam":
        from quizengine.cli.exam import Exam  # late: the first question of practice waits for nothing

        return Exam(bank, store, session)
    from quizengine.cli.taking import Taking

    return Taking(bank, store, session)


def _seed() -> int:
    """Of chance."""
    return seed_of("chance", os.urandom(16).hex())


def _plan(store: Store, items: list[Metadata], number: int, seed: int | None) -> tuple[list[Metadata], int]:
    """What is asked, and the seed of the session. A seed that is given alone says what is asked; without
    one the learner's own history has its say, if there is any."""
    marks = store.marks() if seed is None else []
    seed = _seed() if seed is None else seed
    if not marks:
        return choose(items, number, Dice("take", seed)), seed
    from quizengine.sessions.mastery import weak_first  # late: the very first question is not to wait

    rank = weak_first(marks, store.due(Clock().stamp()))
    return choose(items, number, Dice("take", seed), rank), seed
