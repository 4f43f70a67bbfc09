"""What `check` does with a class: its files one by one, a table, pages, and its part of an exam's report."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from quizengine.cli import screen
from quizengine.cli.cores import watched
from quizengine.cli.options import open_bank, open_manifest
from quizengine.cli.views import write_anew
from quizengine.errors import InputError
from quizengine.files.failure import failed
from quizengine.files.whole import write_whole
from quizengine.grading.intake.archive import files_in
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.render.html import function_html
from quizengine.render.terminal import wrapped

if TYPE_CHECKING:
    from quizengine.checking.folder import Row, Work
    from quizengine.checking.isolate import Isolation
    from quizengine.checking.task import Task
    from quizengine.grading.intake.finder import Finder
    from quizengine.items.catalogue import Catalogue
    from quizengine.sheets.manifest import Manifest


SHOWN = 8  # names in a sentence


class Call(NamedTuple):
    """What `check` is called with for a class; `manifest` is that of the exam whose students these are."""

    path: Path
    out: Path
    task: Task
    bank: tuple[str, ...]
    lang: Lang
    manifest: Path | None = None
    trust: bool = False
    quiet: bool = False


def check_class(call: Call) -> list[Row]:
    """Check every file of a class, and write what was found: a table, a page for each, and in the report of
    an exam what its students show. Raises InputError."""
    from quizengine.checking.folder import summary
    from quizengine.checking.isolate import Isolation, isolation

    lang = call.lang
    cut_off = Isolation() if call.trust else isolation()
    works, others = _works(call.path)
    for name in others:
        screen.complain(t(lang, "check.skipped", file=name))
    exam = _exam(call.manifest) if call.manifest else None
    students = _students(exam, works, call) if exam else {}
    works = [work._replace(who=students.get(work.file, work.who)) for work in works]
    rows = list(watched(partial(_row, task_id=call.task.id, bank=call.bank, isolation=cut_off), works))
    catalogue = _catalogue(call.bank)
    _write(call.out, rows, catalogue, lang)
    if not call.quiet:
        for row in rows:
            screen.print("  ".join(filter(None, [row.who, row.file, *row.cells()[3:5]])))
        for sentence in summary(rows, catalogue, lang):
            screen.print(*wrapped(sentence, screen.width()))
        screen.print(str(call.out))
    if exam:
        _report(exam, rows, students, call)
    return rows


def _exam(path: Path) -> Manifest:
    """The exam, its spare sheets under the ids of those who have claimed them. Raises InputError."""
    from quizengine.grading.record.results import claims_on_record

    return open_manifest(path).claimed(claims_on_record(path))


def _students(exam: Manifest, works: Sequence[Work], call: Call) -> dict[str, str]:
    """Which student of the exam each file is of; those of others are told. Raises InputError where
    there is no file of its students."""
    from quizengine.grading.intake.finder import Finder

    finder = Finder(exam)
    students = {work.file: id_ for work in works if (id_ := _student(finder, work.file))}
    strangers = sorted({work.who for work in works if work.file not in students})
    if not students:
        there = ", ".join(strangers[:SHOWN]) + (", …" if strangers[SHOWN:] else "")
        message = (
            f"no file in {call.path} is of a student of {call.manifest} (there are: {there}): "
            "name the files, or the folders that they lie in, by the ids of the roster"
        )
        raise InputError(message, code="no-student")
    if strangers:
        screen.complain(t(call.lang, "check.strangers", names=t(call.lang, "check.between").join(strangers)))
    return students


def _student(finder: Finder, name: str) -> str:
    """Whose a file is: by who handed it in or, where no platform says so, by its folders or its own name; of
    nobody where none of these, or more than one, is called so."""
    from quizengine.grading.intake.submissions import owner

    handed = owner(name)
    for called in (handed, Path(name).stem if not handed or handed.endswith("/") else ""):
        if len(places := finder.by_owner(called)) == 1:
            return finder.student(places[0])
    return ""


def _report(exam: Manifest, rows: Sequence[Row], students: Mapping[str, str], call: Call) -> None:
    """Put what the students of the exam show into its report. Raises InputError."""
    from quizengine.grading.record.functions import Checked, put_functions
    from quizengine.grading.record.results import FILE as RECORD

    assert call.manifest is not None
    checked = [
        Checked(students[row.file], row.file, row.verdict.verdict, row.verdict.misconceptions)
        for row in rows
        if row.file in students
    ]
    catalogue = _catalogue(call.bank)
    names = {id_: catalogue[id_].name for one in checked for id_ in one.misconceptions}
    put_functions(call.manifest, call.task.id, checked, names)
    if (call.manifest.parent / RECORD).exists():
        write_anew(call.manifest, exam, call.lang, quiet=call.quiet)


def _row(work: Work, task_id: str, bank: tuple[str, ...], isolation: Isolation) -> Row:
    from quizengine.checking.folder import found_in
    from quizengine.checking.task import task_of

    return found_in(work, task_of(task_id), _catalogue(bank), isolation)


@cache
def _catalogue(bank: tuple[str, ...]) -> Catalogue:
    return open_bank(bank).catalogue


def _works(path: Path) -> tuple[list[Work], list[str]]:
    """The files of a class, by whose they are; the names of those that hold no code. Raises InputError."""
    from quizengine.checking.folder import ENDINGS, Work
    from quizengine.checking.isolate import MOST_BYTES, Source
    from quizengine.grading.intake.submissions import owner

    works, others = [], []
    for name, content, _ in files_in(path, most=MOST_BYTES):
        base = Path(name)
        if any(part.startswith((".", "__")) for part in base.parts):
            continue  # copies that an editor keeps
        if base.suffix.lower() not in ENDINGS or isinstance(content, ValueError):
            others.append(name)
            continue
        who = owner(name).rstrip("/") or base.stem
        works.append(Work(who, name, Source(base.name, content)))
    if not works:
        raise InputError(f"there is no .py or .ipynb file in {path}", code="no-file")
    return works, others


def _write(out: Path, rows: Sequence[Row], catalogue: Catalogue, lang: Lang) -> None:
    """The table and the pages. Raises InputError."""
    from quizengine.checking.folder import HEADER, page, page_data, page_names
    from quizengine.grading.output.gradebook import guarded

    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow([*HEADER, "page"])
    names = page_names(rows)
    writer.writerows([*map(guarded, row.cells()), names[place]] for place, row in enumerate(rows))
    texts = {"functions.csv": table.getvalue()}
    texts |= {f"pages/{names[place]}": page(row, catalogue, lang) for place, row in enumerate(rows)}
    try:
        for place, row in enumerate(rows):
            name = names[place].removesuffix(".md")
            texts[f"pages/{name}.html"] = function_html(page_data(row, catalogue, lang))
    except InputError as error:  # without the extra there is Markdown alone
        screen.complain(error.message)
    try:
        (out / "pages").mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            write_whole(out / name, text.encode())
    except OSError as error:
        raise failed(out, error, code="not-written") from None
