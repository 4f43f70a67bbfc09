"""`grade`: a class's answers in, marks and feedback out."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import click

from quizengine.cli import screen
from quizengine.cli.options import language, with_lang
from quizengine.grading.batch import Graded
from quizengine.grading.batch import grade as grade_rows
from quizengine.grading.collect import collect
from quizengine.grading.gradebook import feedback_page, gradebook, number, write
from quizengine.items.catalogue import Catalogue
from quizengine.lang.messages import say
from quizengine.lang.text import Lang
from quizengine.reports.feedback import reason_text
from quizengine.reports.tally import Total, misconceptions, tally
from quizengine.sheets.manifest import load_manifest


@click.command()
@click.argument("manifest_path", metavar="MANIFEST", type=click.Path(path_type=Path))
@click.argument("answers", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="Where gradebook.csv and feedback go.",
)
@with_lang
def grade(manifest_path: Path, answers: Path, out: Path, lang: str | None) -> int:
    """Grade a CSV of answers (student[,code],LABEL…) by the manifest that came with the sheets.

    Example: quizengine grade exam/manifest.json answers.csv --out marks
    """
    screen.prepare()
    manifest = load_manifest(manifest_path)
    rows, listed, notes = collect(answers, manifest)
    graded = grade_rows(manifest, rows)
    texts = {row.sheet.code: dict(row.answers) for row in rows}
    chosen = language(lang)
    pages = [
        (
            g.sheet.student,
            g.sheet.code,
            feedback_page(g, manifest.misconceptions, g.sheet.problems[0].lang, texts[g.sheet.code]),
        )
        for g in graded
    ]
    write(out, gradebook(graded), pages)
    screen.say(
        say(
            chosen,
            "grade.rows",
            rows=len(rows) + len(listed),
            graded=len(graded),
            listed=len(listed),
        )
    )
    for row in listed:
        screen.say(f"  {answers}:{row.line}: {row.student}: {row.why}")
    for note in notes:
        screen.say(f"  {answers}:1: {note}")
    missing = [s.student for s in manifest.sheets if s.code not in {g.sheet.code for g in graded}]
    if missing:
        screen.say("  " + say(chosen, "grade.missing", students=", ".join(missing)))
    _unreadable(answers, graded, chosen)
    _summary(graded, manifest.misconceptions, chosen)
    crashes = [crash for g in graded for crash in g.crashes]
    for crash in crashes:
        screen.complain(crash)
    return 1 if crashes else 0


def _unreadable(answers: Path, graded: Sequence[Graded], lang: Lang) -> None:
    """Every answer that could not be read, with its line, its column and the character."""
    for g in graded:
        for label, index, id_ in g.sheet.labelled():
            part = g.part(index, id_)
            if part.verdict == "unreadable":
                why = " ".join(reason_text(reason, lang) for reason in part.reasons)
                screen.say(f"  {answers}:{g.line}: {g.sheet.student}, {label}: {why}")


def _summary(graded: Sequence[Graded], catalogue: Catalogue, lang: Lang) -> None:
    if not graded:
        return
    percents = [Total(g.credit, g.points).percent for g in graded]
    mean = sum(percents, Fraction(0)) / len(percents)
    spread = {
        "mean": number(mean),
        "lowest": number(min(percents)),
        "highest": number(max(percents)),
    }
    screen.say("", say(lang, "grade.mean", **spread))
    cells = [(label, g.part(i, id_)) for g in graded for label, i, id_ in g.sheet.labelled()]
    for label, total in tally((label, part.credit, part.points) for label, part in cells).items():
        count = sum(1 for other, part in cells if other == label and part.verdict == "unreadable")
        unreadable = say(lang, "grade.unreadable", count=count) if count else ""
        screen.say(
            "  "
            + say(
                lang,
                "grade.item",
                label=label,
                percent=number(total.percent),
                unreadable=unreadable,
            )
        )
    for id_, count in misconceptions(mark for g in graded for mark in g.marks).most_common(5):
        name = catalogue[id_].name[lang] if id_ in catalogue else id_
        screen.say("  " + say(lang, "grade.met", count=count, name=name))
