"""A column an option: what was ticked becomes one answer, and a cell in doubt is never guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

from quizengine.grading.intake.collect import collect
from quizengine.problems.part import LabelledPart
from quizengine.responses.read import read
from quizengine.responses.response import LabelsValue, Unreadable
from quizengine.sheets.manifest import Manifest, load_manifest


@pytest.fixture
def manifest(sheets_for) -> Manifest:
    """One question with several choices, for one student."""
    return load_manifest(sheets_for("id,name\ns01,Learner One\n", "masking.causal-facts"))


def choices_of(manifest: Manifest) -> LabelledPart:
    [part] = manifest.sheets[0].problems[0].parts
    assert isinstance(part, LabelledPart)
    return part


def answer(tmp_path: Path, manifest: Manifest, header: str, cells: str) -> str:
    (tmp_path / "a.csv").write_text(f"student,{header}\ns01,{cells}\n", "utf-8")
    [row] = collect(tmp_path / "a.csv", manifest).rows
    return row.answers["1"]


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("1 [A],1 [B],1 [C]", "1,0,1"),
        ("1[A],1[B],1[C]", "TRUE,FALSE,TRUE"),
        ("1_A,1_B,1_C", "x,,X"),
        ("1.A,1.B,1.C", "Yes,No,Yes"),
        ("1 (A),1 (B),1 (C)", "はい,いいえ,はい"),
        ("１［Ａ］,１［Ｂ］,１［Ｃ］", "○,,○"),
        ("1 [C],1 [B],1 [A]", "✓,☐,☑"),
    ],
    ids=["1 and 0", "true", "x", "yes", "Japanese", "full width", "another order"],
)
def test_ticked_options_are_one_answer(tmp_path: Path, manifest: Manifest, header: str, cells: str) -> None:
    reading = read(choices_of(manifest), answer(tmp_path, manifest, header, cells)).reading
    assert reading == LabelsValue(("A", "C"))


def test_a_chosen_option_may_bear_its_words(tmp_path: Path, manifest: Manifest) -> None:
    first = choices_of(manifest).choices[0]
    quoted = '"' + first.text + '"'
    text = answer(tmp_path, manifest, "1 [A],1 [B]", f"{quoted},")
    assert read(choices_of(manifest), text).reading == LabelsValue(("A",))


@pytest.mark.parametrize("cell", ["maybe", "×", "B", "2"], ids=["a word", "a cross", "a letter", "a number"])
def test_a_cell_in_doubt_is_refused(tmp_path: Path, manifest: Manifest, cell: str) -> None:
    text = answer(tmp_path, manifest, "1 [A],1 [B]", f"{cell},1")
    assert isinstance(read(choices_of(manifest), text).reading, Unreadable)


@pytest.mark.parametrize("cells", [",", "0,0", "FALSE,FALSE"])
def test_nothing_ticked_is_a_blank(tmp_path: Path, manifest: Manifest, cells: str) -> None:
    assert answer(tmp_path, manifest, "1 [A],1 [B]", cells) == ""


def test_a_column_of_the_question_itself_is_left_as_it_is(tmp_path: Path, manifest: Manifest) -> None:
    assert answer(tmp_path, manifest, '1,"1 [A]"', "B,1") == "B"


def test_a_line_with_too_many_cells_is_still_listed(tmp_path: Path, manifest: Manifest) -> None:
    (tmp_path / "a.csv").write_text("student,1 [A],1 [B]\ns01,1,0,1\n", "utf-8")
    found = collect(tmp_path / "a.csv", manifest)
    assert not list(found.rows)
    assert [note.code for note in found.listed] == ["cells"]
