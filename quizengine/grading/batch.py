"""Batch: a class's rows go out in chunks to whoever marks them and come back finished. Whoever marks needs
nothing but the chunk; only the caller writes."""

from __future__ import annotations

import traceback
from collections import deque
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import tee
from typing import Literal, NamedTuple

from quizengine import __version__
from quizengine.errors import InputError
from quizengine.feedback.feedback_page import Earned, MarkedProblem, MarkedSheet, Page, page
from quizengine.feedback.sentences import reason_text
from quizengine.grading.attempt import attempt
from quizengine.grading.intake.collect import AnswerRow
from quizengine.grading.note import Note
from quizengine.grading.output.gradebook import PLAIN, Form, GradebookLine, gradebook_line, gradebook_text
from quizengine.grading.record.effective import (
    AUTOMATIC,
    EffectiveMarks,
    Result,
    answers_with_record,
    effective,
    effective_marks,
    was_late,
)
from quizengine.grading.record.results import Results, Stored, stored
from quizengine.grading.similarity import WrongNumber, wrong_numbers
from quizengine.items.catalogue import Catalogue
from quizengine.items.policy import Policy
from quizengine.lang.quotation import in_a_row, shown
from quizengine.lang.text import Lang, Text
from quizengine.marking.mark import PartMark, credit_text
from quizengine.problems.part import ChoicePart, Part, TiersPart
from quizengine.reports.observation import observations
from quizengine.reports.tally import Cell, ClassTally, Row
from quizengine.responses.response import PairsValue, TextValue
from quizengine.sheets.manifest import Manifest, Sheet

MOST_ROWS, MOST_BYTES = 512, 2**22  # of sheets that travel at once: a tenth of a second of work and more
Feedback = Literal["", "md", "html"]


class Exam(NamedTuple):
    """What is the same for every row."""

    policy: Policy
    misconceptions: Catalogue
    title: Text
    labels: Sequence[str]
    at: str
    lang: Lang  # of the log
    feedback: Feedback = ""
    similarity: bool = False  # are wrong numbers wanted, to be compared?
    lift: bool = False  # may lateness be lifted?
    listed: bool = False  # are the students wanted one by one?
    form: Form = PLAIN
    engine: str = __version__


def exam_of(manifest: Manifest, at: str, lang: Lang) -> Exam:
    """The exam of a manifest, graded without feedback and without a look for similar answers."""
    title = manifest.heading.title
    return Exam(manifest.policy, manifest.misconceptions, title, manifest.labels, at, lang)


class Job(NamedTuple):
    """A row with its sheet, as it stands in the manifest, and what is on record of it. Without a line there
    is nothing new."""

    line: int
    sheet: bytes
    answers: Mapping[str, str]
    late: bool
    history: Sequence[Result]


@dataclass
class Done:
    """What is known of rows that are finished. `fresh`, `lines` (of the gradebook) and `pages` are for the
    caller to write; the rest adds up."""

    fresh: list[Stored] = field(default_factory=list)
    lines: list[tuple[str, str]] = field(default_factory=list)  # with the codes of their sheets
    pages: list[Page] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)  # traces of internal errors in marking
    unpaged: list[str] = field(default_factory=list)  # and in making pages
    tally: ClassTally = field(default_factory=ClassTally)
    discounted: dict[str, Result] = field(default_factory=dict)  # by label
    digests: dict[str, str] = field(default_factory=dict)  # of the items
    wrong_numbers: list[WrongNumber] = field(default_factory=list)
    book: list[GradebookLine] = field(default_factory=list)  # where it is wanted

    @property
    def count(self) -> int:
        """How many rows they are."""
        return len(self.tally.totals)

    def merge(self, other: Done) -> None:
        """Other rows, too, but for what has been written."""
        self.notes += other.notes
        self.crashes += other.crashes
        self.unpaged += other.unpaged
        self.tally.merge(other.tally)
        self.discounted |= other.discounted
        self.digests |= other.digests
        self.wrong_numbers += other.wrong_numbers
        self.book += other.book


def finished(
    rows: Iterable[AnswerRow],
    manifest: Manifest,
    results: Results,
    exam: Exam,
    executor: Executor | None = None,
    ahead: int = 4,
) -> Iterator[Done]:
    """Every row finished, in order, chunk by chunk; by an executor, if there is one, of which no more than
    `ahead` chunks are waited for at a time. Raises InputError when it breaks."""
    chunks = _chunks(rows, manifest, results)
    if executor is None:
        yield from map(partial(finish, exam), chunks)
        return
    waiting: deque[Future[Done]] = deque()
    try:
        for chunk in chunks:
            waiting.append(executor.submit(finish, exam, chunk))
            if len(waiting) > ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenExecutor:
        message = "a process that marks has been killed; what is done is kept, and the same call goes on"
        raise InputError(message, code="broken") from None


def _chunks(rows: Iterable[AnswerRow], manifest: Manifest, results: Results) -> Iterator[list[Job]]:
    rows, again = tee(rows)
    chunk: list[tuple[AnswerRow, bytes]] = []
    size = 0
    for row, line in zip(rows, manifest.lines(row.place for row in again), strict=True):
        chunk.append((row, line))
        size += len(line)
        if len(chunk) == MOST_ROWS or size >= MOST_BYTES:
            yield _jobs(chunk, manifest, results)
            chunk, size = [], 0
    if chunk:
        yield _jobs(chunk, manifest, results)


def _jobs(chunk: Sequence[tuple[AnswerRow, bytes]], manifest: Manifest, results: Results) -> list[Job]:
    codes = [manifest.who[row.place].code for row, _ in chunk]
    known = results.histories(codes)
    return [
        Job(row.line, line, row.answers, row.late or (not row.line and was_late(history)), history)
        for (row, line), history in zip(chunk, (known.get(code, ()) for code in codes), strict=True)
    ]


def on_record(manifest: Manifest, results: Results, besides: Container[int] = ()) -> list[AnswerRow]:
    """A row that says nothing new for every sheet that has marks, `besides` these places: what is on record
    of it stands. Raises InputError."""
    known = results.codes()
    places = (place for place, who in enumerate(manifest.who) if who.code in known and place not in besides)
    return [AnswerRow(0, place, {}) for place in places]


def finish(exam: Exam, jobs: Sequence[Job]) -> Done:
    """Mark these rows, and make of them all that goes out. Raises InputError where another version of the
    engine would mark."""
    if exam.engine != __version__:
        message = f"a worker has quizengine {__version__}: install {exam.engine} there, as it is here"
        raise InputError(message, code="engine")
    done, book = Done(), list[GradebookLine]()
    for job in jobs:
        sheet, answers = Sheet.from_line(job.sheet), answers_with_record(job.answers, job.history)
        marked = attempt(sheet, answers, exam.policy, late=job.late)
        one, fresh = effective_marks(marked, job.history, exam.policy, exam.at, lift=exam.lift)
        done.fresh += map(stored, fresh)
        book.append(gradebook_line(one, exam.labels))
        done.crashes += marked.crashes
        done.tally.add(report_row(one))
        done.discounted |= {x.label: x for x in one.results.values() if x.kind == "discount"}
        done.digests |= {problem.item: problem.digest for problem in sheet.problems}
        done.notes += _notes(job, one, fresh, exam) if job.line else ()
        if exam.feedback:
            _add_page(done, job, one, exam)
        if exam.similarity:
            done.wrong_numbers += wrong_numbers(marked)
    done.lines = [(line.code, gradebook_text([line], exam.form)) for line in book]
    done.book = book if exam.listed else []
    return done


def _add_page(done: Done, job: Job, one: EffectiveMarks, exam: Exam) -> None:
    """Its page of feedback. One that fails, by an internal error, is told, and the class goes on."""
    try:
        html = exam.feedback == "html"
        done.pages.append(page(marked_sheet(one), exam.misconceptions, exam.title, html=html))
    except Exception:
        done.unpaged.append(traceback.format_exc())
        done.notes.append(Note(job.line, one.sheet.student, "no-page"))


def marked_sheet(one: EffectiveMarks) -> MarkedSheet:
    """What a page of feedback tells."""
    sheet, answers = one.sheet, one.attempt.answers
    problems = []
    for problem, labels, mark in zip(sheet.own_problems, sheet.labels, one.attempt.marks, strict=True):
        earned = {id_: _earned(one.results[label], answers.get(label, "")) for id_, label in labels.items()}
        problems.append(MarkedProblem(problem, labels, mark, earned))
    late = one.share if one.late else None
    return MarkedSheet(sheet.student, sheet.name, sheet.code, tuple(problems), late)


def _earned(result: Result, typed: str) -> Earned:
    counts = Earned(result.label, typed, result.verdict, result.credit, result.points)
    if result.kind == "graded":
        return counts
    if result.kind == "discount":
        return counts._replace(decision="full" if result.points else "dropped", why=result.why)
    return counts._replace(decision=result.kind, why=result.why)


def _notes(job: Job, one: EffectiveMarks, fresh: Sequence[Result], exam: Exam) -> Iterator[Note]:
    """What an instructor should know of a row, and above all of a mark that is no longer what it was."""
    student = one.sheet.student
    old = effective(job.history)
    answered = {label: result for label, result in old.items() if result.raw.strip()}
    if changed := [r for r in fresh if r.label in answered and _differs(answered[r.label], one)]:
        before = sum((result.credit for result in old.values()), Fraction(0))
        values: dict[str, str | int] = {
            "count": len(changed),
            "old": credit_text(before),
            "new": credit_text(one.credit),
        }
        yield Note(job.line, student, "changed", values)
    if one.late:
        yield Note(job.line, student, "late", {"share": str(exam.policy.late)})
    if not any(text.strip() for text in one.attempt.answers.values()):
        yield Note(job.line, student, "empty")
    for label, _, _, mark in one.attempt.parts():
        if mark.verdict == "unreadable":
            why = shown(in_a_row(reason_text(reason, exam.lang) for reason in mark.reasons))
            yield Note(job.line, student, "unreadable", {"label": label, "why": why})


def _differs(before: Result, one: EffectiveMarks) -> bool:
    return before.credit != one.results[before.label].credit


def report_row(one: EffectiveMarks) -> Row:
    """What counts of a student, keyed by item and part over all variants."""
    cells = {}
    possible = {mark.item: mark.possible for mark in one.attempt.marks}
    for label, problem, part, mark in one.attempt.parts():
        result = one.results[label]
        if result.kind == "discount":  # it says nothing of the question
            continue
        automatic = one.late and result.kind in AUTOMATIC  # lateness says nothing of it either
        cells[problem.item, part.id] = Cell(
            mark.credit if automatic else result.credit,
            result.points,
            result.verdict,
            result.misconceptions,
            _choice(part, mark),
            label,
            result.credit,
            tuple(id_ for id_ in possible[problem.item] if id_ in mark.misconceptions),
            observations(part, mark),
        )
    return Row(one.sheet.student, cells, one.credit, one.points, one.sheet.group)


def _choice(part: Part, mark: PartMark) -> str:
    """The words of the choice that was made; its letter differs from sheet to sheet."""
    match part, mark.reading:
        case ChoicePart(), TextValue(chosen):
            return next((choice.text for choice in part.choices if choice.label == chosen), "")
        case TiersPart(), PairsValue((pair,)):
            return " – ".join(choice.text for choice in part.choices if choice.label in pair)
    return ""
