"""Views: the gradebook, the report and the pages of feedback show everything that is on record of an exam,
whatever files and calls it came from; they are written anew whenever that changes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from quizengine.errors import InputError
from quizengine.grading.batch import Done, Exam, Feedback, exam_of, finished, on_record
from quizengine.grading.intake.collect import AnswerRow
from quizengine.grading.output.gradebook import (
    EXCEL,
    PLAIN,
    Folder,
    gradebook_header,
    gradebook_text,
    page_name,
)
from quizengine.grading.output.report_page import report_page
from quizengine.grading.record.functions import functions_of
from quizengine.grading.record.history import place_of
from quizengine.grading.record.results import Results, record_lock
from quizengine.lang.characters import harmless
from quizengine.lang.shown import Shown, unseen
from quizengine.lang.text import Lang
from quizengine.render.html import report_html
from quizengine.reports.report import FunctionReport, Report, report
from quizengine.sheets.manifest import Manifest

CRASHES = "crashes.txt"


class View(NamedTuple):
    """What was written last: into which folder, and in which form."""

    folder: Path
    feedback: Feedback
    excel: bool

    @classmethod
    def of(cls, folder: Path, exam: Exam) -> View:
        """What an exam is written as."""
        return cls(folder, exam.feedback, exam.form == EXCEL)

    def kept(self, manifest: Path) -> dict[str, object]:
        """As it is kept beside the manifest, and where that lay: a copy of the exam is another one."""
        return {**self._asdict(), "folder": str(self.folder.resolve()), "exam": str(manifest.resolve())}

    @classmethod
    def found(cls, kept: Mapping[str, Any], manifest: Path) -> View | None:
        """What `kept` wrote of this exam; None where it was of one that lay elsewhere."""
        if kept["exam"] != str(manifest.resolve()):
            return None
        folder = Path(kept["folder"])
        shown = folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder
        return cls(shown, kept["feedback"], kept["excel"])


def written_anew(path: Path, manifest: Manifest, at: str, lang: Lang, shown: Shown = unseen) -> Path | None:
    """Write what was written last again, as it is now on record; the folder, or None where none was written,
    or it is there no more. `shown` wraps the rows, so that a person sees how far it is. Raises InputError."""
    with record_lock(path), closing(Results(path)) as results:
        kept = results.view()
        view = View.found(kept, path) if kept else None
        if view is None or not view.folder.is_dir():
            return None
        exam = exam_of(manifest, at, lang)._replace(
            feedback=view.feedback, form=EXCEL if view.excel else PLAIN
        )
        with closing(Folder(view.folder, manifest.labels, exam.form, manifest.who)) as folder:
            rows = on_record(manifest, results)
            done = written(_finished(rows, manifest, results, exam, shown), results, folder)
            found = replace(report(done.tally), functions=functions_of(path))
            for _ in (*put_report(folder, found, manifest, lang), *put_crashes(folder, done)):
                pass  # it was told when it was written first
    return view.folder


def _finished(
    rows: Sequence[AnswerRow], manifest: Manifest, results: Results, exam: Exam, shown: Shown
) -> Iterable[Done]:
    return shown(finished(rows, manifest, results, exam), len(rows), lambda some: some.count)


def written(chunks: Iterable[Done], results: Results, folder: Folder) -> Done:
    """All of them together, each written as it comes, and then the gradebook put in its place.
    Raises InputError."""
    whole = Done()
    for some in chunks:
        results.put(some.fresh)
        folder.add(some.lines, some.pages)
        whole.merge(some)
    folder.keep()
    return whole


def put_report(folder: Folder, found: Report, manifest: Manifest, lang: Lang) -> Iterator[str]:
    """The report as data and, where HTML is installed, as a page; else why not. Raises InputError."""
    folder.put("report.json", _json(found))
    if not found.students:
        return
    try:
        page = report_html(report_page(found, manifest, lang))
    except InputError as error:
        yield error.message
    else:
        folder.put("report.html", page)


def put_crashes(folder: Folder, done: Done) -> Iterator[str]:
    """What went wrong on our side, kept; and a sentence of it. Raises InputError."""
    if traces := done.crashes + done.unpaged:
        folder.put(CRASHES, "\n".join(traces))
    for what, count in (("problems are ungraded", done.crashes), ("pages are missing", done.unpaged)):
        if count:
            yield f"quizengine: {len(count)} {what} by a fault of ours; see {folder.out / CRASHES}"


def gradebook_of(
    manifest: Manifest, results: Results, exam: Exam, *, names: bool = False, shown: Shown = unseen
) -> str:
    """The gradebook of everyone on record in the form of the `exam`, with a column of names if wanted. Raises
    InputError."""
    exam = exam._replace(listed=True)
    called = {one.code: one.name for one in manifest.who} if names else None
    done = _finished(on_record(manifest, results), manifest, results, exam, shown)
    lines = (line for some in done for line in some.book)
    header = gradebook_header(manifest.labels, exam.form, names=names)
    return header + gradebook_text(lines, exam.form, called)


def report_of(
    manifest: Manifest,
    results: Results,
    exam: Exam,
    functions: tuple[FunctionReport, ...],
    *,
    html: bool,
    shown: Shown = unseen,
) -> str:
    """The report of everyone on record, as a page or as JSON, and of their `functions`. Raises InputError."""
    whole = Done()
    for some in _finished(on_record(manifest, results), manifest, results, exam, shown):
        whole.merge(some)
    found = replace(report(whole.tally), functions=functions)
    if html:
        return report_html(report_page(found, manifest, exam.lang))
    return _json(found)


def _json(found: Report) -> str:
    return harmless(json.dumps(found.to_json(), ensure_ascii=False, indent=1)) + "\n"


def pages_of(
    manifest: Manifest, results: Results, exam: Exam, who: Sequence[str], shown: Shown = unseen
) -> Iterator[tuple[str, str]]:
    """The names and texts of the pages of feedback of everyone on record, or of these. Raises InputError,
    UnknownName."""
    wanted = {place_of(manifest, one) for one in who}
    rows = [row for row in on_record(manifest, results) if not wanted or row.place in wanted]
    if lacking := wanted - {row.place for row in rows}:
        students = ", ".join(manifest.who[place].student for place in sorted(lacking))
        raise InputError(f"nothing is on record of {students}", code="no-marks")
    for done in _finished(rows, manifest, results, exam, shown):
        for student, code, text, page in done.pages:
            yield f"{page_name(student, code)}.md", text
            if page:
                yield f"{page_name(student, code)}.html", page
