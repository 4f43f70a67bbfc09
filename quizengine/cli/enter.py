"""`marks enter`: answers from paper, typed in sheet by sheet."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quizengine.cli import screen
from quizengine.cli.options import language, open_manifest, with_lang, with_plain
from quizengine.feedback.sentences import unreadable_text
from quizengine.lang.messages import t
from quizengine.lang.quotation import shown
from quizengine.lang.text import Lang
from quizengine.problems.part import Part, labels_of, lines_of
from quizengine.problems.problem import Problem
from quizengine.responses.read import read
from quizengine.responses.response import Unreadable
from quizengine.sessions.dialogue import command_of

if TYPE_CHECKING:
    from quizengine.sheets.manifest import Manifest, Sheet


@click.command()
@click.argument("manifest_path", metavar="MANIFEST", type=click.Path(path_type=Path))
@click.option("--into", type=click.Path(path_type=Path), required=True, help="The table to write, for grade.")
@with_plain
@with_lang
def enter(manifest_path: Path, into: Path, lang: str | None) -> int:
    """Type in answers from paper: the code of a sheet, then its answers, one line each. Every sheet is in the
    table as soon as it is whole; what is typed again counts.

    Example: quizengine marks enter exam/manifest.json --into answers.csv
    """
    from quizengine.grading.intake.paper_table import PaperTable

    screen.prepare()
    manifest, chosen = open_manifest(manifest_path), language(lang)
    table = PaperTable(into, manifest.labels)
    screen.print(t(chosen, "enter.keys"))
    places = {who.code: place for place, who in enumerate(manifest.who)}
    count = 0
    while (sheet := _sheet(manifest, places, chosen)) is not None:
        answers = _answers(sheet, chosen)
        if answers is None:
            screen.print(t(chosen, "enter.dropped", code=sheet.code))
            continue
        table.add(sheet, answers)
        count += 1
        screen.print(t(chosen, "enter.kept", student=sheet.student, count=count))
    screen.print(t(chosen, "enter.end", count=count, path=into))
    return 0


def _sheet(manifest: Manifest, places: Mapping[str, int], lang: Lang) -> Sheet | None:
    """The sheet whose code is typed; None when there are no more."""
    from quizengine.sheets.manifest import is_code

    while True:
        screen.print("", t(lang, "enter.code"))
        raw = screen.answer()
        if raw is None or command_of(raw) == ":q":
            return None
        code = raw.strip().upper()
        if code in places:
            sheet = manifest.sheets[places[code]]
            screen.print(" ".join(filter(None, [sheet.student, sheet.name])), style="bold")
            return sheet
        if code:
            screen.print(t(lang, "enter.no-code" if is_code(code) else "enter.mistyped", code=code))


def _answers(sheet: Sheet, lang: Lang) -> dict[str, str] | None:
    """The answers by label; None when the sheet is given up."""
    places = sheet.labelled()
    typed: dict[str, str] = {}
    at = 0
    while at < len(places):
        label, index, id_ = places[at]
        problem = sheet.problems[index]
        part = problem.part(id_)
        screen.print(f"{label}  {_kind(part, lang)}")
        raw = screen.answer(rows=lines_of(part))
        command = command_of(raw or "")
        if raw is None or command == ":q":
            return None
        if command == ":b":
            at = max(0, at - 1)
            continue
        if command:
            screen.print(t(lang, "enter.keys"))
            continue
        if raw.strip() and not _readable(problem, part, raw, lang):
            continue
        typed[label] = raw.lstrip().removeprefix("!")
        at += 1
    return typed


def _kind(part: Part, lang: Lang) -> str:
    """What is expected there."""
    if part.kind == "array":
        return t(lang, "part.shape", rows=part.shape[0], columns=part.shape[1])
    return ", ".join(choice.label for choice in labels_of(part))


def _readable(problem: Problem, part: Part, raw: str, lang: Lang) -> bool:
    """Can it be read as it stands? If not it may be typed again, or, with ! before it, kept as it is: what
    is on the paper is on the paper."""
    if raw.lstrip().startswith("!"):
        return True
    reading = read(part, raw, problem).reading
    if not isinstance(reading, Unreadable):
        return True
    screen.print(shown(unreadable_text(reading, lang)), t(lang, "enter.again"))
    return False
