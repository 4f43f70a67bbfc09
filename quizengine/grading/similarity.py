"""Similarity: answers that are wrong for one's own variant and right for another's. A list for a person to
look at, never a verdict."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from quizengine.grading.attempt import Attempt
from quizengine.items.close import rounded_text
from quizengine.problems.part import NumericPart
from quizengine.reports.tally import Place
from quizengine.responses.response import Number, NumericValue
from quizengine.sheets.manifest import Manifest

Rounded = tuple[tuple[str, ...], ...]


class Match(NamedTuple):
    """A student whose wrong answers are another's right ones; `chance` bounds the probability that this
    comes about for any other student of the exam without copying."""

    student: str
    other: str
    labels: tuple[str, ...]
    chance: Fraction


class WrongNumber(NamedTuple):
    """A number that is not right for one's own variant."""

    student: str
    place: Place
    label: str
    value: Rounded


def wrong_numbers(attempt: Attempt) -> Iterator[WrongNumber]:
    """The numbers of a student that are not right for the own sheet."""
    for label, problem, part, mark in attempt.parts():
        if (
            isinstance(part, NumericPart)
            and mark.verdict in ("wrong", "partial")
            and isinstance(mark.reading, NumericValue)
        ):
            yield WrongNumber(
                attempt.sheet.student, (problem.item, part.id), label, _written(part, mark.reading)
            )


def matches(manifest: Manifest, written: Iterable[WrongNumber]) -> list[Match]:
    """Whose sheet they are right for; the least likely ones first."""
    keys = _keys(manifest)
    found: dict[tuple[str, str], dict[Place, str]] = defaultdict(dict)
    for student, place, label, value in written:
        for other in keys[place].get(value, ()):
            if other != student:
                found[student, other][place] = label
    shared = {place: _shared(own) for place, own in keys.items()}
    others = max(len(manifest.sheets) - 1, 1)
    out = []
    for (student, other), places in found.items():
        chance = Fraction(others)
        for place in places:
            chance *= shared[place]
        out.append(Match(student, other, tuple(places.values()), min(chance, Fraction(1))))
    return sorted(out, key=lambda match: (match.chance, match.student, match.other))


def _keys(manifest: Manifest) -> dict[Place, dict[Rounded, list[str]]]:
    """Whose key a value is, by item and part."""
    keys: dict[Place, dict[Rounded, list[str]]] = defaultdict(lambda: defaultdict(list))
    for sheet in manifest.sheets:
        for problem in sheet.problems:
            for part in problem.numeric:
                keys[problem.item, part.id][_key(part)].append(sheet.student)
    return keys


def _key(part: NumericPart) -> Rounded:
    return tuple(tuple(rounded_text(x, part.decimals or 0) for x in row) for row in part.key)


def _written(part: NumericPart, reading: NumericValue) -> Rounded:
    return tuple(
        tuple(rounded_text(round(x.units), part.decimals or 0) if isinstance(x, Number) else "" for x in row)
        for row in reading.content
    )


def _shared(own: dict[Rounded, list[str]]) -> Fraction:
    """How likely two variants have the same key here: the share of pairs that do, as if one more did."""
    counts = [len(students) for students in own.values()]
    total = sum(counts)
    pairs, same = total * (total - 1) // 2, sum(n * (n - 1) // 2 for n in counts)
    return Fraction(same + 1, pairs + 1)
