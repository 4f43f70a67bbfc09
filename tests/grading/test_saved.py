"""What HTML sheets save, graded as it is handed in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quizengine.errors import InputError
from quizengine.grading.saved import read_saved
from quizengine.problems.problem import key_text
from quizengine.sheets.manifest import load_manifest


@pytest.fixture
def exam(tmp_path: Path, run) -> Path:
    words = (
        "--item",
        "masking.one-row",
        "--item",
        "order.steps",
        "--item",
        "averaging.which-row",
        "--seed",
        3,
    )
    run("sheet", *words, "--variants", 3, "--out", tmp_path / "exam")
    return tmp_path / "exam"


def test_a_folder_of_saved_answers_is_graded(exam: Path, tmp_path: Path, run_json) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for sheet in load_manifest(exam / "manifest.json").sheets[:2]:
        answers: dict = {}
        for label, index, part_id in sheet.labelled():
            part = sheet.problems[index].part(part_id)
            text = key_text(part, part.key)
            answers[label] = (
                [[str(x) for x in row] for row in json.loads(text)] if part.kind == "array" else text
            )
        data = {"code": sheet.code, "student": sheet.student, "answers": answers}
        (folder / f"answers-{sheet.code}.json").write_text(json.dumps(data), "utf-8")
    result = run_json("grade", exam / "manifest.json", folder, "--out", tmp_path / "marks")
    assert (tmp_path / "marks" / "gradebook.csv").read_text("utf-8").count("100") == 2
    assert result


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("A, C", "A, C"),
        ([["0.5", ""], ["1/3", None]], "[[0.5, _], [1/3, _]]"),
        ([1, 0.25], "[[1, 0.25]]"),
        (12, "12"),
        (None, ""),
    ],
)
def test_answers_become_what_would_be_typed(tmp_path: Path, answer, text: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"code": "2345A", "answers": {"1": answer}}]), "utf-8-sig")
    assert read_saved(path) == (["student", "code", "1"], [(1, ["", "2345A", text])])


@pytest.mark.parametrize(
    "content", ["{", "[1]", '{"answers": {}}', '{"code": "x", "answers": {"1": {"a": 1}}}', "\xff"]
)
def test_other_files_are_refused_by_name(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(InputError, match=r"a\.json holds no answers that a sheet saved"):
        read_saved(path)
    with pytest.raises(InputError, match=r"there is no \.json file in"):
        read_saved(tmp_path / "..")
