"""Effort: how many multiplications a problem asks for, and about how many seconds it takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache

import numpy as np

from quizengine.attention.solver import solve
from quizengine.attention.stage import ADDITIVE, MULTI_HEAD, ONE_HEAD, SHAPES, Table, Trace, reads
from quizengine.items.answer import Ask
from quizengine.items.close import SEAL
from quizengine.problems.families import FAMILIES
from quizengine.problems.families.family import inputs_of, table_of
from quizengine.problems.part import NumericPart, Part
from quizengine.problems.problem import Problem

SECONDS: Mapping[str, int] = {
    **{"choice": 60, "choices": 80, "tiers": 80, "order": 90, "pairs": 90, "words": 180},
    **{"construct": 240, "estimate": 120, "shape": 60, "gap": 60},
}
TRUE_FALSE, TWO = 35, 2  # seconds for a statement, which has two choices
READING, EACH = 60, 6  # seconds to begin a problem of numbers, and for one multiplication with its addition
_SHAPES = {"K", "k", "v", "keep", "scores"}  # the stages whose shapes tell the work
SIMPLE, NANO = 999, Fraction(1, 10**9)  # the largest denominator looked for, and how keys are sealed


def seconds(problem: Problem) -> int:
    """About how long somebody who knows the matter takes."""
    asked = sum(_seconds(part) for part in problem.parts)
    return asked + (READING + EACH * multiplications(problem) if problem.numeric else 0)


def _seconds(part: Part) -> int:
    if part.kind == "choice" and len(part.choices) == TWO:
        return TRUE_FALSE
    return SECONDS.get(part.kind, 0)


def multiplications(problem: Problem) -> int:
    """How many numbers are multiplied or divided on the shortest way to all that is asked; 0 where no numbers
    are asked. Raises PosingError where the givens fit no table."""
    if not problem.numeric:
        return 0
    return _counted(table_of(problem), inputs_of(problem), problem.numeric)


@lru_cache(4096)
def multiplications_of(family: str, sizes: tuple[tuple[str, int], ...], asks: tuple[Ask, ...]) -> int:
    """The same of every problem of a family that has these sizes and asks this."""
    return _counted(FAMILIES[family].table, FAMILIES[family].generic(dict(sizes)), asks)


def _counted(table: Table, inputs: Trace, parts: Iterable[Ask | NumericPart]) -> int:
    asked, rows = {part.stage for part in parts}, {row - 1 for part in parts for row in part.rows}
    if table is SHAPES:
        return 0
    if table in (ONE_HEAD, MULTI_HEAD, ADDITIVE):
        work = _attention(inputs | solve(inputs, table, wanted=_SHAPES), table, sorted(rows))
    else:
        rows_asked = max(len(part.rows) or 1 for part in parts)
        work = {stage: rows_asked * _width(inputs, len(reads(table[stage]))) for stage in asked}
    last = max(map(list(table).index, asked))
    return sum(n for stage, n in work.items() if list(table).index(stage) <= last and stage not in inputs)


def _width(inputs: Trace, read: int) -> int:
    """Of a table of single numbers, as many as a rule reads; of one with rows, as many as a row is long."""
    rows = [array.shape[-1] for array in inputs.values() if array.ndim > 1]
    return max(rows, default=read)


def _attention(trace: Trace, table: Table, rows: list[int]) -> Mapping[str, int]:
    """The multiplications of every stage, where these rows (from 0) are wanted."""
    scores = trace["scores"]
    keep = np.broadcast_to(trace.get("keep", np.True_), scores.shape).reshape(-1, *scores.shape[-2:])
    seen, pairs = int(keep[0, rows].any(axis=0).sum()), int(keep[:, rows].sum())
    out = {"scores": pairs * trace["K" if table is ADDITIVE else "k"].shape[-1], "weights": pairs}
    out |= {"output": pairs * trace["v"].shape[-1]} if "v" in trace else {}
    out["scaled"] = pairs if table is not ADDITIVE else 0
    for stage, matrix, count in (("Q", "W_Q", len(rows)), ("K", "W_K", seen), ("V", "W_V", seen)):
        if matrix in trace:
            out[stage] = count * trace[matrix].shape[-2] * trace[matrix].shape[-1]
    if "W_O" in trace:
        out["projected"] = len(rows) * trace["W_O"].shape[-2] * trace["W_O"].shape[-1]
    return out


def largest_denominator(problem: Problem) -> int:
    """The greatest denominator among the keys that are simple fractions; 1 where all of those are whole."""
    numbers = (sealed for part in problem.numeric for row in part.key for sealed in row)
    return max(map(_denominator, numbers), default=1)


@lru_cache(2**14)
def _denominator(sealed: int) -> int:
    """That of a simple fraction; 1 of any other number."""
    exact = Fraction(sealed, SEAL)
    near = exact.limit_denominator(SIMPLE)
    return near.denominator if abs(near - exact) <= NANO else 1
