"""`grade`: a class's answers in, marks and feedback out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import click

from quizengine.cli import screen
from quizengine.cli.options import language, open_bank, with_bank, with_json, with_lang
from quizengine.errors import InputError, QuizError, UsageError
from quizengine.grading.batch import Graded, prepare
from quizengine.grading.batch import grade as grade_rows
from quizengine.grading.collect import Collected, Deadline, Note, collect
from quizengine.grading.feedback import pages
from quizengine.grading.gradebook import gradebook, number, write
from quizengine.grading.mapping import load_mapping
from quizengine.grading.results import Results
from quizengine.grading.standing import Standing, keep
from quizengine.items.catalogue import Catalogue
from quizengine.lang.messages import say
from quizengine.lang.text import Lang
from quizengine.marking.mark import rounded
from quizengine.reports.feedback import reason_text
from quizengine.reports.tally import Total, misconceptions, tally
from quizengine.sheets.manifest import Manifest, load_manifest

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
@click.option("--deadline", help="Such as 2030-02-01T23:59+09:00, the minute included; needs a column time.")
@click.option("--time-format", default="", help="Of that column, such as %m/%d/%Y %H:%M (else ISO 8601).")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, help="Mark in that many processes.")
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
    deadline: str | None,
    time_format: str,
    jobs: int,
    lang: str | None,
    bank_path: tuple[str, ...],
    as_json: bool,
) -> int:
    """Grade answers by the manifest that came with the sheets.

    ANSWERS is a table (CSV or XLSX: student[,code][,time], then a column a label; or a line an answer:
    student, label, answer), a JSON file that an HTML sheet saved, or a folder or zip of such files.

    Example: quizengine grade exam/manifest.json answers.csv --out marks
    """
    screen.prepare()
    manifest = load_manifest(manifest_path)
    known = load_mapping(mapping) if mapping else None
    collected = collect(answers, manifest, _deadline(deadline, time_format, manifest), known)
    texts = {row.sheet.code: dict(row.answers) for row in collected.rows}
    with _workers(jobs, manifest_path) as executor:
        marked = grade_rows(collected.rows, manifest.policy, executor)
        graded = list(screen.progress(marked, len(collected.rows)))
        standing = _kept(manifest_path, graded, texts, manifest)
        made = pages(manifest, standing, texts, html=not no_html, executor=executor)
        written = list(screen.progress(made, len(standing)))
    chosen, changed = language(lang), _changed(manifest, bank_path)
    log = [*_rows(answers, manifest, collected, graded, chosen)]
    log += ["  " + say(chosen, "grade.changed", item=item) for item in changed]
    log += _summary(standing, manifest.misconceptions, chosen)
    log += _copying(manifest, graded, chosen) if copying else []
    write(out, gradebook(standing), written, log)
    _insight(out, standing, manifest, chosen)
    if as_json:
        screen.json(_as_json(manifest, collected, standing, changed))
    else:
        screen.say(*log)
    crashes = [crash for g in graded for crash in g.crashes]
    if crashes:
        (out / CRASHES).write_text("\n".join(crashes), "utf-8")
        screen.complain(
            f"quizengine: {len(crashes)} problems are ungraded by a fault of ours; see {out / CRASHES}"
        )
    return 1 if crashes else 0


def _kept(
    path: Path, graded: Sequence[Graded], texts: Mapping[str, Mapping[str, str]], manifest: Manifest
) -> list[Standing]:
    """The marks on record, with what is new."""
    results = Results(path)
    try:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return keep(results, graded, texts, manifest.policy, now)
    finally:
        results.close()


def _changed(manifest: Manifest, bank_path: tuple[str, ...]) -> list[str]:
    """Items whose wording or key is another one now. Marks stand on the manifest all the same, and
    without a bank there is nothing to compare."""
    try:
        items = open_bank(bank_path).items
    except (QuizError, OSError):
        return []
    digests = {p.item: p.digest for sheet in manifest.sheets for p in sheet.problems}
    return [id_ for id_, digest in digests.items() if id_ in items and items[id_].digest != digest]


def _missing(manifest: Manifest, collected: Collected) -> list[str]:
    """Who is neither graded nor named by a listed row."""
    came = {row.sheet.student for row in collected.rows} | {note.who for note in collected.listed}
    return [sheet.student for sheet in manifest.sheets if sheet.student not in came]


def _as_json(
    manifest: Manifest, collected: Collected, standing: Sequence[Standing], changed: list[str]
) -> dict[str, Any]:
    def note(one: Note) -> dict[str, Any]:
        return {
            "line": one.line,
            "who": one.who,
            "code": one.code,
            "why": say("en", f"note.{one.code}", **one.values),
        }

    return {
        "rows": len(collected.rows) + len(collected.listed),
        "graded": len(standing),
        "listed": [note(one) for one in collected.listed],
        "columns": [note(one) for one in collected.columns],
        "missing": _missing(manifest, collected),
        "changed": changed,
        "results": [
            {
                "student": s.graded.sheet.student,
                "code": s.graded.sheet.code,
                "credit": rounded(s.credit),
                "points": s.points,
                "parts": {label: result.verdict for label, result in s.results.items()},
            }
            for s in standing
        ],
    }


def _rows(
    answers: Path, manifest: Manifest, collected: Collected, graded: Sequence[Graded], lang: Lang
) -> Iterator[str]:
    """Every decision: rows not graded, columns not used, who is missing, what could not be read."""
    listed = collected.listed
    counts = {"rows": len(collected.rows) + len(listed), "graded": len(graded), "listed": len(listed)}
    yield say(lang, "grade.rows", **counts)
    for note in (*listed, *collected.columns):
        who = f"{note.who}: " if note in listed else ""
        yield f"  {answers}:{note.line}: {who}{say(lang, f'note.{note.code}', **note.values)}"
    if missing := _missing(manifest, collected):
        yield "  " + say(lang, "grade.missing", students=", ".join(missing))
    for g in graded:
        for label, index, id_ in g.sheet.labelled():
            part = g.part(index, id_)
            if part.verdict == "unreadable":
                why = " ".join(reason_text(reason, lang) for reason in part.reasons)
                yield f"  {answers}:{g.line}: {g.sheet.student}, {label}: {why}"


def _summary(standing: Sequence[Standing], catalogue: Catalogue, lang: Lang) -> Iterator[str]:
    """How the class did, label by label, and its commonest mistakes."""
    if not standing:
        return
    percents = [Total(s.credit, s.points).percent for s in standing]
    mean = sum(percents, Fraction(0)) / len(percents)
    spread = {"mean": number(mean), "lowest": number(min(percents)), "highest": number(max(percents))}
    yield ""
    yield say(lang, "grade.mean", **spread)
    cells = [cell for s in standing for cell in s.results.items()]
    for label, total in tally((label, result.credit, result.points) for label, result in cells).items():
        count = sum(1 for other, result in cells if other == label and result.verdict == "unreadable")
        unreadable = say(lang, "grade.unreadable", count=count) if count else ""
        line = {"label": label, "percent": number(total.percent), "unreadable": unreadable}
        yield "  " + say(lang, "grade.item", **line)
    for id_, count in misconceptions(mark for s in standing for mark in s.graded.marks).most_common(5):
        name = catalogue[id_].name[lang] if id_ in catalogue else id_
        yield "  " + say(lang, "grade.met", count=count, name=name)


def _copying(manifest: Manifest, graded: Sequence[Graded], lang: Lang) -> Iterator[str]:
    """Who wrote what is right for another; no verdict."""
    from quizengine.grading.copying import matches

    found = matches(manifest, graded)
    yield say(lang, "copying.head" if found else "copying.none")
    for match in found:
        values = {"student": match.student, "other": match.other, "labels": ", ".join(match.labels)}
        yield "  " + say(lang, "copying.match", **values, chance=f"{float(match.chance):.2g}")


def _insight(out: Path, standing: Sequence[Standing], manifest: Manifest, lang: Lang) -> None:
    """What the marks say, as data and, where HTML is installed, as a page."""
    from quizengine.grading.insight import analysed, to_json
    from quizengine.grading.report import report_page
    from quizengine.render.html import report_html

    found = analysed(standing)
    (out / "report.json").write_text(json.dumps(to_json(found), ensure_ascii=False, indent=1) + "\n", "utf-8")
    if not standing:
        return
    try:
        page = report_html(report_page(found, manifest, lang))
    except InputError as error:
        screen.complain(error.message)
        return
    (out / "report.html").write_text(page, "utf-8")


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
    if re.match(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?!:)", text):
        moment += timedelta(seconds=59, microseconds=999_999)
    return Deadline(moment, manifest.policy.late, form)


@contextmanager
def _workers(jobs: int, manifest: Path) -> Iterator[Executor | None]:
    """That many processes; none where one is enough."""
    if jobs == 1:
        yield None
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), prepare, (manifest,)) as executor:
        yield executor
