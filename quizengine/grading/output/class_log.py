"""The log of a class that has been graded: every decision, and how it did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from quizengine.grading.batch import Done
from quizengine.grading.intake.collect import AnswerRow, Collected
from quizengine.grading.note import Note
from quizengine.grading.output.report_page import group_name, items_in_order, part_names, reliability_text
from quizengine.grading.similarity import matches
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.marking.mark import credit_text, rounded
from quizengine.render.terminal import plain_text
from quizengine.reports.report import FEW, Report
from quizengine.sheets.manifest import Manifest
from quizengine.sheets.roster import SPARE

LIKELY = Fraction(1, 20)  # a chance that proves nothing
NAMED = 40  # students in one line
COMMONEST = 5  # misconceptions that are named, and observations


class GradedClass(NamedTuple):
    """A class, graded: the file its answers came in, what became of every row, the `others` on record, and
    what the marks add up to;
    `changed` are items that are no longer what was asked, `meanwhile` students and labels of which the
    instructor decided too late for the gradebook."""

    answers: Path
    manifest: Manifest
    collected: Collected
    others: Sequence[AnswerRow]
    done: Done
    report: Report
    changed: Sequence[str]
    meanwhile: Sequence[tuple[str, str]]

    @property
    def missing(self) -> list[str]:
        """Who is neither graded nor named by a listed row."""
        came = {place for place, _ in self.collected.rows.chosen.values()}
        came |= {row.place for row in self.others}
        listed = {note.who for note in self.collected.listed}
        return [
            who.student
            for place, who in enumerate(self.manifest.who)
            if place not in came and who.student not in listed and not SPARE.fullmatch(who.student)
        ]


def class_log(graded: GradedClass, lang: Lang, *, similarity: bool) -> Iterator[str]:
    """Every line of it; `similarity` lists answers that fit another student's variant."""
    yield from _decisions(graded, lang)
    yield from _news(graded, lang)
    yield from _summary(graded, lang)
    if similarity:
        yield from _similar(graded, lang)


def _decisions(graded: GradedClass, lang: Lang) -> Iterator[str]:
    """Rows not graded, columns not used, who is missing, what could not be read."""
    answers, collected = graded.answers, graded.collected

    def where(line: int) -> str:
        return f"{answers}:{line}" if line not in collected.files else str(answers / collected.files[line])

    rows, listed = len(collected.rows), collected.listed
    yield t(lang, "grade.rows", rows=rows + len(listed), graded=rows, listed=len(listed))
    if graded.others:
        yield "  " + t(lang, "grade.others", count=len(graded.others))
    if not graded.manifest.intact:
        yield "  " + t(lang, "grade.not-intact")
    for note in (*listed, *collected.remarks):
        who = f"{note.who}: " if note.who else ""
        yield f"  {where(note.line)}: {who}{t(lang, f'note.{note.code}', **note.values)}"
    if missing := graded.missing:
        students = ", ".join(missing[:NAMED]) + (f", … ({len(missing)})" if missing[NAMED:] else "")
        yield "  " + t(lang, "grade.missing", students=students)
    for line, student, code, values in graded.done.notes:
        yield f"  {where(line)}: {student}{t(lang, f'row.{code}', **values)}"


def _news(graded: GradedClass, lang: Lang) -> Iterator[str]:
    """Items that are no longer what was asked, and what was decided meanwhile."""
    for item in graded.changed:
        yield "  " + t(lang, "grade.changed", item=item)
    if since := graded.meanwhile:
        marks = ", ".join(f"{student} {label}" for student, label in since[:NAMED])
        more = f", … ({len(since)})" if since[NAMED:] else ""
        yield "  " + t(lang, "grade.decided", marks=marks + more)


def _summary(graded: GradedClass, lang: Lang) -> Iterator[str]:
    """How the class did, label by label, and its commonest mistakes."""
    manifest, report = graded.manifest, graded.report
    percents = [row.percent for row in report.rows]
    if not percents:
        return
    mean = sum(percents, Fraction(0)) / len(percents)
    spread = {"mean": mean, "lowest": min(percents), "highest": max(percents)}
    yield ""
    if any(row.points for row in report.rows):
        yield t(lang, "grade.mean", **{name: credit_text(percent) for name, percent in spread.items()})
    else:
        yield t(lang, "grade.none-marked")
    for group in report.groups:
        spread = {"mean": group.mean, "lowest": group.percents[0], "highest": group.percents[-1]}
        values = {name: credit_text(percent) for name, percent in spread.items()}
        name = group_name(group, lang)
        yield "  " + t(lang, "grade.group", group=name, count=len(group.percents), **values)
    yield from _labels(report, manifest, lang)
    for label in filter(graded.done.discounted.__contains__, manifest.labels):
        result = graded.done.discounted[label]
        code = "grade.dropped" if result.verdict == "dropped" else "grade.full"
        yield "  " + t(lang, code, label=label, why=result.why)
    for one in report.misconceptions[:COMMONEST]:
        known = manifest.misconceptions.get(one.id)
        name = plain_text(known.name[lang]) if known else one.id
        yield "  " + t(lang, "grade.met", count=len(one.students), name=name)
    if (more := len(report.misconceptions) - COMMONEST) > 0:
        yield "  " + t(lang, "grade.more", count=more)
    for seen in report.observations[:COMMONEST]:
        yield "  " + t(lang, "grade.seen", count=len(seen.students), what=seen.what.text(lang))
    yield reliability_text(report, lang) if len(percents) >= FEW else t(lang, "report.few", few=FEW)
    names = part_names(report)
    for item in items_in_order(report, manifest):
        if item.remarks:
            why = " ".join(t(lang, f"remark.{code}") for code in item.remarks)
            yield "  " + t(lang, "grade.look", name=names[item.place], why=why)


def _labels(report: Report, manifest: Manifest, lang: Lang) -> Iterator[str]:
    """How each label did, and what is not marked yet."""
    for label in filter(report.labels.__contains__, manifest.labels):
        count = report.unreadable[label]
        unreadable = t(lang, "grade.unreadable", count=count) if count else ""
        if report.labels[label].points:
            percent = credit_text(report.labels[label].percent)
            yield "  " + t(lang, "grade.item", label=label, percent=percent, unreadable=unreadable)
    if waiting := sum(item.verdicts.get("open", 0) for item in report.items):
        yield "  " + t(lang, "grade.open", count=waiting)


def _similar(graded: GradedClass, lang: Lang) -> Iterator[str]:
    """Who wrote what is right for another; no verdict."""
    found = matches(graded.manifest, graded.done.wrong_numbers)
    yield t(lang, "copying.head" if found else "copying.none")
    for match in found:
        values = {"student": match.student, "other": match.other, "labels": ", ".join(match.labels)}
        likely = match.chance > LIKELY
        code = "copying.likely" if likely else "copying.match"
        yield "  " + t(lang, code, **values, **({} if likely else {"chance": _odds(match.chance)}))


def _odds(chance: Fraction) -> str:
    """One in how many, cut to two digits that count.

    >>> _odds(Fraction(1, 34_567_890)), _odds(Fraction(1, 7))
    ('34,000,000', '7')
    """
    whole = str(int(1 / chance))
    return f"{int(whole[:2] + '0' * len(whole[2:])):,}"


def class_json(graded: GradedClass) -> dict[str, object]:
    """What the log says, and every student's verdicts, for a program."""
    collected = graded.collected
    return {
        "rows": len(collected.rows) + len(collected.listed),
        "graded": len(collected.rows),
        "listed": [_note_json(note) for note in collected.listed],
        "remarks": [_note_json(note) for note in collected.remarks],
        "missing": graded.missing,
        "changed": list(graded.changed),
        "decided_meanwhile": [{"student": student, "label": label} for student, label in graded.meanwhile],
        "results": [
            {
                "student": student,
                "code": code,
                "credit": rounded(total.credit),
                "points": total.points,
                "parts": dict(verdicts),
            }
            for student, code, total, _, verdicts in graded.done.book
        ],
    }


def _note_json(note: Note) -> dict[str, object]:
    why = t("en", f"note.{note.code}", **note.values)
    return {"line": note.line, "who": note.who, "code": note.code, "why": why}
