"""What is said of a class that has been graded: every decision, and how it did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from quizengine.grading.batch import Done
from quizengine.grading.collect import Collected, Note
from quizengine.grading.copying import matches
from quizengine.grading.gradebook import Booked, number
from quizengine.grading.report import in_order, named, reliability
from quizengine.lang.messages import say
from quizengine.lang.text import Lang
from quizengine.marking.mark import rounded
from quizengine.render.terminal import plain_text
from quizengine.reports.analysis import FEW, Analysis
from quizengine.sheets.manifest import Manifest

COMMONEST = 5  # misconceptions that are named


def decisions(
    answers: Path, manifest: Manifest, collected: Collected, whole: Done, lang: Lang
) -> Iterator[str]:
    """Rows not graded, columns not used, who is missing, what could not be read."""
    listed = collected.listed
    graded = len(collected.rows)
    yield say(lang, "grade.rows", rows=graded + len(listed), graded=graded, listed=len(listed))
    for note in (*listed, *collected.remarks):
        who = f"{note.who}: " if note.who else ""
        yield f"  {answers}:{note.line}: {who}{say(lang, f'note.{note.code}', **note.values)}"
    if missing := _missing(manifest, collected):
        yield "  " + say(lang, "grade.missing", students=", ".join(missing))
    for line, student, label, why in whole.unread:
        yield f"  {answers}:{line}: {student}, {label}: {why}"


def _missing(manifest: Manifest, collected: Collected) -> list[str]:
    """Who is neither graded nor named by a listed row."""
    came = {place for place, _ in collected.rows.chosen.values()}
    listed = {note.who for note in collected.listed}
    return [
        who.student
        for place, who in enumerate(manifest.who)
        if place not in came and who.student not in listed
    ]


def summary(manifest: Manifest, whole: Done, found: Analysis, lang: Lang) -> Iterator[str]:
    """How the class did, label by label, and its commonest mistakes."""
    percents = whole.gathered.percents()
    if not percents:
        return
    mean = sum(percents, Fraction(0)) / len(percents)
    spread = {"mean": number(mean), "lowest": number(min(percents)), "highest": number(max(percents))}
    yield ""
    yield say(lang, "grade.mean", **spread)
    for label in filter(whole.labels.__contains__, manifest.labels):
        count = whole.unreadable[label]
        unreadable = say(lang, "grade.unreadable", count=count) if count else ""
        percent = number(whole.labels[label].percent)
        yield "  " + say(lang, "grade.item", label=label, percent=percent, unreadable=unreadable)
    for one in found.misunderstandings[:COMMONEST]:
        known = manifest.misconceptions.get(one.id)
        name = plain_text(known.name[lang]) if known else one.id
        yield "  " + say(lang, "grade.met", count=len(one.students), name=name)
    yield reliability(found, lang) if len(percents) >= FEW else say(lang, "report.few", few=FEW)
    places = named(whole.places)
    for item in in_order(found, manifest, whole.places):
        if item.remarks:
            why = " ".join(say(lang, f"remark.{code}") for code in item.remarks)
            yield "  " + say(lang, "grade.look", name=places[item.place], why=why)


def copies(manifest: Manifest, whole: Done, lang: Lang) -> Iterator[str]:
    """Who wrote what is right for another; no verdict."""
    found = matches(manifest, whole.copied)
    yield say(lang, "copying.head" if found else "copying.none")
    for match in found:
        values = {"student": match.student, "other": match.other, "labels": ", ".join(match.labels)}
        yield "  " + say(lang, "copying.match", **values, chance=f"{float(match.chance):.2g}")


def as_json(
    manifest: Manifest, collected: Collected, book: Sequence[Booked], changed: Sequence[str]
) -> dict[str, Any]:
    """All of it for a program."""

    def note(one: Note) -> dict[str, Any]:
        why = say("en", f"note.{one.code}", **one.values)
        return {"line": one.line, "who": one.who, "code": one.code, "why": why}

    return {
        "rows": len(collected.rows) + len(collected.listed),
        "graded": len(collected.rows),
        "listed": [note(one) for one in collected.listed],
        "remarks": [note(one) for one in collected.remarks],
        "missing": _missing(manifest, collected),
        "changed": list(changed),
        "results": [
            {
                "student": student,
                "code": code,
                "credit": rounded(total.credit),
                "points": total.points,
                "parts": dict(verdicts),
            }
            for student, code, total, _, verdicts in book
        ],
    }
