"""`review`: what is due for another look."""

from __future__ import annotations

from contextlib import closing
from datetime import datetime

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
from quizengine.lang.messages import t
from quizengine.render.terminal import wrapped
from quizengine.sessions.practice import Practice
from quizengine.sessions.review import review as review_of
from quizengine.sessions.selection import COUNT, begun, practice


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
    with closing(open_store(data_dir)) as store:
        found = review_of(bank, store, count, exam_date.date() if exam_date else None, seed)
        if found.due:
            screen.print(t(chosen, "review.head", due=found.due, count=len(found.items)))
            for task in found.functions:
                screen.print(*wrapped(t(chosen, "function.again", task=task), screen.width()))
            if not found.items:
                return 0
            plan = begun(bank, found.items, found.seed, chosen)
            session = practice(store, plan._replace(coach="again" if seed is None else ""))
            return Practice(bank, store, session, screen).run()
        if found.next:
            when = found.next.astimezone().strftime("%Y-%m-%d %H:%M")
            screen.print(t(chosen, "review.none", when=when))
        else:
            screen.print(t(chosen, "progress.none"))
        return 0
