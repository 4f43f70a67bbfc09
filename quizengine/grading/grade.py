"""Grade: a class's answers in; marks on record, a gradebook, pages of feedback and a report out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypedDict

from quizengine.errors import QuizError, UsageError
from quizengine.grading.batch import Exam, exam_of, finished, on_record
from quizengine.grading.cluster import cluster
from quizengine.grading.intake.collect import Collected, collect
from quizengine.grading.intake.column_map import load_column_map
from quizengine.grading.intake.deadlines import (
    deadline_of,
    load_allowances,
    own_deadlines,
    printed_deadlines,
    refuse_strangers,
)
from quizengine.grading.output.class_log import GradedClass, class_json, class_log
from quizengine.grading.output.gradebook import EXCEL, PLAIN, Folder
from quizengine.grading.processes import processes
from quizengine.grading.record.functions import functions_of
from quizengine.grading.record.results import Results, claims_on_record, record_lock
from quizengine.grading.views import View, put_crashes, put_report, written
from quizengine.items.bank import load
from quizengine.lang.messages import t
from quizengine.lang.shown import Shown
from quizengine.lang.text import Lang
from quizengine.reports.report import report
from quizengine.sheets.manifest import Manifest

AHEAD = 3  # chunks a process, that wait to be marked


class Call(TypedDict):
    """What a class is graded with: files, and what is wanted of them, as the command has it."""

    manifest_path: Path
    answers: Path
    out: Path
    mapping: Path | None
    copying: bool
    no_html: bool
    no_feedback: bool
    excel: bool
    deadline: str | None
    deadlines: Path | None
    time_format: str
    jobs: int
    dask: str | None
    bank_path: tuple[str, ...]
    as_json: bool


class Outcome(NamedTuple):
    """What there is to say of it: the log or its JSON, what went wrong, and the exit status."""

    log: list[str]
    json: dict[str, object]
    complaints: list[str]
    status: int


def grade_class(call: Call, manifest: Manifest, at: str, lang: Lang, progress: Shown) -> Outcome:
    """Grade every row of a file or a folder of answers, and write all that goes out; `at` is the moment in
    ISO 8601. Raises InputError and FaultyFile for files that cannot be used, and UsageError for a deadline
    that is none, or lacking."""
    known = claims_on_record(call["manifest_path"])
    collected, exam = _rows(call, manifest, known), _exam(call, manifest, at, lang)
    manifest = manifest.claimed(known | dict(collected.claims))
    with (
        record_lock(call["manifest_path"]),
        _workers(call["jobs"], call["dask"]) as (executor, slots),
        closing(Results(call["manifest_path"])) as results,
        closing(Folder(call["out"], manifest.labels, exam.form, manifest.who)) as folder,
    ):
        results.claim(collected.claims, at)
        results.remember(View.of(call["out"], exam).kept(call["manifest_path"]))
        others = on_record(manifest, results, {place for place, _ in collected.rows.chosen.values()})
        every, rows = chain(collected.rows, others), len(collected.rows) + len(others)
        chunks = finished(every, manifest, results, exam, executor, AHEAD * slots)
        done = written(progress(chunks, rows, lambda some: some.count), results, folder)
        meanwhile = _decided_meanwhile(manifest, results)
        found = replace(report(done.tally), functions=functions_of(call["manifest_path"]))
        changed = _changed(done.digests, call["bank_path"])
        graded = GradedClass(call["answers"], manifest, collected, others, done, found, changed, meanwhile)
        log = list(class_log(graded, lang, similarity=call["copying"]))
        folder.log(log)
        complaints = [*put_report(folder, found, manifest, lang), *put_crashes(folder, done)]
        if call["jobs"] > 1 and executor is None:
            complaints.append(t(lang, "grade.alone"))
        if not results.locked:
            complaints.append(t(lang, "store.no-locks", path=call["manifest_path"].parent))
    if done.count != rows:
        complaints.append(f"quizengine: {rows} rows were to be graded and {done.count} are")
    failed = done.crashes or done.unpaged or done.count != rows
    return Outcome(log, class_json(graded), complaints, 1 if failed else 0)


def _rows(call: Call, manifest: Manifest, claims: Mapping[str, str]) -> Collected:
    columns = load_column_map(call["mapping"]) if call["mapping"] else None
    path, deadline = call["deadlines"], None
    if call["deadline"] is not None:
        deadline = deadline_of(call["deadline"], call["time_format"], manifest.policy.late)
        deadline = deadline._replace(own=printed_deadlines(manifest, deadline.moment))
    if path is None:
        return collect(call["answers"], manifest, deadline, columns, claims)
    if deadline is None:
        raise UsageError("--deadlines says who has another deadline than the others: give --deadline, too")
    given = load_allowances(path)
    own = own_deadlines(path, given, deadline.moment, manifest.heading.minutes)
    deadline = deadline._replace(own={**deadline.own, **own})
    collected = collect(call["answers"], manifest, deadline, columns, claims)
    students = {who.student for who in manifest.who}.union(claims.values(), collected.claims.values())
    refuse_strangers(path, given, students)
    return collected


def _exam(call: Call, manifest: Manifest, at: str, lang: Lang) -> Exam:
    return exam_of(manifest, at, lang)._replace(
        feedback="" if call["no_feedback"] else "md" if call["no_html"] else "html",
        similarity=call["copying"],
        lift=call["deadline"] is not None,
        listed=call["as_json"],
        form=EXCEL if call["excel"] else PLAIN,
    )


@contextmanager
def _workers(jobs: int, dask: str | None) -> Iterator[tuple[Executor | None, int]]:
    """Who marks, and how many at once: a cluster, so many processes, or nobody else."""
    if dask:
        with cluster(dask) as found:
            yield found
    elif jobs > 1:
        with processes(jobs) as executor:
            yield executor, jobs if executor else 1
    else:
        yield None, 1


def _decided_meanwhile(manifest: Manifest, results: Results) -> list[tuple[str, str]]:
    """Students and labels of which the instructor decided too late for the gradebook."""
    owners = {who.code: who.student for who in manifest.who}
    return [(owners[code], label) for code, label in results.decided_since()]


def _changed(digests: Mapping[str, str], bank_path: tuple[str, ...]) -> list[str]:
    """Items whose wording or key is another one now. Marks stand on the manifest all the same, and
    without a bank there is nothing to compare."""
    try:
        items = load(*bank_path).items
    except (QuizError, OSError):
        return []
    return [id_ for id_, digest in digests.items() if id_ in items and items[id_].digest != digest]
