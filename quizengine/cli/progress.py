"""`progress`: what has been answered so far, what is mastered and what is due; taken along or erased."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quizengine.cli import screen
from quizengine.cli.options import (
    language,
    now,
    open_bank,
    open_store,
    with_bank,
    with_data,
    with_json,
    with_lang,
    with_plain,
)
from quizengine.errors import InputError, UsageError
from quizengine.files.charset import read
from quizengine.lang.messages import t
from quizengine.render.terminal import wrapped
from quizengine.sessions.file import FILE
from quizengine.sessions.goal import GOAL, answered_today, goal_from, goal_line, goal_of
from quizengine.sessions.map import Ground, Map, evidence
from quizengine.sessions.progress import Progress
from quizengine.sessions.session import Marked, fold

if TYPE_CHECKING:
    from quizengine.sessions.store import Store


LONG = 1000  # sessions, from which on it takes a while to read them


class _ShownElse(click.Group):
    """A group of which `show` is meant when none of its commands is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        named = args[0] in (*self.commands, *ctx.help_option_names) if args else ctx.resilient_parsing
        return super().parse_args(ctx, args if named else ["show", *args])


@contextmanager
def _looked_into(folder: str | None) -> Iterator[Store]:
    """The learner's store to be read, also where its folder cannot be written. Raises InputError."""
    from quizengine.files.loan import readable
    from quizengine.sessions.store import data_folder

    chosen = Path(data_folder(folder))
    with readable(chosen, FILE) as there:
        store = open_store(str(there))
        try:
            if store.rescue and there != chosen:
                raise InputError(
                    f"{chosen / FILE} is damaged, and cannot be mended where it is", code="store"
                )
            yield store
        finally:
            store.close()


def _marks(store: Store, lang: str | None, *, quiet: bool) -> Sequence[Marked]:
    """All of them; a person is told where it takes a while."""
    if not quiet and (sessions := store.count()) >= LONG:
        screen.sign(t(language(lang), "progress.reading", sessions=sessions))
    return store.marks()


@click.group(cls=_ShownElse)
def progress() -> None:
    """Where a learner stands, over all sessions; to be taken along, or erased.

    Example: quizengine progress --json
    """


@progress.command()
@with_json
@with_plain
@with_lang
@with_bank
@with_data
def show(as_json: bool, lang: str | None, bank_path: tuple[str, ...], data_dir: str | None) -> None:
    """Points and mastery by topic, mistakes met and how to drill them, what is due (also without show).

    Example: quizengine progress show --lang ja
    """
    screen.prepare()
    with _looked_into(data_dir) as store:
        sessions, marks = store.count(), _marks(store, lang, quiet=as_json)
    chosen = language(lang)
    if not marks and not as_json:
        screen.print(t(chosen, "progress.none"))
        return
    reached = Progress(open_bank(bank_path), marks, datetime.now(UTC))
    if as_json:
        screen.json({"sessions": sessions, **reached.to_json()})
    else:
        for line in reached.lines(sessions, chosen):
            screen.print(*wrapped(line, screen.width()))


@progress.command("map")
@with_json
@with_plain
@with_lang
@with_bank
@with_data
def map_(as_json: bool, lang: str | None, bank_path: tuple[str, ...], data_dir: str | None) -> None:
    """Every objective: mastered, passed, taken as known, begun or open, and what it opens.

    Example: quizengine progress map
    """
    screen.prepare()
    with _looked_into(data_dir) as store:
        marks = _marks(store, lang, quiet=as_json)
    bank = open_bank(bank_path)
    found = Map(Ground(bank, language(lang)), evidence(bank, marks))
    if as_json:
        screen.json(found.to_json())
    else:
        for line in found.lines():
            told = line.lstrip()
            screen.print(*wrapped(told, screen.width(), first=line.removesuffix(told)))


@progress.command()
@click.argument("number", required=False, metavar="[NUMBER|off]")
@with_json
@with_lang
@with_data
def goal(number: str | None, as_json: bool, lang: str | None, data_dir: str | None) -> None:
    """Set how many questions a day are the goal, or take it away; alone, show what is reached of it.

    Example: quizengine progress goal 10
    """
    screen.prepare()
    chosen = language(lang)
    if number is not None:
        wanted = goal_from(number)
        with closing(open_store(data_dir)) as store:
            store.choose(GOAL, wanted)
    with _looked_into(data_dir) as store:
        set_, done = goal_of(store), answered_today(store, now())
        line = goal_line(store, now(), chosen)
    if as_json:
        screen.json({"goal": set_, "today": done})
    else:
        screen.print(line or t(chosen, "goal.none" if number is None else "goal.off"))


@progress.command()
@with_lang
@with_data
def export(lang: str | None, data_dir: str | None) -> None:
    """Every event of every session, one JSON object a line, oldest first; an exam once it is handed in.

    Example: quizengine progress export > progress.jsonl
    """
    screen.prepare()
    from quizengine.sessions import exchange

    sealed = 0
    with _looked_into(data_dir) as store:
        for id_, events in store.histories():
            if fold(id_, events).sealed:
                sealed += 1
                continue
            for line in exchange.write(id_, events):
                screen.line(line)
    if sealed:
        screen.complain(t(language(lang), "progress.sealed", count=sealed))


@progress.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@with_lang
@with_data
def import_(file: str, lang: str | None, data_dir: str | None) -> None:
    """Add the sessions of a file that export wrote, or of standard input (-); those that are here already
    stay as they are.

    Example: quizengine progress import progress.jsonl
    """
    screen.prepare()
    from quizengine.sessions import exchange

    text, name = (screen.read_stdin(), "standard input") if file == "-" else (read(file), file)
    sessions = exchange.read(text, name)
    store = open_store(data_dir)
    added = store.restore(sessions)
    store.close()
    screen.print(t(language(lang), "progress.imported", added=added, known=len(sessions) - added))


@progress.command()
@click.option("--yes", is_flag=True, help="Without it nothing is erased.")
@with_lang
@with_data
def forget(yes: bool, lang: str | None, data_dir: str | None) -> None:
    """Erase every answer that is kept.

    Example: quizengine progress forget --yes
    """
    screen.prepare()
    store = open_store(data_dir)
    if not yes:
        raise UsageError(t(language(lang), "progress.forget", path=store.path))
    from quizengine.sessions.exam import EXAMS

    store.forget()
    store.close()
    shutil.rmtree(os.path.join(os.path.dirname(store.path), EXAMS), ignore_errors=True)
    screen.print(t(language(lang), "progress.forgotten"))
