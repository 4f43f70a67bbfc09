"""`marks enter`: answers from paper, typed in sheet by sheet, or pasted as a page gives them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from json import loads
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quizengine.cli import screen
from quizengine.cli.options import language, open_manifest, with_lang, with_plain
from quizengine.feedback.sentences import unreadable_text
from quizengine.grading.note import Note
from quizengine.lang.messages import t
from quizengine.lang.quotation import shown
from quizengine.lang.text import Lang
from quizengine.problems.part import NumbersPart, Part, labels_of, lines_of
from quizengine.responses.read import read
from quizengine.responses.response import Unreadable
from quizengine.sessions.dialogue import command_of
from quizengine.sheets.roster import SPARE
from quizengine.sheets.sheet_code import is_code

if TYPE_CHECKING:
    from quizengine.grading.intake.paper_table import PaperTable
    from quizengine.sheets.manifest import Manifest, Sheet


@click.command()
@click.argument("manifest_path", metavar="MANIFEST", type=click.Path(path_type=Path))
@click.option("--into", type=click.Path(path_type=Path), required=True, help="The table to write, for grade.")
@click.option("--paste", is_flag=True, help="Take the texts that “Copy answers” gave, one after another.")
@with_plain
@with_lang
def enter(manifest_path: Path, into: Path, paste: bool, lang: str | None) -> int:
    """Type in answers from paper: the code of a sheet, then its answers, one line each. Every sheet is in the
    table as soon as it is whole; what is typed again counts. With --paste, what an HTML sheet gave by “Copy
    answers” is pasted, or comes by standard input.

    Example: quizengine marks enter exam/manifest.json --into answers.csv
    """
    from quizengine.grading.intake.paper_table import PaperTable

    screen.prepare()
    manifest, chosen = open_manifest(manifest_path), language(lang)
    table = PaperTable(into, manifest.labels)
    if paste:
        count, refused = _pasted(manifest, table, chosen)
        screen.print(t(chosen, "enter.end", count=count, path=into))
        return 1 if refused else 0
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
    while True:
        screen.print("", t(lang, "enter.code"))
        raw = screen.answer()
        if raw is None or command_of(raw) == ":q":
            return None
        code = raw.strip().upper()
        if code in places:
            sheet = manifest.sheets[places[code]]
            screen.print(" ".join(filter(None, [sheet.student, sheet.name])), style="bold")
            return _claimed(sheet, lang)
        if code:
            screen.print(t(lang, "enter.no-code" if is_code(code) else "enter.mistyped", code=code))


def _claimed(sheet: Sheet, lang: Lang) -> Sheet:
    """The sheet, a spare one under the id of the late-comer who got it, where that is known."""
    if not SPARE.fullmatch(sheet.student):
        return sheet
    screen.print(t(lang, "enter.whose"))
    raw = (screen.answer() or "").strip()
    return replace(sheet, student=raw) if raw and not command_of(raw) else sheet


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
        if raw.strip() and not _readable(part, raw, lang):
            continue
        typed[label] = raw.lstrip().removeprefix("!")
        at += 1
    return typed


def _kind(part: Part, lang: Lang) -> str:
    """What is expected there."""
    if isinstance(part, NumbersPart) and part.shape:
        return t(lang, "part.shape", rows=part.shape[0], columns=part.shape[1])
    return ", ".join(choice.label for choice in labels_of(part))


def _readable(part: Part, raw: str, lang: Lang) -> bool:
    """Can it be read as it stands? If not it may be typed again, or, with ! before it, kept as it is: what
    is on the paper is on the paper."""
    if raw.lstrip().startswith("!"):
        return True
    reading = read(part, raw).reading
    if not isinstance(reading, Unreadable):
        return True
    screen.print(shown(unreadable_text(reading, lang)), t(lang, "enter.again"))
    return False


def _pasted(manifest: Manifest, table: PaperTable, lang: Lang) -> tuple[int, int]:
    """Put every sheet that is pasted into the table; how many there are, and how many could not be taken."""
    from quizengine.grading.intake.finder import Finder
    from quizengine.grading.intake.submissions import parsed, typed

    screen.print(t(lang, "enter.paste"))
    finder, count, refused = Finder(manifest), 0, 0
    for text in _texts():
        try:
            found = parsed("", text)
        except (ValueError, RecursionError) as error:
            screen.complain(t(lang, "enter.not-pasted", why=" ".join(str(error).split())))
            refused += 1
            continue
        for saved in found:
            place = finder.place(0, {"student": saved.student, "code": saved.code})
            if isinstance(place, Note):
                who = f"{place.who}: " if place.who else ""
                screen.complain(who + t(lang, f"note.{place.code}", **place.values))
                refused += 1
                continue
            answers = typed(saved)
            for label in answers.keys() - {*manifest.labels}:
                screen.complain(t(lang, "note.extra-column", name=label))
            student = finder.student(place)
            table.add(replace(manifest.sheets[place], student=student), answers)
            count += 1
            screen.print(t(lang, "enter.kept", student=student, count=count))
    return count, refused


def _texts() -> Iterator[str]:
    """The texts that are pasted: each goes until it is whole, or to an empty line."""
    lines: list[str] = []
    while (raw := screen.answer()) is not None and command_of(raw) != ":q":
        lines += [raw.removeprefix("\ufeff")] if raw.strip() else []
        text, whole = "\n".join(lines), False
        if raw.rstrip().endswith(("}", "]")):
            with suppress(ValueError, RecursionError):
                whole = bool(loads(text))
        if lines and (whole or not raw.strip()):
            yield text
            lines = []
    if lines:
        yield "\n".join(lines)
