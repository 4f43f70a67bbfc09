"""Override: what an instructor decides, of one answer or of an item of the whole exam."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from quizengine.errors import UnknownName, UsageError
from quizengine.grading.record.effective import Result
from quizengine.marking.mark import credit_text
from quizengine.sheets.manifest import Manifest, Sheet


def credit_of(text: str) -> Fraction:
    """The number of points that was typed, exactly: 2, 1.5 or 2/3. Raises UsageError."""
    try:
        if not re.fullmatch(r"\d{1,6}(\.\d{1,6})?|\d{1,6}/\d{1,6}", text.strip()):
            raise ValueError
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"“{text}” is no credit: write 2, 1.5 or 2/3") from None


def override(
    sheet: Sheet, label: str, credit: Fraction, why: str, at: str, before: Result | None = None
) -> Result:
    """The instructor's own mark of a part, in points, in place of `before`. Raises UsageError for a label or
    a credit that does not fit."""
    places = {name: (index, part) for name, index, part in sheet.labelled()}
    if label not in places:
        raise UsageError(f"sheet {sheet.code} has no {label}; there are: {', '.join(places)}")
    index, id_ = places[label]
    part = sheet.problems[index].part(id_)
    if not 0 <= credit <= part.points:
        raise UsageError(
            f"points of {label} go from 0 to {part.points}: {credit_text(credit)} is not among them"
        )
    return Result(
        code=sheet.code,
        label=label,
        kind="override",
        raw=before.raw if before else "",
        verdict="right" if credit == part.points else "partial" if credit else "wrong",
        credit=credit,
        points=part.points,
        misconceptions=(),
        item=sheet.problems[index].item,
        key="",
        policy="{}",
        at=at,
        why=why,
    )


def discount(manifest: Manifest, item: str, how: Literal["drop", "full"], why: str, at: str) -> list[Result]:
    """An item that is to count for nothing, or to give everyone its points. Raises UnknownName for one that
    the exam does not have."""
    found = list(_discounted(manifest, item, how, why, at))
    if not found:
        asked = {problem.item for sheet in manifest.sheets for problem in sheet.problems}
        raise UnknownName("item in this exam", item, asked)
    return found


def _discounted(
    manifest: Manifest, item: str, how: Literal["drop", "full"], why: str, at: str
) -> Iterator[Result]:
    for sheet in manifest.sheets:
        for label, index, id_ in sheet.labelled():
            if sheet.problems[index].item == item:
                points = sheet.problems[index].part(id_).points if how == "full" else 0
                yield Result(
                    code=sheet.code,
                    label=label,
                    kind="discount",
                    raw="",
                    verdict="right" if how == "full" else "dropped",
                    credit=Fraction(points),
                    points=points,
                    misconceptions=(),
                    item=item,
                    key="",
                    policy="{}",
                    at=at,
                    why=why,
                )
