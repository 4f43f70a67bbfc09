"""`marks gradebook`, `report` and `feedback`: what is on record of an exam, written anew."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quizengine.cli import screen
from quizengine.cli.options import language, now, open_record, with_lang
from quizengine.errors import InputError, UsageError
from quizengine.files.failure import failed
from quizengine.files.whole import write_whole
from quizengine.lang.messages import t
from quizengine.lang.shown import unseen
from quizengine.lang.text import Lang

if TYPE_CHECKING:
    from quizengine.sheets.manifest import Manifest

FILE = click.Path(path_type=Path)
MANIFEST = click.argument("manifest_path", metavar="MANIFEST", type=FILE)


@click.command()
@MANIFEST
@click.option("--out", type=FILE, required=True, help="The file; one that is there is replaced.")
@click.option("--names", is_flag=True, help="With a column of names, as the roster has them.")
@click.option("--excel", is_flag=True, help="For a spreadsheet that writes 1,5: semicolons, decimal commas.")
def gradebook(manifest_path: Path, out: Path, names: bool, excel: bool) -> None:
    """The gradebook of everyone on record, in the order of the sheets.

    Example: quizengine marks gradebook exam/manifest.json --names --out gradebook.csv
    """
    from quizengine.grading.batch import exam_of
    from quizengine.grading.output.gradebook import EXCEL, PLAIN
    from quizengine.grading.views import gradebook_of

    with open_record(manifest_path) as (manifest, results):
        exam = exam_of(manifest, now(), "en")._replace(form=EXCEL if excel else PLAIN)
        text = gradebook_of(manifest, results, exam, names=names, shown=screen.progress)
    _put(out, text)
    screen.print(str(out))


@click.command()
@MANIFEST
@click.option(
    "--out", type=FILE, required=True, help="The file, which is written anew: .html, or .json for a program."
)
@with_lang
def report(manifest_path: Path, out: Path, lang: str | None) -> None:
    """What the marks of everyone on record add up to, and what check --manifest found of their functions.

    Example: quizengine marks report exam/manifest.json --out report.html
    """
    from quizengine.grading.batch import exam_of
    from quizengine.grading.record.functions import functions_of
    from quizengine.grading.views import report_of

    functions, html = functions_of(manifest_path), out.suffix.lower() != ".json"
    with open_record(manifest_path) as (manifest, results):
        exam = exam_of(manifest, now(), language(lang))
        text = report_of(manifest, results, exam, functions, html=html, shown=screen.progress)
    _put(out, text)
    screen.print(str(out))


@click.command()
@MANIFEST
@click.argument("who", nargs=-1)
@click.option("--out", type=FILE, required=True, help="The folder for the pages.")
@click.option("--no-html", is_flag=True, help="Feedback as Markdown alone.")
@with_lang
def feedback(manifest_path: Path, who: tuple[str, ...], out: Path, no_html: bool, lang: str | None) -> None:
    """Pages of feedback for everyone on record, or for these: by id, name or the code of a sheet.

    Example: quizengine marks feedback exam/manifest.json s01 --out pages
    """
    from quizengine.grading.batch import exam_of
    from quizengine.grading.views import pages_of

    with open_record(manifest_path) as (manifest, results):
        exam = exam_of(manifest, now(), language(lang))._replace(feedback="md" if no_html else "html")
        made = list(pages_of(manifest, results, exam, who, screen.progress))
    for name, text in made:
        _put(out / name, text)
        screen.print(str(out / name))


_OURS = {  # how a file begins that may be written anew
    ".csv": re.compile(rb"(\xef\xbb\xbf)?student[,;].*\bcredit[,;]points[,;]percent"),
    ".html": re.compile(rb"<!doctype html", re.IGNORECASE),
    ".json": re.compile(rb'\{\s*"students":'),
    ".md": re.compile(rb"# "),
}


def _put(path: Path, text: str) -> None:
    """Write a file that is not there yet, or anew one that was written so before. Raises UsageError for any
    other, and InputError."""
    try:
        start = path.read_bytes()[:4096] if path.exists() else b""
        own = _OURS.get(path.suffix.lower(), _OURS[".csv"])
        if start and not own.match(start):
            raise UsageError(f"{path} is there already, and is no such file: name another one")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode())
    except OSError as error:
        raise failed(path, error, code="not-written") from None


def write_anew(path: Path, manifest: Manifest, lang: Lang, *, quiet: bool = False) -> None:
    """Write the views of the exam again, and say so."""
    from quizengine.grading.views import written_anew

    try:
        folder = written_anew(path, manifest, now(), lang, unseen if quiet else screen.progress)
    except InputError as error:
        if error.code != "busy":
            raise
        screen.complain(t(lang, "marks.not-anew"))  # whoever grades will do it
        return
    if folder and not quiet:
        screen.print(t(lang, "marks.anew", folder=folder))


VIEWS = (gradebook, report, feedback)
