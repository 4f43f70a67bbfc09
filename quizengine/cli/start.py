"""`start`: a way in, by a placement and lessons."""

from __future__ import annotations

from contextlib import closing

import click

from quizengine.cli import screen
from quizengine.cli.options import (
    SEED,
    language,
    now,
    open_bank,
    open_store,
    with_bank,
    with_data,
    with_lang,
    with_no_input,
    with_plain,
)
from quizengine.items.bank import Bank
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.render.terminal import wrapped
from quizengine.sessions.day import day_of
from quizengine.sessions.map import Ground, Map, evidence
from quizengine.sessions.practice import Practice
from quizengine.sessions.selection import begun, practice, seed_or_chance
from quizengine.sessions.session import Session
from quizengine.sessions.store import Store

COUNT = 12


@click.command()
@click.option(
    "--count",
    type=click.IntRange(1, 1000),
    default=COUNT,
    show_default=True,
    help="Questions in this sitting.",
)
@click.option("--seed", type=SEED, help="With the same history and answers, the same seed asks the same.")
@click.option("--new", is_flag=True, help="Begin anew even if a sitting is kept.")
@with_plain
@with_no_input
@with_lang
@with_bank
@with_data
def start(
    count: int,
    seed: int | None,
    new: bool,
    lang: str | None,
    bank_path: tuple[str, ...],
    data_dir: str | None,
) -> int:
    """Be led from the beginning: at most eight questions to see where you stand, then lessons, each on what
    comes next. Called again, it goes on from there.

    Example: quizengine start
    """
    screen.prepare()
    bank, chosen = open_bank(bank_path), language(lang)
    with closing(open_store(data_dir)) as store:
        kept = store.kept()
        if kept and kept.mode == "exam":
            screen.complain(t(chosen, "exam.running"))
        if kept and kept.coach == "start" and not new:
            kept.lang = chosen if lang else kept.lang
            dialogue = Practice(bank, store, kept, screen)
            dialogue.resumed()
            return dialogue.run()
        if nothing := _nothing(bank, store, chosen):
            screen.print(*wrapped(t(chosen, nothing), screen.width()))
            return 0
        return Practice(bank, store, _sitting(bank, store, count, seed, chosen), screen).run()


def _nothing(bank: Bank, store: Store, lang: Lang) -> str:
    """Why there is nothing to teach now, as a message; empty where there is something."""
    map_ = Map(Ground(bank, lang), evidence(bank, store.marks()))
    if not map_.objectives:
        return "start.empty"
    if map_.to_learn(day_of(now())):
        return ""
    return "start.tomorrow" if map_.reached("passed") else "start.done"


def _sitting(bank: Bank, store: Store, count: int, seed: int | None, lang: Lang) -> Session:
    """A sitting of so many questions, each planned when it is to be asked."""
    plan = begun(bank, (), seed_or_chance(seed), lang)
    return practice(store, plan._replace(coach="start", size=count))
