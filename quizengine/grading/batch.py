"""Batch: a class's rows go out in chunks to whoever marks them and come back finished. Whoever marks needs
nothing but the chunk; only the caller writes."""

from __future__ import annotations

import traceback
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import tee
from typing import Literal, NamedTuple

from quizengine import __version__
from quizengine.errors import InputError
from quizengine.feedback.sentences import reason_text
from quizengine.grading.collect import Row
from quizengine.grading.copying import Written, not_own
from quizengine.grading.feedback import Page, page
from quizengine.grading.gradebook import PLAIN, Booked, Form, booked, lines, number
from quizengine.grading.graded import grade, plainly_right
from quizengine.grading.insight import row_of
from quizengine.grading.note import Note
from quizengine.grading.results import Result, Results, Stored, standing, stored
from quizengine.grading.standing import Standing, settled, with_record
from quizengine.items.catalogue import Catalogue
from quizengine.items.policy import Policy
from quizengine.lang.quotation import in_a_row, shown
from quizengine.lang.text import Lang, Text
from quizengine.reports.analysis import Gathered, Place
from quizengine.reports.tally import Total
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
    copying: bool = False
    lift: bool = False  # may lateness be lifted?
    listed: bool = False  # are the students wanted one by one?
    form: Form = PLAIN
    engine: str = __version__


def exam_of(manifest: Manifest, at: str, lang: Lang) -> Exam:
    """That of a manifest, with neither feedback nor a list of copies."""
    title = manifest.heading.title
    return Exam(manifest.policy, manifest.misconceptions, title, manifest.labels, at, lang)


class Job(NamedTuple):
    """A row with its sheet, as it stands in the manifest, and what is on record of it."""

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
    lines: str = ""
    pages: list[Page] = field(default_factory=list)
    said: list[Note] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)
    unpaged: list[str] = field(default_factory=list)  # pages that failed: their traces
    gathered: Gathered = field(default_factory=Gathered)
    labels: dict[str, Total] = field(default_factory=dict)
    unreadable: Counter[str] = field(default_factory=Counter)
    places: dict[Place, dict[str, None]] = field(default_factory=dict)  # the labels a part bears
    decided: dict[str, Result] = field(default_factory=dict)  # labels that are discounted
    digests: dict[str, str] = field(default_factory=dict)  # of the items
    copied: list[Written] = field(default_factory=list)
    book: list[Booked] = field(default_factory=list)  # where it is wanted

    @property
    def count(self) -> int:
        """How many rows they are."""
        return len(self.gathered.totals)

    def merge(self, other: Done) -> None:
        """Other rows, too, but for what has been written."""
        self.said += other.said
        self.crashes += other.crashes
        self.unpaged += other.unpaged
        self.gathered.merge(other.gathered)
        for label, total in other.labels.items():
            self.labels[label] = self.labels.get(label, Total()).plus(total.credit, total.points)
        self.unreadable.update(other.unreadable)
        for place, labels in other.places.items():
            self.places.setdefault(place, {}).update(labels)
        self.digests |= other.digests
        self.decided |= other.decided
        self.copied += other.copied
        self.book += other.book


def finished(
    rows: Iterable[Row],
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


def _chunks(rows: Iterable[Row], manifest: Manifest, results: Results) -> Iterator[list[Job]]:
    rows, again = tee(rows)
    chunk: list[tuple[Row, bytes]] = []
    size = 0
    for row, line in zip(rows, manifest.lines(row.place for row in again), strict=True):
        chunk.append((row, line))
        size += len(line)
        if len(chunk) == MOST_ROWS or size >= MOST_BYTES:
            yield _jobs(chunk, manifest, results)
            chunk, size = [], 0
    if chunk:
        yield _jobs(chunk, manifest, results)


def _jobs(chunk: Sequence[tuple[Row, bytes]], manifest: Manifest, results: Results) -> list[Job]:
    codes = [manifest.who[row.place].code for row, _ in chunk]
    known = results.histories(codes)
    return [
        Job(row.line, line, row.answers, row.late, known.get(code, ()))
        for (row, line), code in zip(chunk, codes, strict=True)
    ]


def finish(exam: Exam, jobs: Sequence[Job]) -> Done:
    """Mark these rows, and make of them all that goes out. Raises InputError where another version of the
    engine would mark."""
    if exam.engine != __version__:
        message = f"a worker has quizengine {__version__}: install {exam.engine} there, as it is here"
        raise InputError(message, code="engine")
    done, book = Done(), list[Booked]()
    sheets = [Sheet.from_line(job.sheet) for job in jobs]
    texts = [with_record(job.answers, job.history) for job in jobs]
    rows = list(zip(sheets, texts, strict=True))
    # a page shows what was read, which is not known of who is plainly right
    known = [()] * len(rows) if exam.feedback else plainly_right(rows, exam.policy)
    for job, (sheet, answers), right in zip(jobs, rows, known, strict=True):
        graded = grade(sheet, answers, exam.policy, late=job.late, right=right)
        one, fresh = settled(graded, job.history, exam.policy, exam.at, lift=exam.lift)
        done.fresh += map(stored, fresh)
        book.append(booked(one, exam.labels))
        done.crashes += graded.crashes
        done.gathered.add(row_of(one))
        done.digests |= {problem.item: problem.digest for problem in sheet.problems}
        done.said += _said(job, one, fresh, exam)
        _by_label(done, one)
        if exam.feedback:
            _paged(done, job, one, exam)
        if exam.copying:
            done.copied += not_own(graded)
    done.lines = lines(book, exam.form)
    done.book = book if exam.listed else []
    return done


def _paged(done: Done, job: Job, one: Standing, exam: Exam) -> None:
    """Its page of feedback. One that fails, by a fault of ours, is told, and the class goes on."""
    try:
        done.pages.append(page(one, exam.misconceptions, exam.title, html=exam.feedback == "html"))
    except Exception:
        done.unpaged.append(traceback.format_exc())
        done.said.append(Note(job.line, one.sheet.student, "no-page"))


def _said(job: Job, one: Standing, fresh: Sequence[Result], exam: Exam) -> Iterator[Note]:
    """What an instructor should know of a row, and a mark that stands no longer above all."""
    student = one.sheet.student
    old = standing(job.history)
    answered = {label: result for label, result in old.items() if result.raw.strip()}
    if changed := [r for r in fresh if r.label in answered and _other(answered[r.label], one)]:
        before = sum((result.credit for result in old.values()), Fraction(0))
        values = {"count": len(changed), "old": number(before), "new": number(one.credit)}
        yield Note(job.line, student, "changed", values)
    if one.late:
        yield Note(job.line, student, "late", {"share": str(exam.policy.late)})
    if not any(text.strip() for text in one.graded.answers.values()):
        yield Note(job.line, student, "empty")
    for label, _, part, mark in one.graded.parts():
        if mark.verdict == "unreadable":
            why = shown(in_a_row(reason_text(reason, exam.lang) for reason in mark.reasons))
            yield Note(job.line, student, "unreadable", {"label": label, "why": why})
        elif part.kind == "words" and mark.verdict in ("partial", "wrong"):
            text = " ".join(one.results[label].raw.split())
            yield Note(job.line, student, "words", {"label": label, "text": text})


def _other(before: Result, one: Standing) -> bool:
    return before.credit != one.results[before.label].credit


def _by_label(done: Done, one: Standing) -> None:
    """What there is to say of every label."""
    for label, problem, part, _ in one.graded.parts():
        result = one.results[label]
        if result.kind == "discount":
            done.decided[label] = result
            continue
        done.labels[label] = done.labels.get(label, Total()).plus(result.credit, result.points)
        done.unreadable[label] += result.verdict == "unreadable"
        done.places.setdefault((problem.item, part.id), {})[label] = None
