"""`review`: what is due for another look."""

from __future__ import annotations

import os
from datetime import UTC, datetime

import click

from quizengine.cli import screen
from quizengine.cli.options import (
    SEED,
    language,
    open_bank,
    open_store,
    with_bank,
    with_data,
    with_lang,
    with_no_input,
    with_plain,
)
from quizengine.cli.sitting import begin
from quizengine.cli.take import COUNT
from quizengine.cli.taking import Taking
from quizengine.lang.messages import say
from quizengine.problems.dice import Dice, seed_of
from quizengine.sessions.schedule import due, plan


@click.command()
@click.option(
    "--count", type=click.IntRange(1, 1000), default=COUNT, show_default=True, help="At most so many items."
)
@click.option(
    "--exam-date", type=click.DateTime(["%Y-%m-%d"]), help="Nothing is put off beyond half of the days left."
)
@click.option("--seed", type=SEED, help="The same seed chooses the same items.")
@with_plain
@with_no_input
@with_lang
@with_bank
@with_data
def review(
    count: int,
    exam_date: datetime | None,
    seed: int | None,
    lang: str | None,
    bank_path: tuple[str, ...],
    data_dir: str | None,
) -> int:
    """Ask again what is due, by spaced repetition: objectives and kinds of problems, with new numbers.

    Example: quizengine review --exam-date 2030-02-01
    """
    screen.prepare()
    bank, chosen = open_bank(bank_path), language(lang)
    store = open_store(data_dir)
    try:
        marks = store.marks()
        now = datetime.now(UTC)
        heads = {head.id: head for head in bank.metadata}
        dates = due(marks, heads, now, exam_date.date() if exam_date else None)
        ready = [unit for unit, when in dates.items() if when <= now]
        if not ready:
            first = min(dates.values(), default=None)
            when = first.astimezone().strftime("%Y-%m-%d %H:%M") if first else ""
            screen.say(say(chosen, "review.none", when=when) if first else say(chosen, "progress.none"))
            return 0
        seed = seed_of("chance", os.urandom(16).hex()) if seed is None else seed
        items = plan(ready, marks, bank.metadata, count, Dice("review", seed))
        screen.say(say(chosen, "review.head", due=len(ready), count=len(items)))
        return Taking(bank, store, begin(bank, store, items, seed, chosen)).run()
    finally:
        store.close()
