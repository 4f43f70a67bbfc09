"""`marks`: the marks of a class on record: history, own decisions, marking anew."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from quizengine.cli import screen
from quizengine.cli.late import LateGroup
from quizengine.cli.options import (
    language,
    now,
    open_bank,
    open_manifest,
    open_record,
    with_bank,
    with_json,
    with_lang,
    write_new,
)
from quizengine.cli.views import VIEWS, write_anew
from quizengine.errors import UsageError
from quizengine.lang.messages import t
from quizengine.lang.shown import unseen
from quizengine.marking.mark import credit_text

FILE = click.Path(path_type=Path)
MANIFEST = click.argument("manifest_path", metavar="MANIFEST", type=FILE)
OPEN_AS_BLANK = click.option(
    "--open-as-blank", is_flag=True, help="Answers that wait to be read count as blank."
)


def _said(_: click.Context, __: click.Parameter, why: str) -> str:
    if not why.strip():
        raise UsageError("say why: the reason stands on the learners’ pages")
    return why


WHY = click.option(
    "--why", required=True, callback=_said, help="The reason; it is kept, and told in the feedback."
)


LATE = {
    "enter": ("enter:enter", "Type in answers from paper, sheet by sheet."),
    "read": ("read:read", "Read answers in words, question by question."),
}


@click.group(cls=LateGroup, late=LATE)
def marks() -> None:
    """Marks on record, beside the manifest: nothing is deleted, an instructor's own mark wins.

    Example: quizengine marks history exam/manifest.json s01
    """


for view in VIEWS:
    marks.add_command(view)


@marks.command()
@MANIFEST
@click.argument("who", metavar="CODE")
@with_lang
@with_json
def history(manifest_path: Path, who: str, lang: str | None, as_json: bool) -> None:
    """Every mark of a sheet or a student, oldest first.

    Example: quizengine marks history exam/manifest.json 5JHHH
    """
    from quizengine.grading.record.history import history_json, history_lines, sheet_of

    with open_record(manifest_path) as (manifest, results):
        found = results.history(sheet_of(manifest, who).code)
    if as_json:
        screen.json(history_json(found))
    else:
        screen.print(*history_lines(found, language(lang)))


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
    from quizengine.grading.record.effective import effective
    from quizengine.grading.record.history import sheet_of
    from quizengine.grading.record.override import credit_of, override

    with open_record(manifest_path, write=True) as (manifest, results):
        sheet = sheet_of(manifest, code)
        before = effective(results.history(sheet.code)).get(label)
        after = override(sheet, label, credit_of(credit), why, now(), before)
        results.add([after])
    told = {"code": sheet.code, "student": sheet.student, "label": label, "points": after.points}
    told |= {"old": credit_text(before.credit) if before else "–", "new": credit_text(after.credit)}
    screen.print(t(language(lang), "marks.overridden", **told))
    write_anew(manifest_path, manifest, language(lang))


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
    from quizengine.grading.record.override import discount

    if drop == full:
        raise UsageError("say how: --drop or --full")
    with open_record(manifest_path, write=True) as (manifest, results):
        found = discount(manifest, item, "drop" if drop else "full", why, now())
        results.add(found)
    message = "marks.dropped" if drop else "marks.full"
    screen.print(t(language(lang), message, item=item, count=len(found)))
    write_anew(manifest_path, manifest, language(lang))


@marks.command()
@MANIFEST
@click.option(
    "--keys", is_flag=True, help="By the keys that the bank has now, where the questions are the same."
)
@click.option(
    "--policy",
    "changed",
    multiple=True,
    metavar="NAME=SHARE",
    help="window, coarse, carry, carry_unexplained or late.",
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
    from quizengine.grading.record.regrade import changes, policy_with, regrade
    from quizengine.grading.record.results import record_lock

    with (
        record_lock(manifest_path) if apply else nullcontext(),
        open_record(manifest_path, write=apply) as (manifest, results),
    ):
        policy, bank = policy_with(manifest.policy, changed), open_bank(bank_path) if keys else None
        shown = unseen if as_json else screen.progress
        found = changes(manifest, results, policy, now(), bank, shown)
        done = regrade(found, results if apply else None, why, lower=allow_lower)
    if as_json:
        screen.json(done.to_json())
    else:
        screen.print(*done.lines(language(lang)))
    if apply:
        write_anew(manifest_path, manifest, language(lang), quiet=as_json)


@marks.command("map")
@MANIFEST
@click.argument("export", type=FILE)
@click.option("--out", type=FILE, required=True, help="A new file, to be looked through.")
def map_(manifest_path: Path, export: Path, out: Path) -> None:
    """Propose which column of a form's export (Google, Microsoft) is what, for grade --map.

    Example: quizengine marks map exam/manifest.json responses.csv --out map.yaml
    """
    from quizengine.grading.intake.column_map import is_form, proposed_map
    from quizengine.grading.intake.tables import read_sheet

    screen.prepare()
    manifest = open_manifest(manifest_path)
    text = proposed_map(export, read_sheet(export, is_form).header, manifest.labels)
    write_new(out, text)
    screen.print(*text.splitlines())


@marks.command()
@MANIFEST
@click.argument("export", type=FILE)
@click.option("--column", required=True, help="The assignment to fill, by its title.")
@click.option("--out", type=FILE, required=True, help="The file to import; never the export itself.")
@OPEN_AS_BLANK
@with_lang
def canvas(
    manifest_path: Path, export: Path, column: str, out: Path, open_as_blank: bool, lang: str | None
) -> None:
    """Fill one column of your own Canvas export with what stands, and change nothing else.

    Example: quizengine marks canvas exam/manifest.json canvas.csv --column Midterm --out import.csv
    """
    from quizengine.grading.output.lms import canvas, settled, totals

    chosen = language(lang)
    with open_record(manifest_path) as (manifest, results):
        earned = settled(totals(manifest, results, screen.progress), open_as_blank=open_as_blank)
    filled = canvas(export, column, earned)
    write_new(out, filled.text)
    screen.print(*filled.lines(out, {total.points for total in earned.values()}, chosen))


@marks.command()
@MANIFEST
@click.option("--title", default="Exam", show_default=True, help="What the column is called.")
@click.option("--out", type=FILE, required=True, help="A new file.")
@OPEN_AS_BLANK
@with_lang
def moodle(manifest_path: Path, title: str, out: Path, open_as_blank: bool, lang: str | None) -> None:
    """A CSV for Moodle's grade import, by ID number, with a line of feedback for every student.

    Example: quizengine marks moodle exam/manifest.json --title Midterm --out moodle.csv
    """
    from quizengine.grading.output.gradebook import guarded
    from quizengine.grading.output.lms import moodle, remarks, settled, totals

    chosen = language(lang)
    with open_record(manifest_path) as (manifest, results):
        earned = settled(totals(manifest, results, screen.progress), open_as_blank=open_as_blank)
        write_new(out, moodle(earned, title, remarks(manifest, results, chosen, screen.progress)))
    screen.print(str(out))
    if odd := [student for student in earned if guarded(student) != student]:
        screen.print(t(chosen, "marks.formulas", students=", ".join(odd)))


@marks.command("feedback-zip")
@MANIFEST
@click.argument("submissions", type=FILE)
@click.option("--marks", "folder", type=FILE, required=True, help="What grade wrote.")
@click.option("--out", type=FILE, required=True, help="A new zip.")
@with_lang
def feedback_zip(manifest_path: Path, submissions: Path, folder: Path, out: Path, lang: str | None) -> None:
    """Pack the feedback for Moodle's “Upload multiple feedback files in a zip”. SUBMISSIONS is the zip of
    submissions that Moodle gave out, or its grading worksheet: in them are the numbers that Moodle wants.

    Example: quizengine marks feedback-zip exam/manifest.json submissions.zip --marks marks --out feedback.zip
    """
    from quizengine.grading.output.feedback_zip import pack
    from quizengine.grading.record.results import claims_on_record

    screen.prepare()
    manifest = open_manifest(manifest_path).claimed(claims_on_record(manifest_path))
    packed = pack(folder, submissions, manifest, out)
    screen.print(*packed.lines(out, language(lang)))
