"""A class of three hundred with planted misconceptions, slips, unreadable and blank answers, late and double
submissions: the truth is written down before anything is graded."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from quizengine.problems.dice import Dice
from quizengine.problems.part import NumericPart
from quizengine.sheets.compose import compose
from quizengine.sheets.lineup import drawn
from quizengine.sheets.plan import Blueprint, Heading, Section
from quizengine.sheets.roster import Student

PLANTED = {
    "masking.one-row": ("mask-ignored", "scale-forgotten", "softmax-columns"),
    "head.from-input": ("scale-forgotten", "mask-ignored"),
    "complexity.cache": ("cache-one-layer",),
    "masking.where": ("mask-after-softmax", "mask-on-values"),
    "scaling.scaled-weights": (),
    "order.steps": (),
    "averaging.which-row": (),
    "masking.times-zero": (),
    "roles.mix-by-hand": (),
    "complexity.layer-cost": (),
}
BEFORE, AFTER = "2030-02-01T10:00Z", "2030-02-02T10:00Z"


def answer(problem, way: str, written) -> dict[str, str]:
    """How this problem is answered, part by part."""
    rivals = {rival.misconception: rival.values for rival in problem.rivals}
    values = rivals.get(way, {})
    out = {part.id: written(part, values.get(part.id, part.key)) for part in problem.parts}
    first = problem.parts[0].id
    if way == "unreadable":
        out[first] = "?!"
    elif way == "blank":
        out = dict.fromkeys(out, "")
    elif way == "slip" and problem.numeric:
        digits = [i for i, c in enumerate(out[first]) if c.isdecimal()]
        at = digits[len(digits) // 2]
        out[first] = out[first][:at] + str((int(out[first][at]) + 5) % 10) + out[first][at + 1 :]
    return out


def numbers(text: str) -> list[list[Fraction]]:
    """The decimals of a text, row by row, read by no reader of ours."""
    rows = text.strip("[]").split(";")
    return [[Fraction(Decimal(cell)) for cell in row.split()] for row in rows]


def share(part, text: str) -> Fraction:
    """What a numeric part earns by its entries alone: right within 1.01 units of the asked decimal; weights
    by the row, other entries above what the best constant hits."""
    window = Fraction(101, 100 * 10**part.decimals) if part.decimals else Fraction(0)
    keys = [[Fraction(k, 10**9) for k in row] for row in part.key]
    right = [
        [abs(x - k) <= window for x, k in zip(*rows, strict=True)]
        for rows in zip(numbers(text), keys, strict=True)
    ]
    if all(map(all, right)):
        return Fraction(1)
    if part.kind == "number" or part.stage == "weights":
        return Fraction(sum(map(all, right)), len(right))
    flat = sorted(k for row in keys for k in row)
    constant = max(sum(low <= k <= low + 2 * window for k in flat) for low in flat)
    above = max(0, sum(map(sum, right)) - constant)
    return Fraction(above, len(flat) - constant) if len(flat) > constant else Fraction(0)


def truth(problem, way: str, typed: dict[str, str]) -> Fraction:
    """The points of a problem, without our judge: blank or unreadable parts earn nothing; a planted mistake
    is one wrong step, so the part where it shows earns by its entries, and what follows from it in full."""
    planted, erred, credit = way in {rival.misconception for rival in problem.rivals}, False, Fraction(0)
    for part in problem.parts:
        if typed[part.id] in ("", "?!"):
            continue
        if not isinstance(part, NumericPart):
            credit += 0 if planted else part.points
            continue
        own = Fraction(1) if erred else share(part, typed[part.id])
        erred = erred or (planted and own < 1)
        credit += own * part.points
    return credit


@pytest.mark.parametrize("students", [40, pytest.param(300, marks=pytest.mark.slow)])
def test_marks_and_map_are_the_truth(bank, run, written, tmp_path: Path, students: int) -> None:
    pool = tuple(bank.item(id_).metadata for id_ in PLANTED)
    plan = Blueprint(Heading(), (Section(pool, len(pool), named=True),))
    lineup = drawn(plan, b"the truth, before it is graded..")
    manifest = compose(bank, plan, [Student(f"s{i:03}") for i in range(students)], lineup)
    manifest.save(tmp_path / "manifest.json")
    dice, shown, expected, lines = Dice("truth", 1), defaultdict(set), {}, []
    for sheet in manifest.sheets:
        row, credit = {}, Fraction(0)
        for problem, labels in zip(sheet.problems, sheet.labels, strict=True):
            way = dice.pick(
                ["right", "right", "right", "slip", "unreadable", "blank", *PLANTED[problem.item]]
            )
            typed = answer(problem, way, written)
            row |= {labels[id_]: text for id_, text in typed.items()}
            credit += truth(problem, way, typed)
            if way in {rival.misconception for rival in problem.rivals}:
                shown[way].add(sheet.student)
        expected[sheet.student] = credit
        line = [sheet.student, BEFORE, *row.values()]
        lines.append(line)
        what = dice.below(10)
        if what == 0:  # handed in again, too late
            lines.append([sheet.student, AFTER, *["" for _ in row]])
        elif what == 1:  # an earlier, empty one
            lines.insert(len(lines) - 1, [sheet.student, "2030-02-01T09:00Z", *["" for _ in row]])
    out = io.StringIO()
    csv.writer(out).writerows([["student", "time", *row], *lines])
    (tmp_path / "a.csv").write_text(out.getvalue(), "utf-8")
    words = ("--deadline", "2030-02-01T23:59Z", "--no-html", "--out", tmp_path / "marks")
    run("grade", tmp_path / "manifest.json", tmp_path / "a.csv", *words)
    book = list(csv.DictReader(io.StringIO((tmp_path / "marks" / "gradebook.csv").read_text("utf-8"))))
    assert {row["student"]: float(row["credit"]) for row in book} == {
        student: pytest.approx(float(credit), abs=0.0051) for student, credit in expected.items()
    }
    report = json.loads((tmp_path / "marks" / "report.json").read_text("utf-8"))
    found = {one["id"]: set(one["students"]) for one in report["misconceptions"]}
    assert {id_: found[id_] for id_ in shown} == dict(shown)
    assert sum(map(len, shown.values())) > 2 * students // 3
