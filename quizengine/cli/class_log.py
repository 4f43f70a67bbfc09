"""What is said of a class that has been graded: every decision, and how it did."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from quizengine.grading.batch import Done
from quizengine.grading.collect import Collected
from quizengine.grading.copying import matches
from quizengine.grading.gradebook import Booked, number
from quizengine.grading.note import Note
from quizengine.grading.report import in_order, named, reliability
from quizengine.grading.results import Results
from quizengine.grading.standing import DROPPED
from quizengine.lang.messages import say
from quizengine.lang.text import Lang
from quizengine.marking.mark import rounded
from quizengine.render.terminal import plain_text
from quizengine.reports.analysis import FEW, Analysis
from quizengine.sheets.manifest import Manifest

LIKELY = Fraction(1, 20)  # a chance that proves nothing
NAMED = 40  # students in one line
COMMONEST = 5  # misconceptions that are named
SPARE = re.compile(r"spare-\d+")  # sheets for late-comers, of whom there may be none


def decisions(
    answers: Path, manifest: Manifest, collected: Collected, whole: Done, lang: Lang
) -> Iterator[str]:
    """Rows not graded, columns not used, who is missing, what could not be read."""

    def where(line: int) -> str:
        return f"{answers}:{line}" if line not in collected.files else str(answers / collected.files[line])

    listed = collected.listed
    graded = len(collected.rows)
    yield say(lang, "grade.rows", rows=graded + len(listed), graded=graded, listed=len(listed))
    if not manifest.intact:
        yield "  " + say(lang, "grade.not-intact")
    for note in (*listed, *collected.remarks):
        who = f"{note.who}: " if note.who else ""
        yield f"  {where(note.line)}: {who}{say(lang, f'note.{note.code}', **note.values)}"
    if missing := _missing(manifest, collected):
        yield "  " + say(
            lang,
            "grade.missing",
            students=", ".join(missing[:NAMED]) + (f", … ({len(missing)})" if missing[NAMED:] else ""),
        )
    for line, student, code, values in whole.said:
        yield f"  {where(line)}: {student}{say(lang, f'row.{code}', **values)}"


def _missing(manifest: Manifest, collected: Collected) -> list[str]:
    """Who is neither graded nor named by a listed row."""
    came = {place for place, _ in collected.rows.chosen.values()}
    listed = {note.who for note in collected.listed}
    return [
        who.student
        for place, who in enumerate(manifest.who)
        if place not in came and who.student not in listed and not SPARE.fullmatch(who.student)
    ]


def meanwhile(manifest: Manifest, results: Results) -> list[tuple[str, str]]:
    """Students and labels of which the instructor decided too late for the gradebook."""
    owners = {who.code: who.student for who in manifest.who}
    return [(owners[code], label) for code, label in results.decided_since()]


def renewed(changed: Sequence[str], since: Sequence[tuple[str, str]], lang: Lang) -> Iterator[str]:
    """Items that are no longer what was asked, and what was decided meanwhile."""
    for item in changed:
        yield "  " + say(lang, "grade.changed", item=item)
    if since:
        marks = ", ".join(f"{student} {label}" for student, label in since[:NAMED])
        more = f", … ({len(since)})" if since[NAMED:] else ""
        yield "  " + say(lang, "grade.decided", marks=marks + more)


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
    for label in filter(whole.decided.__contains__, manifest.labels):
        result = whole.decided[label]
        code = "grade.dropped" if result.verdict == DROPPED else "grade.full"
        yield "  " + say(lang, code, label=label, why=result.why)
    for one in found.misunderstandings[:COMMONEST]:
        known = manifest.misconceptions.get(one.id)
        name = plain_text(known.name[lang]) if known else one.id
        yield "  " + say(lang, "grade.met", count=len(one.students), name=name)
    if (more := len(found.misunderstandings) - COMMONEST) > 0:
        yield "  " + say(lang, "grade.more", count=more)
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
        likely = match.chance > LIKELY
        code = "copying.likely" if likely else "copying.match"
        yield "  " + say(lang, code, **values, **({} if likely else {"chance": _odds(match.chance)}))


def _odds(chance: Fraction) -> str:
    """One in how many, cut to two digits that count.

    >>> _odds(Fraction(1, 34_567_890)), _odds(Fraction(1, 7))
    ('34,000,000', '7')
    """
    whole = str(int(1 / chance))
    return f"{int(whole[:2] + '0' * len(whole[2:])):,}"


def as_json(
    manifest: Manifest,
    collected: Collected,
    book: Sequence[Booked],
    changed: Sequence[str],
    since: Sequence[tuple[str, str]],
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
        "decided_meanwhile": [{"student": student, "label": label} for student, label in since],
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
