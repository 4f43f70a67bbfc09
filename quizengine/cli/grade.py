"""`grade`: a class's answers in, marks and feedback out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import click

from quizengine.cli import class_log, screen
from quizengine.cli.class_log import copies, decisions, meanwhile, renewed, summary
from quizengine.cli.options import language, now, open_bank, open_manifest, with_bank, with_json, with_lang
from quizengine.errors import InputError, QuizError, UsageError
from quizengine.grading.batch import Done, exam_of, finished
from quizengine.grading.collect import Deadline, collect
from quizengine.grading.folder import Folder
from quizengine.grading.gradebook import EXCEL, PLAIN
from quizengine.grading.mapping import load_mapping
from quizengine.grading.processes import processes
from quizengine.grading.results import Results
from quizengine.grading.turn import turn
from quizengine.lang.characters import harmless
from quizengine.lang.text import Lang
from quizengine.reports.analysis import Analysis
from quizengine.sheets.manifest import Manifest

AHEAD = 3  # chunks a process, that wait to be marked
CRASHES = "crashes.txt"


@click.command()
@click.argument("manifest_path", metavar="MANIFEST", type=click.Path(path_type=Path))
@click.argument("answers", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Where marks and feedback go.")
@click.option(
    "--map", "mapping", type=click.Path(path_type=Path), help="Which column is what: see marks map."
)
@click.option(
    "--copying", is_flag=True, help="List answers that fit another student's variant, to be looked at."
)
@click.option("--no-html", is_flag=True, help="Feedback as Markdown alone.")
@click.option("--no-feedback", is_flag=True, help="Marks and report alone.")
@click.option(
    "--excel",
    is_flag=True,
    help="The gradebook for a spreadsheet that writes 1,5: semicolons, decimal commas.",
)
@click.option("--deadline", help="Such as 2030-02-01T23:59+09:00, the minute included; needs a column time.")
@click.option("--time-format", default="", help="Of that column, such as %m/%d/%Y %H:%M (else ISO 8601).")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, help="Mark in that many processes.")
@click.option("--dask", metavar="ADDRESS", help="Mark on that Dask cluster, such as tcp://10.0.0.1:8786.")
@with_lang
@with_bank
@with_json
def grade(
    manifest_path: Path,
    answers: Path,
    out: Path,
    mapping: Path | None,
    copying: bool,
    no_html: bool,
    no_feedback: bool,
    excel: bool,
    deadline: str | None,
    time_format: str,
    jobs: int,
    dask: str | None,
    lang: str | None,
    bank_path: tuple[str, ...],
    as_json: bool,
) -> int:
    """Grade answers by the manifest that came with the sheets.

    ANSWERS is a table (CSV or XLSX: student[,code][,time], then a column a label; or a line an answer:
    student, label, answer), a JSON file that an HTML sheet saved or YAML of the same form, or a folder or zip
    of such files.

    Example: quizengine grade exam/manifest.json answers.csv --out marks
    """
    screen.prepare()
    chosen, manifest = language(lang), open_manifest(manifest_path)
    known = load_mapping(mapping) if mapping else None
    collected = collect(answers, manifest, _deadline(deadline, time_format, manifest), known)
    exam = exam_of(manifest, now(), chosen)._replace(
        feedback="" if no_feedback else "md" if no_html else "html",
        copying=copying,
        lift=deadline is not None,
        listed=as_json,
        form=EXCEL if excel else PLAIN,
    )
    with (
        turn(manifest_path),
        _workers(jobs, dask) as (executor, slots),
        closing(Results(manifest_path)) as results,
        closing(Folder(out, manifest.labels, exam.form, manifest.who)) as folder,
    ):
        done = finished(collected.rows, manifest, results, exam, executor, AHEAD * slots)
        whole = _written(done, len(collected.rows), results, folder)
        since = meanwhile(manifest, results)
        changed, found = _changed(whole.digests, bank_path), whole.gathered.analysis()
        log = [
            *decisions(answers, manifest, collected, whole, chosen),
            *renewed(changed, since, chosen),
            *summary(manifest, whole, found, chosen),
            *(copies(manifest, whole, chosen) if copying else ()),
        ]
        folder.log(log)
        _insight(folder, found, whole, manifest, chosen)
        status = _crashed(folder, whole, len(collected.rows))
    if as_json:
        screen.json(class_log.as_json(manifest, collected, whole.book, changed, since))
    else:
        screen.say(*log)
    return status


def _written(chunks: Iterable[Done], rows: int, results: Results, folder: Folder) -> Done:
    """All of them together, each written as it comes, and then the gradebook put in its place."""
    whole = Done()
    for some in screen.progress(chunks, rows, lambda some: some.count):
        results.put(some.fresh)
        folder.add(some.lines, some.pages)
        whole.merge(some)
    folder.keep()
    return whole


def _crashed(folder: Folder, whole: Done, rows: int) -> int:
    """Say and keep what went wrong on our side; the exit status."""
    traces = whole.crashes + whole.unpaged
    if traces:
        folder.put(CRASHES, "\n".join(traces))
    for what, count in (("problems are ungraded", whole.crashes), ("pages are missing", whole.unpaged)):
        if count:
            screen.complain(f"quizengine: {len(count)} {what} by a fault of ours; see {folder.out / CRASHES}")
    if whole.count != rows:
        screen.complain(f"quizengine: {rows} rows were to be graded and {whole.count} are")
    return 1 if traces or whole.count != rows else 0


def _changed(digests: Mapping[str, str], bank_path: tuple[str, ...]) -> list[str]:
    """Items whose wording or key is another one now. Marks stand on the manifest all the same, and
    without a bank there is nothing to compare."""
    try:
        items = open_bank(bank_path).items
    except (QuizError, OSError):
        return []
    return [id_ for id_, digest in digests.items() if id_ in items and items[id_].digest != digest]


def _insight(folder: Folder, found: Analysis, whole: Done, manifest: Manifest, lang: Lang) -> None:
    """What the marks say, as data and, where HTML is installed, as a page."""
    from quizengine.grading.insight import to_json
    from quizengine.grading.report import report_page
    from quizengine.render.html import report_html

    folder.put("report.json", harmless(json.dumps(to_json(found), ensure_ascii=False, indent=1)) + "\n")
    if not found.students:
        return
    try:
        page = report_html(report_page(found, manifest, whole.places, lang))
    except InputError as error:
        screen.complain(error.message)
        return
    folder.put("report.html", page)


def _deadline(text: str | None, form: str, manifest: Manifest) -> Deadline | None:
    """With what the exam's policy gives for late answers. A minute lasts to its end."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"“{text}” is no moment: write 2030-02-01T23:59+09:00") from None
    if moment.tzinfo is None:
        raise UsageError(f"“{text}” says no time zone: write {text}+09:00, or Z for UTC")
    try:
        datetime.strptime(moment.strftime(form), form)
    except (ValueError, re.error):
        raise UsageError(f"“{form}” is no form of a time: write such as %m/%d/%Y %H:%M") from None
    if re.search(r"[T ]\d\d:?\d\d(?![:\d])", text):
        moment += timedelta(seconds=59, microseconds=999_999)
    return Deadline(moment, manifest.policy.late, form)


@contextmanager
def _workers(jobs: int, dask: str | None) -> Iterator[tuple[Executor | None, int]]:
    """Who marks, and how many at once: a cluster, so many processes, or nobody else."""
    if dask:
        from quizengine.grading.cluster import cluster

        with cluster(dask) as found:
            yield found
    elif jobs > 1:
        with processes(jobs) as executor:
            yield executor, jobs
    else:
        yield None, 1
