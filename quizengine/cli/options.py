"""What several commands share: options, and what is behind them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from quizengine.cli import screen
from quizengine.errors import InputError, QuizError, UsageError
from quizengine.files.whole import write_whole
from quizengine.lang.messages import t
from quizengine.lang.text import LANGUAGES, Lang

if TYPE_CHECKING:
    from pathlib import Path

    from quizengine.grading.record.results import Results
    from quizengine.items.bank import Bank
    from quizengine.sessions.store import Store
    from quizengine.sheets.manifest import Manifest

Command = TypeVar("Command", bound=Callable[..., Any])

with_lang = click.option(
    "--lang", type=click.Choice(LANGUAGES), help="Language (else QUIZENGINE_LANG, else the locale)."
)
with_bank = click.option(
    "--bank",
    "bank_path",
    multiple=True,
    metavar="PATH",
    help="A bank folder or file; the shipped one is called builtin. May be given several times.",
)
with_data = click.option(
    "--data-dir",
    metavar="FOLDER",
    help="Where progress is kept (else QUIZENGINE_DATA).",
)
with_json = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")


def _plain(_ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    screen.Wish.plain = value


def _no_input(_ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and screen.interactive():
        raise UsageError(t(language(None), "take.no-input"))


with_plain = click.option(
    "--plain",
    is_flag=True,
    expose_value=False,
    callback=_plain,
    help="For a screen reader: no colour, no bars, no shades (also ACCESSIBLE=1).",
)
with_no_input = click.option(
    "--no-input",
    is_flag=True,
    expose_value=False,
    callback=_no_input,
    help="Never wait for a person to type: answers come on a pipe, or not at all.",
)
SEED = click.IntRange(0, 2**53 - 1)


def with_filters(command: Command) -> Command:
    """Which items: every filter may be given several times."""
    for name, what in (
        ("misconception", "whose wrong answers show this misconception"),
        ("family", "of this family of problems"),
        ("objective", "that examine this objective"),
        ("level", "of this level"),
        ("type", "of this type"),
        ("topic", "of this topic"),
    ):
        option = click.option(f"--{name}", multiple=True, shell_complete=suggest, help=f"Only items {what}.")
        command = option(command)
    return command


def suggest(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """What a shell may complete here: values of the bank that the words before it name."""
    known = open_bank(ctx.params.get("bank_path") or ()).known(
        "item" if param.name == "items" else str(param.name)
    )
    return sorted(value for value in known if value.startswith(incomplete))


def language(chosen: str | None) -> Lang:
    """The flag, else QUIZENGINE_LANG, else the locale, else English."""
    for name in chain((chosen, os.environ.get("QUIZENGINE_LANG")), _locale()):
        if name and name[:2].lower() in LANGUAGES:
            return cast("Lang", name[:2].lower())
    return "en"


def _locale() -> Iterator[str | None]:
    named = [os.environ.get(variable) for variable in ("LC_ALL", "LC_MESSAGES", "LANG")]
    yield from named
    if not any(named):
        import locale  # late: it costs the first question a millisecond

        yield locale.getlocale()[0]


def open_store(folder: str | None) -> Store:
    """The learner's store; the word, if a damaged one had to be put aside, or its disk has no locks. Raises
    UsageError at once where QUIZENGINE_DAY is none, rather than after the answers."""
    from quizengine.sessions.clock import Clock
    from quizengine.sessions.day import rollover
    from quizengine.sessions.store import Store, data_folder

    rollover()
    store = Store(data_folder(folder))
    if not store.locked:
        screen.complain(t(language(None), "store.no-locks", path=data_folder(folder)))
    if store.rescue:
        aside, kept, events = store.rescue
        screen.complain(t(language(None), "store.aside", path=aside, kept=kept, events=events))
    last = store.latest()
    if last and Clock(last).behind:
        screen.complain(t(language(None), "take.clock", last=last))
    return store


def open_bank(paths: tuple[str, ...]) -> Bank:
    """The banks that the words name, as one."""
    from quizengine.items.bank import load

    return load(*paths)


def open_manifest(path: Path) -> Manifest:
    """What `sheet` wrote. One that has been changed since may hold anything: whatever this command stumbles
    over then is the file's fault. Raises InputError."""
    from quizengine.sheets.manifest import load_manifest

    manifest = load_manifest(path)
    if not manifest.intact:
        click.get_current_context().with_resource(_doubted(path))
    return manifest


@contextmanager
def _doubted(path: Path) -> Iterator[None]:
    try:
        yield
    except (QuizError, OSError, click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except Exception as error:
        message = f"{path} has been changed since it was made, and does not hold together any more"
        raise InputError(f"{message} ({type(error).__name__}: {str(error)[:200]})") from error


def now() -> str:
    """The moment at which a mark is given."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet. Raises UsageError."""
    if path.exists():
        raise UsageError(f"{path} is there already: name another file")
    write_whole(path, text.encode())


@contextmanager
def open_record(path: Path, *, write: bool = False) -> Iterator[tuple[Manifest, Results]]:
    """The manifest and its results; those that are only looked at, also where they cannot be written. Raises
    UsageError for the manifest of an export, which has no students."""
    from quizengine.exchange.class_record import is_export, record_of
    from quizengine.files.loan import readable
    from quizengine.grading.record.results import FILE as RECORD
    from quizengine.grading.record.results import Results

    screen.prepare()
    manifest = open_manifest(path)
    if is_export(manifest):
        message = (
            f"{path} is of an export, which has no students: the record of the class is {record_of(path)}"
        )
        raise UsageError(message, code="export")
    with nullcontext(path.parent) if write else readable(path.parent, RECORD) as folder:
        results = Results(folder / path.name)
        try:
            yield manifest.claimed(results.claims()), results
        finally:
            results.close()
