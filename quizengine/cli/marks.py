"""`marks`: the marks of a class on record: history, own decisions, marking anew."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from quizengine.cli import screen
from quizengine.cli.enter import enter
from quizengine.cli.options import (
    language,
    now,
    open_bank,
    open_manifest,
    with_bank,
    with_json,
    with_lang,
    write_new,
)
from quizengine.errors import UnknownName, UsageError
from quizengine.lang.messages import name, say
from quizengine.lang.text import Lang

if TYPE_CHECKING:
    from quizengine.grading.regrade import Change
    from quizengine.grading.results import Result, Results
    from quizengine.sheets.manifest import Manifest, Sheet

MANIFEST = click.argument("manifest_path", metavar="MANIFEST", type=click.Path(path_type=Path))
WHY = click.option("--why", required=True, help="The reason; it is kept, and told in the feedback.")


@click.group()
def marks() -> None:
    """Marks on record, beside the manifest: nothing is deleted, an instructor's own mark wins.

    Example: quizengine marks history exam/manifest.json s01
    """


marks.add_command(enter)


@contextmanager
def _record(path: Path) -> Iterator[tuple[Manifest, Results]]:
    """The manifest and its results."""
    from quizengine.grading.results import Results

    screen.prepare()
    manifest = open_manifest(path)
    results = Results(path)
    try:
        yield manifest, results
    finally:
        results.close()


def _sheet(manifest: Manifest, who: str) -> Sheet:
    """By code or by student."""
    places = list(enumerate(manifest.who))
    found = {one.student: i for i, one in places} | {one.code: i for i, one in places}
    if who not in found and who.upper() not in found:
        raise UnknownName("sheet or student", who, found)
    return manifest.sheets[found[who if who in found else who.upper()]]


def _points(text: str) -> Fraction:
    try:
        if not re.fullmatch(r"\d{1,6}(\.\d{1,6})?|\d{1,6}/\d{1,6}", text.strip()):
            raise ValueError
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"“{text}” is no credit: write 2, 1.5 or 2/3") from None


@marks.command()
@MANIFEST
@click.argument("who", metavar="CODE")
@with_lang
@with_json
def history(manifest_path: Path, who: str, lang: str | None, as_json: bool) -> None:
    """Every mark of a sheet or a student, oldest first.

    Example: quizengine marks history exam/manifest.json 5JHHH
    """
    with _record(manifest_path) as (manifest, results):
        found = results.history(_sheet(manifest, who).code)
    if as_json:
        screen.json([{**result._asdict(), "credit": str(result.credit)} for result in found])
        return
    for result in found:
        screen.say(say(language(lang), "marks.line", **_told(result, language(lang))))


def _told(result: Result, lang: Lang) -> dict[str, Any]:
    from quizengine.grading.gradebook import number

    why = f" ({result.why})" if result.why else ""
    values = result._asdict() | {"credit": number(result.credit), "why": why}
    values |= {"kind": name("kind", result.kind, lang), "verdict": name("state", result.verdict, lang)}
    return values | {"raw": " ".join(result.raw.split())}


@marks.command()
@MANIFEST
@click.argument("code")
@click.argument("label")
@click.option("--credit", required=True, help="Points: 2, 1.5 or 2/3.")
@WHY
@with_lang
def override(manifest_path: Path, code: str, label: str, credit: str, why: str, lang: str | None) -> None:
    """Give a part a mark of your own; it wins over all that the engine gives, now and later.

    Example: quizengine marks override exam/manifest.json 5JHHH 1b --credit 2 --why "right by another way"
    """
    from quizengine.grading.gradebook import number
    from quizengine.grading.regrade import override
    from quizengine.grading.results import standing

    with _record(manifest_path) as (manifest, results):
        sheet = _sheet(manifest, code)
        before = standing(results.history(sheet.code)).get(label)
        after = override(sheet, label, _points(credit), why, now(), before)
        results.add([after])
    told = {"code": sheet.code, "student": sheet.student, "label": label, "points": after.points}
    told |= {"old": number(before.credit) if before else "–", "new": number(after.credit)}
    screen.say(say(language(lang), "marks.overridden", **told))


@marks.command()
@MANIFEST
@click.argument("item")
@click.option("--drop", is_flag=True, help="It counts for nothing.")
@click.option("--full", is_flag=True, help="Everyone gets its points.")
@WHY
@with_lang
def discount(manifest_path: Path, item: str, drop: bool, full: bool, why: str, lang: str | None) -> None:
    """Take an item out of an exam, or give everyone its points.

    Example: quizengine marks discount exam/manifest.json masking.where --full --why "a misprint"
    """
    from quizengine.grading.regrade import discount

    if drop == full:
        raise UsageError("say how: --drop or --full")
    how: Literal["drop", "full"] = "drop" if drop else "full"
    with _record(manifest_path) as (manifest, results):
        found = list(discount(manifest, item, how, why, now()))
        if not found:
            raise UnknownName(
                "item in this exam", item, {p.item for s in manifest.sheets for p in s.problems}
            )
        results.add(found)
    screen.say(say(language(lang), "marks.discounted", count=len(found)))


@marks.command()
@MANIFEST
@click.option(
    "--keys", is_flag=True, help="By the keys that the bank has now, where the questions are the same."
)
@click.option(
    "--policy", "changed", multiple=True, metavar="NAME=SHARE", help="window, coarse, carry or late."
)
@click.option("--apply", is_flag=True, help="Without it the changes are only shown.")
@click.option("--allow-lower", is_flag=True, help="Also where a learner would lose by it.")
@WHY
@with_lang
@with_bank
@with_json
def regrade(
    manifest_path: Path,
    keys: bool,
    changed: tuple[str, ...],
    apply: bool,
    allow_lower: bool,
    why: str,
    lang: str | None,
    bank_path: tuple[str, ...],
    as_json: bool,
) -> None:
    """What the answers on record would earn today, student by student: after a mended key, with another
    policy, with another engine. Own marks of the instructor are never touched.

    Example: quizengine marks regrade exam/manifest.json --keys --why "a mended key" --apply
    """
    from quizengine.grading.regrade import changes
    from quizengine.grading.turn import turn

    chosen = language(lang)
    with turn(manifest_path) if apply else nullcontext(), _record(manifest_path) as (manifest, results):
        policy = _policy(manifest, changed)
        found, unusable = changes(manifest, results, policy, now(), open_bank(bank_path) if keys else None)
        taken = [change for change in found if allow_lower or not change.lower]
        if apply:
            results.add([change.new._replace(why=why) for change in taken])
    if as_json:
        shown = [
            {
                "student": change.student,
                "code": change.new.code,
                "label": change.new.label,
                "old": str(change.old.credit),
                "new": str(change.new.credit),
                "because": change.because,
                "taken": change in taken,
            }
            for change in found
        ]
        screen.json({"changes": shown, "applied": apply, "unusable": unusable})
        return
    for change in found:
        screen.say(_change(change, chosen) + ("" if change in taken else say(chosen, "marks.lower")))
    for item in unusable:
        screen.say(say(chosen, "marks.unusable", item=item))
    if not found:
        screen.say(say(chosen, "marks.none"))
    if taken:
        screen.say(say(chosen, "marks.applied" if apply else "marks.shown", count=len(taken)))
    if lower := len(found) - len(taken):
        screen.say(say(chosen, "marks.kept", count=lower))


def _change(change: Change, lang: Lang) -> str:
    """A mark as it is and as it would be, and why."""
    old, new = _told(change.old, lang), _told(change.new, lang)
    values = {"student": change.student, "label": new["label"], "old": old["credit"], "new": new["credit"]}
    because = say(lang, "rows.between").join(name("because", one, lang) for one in change.because)
    return say(lang, "marks.change", **values, because=because)


def _policy(manifest: Manifest, changed: tuple[str, ...]) -> Any:
    """The policy of the exam with these values in place of its own."""
    policy = manifest.policy
    for word in changed:
        field, _, value = word.partition("=")
        if field not in policy._fields:
            raise UnknownName("value of a policy", field, policy._fields)
        share = _points(value)
        if field != "window" and share > 1:
            raise UsageError(f"{field} is a share, from 0 to 1: {value} is not")
        if field == "window" and not share:
            raise UsageError("window is more than 0: how many units of the last decimal count as equal")
        policy = policy._replace(**{field: share})
    return policy


@marks.command("map")
@MANIFEST
@click.argument("export", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="A new file, to be looked through."
)
def map_(manifest_path: Path, export: Path, out: Path) -> None:
    """Propose which column of a form's export (Google, Microsoft) is what, for grade --map.

    Example: quizengine marks map exam/manifest.json responses.csv --out map.yaml
    """
    from quizengine.grading.mapping import propose
    from quizengine.grading.tables import read_sheet

    screen.prepare()
    manifest = open_manifest(manifest_path)
    text = propose(read_sheet(export).header, manifest.labels)
    write_new(out, text)
    screen.say(*text.splitlines())


@marks.command()
@MANIFEST
@click.argument("export", type=click.Path(path_type=Path))
@click.option("--column", required=True, help="The assignment to fill, by its title.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="The file to import; never the export itself.",
)
@with_lang
def canvas(manifest_path: Path, export: Path, column: str, out: Path, lang: str | None) -> None:
    """Fill one column of your own Canvas export with what stands, and change nothing else.

    Example: quizengine marks canvas exam/manifest.json canvas.csv --column Midterm --out import.csv
    """
    from quizengine.grading.lms import canvas, totals

    chosen = language(lang)
    with _record(manifest_path) as (manifest, results):
        earned = totals(manifest, results)
    filled = canvas(export, column, earned)
    write_new(out, filled.text)
    points = {total.points for total in earned.values()}
    screen.say(say(chosen, "marks.filled", column=filled.column, path=out))
    if filled.possible and points != {_number(filled.possible)}:
        screen.say(
            say(
                chosen, "marks.possible", possible=filled.possible, points=", ".join(map(str, sorted(points)))
            )
        )
    if filled.replaced:
        screen.say(say(chosen, "marks.replaced", marks="; ".join(filled.replaced)))
    if filled.without_row:
        screen.say(say(chosen, "marks.without-row", students=", ".join(filled.without_row)))
    if filled.without_mark:
        screen.say(say(chosen, "marks.without-mark", students="; ".join(filled.without_mark)))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


@marks.command()
@MANIFEST
@click.option("--title", default="Exam", show_default=True, help="What the column is called.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="A new file.")
@with_lang
def moodle(manifest_path: Path, title: str, out: Path, lang: str | None) -> None:
    """A CSV for Moodle's grade import, by ID number, with a line of feedback for every student.

    Example: quizengine marks moodle exam/manifest.json --title Midterm --out moodle.csv
    """
    from quizengine.grading.gradebook import guarded
    from quizengine.grading.lms import moodle, remarks, totals

    chosen = language(lang)
    with _record(manifest_path) as (manifest, results):
        earned = totals(manifest, results)
        write_new(out, moodle(earned, title, remarks(manifest, results, chosen)))
    screen.say(str(out))
    if odd := [student for student in earned if guarded(student) != student]:
        screen.say(say(chosen, "marks.formulas", students=", ".join(odd)))


@marks.command("feedback-zip")
@MANIFEST
@click.argument("submissions", type=click.Path(path_type=Path))
@click.option("--marks", "folder", type=click.Path(path_type=Path), required=True, help="What grade wrote.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="A new zip.")
@with_lang
def feedback_zip(manifest_path: Path, submissions: Path, folder: Path, out: Path, lang: str | None) -> None:
    """Pack the feedback for Moodle's “Upload multiple feedback files in a zip”. SUBMISSIONS is the zip of
    submissions that Moodle gave out, or its grading worksheet: in them are the numbers that Moodle wants.

    Example: quizengine marks feedback-zip exam/manifest.json submissions.zip --marks marks --out feedback.zip
    """
    from quizengine.grading.feedback_zip import pack

    screen.prepare()
    packed, chosen = pack(folder, submissions, open_manifest(manifest_path), out), language(lang)
    screen.say(say(chosen, "marks.packed", count=len(packed.students), path=out))
    if packed.without_number:
        screen.say(say(chosen, "marks.without-number", students=", ".join(packed.without_number)))
    if packed.without_feedback:
        screen.say(say(chosen, "marks.without-feedback", students=", ".join(packed.without_feedback)))
