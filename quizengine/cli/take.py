"""`take`: a session at the terminal, or on a pipe."""

from __future__ import annotations

import os
from datetime import datetime

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
)
from quizengine.cli.taking import Taking, begin
from quizengine.errors import UsageError
from quizengine.items.item import Head
from quizengine.lang.messages import say
from quizengine.problems.choose import choose
from quizengine.problems.dice import Dice, seed_of
from quizengine.sessions.store import Store

COUNT = 10


@click.command()
@with_filters
@click.option(
    "--item", "items", multiple=True, shell_complete=suggest, help="This item (may be given several times)."
)
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
    store = open_store(data_dir)
    wanted = any((items, count, seed is not None, *filters.values()))
    session = None if new or wanted else store.kept()
    if session is None:
        fitting = bank.select(**filters)
        named = [bank.item(id_).head for id_ in items]
        chosen = [head for head in named if head in fitting] if items else fitting
        if not chosen:
            raise UsageError(say(language(lang), "take.no-items"))
        number = count or (len(chosen) if items else min(COUNT, len(chosen)))
        plan, seed = _plan(store, chosen, number, seed)
        session = begin(store, plan, seed, language(lang))
    else:
        session.lang = language(lang) if lang else session.lang
        number = min(len(session.done) + 1, len(session.plan))
        day = datetime.fromisoformat(session.begun).astimezone().strftime("%Y-%m-%d %H:%M")
        screen.say(say(session.lang, "take.resume", when=day, number=number, count=len(session.plan)))
    try:
        return Taking(bank, store, session).run()
    finally:
        store.close()


def _plan(store: Store, items: list[Head], number: int, seed: int | None) -> tuple[list[Head], int]:
    """What is asked, and the seed of the session. A seed that is given alone says what is asked; without
    one the learner's own history has its say, if there is any."""
    marks = [mark for session in store.sessions() for mark in session.marks] if seed is None else []
    seed = seed_of("chance", os.urandom(16).hex()) if seed is None else seed
    if not marks:
        return choose(items, number, Dice("take", seed)), seed
    from quizengine.sessions.mastery import weak_first  # late: the very first question is not to wait

    return choose(items, number, Dice("take", seed), weak_first(marks)), seed
