"""Insight: a class's standing marks as rows of the analysis, and what it says as data."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from quizengine.grading.results import AUTOMATIC
from quizengine.grading.standing import Standing
from quizengine.marking.mark import PartMark
from quizengine.problems.part import ChoicePart, NumericPart, Part
from quizengine.reports.analysis import Analysis, Cell, Row
from quizengine.responses.response import Number, NumericValue, TextValue


def row_of(one: Standing) -> Row:
    """What stands of a student, keyed by item and part over all variants."""
    cells = {}
    for label, problem, part, mark in one.graded.parts():
        result = one.results[label]
        if result.kind == "discount":  # it says nothing of the question
            continue
        automatic = one.late and result.kind in AUTOMATIC  # lateness says nothing of it either
        cells[problem.item, part.id] = Cell(
            mark.credit if automatic else result.credit,
            result.points,
            result.verdict,
            result.misconceptions,
            _choice(part, mark),
            _odd(part, mark),
        )
    return Row(one.sheet.student, cells, one.credit, one.points)


def _choice(part: Part, mark: PartMark) -> str:
    """The words of the choice that was made; its letter differs from sheet to sheet."""
    if not isinstance(part, ChoicePart) or not isinstance(mark.reading, TextValue):
        return ""
    chosen = mark.reading.content
    return next((choice.text for choice in part.choices if choice.label == chosen), "")


def _odd(part: Part, mark: PartMark) -> str:
    """A wrong number, or an array of them, that nothing recognised, as a multiple of the key: equal over
    variants, it may be a misconception that is not in the catalogue yet."""
    recognised = (
        mark.misconceptions or mark.carried or any(reason.code != "entries" for reason in mark.reasons)
    )
    if not isinstance(part, NumericPart) or not isinstance(mark.reading, NumericValue):
        return ""
    if mark.verdict != "wrong" or recognised:
        return ""
    ratios = {
        (Fraction(written.units) / key).limit_denominator(1000) if isinstance(written, Number) else None
        for row, keys in zip(mark.reading.content, part.key, strict=True)
        for written, key in zip(row, keys, strict=True)
        if key
    }
    return f"× {ratios.pop()}" if len(ratios) == 1 and None not in ratios else ""


def to_json(found: Analysis) -> dict[str, Any]:
    """For a program; students by id only."""
    return {
        "students": found.students,
        "percents": [round(percent, 2) for percent in found.percents],
        "alpha": found.alpha,
        "alpha_interval": list(found.interval) if found.interval else None,
        "error_of_measurement": found.error,
        "items": [
            {
                "item": item.place[0],
                "part": item.place[1],
                **{name: value for name, value in item._asdict().items() if name != "place"},
            }
            for item in found.items
        ],
        "misconceptions": [
            {
                "id": one.id,
                "students": list(one.students),
                "where": [{"item": item, "part": part, "count": n} for (item, part), n in one.places.items()],
            }
            for one in found.misunderstandings
        ],
    }
