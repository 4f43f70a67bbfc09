"""`manifest`: is an exam as it was made; and one of its sheets once more."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import click

from quizengine.cli import screen
from quizengine.cli.options import (
    language,
    open_bank,
    open_manifest,
    with_bank,
    with_json,
    with_lang,
)
from quizengine.errors import UsageError
from quizengine.files.whole import write_whole
from quizengine.lang.messages import t
from quizengine.sheets.plan import Format

FILE = click.Path(path_type=Path)
FORMATS: tuple[Format, ...] = get_args(Format)


@click.group()
def manifest() -> None:
    """The record of an exam: every problem, every file.

    Example: quizengine manifest verify exam/manifest.json
    """


@manifest.command()
@click.argument("file", type=FILE)
@with_lang
@with_bank
@with_json
def verify(file: Path, lang: str | None, bank_path: tuple[str, ...], as_json: bool) -> int:
    """Pose every problem again, and compare every file byte by byte. Exit 1 when something differs.

    Example: quizengine manifest verify exam/manifest.json
    """
    from quizengine.sheets.verify import verify

    screen.prepare()
    loaded = open_manifest(file)
    found = list(verify(loaded, file.parent, open_bank(bank_path)))
    if as_json:
        screen.json({"differences": [difference._asdict() for difference in found]})
    for difference in [] if as_json else found:
        screen.print(t(language(lang), f"verify.{difference.code}", **difference._asdict()))
    if not found and not as_json:
        problems = sum(len(sheet.problems) for sheet in loaded.sheets)
        screen.print(t(language(lang), "verify.fine", problems=problems, files=len(loaded.files)))
    return 1 if found else 0


@manifest.command()
@click.argument("file", type=FILE)
@click.argument("code")
@click.option(
    "--out", type=FILE, default=Path("."), help="The folder to write to (by default the one at hand)."
)
@click.option("--format", "formats", multiple=True, type=click.Choice(FORMATS))
def reprint(file: Path, code: str, out: Path, formats: tuple[Format, ...]) -> None:
    """Make one sheet once more, from the manifest alone.

    Example: quizengine manifest reprint exam/manifest.json 5JHHH --format pdf
    """
    from quizengine.sheets.unset import unset_in, unset_sentences
    from quizengine.sheets.write import sheet_files

    screen.prepare()
    loaded = open_manifest(file)
    made = {Path(path).suffix[1:] for path in loaded.files if path.startswith("sheets/")}
    wanted = formats or tuple(form for form in FORMATS if form in made) or ("md",)
    place = loaded.place(code.upper())
    who = [loaded.who[place]]
    unset = unset_in(loaded, who) if "pdf" in wanted else {}
    for one in sheet_files(loaded, place, wanted, unset):
        path = out / Path(one.path).name
        if path.exists():
            raise UsageError(f"{path} is there already: name another folder with --out")
        out.mkdir(parents=True, exist_ok=True)
        write_whole(path, one.make())
        screen.print(str(path))
    for sentence in unset_sentences(who if unset else [], language(None)):
        screen.complain(sentence)
