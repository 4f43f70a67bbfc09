"""Diagnosis: which rule turned the parts as typed before into this part as typed?

A mistake is named once, at the stage where it first shows. Later parts narrow it: of several
rules that agree so far, those stay that also account for what came next.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from quizengine.attention.stage import Array
from quizengine.marking.mark import Diagnosis
from quizengine.problems.part import NumericPart


class Finding(NamedTuple):
    """Misconceptions that explain a wrong part, first seen at `stage`, narrowed as more `parts` are seen: one
    of them, and if `possible` together with another finding."""

    ids: frozenset[str]
    stage: str
    parts: tuple[str, ...] = ()
    possible: bool = False


def found(
    findings: tuple[Finding, ...], part: NumericPart, ids: Iterable[str], *, possible: bool = False
) -> tuple[Finding, ...]:
    """With a wrong part that `ids` explain: the same mistake as before, or a new one. What is only possible
    narrows nothing that is sure."""
    candidates = frozenset(ids)
    if not candidates:
        return findings
    for place, finding in enumerate(findings):
        if both := finding.ids & candidates:
            left = finding.ids if possible and not finding.possible else both
            narrowed = finding._replace(ids=left, parts=(*finding.parts, part.id))
            return (*findings[:place], narrowed, *findings[place + 1 :])
    return (*findings, Finding(candidates, part.stage or part.id, (part.id,), possible))


def without(findings: tuple[Finding, ...], refuted: frozenset[str]) -> tuple[Finding, ...]:
    """The findings narrowed to what a later right step does not refute."""
    left = (finding._replace(ids=finding.ids - refuted) for finding in findings)
    return tuple(finding for finding in left if finding.ids)


def named_at(findings: tuple[Finding, ...], part_id: str) -> tuple[str, ...]:
    """What is named at this part."""
    return tuple(sorted({id_ for f in findings if part_id in f.parts for id_ in f.ids}))


def diagnosis(findings: tuple[Finding, ...]) -> tuple[Diagnosis, ...]:
    """The findings, in the order in which they showed."""
    return tuple(Diagnosis(tuple(sorted(f.ids)), f.stage, f.possible) for f in findings)


def one_off(ids: Sequence[str], near: Array, tells: Array) -> tuple[str, ...]:
    """The misconceptions that all entries but one fit: (worlds, rows, columns) of which are near, and
    of which tell the world from what is right. Two entries at least must tell."""
    misses = (~near).sum(axis=(1, 2))
    hits: list[int] = np.where(misses == 1, (near & tells).sum(axis=(1, 2)), 0).tolist()
    return tuple(id_ for id_, n in zip(ids, hits, strict=True) if n >= 2 and n == max(hits))
