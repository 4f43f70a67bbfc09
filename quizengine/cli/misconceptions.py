"""`misconceptions`: the catalogue."""

from __future__ import annotations

import click

from quizengine.cli import screen
from quizengine.cli.options import language, open_bank, with_bank, with_json, with_lang
from quizengine.render.terminal import wrapped


@click.command()
@with_json
@with_lang
@with_bank
def misconceptions(as_json: bool, lang: str | None, bank_path: tuple[str, ...]) -> None:
    """List every known misconception and its remedy.

    Example: quizengine misconceptions --lang ja
    """

    screen.prepare()
    catalogue = open_bank(bank_path).catalogue
    if as_json:
        screen.json([entry.to_json() for entry in catalogue.values()])
        return
    chosen = language(lang)
    for entry in catalogue.values():
        screen.print(f"{entry.id}  [{entry.kind}]", style="bold")
        for text in (entry.name[chosen], entry.remedy[chosen]):
            screen.print(*wrapped(text, screen.width(), first="  "))
