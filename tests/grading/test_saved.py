"""What HTML sheets save, graded as it is handed in."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

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
    assert read_saved(path)[:2] == (["student", "code", "1"], [(1, ["", "2345A", text])])


@pytest.mark.parametrize(
    "content", ["{", "[1]", '{"answers": {}}', '{"code": "x", "answers": {"1": {"a": 1}}}', "\xff"]
)
def test_other_files_are_refused_by_name(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(InputError, match=r"a\.json holds no answers that a sheet saved"):
        read_saved(path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"there is no file with answers in"):
        read_saved(tmp_path / "empty")


GOOD = json.dumps({"code": "2345A", "student": "s1", "answers": {"1": "A"}})


def zipped(path: Path, members: dict[str, str]) -> Path:
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_a_zip_of_submissions_is_read_where_it_lies(tmp_path: Path) -> None:
    """As Moodle and Canvas give it out, with what a machine or a rogue adds to it."""
    path = zipped(
        tmp_path / "in.zip",
        {
            "Learner One_1234_assignsubmission_file/answers-2345A.json": GOOD,
            "learnertwo_99_answers.json": GOOD.replace("s1", "s2"),
            "../../escape.json": GOOD.replace("s1", "s3"),
            "notes/readme.txt": "hello",
            "bomb.json": " " * 5_000_000,
            "__MACOSX/x.json": GOOD,
            "a/.DS_Store": "x",
        },
    )
    header, rows, skipped = read_saved(path)
    assert header == ["student", "code", "1"]
    assert [cells[0] for _, cells in rows] == ["s3", "s1", "s2"]
    assert [name for _, name in skipped] == ["bomb.json", "notes/readme.txt"]
    assert [p.name for p in tmp_path.iterdir()] == ["in.zip"]


def test_a_folder_of_submissions_with_folders_of_students(tmp_path: Path) -> None:
    for student in ("s1", "s2"):
        (tmp_path / "in" / student).mkdir(parents=True)
        (tmp_path / "in" / student / "answers.json").write_text(GOOD.replace("s1", student), "utf-8")
    (tmp_path / "in" / "s2" / "photo.png").write_bytes(b"\x89PNG")
    _, rows, skipped = read_saved(tmp_path / "in")
    assert [cells[0] for _, cells in rows] == ["s1", "s2"]
    assert [name for _, name in skipped] == ["s2/photo.png"]


@pytest.mark.parametrize("content", [b"PK nonsense", b""])
def test_what_is_no_zip_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(InputError, match=r"a\.zip is no zip that can be read"):
        read_saved(tmp_path / "a.zip")


def test_what_is_skipped_is_listed(exam: Path, tmp_path: Path, run) -> None:
    sheet = load_manifest(exam / "manifest.json").sheets[0]
    good = json.dumps({"code": sheet.code, "student": sheet.student, "answers": {"1a": "1"}})
    path = zipped(tmp_path / "in.zip", {"x/answers.json": good, "y/readme.txt": "hello"})
    said = run("grade", exam / "manifest.json", path, "--out", tmp_path / "marks").stdout
    assert "Rows read: 2; graded: 1; listed below: 1." in said
    assert "in.zip:2: y/readme.txt: holds no answers that a sheet saved" in said
