"""Verify: are an exam's problems and files still what was made?"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple, Protocol

from quizengine.errors import QuizError
from quizengine.items.bank import Bank
from quizengine.problems.calculation import variants_of
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.problems.repose import as_asked
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


class Each(Protocol):
    """Does the work on so many lines, here or in other processes."""

    def __call__(
        self, work: Callable[[Sequence[bytes]], list[Verified]], lines: Iterable[bytes], count: int, /
    ) -> Iterable[Verified]: ...


def verify(manifest: Manifest, folder: Path, bank: Bank, each: Each) -> Verified:
    """The manifest itself, every code, every problem by its seed, every file by its hash; and files of
    students that the manifest does not know. `each` poses the sheets again."""
    found, problems = [] if manifest.intact else [Difference("manifest", "manifest.json")], 0
    everyone = range(len(manifest.sheets))
    for differences, count in each(partial(_of_sheets, bank), manifest.lines(everyone), len(everyone)):
        found += differences
        problems += count
    return Verified([*dict.fromkeys(found), *_files(manifest, folder)], problems)


def _of_sheets(bank: Bank, lines: Sequence[bytes]) -> list[Verified]:
    """What is not as it was made on each of these sheets; of an item that was changed just that."""
    sheets = list(map(Sheet.from_line, lines))
    problems = [[*chain(sheet.problems, *sheet.others.values())] for sheet in sheets]
    codes = _posed_again(bank, [*chain.from_iterable(problems)])
    return [
        Verified([*_of_sheet(sheet, own, codes)], len(sheet.problems))
        for sheet, own in zip(sheets, problems, strict=True)
    ]


def _of_sheet(sheet: Sheet, problems: Sequence[Problem], codes: Iterator[str]) -> Iterator[Difference]:
    if not is_code(sheet.code):
        yield Difference("bad-code", sheet.code)
    for problem, code in zip(problems, codes):  # noqa: B905 (the codes go on with the next sheet)
        if code:
            yield Difference(code, f"{sheet.code}: {problem.item}" if code == "problem" else problem.item)


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


def _posed_again(bank: Bank, problems: Sequence[Problem]) -> Iterator[str]:
    """A code for each; empty when posing it again gives the same."""
    items = [bank.item(problem.item) if problem.item in bank.items else None for problem in problems]
    same = [
        (as_asked(item, problem), problem.seed)
        for item, problem in zip(items, problems, strict=True)
        if item and item.digest == problem.digest
    ]
    known = zip(same, variants_of(same, bank.catalogue), strict=True)
    for item, problem in zip(items, problems, strict=True):
        if item is None:
            yield "no-item"
        elif item.digest != problem.digest:
            yield "item"
        else:
            (asked, seed), variant = next(known)
            try:
                again = pose(asked, seed, problem.lang, bank.catalogue, variant)
            except QuizError:
                yield "problem"
            else:
                yield "" if again == problem else "problem"
