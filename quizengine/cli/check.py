"""`check`: a learner's own attention function, or a class's: is it right, and what mistake is in it?"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING

import click

from quizengine.cli import screen
from quizengine.cli.cores import shared
from quizengine.cli.options import language, open_bank, with_bank, with_json, with_lang, with_plain
from quizengine.errors import InputError, QuizError, UsageError
from quizengine.files.failure import failed
from quizengine.files.whole import write_whole
from quizengine.grading.intake.archive import files_in, is_archive
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.render.terminal import wrapped

if TYPE_CHECKING:
    from quizengine.checking.folder import Row, Work
    from quizengine.checking.isolate import Isolation
    from quizengine.checking.task import Task
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
@click.option("--trust", is_flag=True, help="Run the files of others without isolation, as your own.")
@with_lang
@with_bank
@with_plain
@with_json
def file(
    file: str,
    task_id: str,
    watch: bool,
    out: Path | None,
    trust: bool,
    lang: str | None,
    bank_path: tuple[str, ...],
    as_json: bool,
) -> None:
    """Check a file (.py or .ipynb; - for standard input), or a folder or zip of them with --out (also
    without the word file).

    Your own file runs in a process with limits on time, memory and files. Those of a class run in isolation,
    or not at all.

    Example: quizengine check file own.py:attention --watch
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
        rows = _class(path, out, task, bank_path, chosen, trust=trust, quiet=as_json)
        right = all(row.verdict.verdict == "right" for row in rows)
        if as_json:
            screen.json([row.to_json() for row in rows])
    else:
        if out or trust:
            raise UsageError("--out and --trust are for a folder or zip of files; this is one file")
        if watch and (as_json or file == "-"):
            raise UsageError("--watch is for a person and for a file: leave out --json, and name the file")
        catalogue = open_bank(bank_path).catalogue
        for content in _contents(path, watch=watch):
            right = _one(path, function, content, task, catalogue, chosen, as_json=as_json)
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
) -> bool:
    """Check a file and tell what was found; was it right? Raises QuizError where the fault is ours."""
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
    return row.verdict.verdict == "right"


def _tell(row: Row, catalogue: Catalogue, lang: Lang) -> None:
    name = f"{row.file}:{row.function}" if row.function else row.file
    screen.print(f"{name} · {row.verdict.task}", style="bold")
    verdict, *why = row.lines(catalogue, lang)
    colours = {"right": "green", "ungraded": "yellow"}
    screen.print(*wrapped(verdict, screen.width()), style=colours.get(row.verdict.verdict, "red"))
    for sentence in why:
        screen.print(*wrapped(sentence, screen.width(), first="  "))
    screen.print(*row.example(lang))


def _class(
    path: Path, out: Path, task: Task, bank: tuple[str, ...], lang: Lang, *, trust: bool, quiet: bool
) -> list[Row]:
    """Check every file of a class, and write what was found: a table, and a page for each."""
    from quizengine.checking.folder import summary
    from quizengine.checking.isolate import Isolation, isolation

    cut_off = Isolation() if trust else isolation()
    works, others = _works(path)
    for name in others:
        screen.complain(t(lang, "check.skipped", file=name))
    found = shared(partial(_row, task_id=task.id, bank=bank, isolation=cut_off), works)
    rows = list(screen.progress(found, len(works)))
    catalogue = _catalogue(bank)
    _write(out, rows, catalogue, lang)
    if not quiet:
        for row in rows:
            screen.print("  ".join(filter(None, [row.who, row.file, *row.cells()[3:5]])))
        for sentence in summary(rows, catalogue, lang):
            screen.print(*wrapped(sentence, screen.width()))
        screen.print(str(out))
    return rows


def _row(work: Work, task_id: str, bank: tuple[str, ...], isolation: Isolation) -> Row:
    from quizengine.checking.folder import found_in
    from quizengine.checking.task import task_of

    return found_in(work, task_of(task_id), _catalogue(bank), isolation)


@cache
def _catalogue(bank: tuple[str, ...]) -> Catalogue:
    return open_bank(bank).catalogue


def _works(path: Path) -> tuple[list[Work], list[str]]:
    """The files of a class, by whose they are; the names of those that hold no code. Raises InputError."""
    from quizengine.checking.folder import ENDINGS, Work
    from quizengine.checking.isolate import MOST_BYTES, Source
    from quizengine.grading.intake.submissions import owner

    works, others = [], []
    for name, content, _ in files_in(path, most=MOST_BYTES):
        base = Path(name)
        if any(part.startswith((".", "__")) for part in base.parts):
            continue  # copies that an editor keeps
        if base.suffix.lower() not in ENDINGS or isinstance(content, ValueError):
            others.append(name)
            continue
        who = owner(name).rstrip("/") or base.stem
        works.append(Work(who, name, Source(base.name, content)))
    if not works:
        raise InputError(f"there is no .py or .ipynb file in {path}", code="no-file")
    return works, others


def _write(out: Path, rows: Sequence[Row], catalogue: Catalogue, lang: Lang) -> None:
    """The table and the pages. Raises InputError."""
    from quizengine.checking.folder import HEADER, page, page_names
    from quizengine.grading.output.gradebook import guarded

    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow([*HEADER, "page"])
    names = page_names(rows)
    writer.writerows([*map(guarded, row.cells()), names[place]] for place, row in enumerate(rows))
    texts = {"functions.csv": table.getvalue()}
    texts |= {f"pages/{names[place]}": page(row, catalogue, lang) for place, row in enumerate(rows)}
    try:
        (out / "pages").mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            write_whole(out / name, text.encode())
    except OSError as error:
        raise failed(out, error, code="not-written") from None


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
