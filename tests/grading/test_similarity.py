"""Answers that fit another's variant: found, bounded, and nobody else accused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from quizengine.grading.attempt import attempt
from quizengine.grading.similarity import matches, wrong_numbers
from quizengine.sheets.compose import compose
from quizengine.sheets.lineup import drawn
from quizengine.sheets.plan import Blueprint, Heading, Section
from quizengine.sheets.roster import Student

CLASS = 30


@pytest.fixture(scope="module")
def exam(bank):
    pool = tuple(bank.item(id_).metadata for id_ in ("masking.one-row", "complexity.cache"))
    plan = Blueprint(Heading(), (Section(pool, 2, named=True),))
    lineup = drawn(plan, b"copying, a secret of 32 bytes ..")
    return compose(bank, plan, [Student(f"s{i:02}") for i in range(CLASS)], lineup)


def answers(sheet, other=None) -> dict[str, str]:
    """What the owner of `other` would rightly write, typed into `sheet`."""
    out = {}
    for label, index, id_ in sheet.labelled():
        part = (other or sheet).problems[index].part(id_)
        places = part.decimals or 0
        rows = ["[" + ", ".join(f"{x / 1e9:.{places}f}" for x in row) + "]" for row in part.key]
        out[label] = "[" + ", ".join(rows) + "]" if part.kind == "array" else rows[0][1:-1]
    return out


def written(exam, **copied: str):
    sheets = {sheet.student: sheet for sheet in exam.sheets}
    for sheet in exam.sheets:
        typed = answers(sheet, sheets.get(copied.get(sheet.student, "")))
        yield from wrong_numbers(attempt(sheet, typed, exam.policy))


def test_nobody_is_listed_who_did_not_copy(exam) -> None:
    assert matches(exam, written(exam)) == []


def test_who_copied_a_whole_sheet_is_listed_first_with_a_small_chance(exam) -> None:
    found = matches(exam, written(exam, s05="s11"))
    assert (found[0].student, found[0].other) == ("s05", "s11")
    assert len(found[0].labels) >= 4
    assert found[0].chance < Fraction(1, 1000)
    assert {match.student for match in found} == {"s05"}


def test_the_list_is_off_by_default_and_calls_itself_no_verdict(exam, run, tmp_path) -> None:
    exam.save(tmp_path / "manifest.json")
    labels = [label for label, _, _ in exam.sheets[0].labelled()]
    copied = answers(exam.sheets[5], exam.sheets[11])
    cells = ",".join(f'"{copied[label]}"' for label in labels)
    (tmp_path / "a.csv").write_text(f"student,{','.join(labels)}\ns05,{cells}\n", "utf-8")
    words = ("grade", tmp_path / "manifest.json", tmp_path / "a.csv", "--out", tmp_path / "m")
    assert "no verdict" not in run(*words).stdout
    said = run(*words, "--copying").stdout
    assert "this is no verdict" in said
    assert "as on the sheet of s11; by chance less than 1 in" in said
