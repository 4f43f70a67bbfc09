"""`check`: a learner's own attention function, or a class's: is it right, and what mistake is in it?"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING

import click

from quizengine.cli import screen
from quizengine.cli.options import (
    language,
    open_bank,
    open_store,
    with_bank,
    with_data,
    with_json,
    with_lang,
    with_plain,
)
from quizengine.errors import InputError, QuizError, UsageError
from quizengine.files.failure import failed
from quizengine.grading.intake.archive import is_archive
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.render.terminal import wrapped
from quizengine.sessions.own_function import Checked, note

if TYPE_CHECKING:
    from quizengine.checking.folder import Row
    from quizengine.checking.task import Task
    from quizengine.items.bank import Bank
    from quizengine.items.catalogue import Catalogue

POLL = 0.3  # seconds between two looks at the file
_INDENT = "    "


class _FileElse(click.Group):
    """A group of which `file` is meant when none of its commands is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The words, with the command that is meant."""
        named = not args or args[0] in (*self.commands, *ctx.help_option_names)
        return super().parse_args(ctx, args if named else ["file", *args])


@click.group(cls=_FileElse)
def check() -> None:
    """Check an attention function that a learner wrote: one file, or a class's.

    Example: quizengine check own.py --task causal
    """


@check.command()
@click.argument("file", metavar="FILE[:FUNCTION]")
@click.option("--task", "task_id", default="single", metavar="TASK", help="What it is to compute (single).")
@click.option("--watch", is_flag=True, help="Check again whenever the file is saved; Ctrl-C ends it.")
@click.option("--out", type=click.Path(path_type=Path), help="For a class: the folder for table and pages.")
@click.option(
    "--manifest",
    "manifest_path",
    type=click.Path(path_type=Path),
    help="For a class: the exam whose students these are, and whose report the mistakes are to stand in.",
)
@click.option("--trust", is_flag=True, help="Run the files of others without isolation, as your own.")
@click.option("--no-log", is_flag=True, help="Leave the verdict on one file out of your progress.")
@with_lang
@with_bank
@with_data
@with_plain
@with_json
def file(
    file: str,
    task_id: str,
    watch: bool,
    out: Path | None,
    manifest_path: Path | None,
    trust: bool,
    no_log: bool,
    lang: str | None,
    bank_path: tuple[str, ...],
    data_dir: str | None,
    as_json: bool,
) -> None:
    """Check a file (.py or .ipynb; - for standard input), or a folder or zip of them with --out (also
    without the word file).

    Your own file runs in a process with limits on time, memory and files, and what is found counts in your
    progress. Those of a class run in isolation, or not at all, and count for nobody.

    Example: quizengine check file own.py:attention --watch

    Example: quizengine check file submissions.zip --task causal --manifest exam/manifest.json --out functions
    """
    from quizengine.checking.source import named
    from quizengine.checking.task import task_of

    screen.prepare()
    task, chosen = task_of(task_id), language(lang)
    path, function = named(file)
    if file != "-" and is_archive(path):
        if watch or function:
            raise UsageError(f"{path} is a class's: leave out {'--watch' if watch else ':' + function}")
        if out is None:
            raise UsageError(f"{path} is a class's: say with --out where table and pages go")
        from quizengine.cli.functions import Call, check_class  # late: what it sets its pages with

        call = Call(path, out, task, bank_path, chosen, manifest_path, trust=trust, quiet=as_json)
        rows = check_class(call)
        right = all(row.verdict.verdict == "right" for row in rows)
        if as_json:
            screen.json([row.to_json() for row in rows])
    else:
        if out or trust or manifest_path:
            raise UsageError("--out, --manifest and --trust are for a folder or zip; this is one file")
        if watch and (as_json or file == "-"):
            raise UsageError("--watch is for a person and for a file: leave out --json, and name the file")
        bank = open_bank(bank_path)
        for content in _contents(path, watch=watch):
            row = _one(path, function, content, task, bank.catalogue, chosen, as_json=as_json)
            right = row.verdict.verdict == "right"
            if not no_log and _noted(row, content, bank, data_dir, chosen) and not as_json:
                screen.print(t(chosen, "function.noted"))
    if not right:
        raise click.exceptions.Exit(1)


def _contents(path: Path, *, watch: bool) -> Iterator[bytes]:
    """What the file holds; watched, also whenever it was saved anew. Raises InputError."""
    if str(path) == "-":
        yield screen.read_bytes()
        return
    last = None
    while True:
        try:
            stat = path.stat()
            now = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
            content = _start(path) if now != last else b""
        except OSError as error:
            if last is None:
                raise failed(path, error) from None
            now = last  # an editor is just putting another in its place
        if now != last:
            last = now
            yield content
        if not watch:
            return
        sleep(POLL)


def _start(path: Path) -> bytes:
    """As much of a file as may be checked, and a little more where it is longer."""
    from quizengine.checking.isolate import MOST_BYTES

    with path.open("rb") as opened:
        return opened.read(MOST_BYTES + 1)


def _one(
    path: Path,
    function: str,
    content: bytes,
    task: Task,
    catalogue: Catalogue,
    lang: Lang,
    *,
    as_json: bool,
) -> Row:
    """Check a file and tell what was found. Raises QuizError where the fault is ours."""
    from quizengine.checking.folder import Work, found_in
    from quizengine.checking.isolate import Isolation, Source

    alone = str(path) == "-"
    source = Source(path.name, content, function, "" if alone else str(path.parent.resolve()))
    row = found_in(Work("", str(path), source), task, catalogue, Isolation())
    if row.why:
        raise QuizError(row.why, code="ungraded")
    if as_json:
        screen.json({name: value for name, value in row.to_json().items() if name != "who"})
    else:
        _tell(row, catalogue, lang)
    return row


def _noted(row: Row, content: bytes, bank: Bank, data_dir: str | None, lang: Lang) -> bool:
    """Is the verdict kept as an answer of the learner's? What cannot be compared is no answer yet."""
    found = row.verdict
    if found.verdict not in ("right", "wrong"):
        return False
    try:
        with closing(open_store(data_dir)) as store:
            right = found.verdict == "right"
            return note(store, bank, lang, Checked(found.task, content, right, found.misconceptions))
    except InputError as error:  # the verdict was told all the same
        screen.complain(error.message)
        return False


def _tell(row: Row, catalogue: Catalogue, lang: Lang) -> None:
    name = f"{row.file}:{row.function}" if row.function else row.file
    screen.print(f"{name} · {row.verdict.task}", style="bold")
    verdict, *why = row.lines(catalogue, lang)
    colours = {"right": "green", "ungraded": "yellow"}
    screen.print(*wrapped(verdict, screen.width()), style=colours.get(row.verdict.verdict, "red"))
    for sentence in why:
        screen.print(*wrapped(sentence, screen.width(), first="  "))
    screen.print(*row.example(lang))


@check.command()
@click.argument("task_id", metavar="TASK")
@click.argument("path", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
@with_lang
def new(task_id: str, path: Path | None, lang: str | None) -> None:
    """Write a file to begin with: the function that a task asks for, and what it is to do.

    Example: quizengine check new causal own.py
    """
    from quizengine.checking.task import task_of

    chosen, task = language(lang), task_of(task_id)
    target = path or Path(f"{task.function}.py")
    try:
        with target.open("x", encoding="utf-8") as written:
            written.write(_skeleton(task, chosen))
    except FileExistsError:
        raise UsageError(f"{target} is there already: name another file") from None
    except OSError as error:
        raise failed(target, error, code="not-written") from None
    option = "" if task.id == "single" else f" --task {task.id}"
    screen.print(str(target), t(chosen, "check.new", command=f"quizengine check {target}{option}"))


def _skeleton(task: Task, lang: Lang) -> str:
    """The function, with its contract in its docstring and nothing in its body."""
    from quizengine.checking.task import contract

    arguments = ", ".join(f"{name}=None" if name == "mask" else name for name in task.arguments)
    told = [
        f"{_INDENT}{line}" if line else ""
        for text in contract(task, lang)
        for line in wrapped(text, screen.MAX_WIDTH - len(_INDENT))
    ]
    docstring = "\n".join(told).strip()
    return (
        "import numpy as np\n\n\n"
        f"def {task.function}({arguments}):\n"
        f'{_INDENT}"""{docstring}\n{_INDENT}"""\n{_INDENT}raise NotImplementedError\n'
    )
