"""Apart: are two variants unlike enough that copying does not pay; and is a class's exam equally hard?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, pairwise
from typing import Any, NamedTuple

from quizengine.items.bank import Bank
from quizengine.items.close import close, unit
from quizengine.problems.problem import Part, Problem
from quizengine.sheets.manifest import Manifest, Sheet

WINDOW = Fraction(101, 100)  # units of the asked decimal, as wide as any marking is


def apart(one: Problem, other: Problem) -> bool:
    """Are their numbers different, and would no answer of the one be right in the other?"""
    return one.given != other.given and not copies(one, other)


def copies(one: Problem, other: Problem) -> list[str]:
    """The numeric parts whose key in the one is right in the other, too."""
    theirs = {part.id: part for part in other.parts}
    return [p.id for p in one.parts if p.is_number and p.id in theirs and _right(p, theirs[p.id])]


def _right(part: Part, other: Part) -> bool:
    tolerance = WINDOW * unit(part.decimals or 0)
    if [len(row) for row in part.sealed] != [len(row) for row in other.sealed]:
        return False
    pairs = zip(chain(*part.sealed), chain(*other.sealed), strict=True)
    return all(close(mine, theirs, tolerance) for mine, theirs in pairs)


class Copy(NamedTuple):
    """A part that neighbours in the roster could copy from each other, by chance."""

    student: str
    neighbour: str
    label: str


def chance_copies(manifest: Manifest) -> list[Copy]:
    """Every numeric part in which a neighbour's key is right as well."""
    out = []
    for one, other in pairwise(manifest.sheets):
        theirs = {problem.item: problem for problem in other.problems}
        for problem, labels in zip(one.problems, one.labels, strict=True):
            if problem.item in theirs:
                shared = copies(problem, theirs[problem.item])
                out += [Copy(one.student, other.student, labels[part]) for part in shared]
    return out


def parity(manifest: Manifest, bank: Bank) -> dict[str, Any]:
    """What every sheet asks, and whether it is the same for all: points, difficulty, objectives,
    misconceptions that its wrong answers can show."""
    rows = [_weight(sheet, bank) for sheet in manifest.sheets]
    return {
        "equal": {name: all(row[name] == rows[0][name] for row in rows) for name in rows[0]},
        "sheets": {sheet.code: row for sheet, row in zip(manifest.sheets, rows, strict=True)},
        "chance_copies": [copy._asdict() for copy in chance_copies(manifest)],
    }


def _weight(sheet: Sheet, bank: Bank) -> Mapping[str, Any]:
    heads = [bank.item(problem.item).head for problem in sheet.problems]
    return {
        "points": sum(problem.points for problem in sheet.problems),
        "difficulty": sum(head.difficulty for head in heads),
        "topics": _sorted(head.topic for head in heads),
        "objectives": _sorted({o for head in heads for o in head.objectives}),
        "misconceptions": _sorted({r.misconception for p in sheet.problems for r in p.rivals}),
    }


def _sorted(names: Iterable[str]) -> Sequence[str]:
    return sorted(names)
