"""`manifest`: is an exam as it was made; and one of its sheets once more."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from quizengine.cli import screen
from quizengine.cli.cores import watched_together
from quizengine.cli.options import (
    language,
    open_bank,
    open_manifest,
    with_bank,
    with_json,
    with_lang,
)
from quizengine.errors import UnknownName, UsageError
from quizengine.files.whole import write_whole
from quizengine.lang.messages import t
from quizengine.sheets.plan import Format

if TYPE_CHECKING:
    from quizengine.sheets.manifest import Manifest

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
    each = partial(watched_together, quiet=as_json)
    found, problems = verify(loaded, file.parent, open_bank(bank_path), each)
    if as_json:
        screen.json({"differences": [difference._asdict() for difference in found]})
    for difference in [] if as_json else found:
        screen.print(t(language(lang), f"verify.{difference.code}", **difference._asdict()))
    if not found and not as_json:
        screen.print(t(language(lang), "verify.fine", problems=problems, files=len(loaded.files)))
    return 1 if found else 0


@manifest.command()
@click.argument("file", type=FILE)
@click.argument("whose")
@click.option(
    "--out", type=FILE, default=Path("."), help="The folder to write to (by default the one at hand)."
)
@click.option("--format", "formats", multiple=True, type=click.Choice(FORMATS))
def reprint(file: Path, whose: str, out: Path, formats: tuple[Format, ...]) -> None:
    """Make one sheet once more, from the manifest alone: by its code, or by the student's id or name.

    Example: quizengine manifest reprint exam/manifest.json 5JHHH --format pdf
    """
    from quizengine.sheets.unset import unset_in, unset_sentences
    from quizengine.sheets.write import sheet_files

    screen.prepare()
    loaded = open_manifest(file)
    made = {Path(path).suffix[1:] for path in loaded.files if path.startswith("sheets/")}
    wanted = formats or tuple(form for form in FORMATS if form in made) or ("md",)
    place = _place(loaded, whose)
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


def _place(loaded: Manifest, whose: str) -> int:
    """Where the sheet with this code, or of this student, stands. Raises UnknownName, and UsageError where
    several bear the name."""
    wanted = whose.strip().casefold()
    found = [i for i, one in enumerate(loaded.who) if wanted in (one.code.casefold(), one.student.casefold())]
    found = found or [i for i, one in enumerate(loaded.who) if wanted and wanted == one.name.casefold()]
    if not found:
        known = [word for one in loaded.who for word in (one.code, one.student, one.name) if word]
        raise UnknownName("sheet", whose, known)
    if len(found) > 1:
        several = ", ".join(f"{loaded.who[i].code} ({loaded.who[i].student})" for i in found)
        raise UsageError(f"“{whose}” stands on several sheets: name one by its code, of {several}")
    return found[0]
