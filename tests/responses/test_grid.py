"""Cells as text: what stands in a cell stays in it, whoever brings the answer in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quizengine.responses.grid import answer_text


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("0.25", "0.25"),
        (None, ""),
        (True, "true"),
        (["A", "C"], "[[A, C]]"),
        ([["0.5", None], ["", "√2"]], "[[0.5, _], [_, √2]]"),
        ([["4,364", "3,0"]], "[[4.364, 3.0]]"),
        ([["4,364", "3"]], "4,364\t3\t"),
        ([["4,364"], ["3"]], "4,364\t\n3\t"),
        ([["1 1/2", "a\tb\n"]], "1 1/2\ta b\t"),
        ([], "[[]]"),
        ([["1"], "2"], "[[[1]], 2]"),
        ([[["1"]]], "[[[1]]]"),
    ],
)
def test_answers_as_text(answer: object, text: str) -> None:
    assert answer_text(answer) == text


def test_the_command_reads_cells_as_grading_does(run, tmp_path: Path) -> None:
    answers = {
        "scaled": [["1,234", "0", "0", "0", "0", "0"]],
        "weights": [["1 1/2", "0", "0", "0", "0", "0"]],
    }
    (tmp_path / "a.json").write_text(json.dumps(answers), "utf-8")
    out = run("mark", "masking.one-row", "--seed", 3, "--answers", tmp_path / "a.json", "--json")
    scaled, weights, _ = json.loads(out.output)["parts"]
    assert "can mean 1.234 or 1234" in scaled["feedback"]
    assert weights["reading"] == "1×6 [[3/2, 0, 0, 0, 0, 0]]"
