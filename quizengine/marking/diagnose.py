"""Diagnosis: which rule turned the parts as typed before into this part as typed?

A mistake is named once, at the stage where it first shows. Later parts narrow it: of several
rules that agree so far, those stay that also account for what came next.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from quizengine.attention.stage import Array
from quizengine.marking.entries import HIDDEN
from quizengine.marking.mark import Diagnosis
from quizengine.problems.part import NumericPart
from quizengine.responses.response import Cells


@dataclass
class Suspects:
    """Misconceptions that explain a wrong part, narrowed as more parts are seen."""

    ids: set[str]
    stage: str
    parts: list[str] = field(default_factory=list)


@dataclass
class Findings:
    """The diagnosis of one problem, while its parts are read in order."""

    found: list[Suspects] = field(default_factory=list)

    def wrong(self, part: NumericPart, ids: Iterable[str]) -> None:
        """A wrong part that `ids` explain: the same mistake as before, or a new one."""
        candidates = set(ids)
        if not candidates:
            return
        for suspects in self.found:
            if suspects.ids & candidates:
                suspects.ids &= candidates
                suspects.parts.append(part.id)
                return
        self.found.append(Suspects(candidates, part.stage or part.id, [part.id]))

    def followed(self, ids: Iterable[str]) -> None:
        """A part that follows plainly from the ones before, as it also does under `ids`."""
        still = set(ids)
        for suspects in self.found:
            if suspects.ids & still:
                suspects.ids &= still

    def suspected(self) -> list[str]:
        """Every misconception that is under suspicion."""
        return sorted({id_ for suspects in self.found for id_ in suspects.ids})

    def at(self, part_id: str) -> tuple[str, ...]:
        """What is named at this part."""
        return tuple(sorted({i for s in self.found if part_id in s.parts for i in s.ids}))

    def diagnosis(self) -> tuple[Diagnosis, ...]:
        """The findings, in the order in which they showed."""
        return tuple(Diagnosis(tuple(sorted(s.ids)), s.stage) for s in self.found)


def nearest_ids(ids: list[str], off: Array) -> list[str]:
    """Of the misconceptions that match (at most 1 tolerance off), those that fit best."""
    best = off.min(initial=np.inf)
    return [id_ for id_, d in zip(ids, off, strict=True) if d <= 1.0 and d <= best + 1e-3]


def gaps(values: Array, cells: Cells) -> Array:
    """How far the cells are from `values` (…, rows, columns), in sealed units: a blank cell is infinitely
    far, one that was masked early is near."""
    typed = np.array([[np.nan if c is None else float(c.units) for c in row] for row in cells])
    off: Array = np.abs(values - typed)
    off[np.isnan(off)] = np.inf
    off[..., np.array([[cell is HIDDEN for cell in row] for row in cells])] = 0.0
    return off


def one_off(ids: list[str], near: Array, tells: Array) -> list[str]:
    """The misconceptions that all entries but one fit: (worlds, rows, columns) of which are near, and
    of which tell the world from what is right. Two entries at least must tell."""
    misses = (~near).sum(axis=(1, 2))
    hits: list[int] = np.where(misses == 1, (near & tells).sum(axis=(1, 2)), 0).tolist()
    return [id_ for id_, n in zip(ids, hits, strict=True) if n >= 2 and n == max(hits)]
