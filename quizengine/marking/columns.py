"""Right throughout: which problems of many sheets are answered rightly in every part, told from whole columns
of texts. It gives marks to nobody else: what is not plainly right goes the usual way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor

import numpy as np

from quizengine.items.policy import Policy
from quizengine.marking.entries import window
from quizengine.marking.mark import Mark, PartMark
from quizengine.problems.part import NumericPart
from quizengine.problems.problem import Problem
from quizengine.responses.columns import read_columns

_LARGEST = 10**15  # units: more is not written in so few digits


def right_throughout(asked: Sequence[tuple[Problem, Mapping[str, str]]], policy: Policy) -> list[bool]:
    """Of problems and the texts typed into their parts: is every part a plain decimal, or an array of them,
    within the window of its key? `judge` would find the same."""
    columns: dict[tuple[tuple[int, ...], int | None], list[tuple[int, NumericPart, str]]] = defaultdict(list)
    for number, (problem, texts) in enumerate(asked):
        for part in problem.numeric:
            columns[part.shape, part.decimals].append((number, part, texts[part.id]))
    right = np.ones(len(asked), dtype=bool)
    for (shape, _), column in columns.items():
        numbers = np.array([number for number, _, _ in column])
        known, units = read_columns([text for _, _, text in column], shape)
        right[numbers[~known]] = False
        found = [column[place] for place in np.flatnonzero(known)]
        if not found:
            continue
        keys = np.array([[_bounded(x) for row in part.key for x in row] for _, part, _ in found])
        near = np.abs(units - keys) <= floor(window(found[0][1], policy))
        right[numbers[known][~near.all(axis=1)]] = False
    return right.tolist()


def _bounded(units: int) -> int:
    return max(-_LARGEST, min(units, _LARGEST))


def mark_right(problem: Problem) -> Mark:
    """Full marks in every part. (What was read is not told: nobody asks for it where all is right.)"""
    parts = (PartMark(part.id, "right", Fraction(1), part.points) for part in problem.parts)
    return Mark(problem.item, problem.seed, tuple(parts))
