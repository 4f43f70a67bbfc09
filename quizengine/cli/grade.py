"""`grade`: a class's answers in, marks and feedback out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from quizengine.cli import screen
from quizengine.cli.options import language, now, open_manifest, with_bank, with_json, with_lang
from quizengine.errors import UsageError
from quizengine.files.failure import failed
from quizengine.files.whole import write_whole
from quizengine.lang.messages import t

if TYPE_CHECKING:
    from typing import Unpack

    from quizengine.exchange.class_record import Counts
    from quizengine.grading.grade import Call

FILE = click.Path(path_type=Path)
EXCEL_HELP = "The gradebook for a spreadsheet that writes 1,5: semicolons, decimal commas."


@click.command()
@click.argument("manifest_path", metavar="MANIFEST", type=FILE)
@click.argument("answers", type=FILE)
@click.option("--out", type=FILE, required=True, help="Where marks and feedback go.")
@click.option("--map", "mapping", type=FILE, help="Which column is what: see marks map.")
@click.option(
    "--copying", is_flag=True, help="List answers that fit another student's variant, to be looked at."
)
@click.option("--no-html", is_flag=True, help="Feedback as Markdown alone.")
@click.option("--no-feedback", is_flag=True, help="Marks and report alone.")
@click.option("--excel", is_flag=True, help=EXCEL_HELP)
@click.option("--deadline", help="Such as 2030-02-01T23:59+09:00, the minute included; needs a column time.")
@click.option(
    "--deadlines",
    type=FILE,
    help="Who has more time: a table (CSV, XLSX) with the columns student, and deadline (as above) or extra "
    "(15, 1h30m, or a share of the exam’s minutes such as 25%).",
)
@click.option("--time-format", default="", help="Of that column, such as %m/%d/%Y %H:%M (else ISO 8601).")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, help="Mark in that many processes.")
@click.option("--dask", metavar="ADDRESS", help="Mark on that Dask cluster, such as tcp://10.0.0.1:8786.")
@click.option(
    "--attempts",
    type=click.Choice(["highest", "last", "first"]),
    help="Of a Moodle report: which of a student’s attempts counts (highest by default).",
)
@with_lang
@with_bank
@with_json
def grade(lang: str | None, attempts: Counts | None, **call: Unpack[Call]) -> int:
    """Grade answers by the manifest that came with the sheets.

    ANSWERS is a table (CSV or XLSX: student[,code][,time], then a column a label; or a line an answer:
    student, label, answer), a JSON file that an HTML sheet saved or YAML of the same form, or a folder or zip
    of such files; or - for one of them on standard input, which is kept in the folder of --out. A file is
    known by how it begins; of several of a sheet the newest counts.

    With the manifest of an export, ANSWERS is the Responses report of the quiz in Moodle; the record of the
    class is then kept in the folder “class” beside that manifest.

    Example: quizengine grade exam/manifest.json answers.csv --out marks
    """
    from quizengine.exchange.class_record import class_record, is_export
    from quizengine.grading.grade import grade_class

    screen.prepare()
    chosen, manifest = language(lang), open_manifest(call["manifest_path"])
    if str(call["answers"]) == "-":
        call["answers"] = _kept(call["out"])
    if is_export(manifest):
        record = class_record(call["manifest_path"], manifest, call["answers"], attempts or "highest", chosen)
        for remark in record.remarks:
            screen.complain(remark)
        call["manifest_path"], call["answers"] = record.manifest, record.answers
        manifest = open_manifest(record.manifest)
        if not call["as_json"]:
            screen.print(t(chosen, "export.class", path=record.manifest))
    elif attempts:
        raise UsageError("--attempts is for a report of Moodle, graded by the manifest of an export")
    outcome = grade_class(call, manifest, now(), chosen, screen.progress)
    for complaint in outcome.complaints:
        screen.complain(complaint)
    screen.json(outcome.json) if call["as_json"] else screen.print(*outcome.log)
    return outcome.status


def _kept(out: Path) -> Path:
    """The file in which standard input is kept: it is read more than once, and can be looked into. Raises
    InputError."""
    content = screen.read_bytes()
    file = out / "standard-input"
    try:
        out.mkdir(parents=True, exist_ok=True)
        write_whole(file, content)
    except OSError as error:
        raise failed(file, error, code="not-written") from None
    return file
