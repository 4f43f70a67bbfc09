"""`bank import`: questions of other systems as items of a bank."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quizengine.cli import screen
from quizengine.cli.options import language, with_json
from quizengine.errors import InputError, UsageError
from quizengine.exchange.intake.entry import Ids, entry, slug, topic_text
from quizengine.exchange.intake.question import Left, Question, Remark
from quizengine.exchange.intake.source_file import Source, read_source
from quizengine.files.failure import failed
from quizengine.files.whole import put_aside, write_whole
from quizengine.lang.messages import t
from quizengine.lang.quotation import Quoted, Sentence, shown, tell
from quizengine.lang.text import LANGUAGES, Lang
from quizengine.render.terminal import wrapped

if TYPE_CHECKING:
    from quizengine.exchange.intake.question import Outcome

FILE = click.Path(path_type=Path)
SHOWN = 60  # characters of a title
LARGE = 500_000  # bytes, from which on it takes a while to read them


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE...")
@click.option("--out", type=FILE, metavar="FILE.yaml", help="The bank to write [default: TOPIC.yaml here].")
@click.option("--topic", metavar="T", help="Their topic [default: the name of the first file].")
@click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    help="The language that the questions are written in.",
)
@click.option("--force", is_flag=True, help="A bank that is there already is kept as FILE.yaml.old-1.")
@with_json
def import_(
    files: tuple[Path, ...], out: Path | None, topic: str | None, lang: Lang, force: bool, as_json: bool
) -> int:
    """Take questions in: Moodle XML, GIFT, Aiken, or QTI 1.2 (a file, or a package of Canvas).

    Choices, true or false, matching, short answers and numbers become items. Where the misconception behind a
    wrong choice or the other language is missing, TODO stands, and the bank is not used before it is filled
    in. Whatever cannot be carried as it is, is left out and listed.

    Example: quizengine bank import moodle.xml --topic masking
    """
    screen.prepare()
    chosen = language(None)
    named = topic or slug(files[0].name.split(".")[0], "questions")
    if slug(named) != named:
        raise UsageError("a topic is small letters, digits and hyphens, such as --topic my-topic")
    path = out or Path(f"{named}.yaml")
    if path.exists() and not force:
        raise UsageError(f"{path} is there already: name another file with --out, or give --force")
    sources, refused = _sources(files, chosen, as_json=as_json)
    items, ids = list[str](), Ids()
    for source in sources:
        for question in source.outcomes:
            if isinstance(question, Question):
                items.append(entry(question, ids.of(question.name, "question"), lang))
    if not items:
        raise InputError(_nothing(sources, chosen), code="no-questions")
    heads = [f"{Path(source.name).name} ({source.format})" for source in sources]
    _write(path, topic_text(named, heads, lang, items))
    if as_json:
        screen.json(_json(path, sources, refused, len(items), chosen))
    else:
        _tell(path, sources, len(items), lang, chosen)
    return 1 if refused else 0


def _sources(files: Sequence[Path], lang: Lang, *, as_json: bool) -> tuple[list[Source], list[str]]:
    """What can be read, and what is said of the rest. Raises InputError where that is all."""
    sources: list[Source] = []
    refused: list[str] = []
    for file in files:
        if not as_json and file.is_file() and file.stat().st_size >= LARGE:
            screen.sign(t(lang, "intake.reading", file=file))
        try:
            sources += read_source(file)
        except InputError as error:
            if len(files) == 1:
                raise
            refused.append(error.message)
            if not as_json:
                screen.complain(error.message)
    if not sources:
        raise InputError("; ".join(refused), code="unreadable")
    return sources, refused


def _write(path: Path, text: str) -> None:
    try:
        if path.exists():
            put_aside(path)
        write_whole(path, text.encode())
    except OSError as error:
        raise failed(path, error, code="not-written") from None


def _nothing(sources: Sequence[Source], lang: Lang) -> str:
    """Why there is nothing to write."""
    names = ", ".join(source.name for source in sources)
    why = [shown(_said(source, one, lang)) for source in sources for one in _left(source.outcomes)]
    return "; ".join([f"no question of {names} can be taken in", *why[:3]])


def _left(outcomes: Sequence[Outcome]) -> Iterator[Left]:
    return (one for one in outcomes if isinstance(one, Left))


def _said(source: Source, left: Left, lang: Lang) -> Sentence:
    """Where a question stands that was left out, what it is called, and why."""
    return _place(source, left.line, left.name, lang) + _why(left, lang)


def _why(told: Left | Remark, lang: Lang) -> Sentence:
    """What is said of a question; what stands in the file is quoted there."""
    values = {name: x if isinstance(x, int) else Quoted(str(x)) for name, x in told.values.items()}
    return tell(lang, f"intake.{told.code}", **values)


def _place(source: Source, line: int, name: str, lang: Lang) -> Sentence:
    called = name if len(name) <= SHOWN else f"{name[:SHOWN]}…"
    return tell(lang, "intake.place", source=Quoted(source.name), line=line, name=Quoted(called or "–"))


def _remarks(source: Source, lang: Lang) -> Iterator[Sentence]:
    """What is to be known of questions that were taken in: each sentence once, with the lines it is of."""
    lines: dict[Sentence, list[Question]] = {}
    for one in (one for one in source.outcomes if isinstance(one, Question)):
        for remark in one.remarks:
            lines.setdefault(_why(remark, lang), []).append(one)
    for said, questions in lines.items():
        if len(questions) == 1:
            yield _place(source, questions[0].line, questions[0].name, lang) + said
        else:
            at = ", ".join(str(one.line) for one in questions)
            yield tell(lang, "intake.lines", source=Quoted(source.name), lines=at) + said


def _json(
    path: Path, sources: Sequence[Source], refused: Sequence[str], items: int, lang: Lang
) -> dict[str, object]:
    left = [
        {
            "file": source.name,
            "line": one.line,
            "name": one.name,
            "code": one.code,
            "message": shown(_why(one, lang)),
        }
        for source in sources
        for one in _left(source.outcomes)
    ]
    return {
        "path": str(path),
        "items": items,
        "left": left,
        "remarks": [shown(said) for source in sources for said in _remarks(source, lang)],
        "unreadable": list(refused),
    }


def _tell(path: Path, sources: Sequence[Source], items: int, written: Lang, lang: Lang) -> None:
    for source in sources:
        count_ = {"all": len(source.outcomes), "items": len(source.outcomes) - len([*_left(source.outcomes)])}
        screen.print(t(lang, "intake.source", source=source.name, format=source.format, **count_))
    for head, said in (
        ("intake.left", [_said(source, one, lang) for source in sources for one in _left(source.outcomes)]),
        ("intake.changed", [said for source in sources for said in _remarks(source, lang)]),
    ):
        if said:
            screen.print("", t(lang, head))
            for each in said:
                screen.print(*wrapped(each, screen.width(), first="– "))
    screen.print("", t(lang, "intake.written", path=path, items=items))
    screen.print(
        *wrapped(t(lang, "intake.language-en" if written == "en" else "intake.language-ja"), screen.width())
    )
    screen.print(*wrapped(t(lang, "intake.next", path=path), screen.width()))
