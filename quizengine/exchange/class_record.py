"""The record of a class: of the attempts in a report the one of each student that counts, as a manifest with
a sheet a student and a table of answers, so that marks, feedback and reports are made as from sheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Literal, NamedTuple

from quizengine.errors import InputError
from quizengine.exchange.responses import Responses, Taken, read_responses
from quizengine.files.failure import failed
from quizengine.files.whole import write_whole
from quizengine.items.policy import Policy
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.marking.judge import judge
from quizengine.problems.problem import Problem
from quizengine.responses.read import read
from quizengine.sheets.manifest import Manifest, Sheet, load_manifest
from quizengine.sheets.sheet_code import code_of

Counts = Literal["highest", "last", "first"]
CLASS, MANIFEST, ANSWERS = "class", "manifest.json", "answers.csv"  # a folder beside the export, its files


class ClassRecord(NamedTuple):
    """The class's own manifest, the table of answers, and sentences on what is not graded."""

    manifest: Path
    answers: Path
    remarks: Sequence[str]


class _Person(NamedTuple):
    """Whose attempt counts, as a sheet, and the answers by label."""

    sheet: Sheet
    answers: Mapping[str, str]


def is_export(manifest: Manifest) -> bool:
    """Is every sheet a variant for a platform, which bears its code in place of a student?"""
    return bool(manifest.who) and all(who.code == who.student for who in manifest.who)


def record_of(export: Path) -> Path:
    """Where the manifest of the class lies, beside that of the export."""
    return export.parent / CLASS / MANIFEST


def class_record(path: Path, manifest: Manifest, report: Path, counts: Counts, lang: Lang) -> ClassRecord:
    """Read a report, and write or bring up the record of the class in a folder beside the manifest at `path`.
    Students whom this report does not name keep what they have. Raises InputError."""
    record_path = record_of(path)
    folder = record_path.parent
    found = read_responses(report, manifest, lang)
    before = load_manifest(record_path).sheets if record_path.exists() else ()
    known = {sheet.student: sheet for sheet in before}
    chosen, remarks = _counting(found, known, manifest.policy, counts, report, lang)
    if not chosen:
        told = f" ({'; '.join(found.remarks[:3])})" if found.remarks else ""
        raise InputError(
            f"{report}: no finished attempt on these questions is in it{told}", code="no-answers"
        )
    taken = {who.code for who in manifest.who} | {sheet.code for sheet in before}
    persons: list[_Person] = []
    for student, one in chosen.items():
        person = _person(student, one, known.get(student), bytes.fromhex(manifest.secret), taken)
        taken.add(person.sheet.code)
        persons.append(person)
    sheets = {**known, **{person.sheet.student: person.sheet for person in persons}}
    record = replace(manifest, sheets=tuple(sheets.values()), sections=(), files={})
    try:
        folder.mkdir(exist_ok=True, mode=0o700)
        record.save(record_path)
        write_whole(folder / ANSWERS, _table(persons).encode(), mode=0o600)
    except OSError as error:
        raise failed(folder, error, code="not-written") from None
    return ClassRecord(record_path, folder / ANSWERS, [*found.remarks, *remarks])


def _counting(
    found: Responses, known: Mapping[str, Sheet], policy: Policy, counts: Counts, report: Path, lang: Lang
) -> tuple[dict[str, Taken], list[str]]:
    """By student the attempt that counts, and what there is to say of the others."""
    addresses = {sheet.email.casefold(): student for student, sheet in known.items() if sheet.email}
    attempts: dict[str, list[Taken]] = {}
    for taken in found.attempts:
        student = (
            taken.student if taken.student in known else addresses.get(taken.email.casefold(), taken.student)
        )
        if not any(_same(taken, other) for other in attempts.get(student, ())):  # a line given twice is one
            attempts.setdefault(student, []).append(taken)
    chosen, remarks = {}, []
    for student, several in attempts.items():
        if all(taken.began for taken in several):
            several.sort(key=lambda taken: (str(taken.began), taken.line))
        elif len(several) > 1 and counts != "highest":
            remarks.append(t(lang, "responses.order", path=report, who=student))
        best = several[0] if counts == "first" else several[-1]
        if counts == "highest" and len(several) > 1:
            best = max(reversed(several), key=lambda taken: _credit(taken, policy))
        chosen[student] = best
        others = (taken for taken in several if taken is not best)
        remarks += [
            t(lang, "responses.other", path=report, line=other.line, who=student, chosen=best.line)
            for other in others
        ]
    return chosen, remarks


def _same(one: Taken, other: Taken) -> bool:
    """Are these the same attempt, whatever line it stands on?"""
    return one.began == other.began and [(code, answers) for code, _, answers in one.questions] == [
        (code, answers) for code, _, answers in other.questions
    ]


def _credit(taken: Taken, policy: Policy) -> Fraction:
    """What an attempt earns by our marks. One that the engine fails on counts as whole, so that it is the one
    that is looked at, and not passed over."""
    whole = Fraction(0)
    for code, variant, answers in taken.questions:
        problem = variant.problems[code.number - 1]
        try:
            responses = {id_: read(problem.part(id_), text) for id_, text in answers.items()}
            whole += judge(problem, responses, policy).credit
        except Exception:  # whatever it is, it is not the learner's fault
            whole += problem.points
    return whole


def _person(student: str, taken: Taken, before: Sheet | None, secret: bytes, codes: set[str]) -> _Person:
    """The attempt as a sheet; an attempt on the questions that stood on the sheet before keeps its code."""
    problems: list[Problem] = []
    labels: list[Mapping[str, str]] = []
    others: dict[Lang, list[Problem]] = {}
    answers: dict[str, str] = {}
    for code, variant, texts in sorted(taken.questions, key=lambda question: question[0].number):
        place = code.number - 1
        own = dict(_unlike(variant.labels[place], answers))
        problems.append(variant.problems[place])
        labels.append(own)
        for lang, translated in variant.others.items():
            others.setdefault(lang, []).append(translated[place])
        answers |= {own[id_]: text for id_, text in texts.items()}
    asked = " ".join(str(code) for code, _, _ in taken.questions)
    same = before is not None and list(before.problems) == problems
    code_ = before.code if before and same else code_of(secret, f"{student} {asked}", codes)
    more = {lang: tuple(translated) for lang, translated in others.items()}
    sheet = Sheet(code_, student, tuple(problems), tuple(labels), email=taken.email, others=more)
    return _Person(sheet, answers)


def _unlike(labels: Mapping[str, str], taken: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The labels of a question; of two variants of one question in a quiz, the second bears others."""
    for id_, label in labels.items():
        again = 2
        unlike = label
        while unlike in taken:
            unlike, again = f"{label} ({again})", again + 1
        yield id_, unlike


def _table(persons: Sequence[_Person]) -> str:
    labels = dict.fromkeys(label for person in persons for label in person.answers)
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["student", "code", *labels])
    for sheet, answers in persons:
        writer.writerow([sheet.student, sheet.code, *(answers.get(label, "") for label in labels)])
    return out.getvalue()
