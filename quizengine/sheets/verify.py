"""Verify: are an exam's problems and files still what was made?"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from quizengine.errors import QuizError, UnknownName
from quizengine.items.bank import Bank
from quizengine.problems.problem import Problem
from quizengine.problems.repose import repose
from quizengine.sheets.manifest import Manifest, Sheet
from quizengine.sheets.sheet_code import is_code


class Difference(NamedTuple):
    """Something that is not as it was made: the message `verify.<code>` says what."""

    code: str
    what: str


class Verified(NamedTuple):
    """What differs, of how many problems."""

    differences: list[Difference]
    problems: int


Each = Callable[[Callable[[Sheet], Verified], Sequence[Sheet]], Iterable[Verified]]


def verify(manifest: Manifest, folder: Path, bank: Bank, each: Each = map) -> Verified:
    """The manifest itself, every code, every problem by its seed, every file by its hash; and files of
    students that the manifest does not know. `each` poses the sheets again, here or in other processes."""
    found, problems = [] if manifest.intact else [Difference("manifest", "manifest.json")], 0
    for differences, count in each(partial(_of_sheet, bank), manifest.sheets):
        found += differences
        problems += count
    return Verified([*dict.fromkeys(found), *_files(manifest, folder)], problems)


def _of_sheet(bank: Bank, sheet: Sheet) -> Verified:
    """What is not as it was made on one sheet; of an item that was changed just that."""
    found = [] if is_code(sheet.code) else [Difference("bad-code", sheet.code)]
    for problems in (sheet.problems, *sheet.others.values()):
        for problem in problems:
            if code := _problem(problem, bank):
                what = f"{sheet.code}: {problem.item}" if code == "problem" else problem.item
                found.append(Difference(code, what))
    return Verified(found, len(sheet.problems))


def _files(manifest: Manifest, folder: Path) -> Iterator[Difference]:
    present = {f"sheets/{path.name}" for path in (folder / "sheets").glob("*")}
    for path in sorted(present - set(manifest.files)):
        yield Difference("stray", path)
    for path, digest in manifest.files.items():
        try:
            content = (folder / path).read_bytes()
        except OSError:
            yield Difference("no-file", path)
            continue
        if hashlib.sha256(content).hexdigest() != digest:
            yield Difference("file", path)


def _problem(problem: Problem, bank: Bank) -> str:
    """Empty when posing it again gives the same."""
    try:
        item = bank.item(problem.item)
    except UnknownName:
        return "no-item"
    if item.digest != problem.digest:
        return "item"
    try:
        return "" if repose(item, problem, bank.catalogue) == problem else "problem"
    except QuizError:
        return "problem"
