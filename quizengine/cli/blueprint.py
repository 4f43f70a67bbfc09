"""`blueprint`: write, check and preview what an exam is to hold."""

from __future__ import annotations

from contextlib import suppress
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quizengine.cli import screen
from quizengine.cli.options import language, open_bank, with_bank, with_json, with_lang, with_plain, write_new
from quizengine.errors import FaultyFile
from quizengine.lang.messages import t
from quizengine.lang.quotation import Quoted
from quizengine.render.blocks import ask, points, stem, told_key
from quizengine.render.terminal import lines, wrapped
from quizengine.sheets.roster import Student

if TYPE_CHECKING:
    from quizengine.sheets.plan import Blueprint

FILE = click.Path(path_type=Path)


@click.group()
def blueprint() -> None:
    """What an exam is to hold: write a blueprint, check it, look at one variant.

    Example: quizengine blueprint new midterm.yaml
    """


@blueprint.command()
@click.argument("file", type=FILE)
def new(file: Path) -> None:
    """Write a commented blueprint to start from.

    Example: quizengine blueprint new midterm.yaml
    """
    text = resources.files("quizengine.sheets").joinpath("blueprint.yaml").read_text("utf-8")
    write_new(file, text)
    screen.print(str(file))


@blueprint.command()
@click.argument("file", type=FILE)
@with_lang
@with_bank
@with_json
def check(file: Path, lang: str | None, bank_path: tuple[str, ...], as_json: bool) -> int:
    """Can this bank give what the blueprint asks? Every fault with its line.

    Example: quizengine blueprint check midterm.yaml
    """
    from quizengine.sheets.blueprint import load_blueprint

    screen.prepare()
    try:
        found = load_blueprint(file, open_bank(bank_path))
    except FaultyFile as error:
        if as_json:
            screen.json({"faults": [fault._asdict() for fault in error.faults]})
        else:
            screen.complain(error.message)
        return 1
    if "pdf" in found.formats:
        _printable(found)
    sizes = [section.size for section in found.sections]
    if as_json:
        screen.json({"faults": [], "sections": sizes, "items": sum(sizes)})
    else:
        screen.print(t(language(lang), "blueprint.fine", sections=len(sizes), items=sum(sizes)))
    return 0


def _printable(plan: Blueprint) -> None:
    """Can the heading be printed? (Where PDF is not installed, that is seen later.)"""
    from quizengine.sheets.manifest import Manifest
    from quizengine.sheets.unset import check_printable

    with suppress(ImportError):
        import typst  # noqa: F401

        check_printable(Manifest("", plan.policy, (), {}, heading=plan.heading))


@blueprint.command()
@click.argument("file", type=FILE)
@click.option("--key", is_flag=True, help="With the key of every part.")
@click.option("--variant", type=click.IntRange(1, 1000), default=1, help="Another one.")
@with_plain
@with_lang
@with_bank
def preview(file: Path, key: bool, variant: int, lang: str | None, bank_path: tuple[str, ...]) -> None:
    """Show one variant as a student would see it. (An exam's own have other numbers.)

    Example: quizengine blueprint preview midterm.yaml --key
    """
    from quizengine.sheets.blueprint import load_blueprint
    from quizengine.sheets.compose import compose
    from quizengine.sheets.paper import plain, sections

    screen.prepare()
    bank = open_bank(bank_path)
    plan = load_blueprint(file, bank)
    chosen = language(lang) if lang else plan.heading.languages[0]
    manifest = compose(bank, plan, [Student("preview")], f"preview {variant}".encode())
    [sheet] = manifest.sheets
    problems = sheet.in_language(chosen)
    screen.print(*wrapped((Quoted(plan.heading.title[chosen]),), screen.width()), style="bold")
    for text in plain(plan.heading.instructions[chosen]):
        screen.print(*wrapped(text, screen.width()))
    for title, places in sections(manifest, len(problems)):
        if title[chosen]:
            screen.print("", *wrapped((Quoted(title[chosen]),), screen.width()), style="bold")
        for i in places:
            problem = problems[i]
            screen.print("", f"{i + 1}   {points(problem.points, chosen)}   {problem.item}", style="bold")
            screen.print(*lines(stem(problem), screen.width(), abreast=screen.abreast()))
            for part in problem.parts:
                screen.print(*lines(ask(problem, part, manifest.policy), screen.width()))
                if key:
                    screen.print(*wrapped(told_key(part), screen.width(), first="  " + t(chosen, "key")))
