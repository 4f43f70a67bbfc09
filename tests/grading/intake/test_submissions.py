"""What HTML sheets save, graded as it is handed in."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from quizengine.errors import InputError
from quizengine.grading.intake.submissions import read_submissions
from quizengine.problems.part import key_text
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
        (True, "true"),
        (12, "12"),
        (None, ""),
    ],
)
def test_answers_become_what_would_be_typed(tmp_path: Path, answer, text: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"code": "2345A", "answers": {"1": answer}}]), "utf-8-sig")
    assert read_submissions(path)[:2] == (["student", "code", "(owner)", "1"], [(1, ["", "2345A", "", text])])


@pytest.mark.parametrize(
    "content", ["{", "[1]", '{"code": "x"}', '{"code": "x", "answers": {"1": {"a": 1}}}', "\xff"]
)
def test_other_files_are_refused_by_name(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(InputError, match=r"a\.json holds no answers that a sheet saved"):
        read_submissions(path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"there is no file with answers in"):
        read_submissions(tmp_path / "empty")


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
    header, rows, _, listed, *_ = read_submissions(path)
    assert header == ["student", "code", "(owner)", "1"]
    assert [cells[0] for _, cells in rows] == ["s3", "s1", "s2"]
    assert [note.who for note in listed] == ["bomb.json", "notes/readme.txt"]
    assert [p.name for p in tmp_path.iterdir()] == ["in.zip"]


def test_a_folder_of_submissions_with_folders_of_students(tmp_path: Path) -> None:
    for student in ("s1", "s2"):
        (tmp_path / "in" / student).mkdir(parents=True)
        (tmp_path / "in" / student / "answers.json").write_text(GOOD.replace("s1", student), "utf-8")
    (tmp_path / "in" / "s2" / "photo.png").write_bytes(b"\x89PNG")
    _, rows, _, listed, *_ = read_submissions(tmp_path / "in")
    assert [cells[0] for _, cells in rows] == ["s1", "s2"]
    assert [note.who for note in listed] == ["s2/photo.png"]


@pytest.mark.parametrize("content", [b"PK nonsense", b""])
def test_what_is_no_zip_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(InputError, match=r"a\.zip is no zip that can be read"):
        read_submissions(tmp_path / "a.zip")


def test_what_is_skipped_is_listed(exam: Path, tmp_path: Path, run) -> None:
    sheet = load_manifest(exam / "manifest.json").sheets[0]
    good = json.dumps({"code": sheet.code, "student": sheet.student, "answers": {"1a": "1"}})
    path = zipped(tmp_path / "in.zip", {"x/answers.json": good, "y/readme.txt": "hello"})
    said = run("grade", exam / "manifest.json", path, "--out", tmp_path / "marks").stdout
    assert "Rows read: 2; graded: 1; not graded: 1." in said
    assert "in.zip/y/readme.txt: y/readme.txt: holds no answers that a sheet saved" in said


YAML = """\
code: 2345A
student: s1
answers:
  1: [[0.50, 1e-3], [no, ]]
  2: B
  3: 007
  4: true
"""


def test_yaml_keeps_what_was_typed(tmp_path: Path) -> None:
    """Decimals are counted on the text, and no word becomes something else."""
    (tmp_path / "a.yaml").write_text(YAML, "utf-8")
    header, rows, *_ = read_submissions(tmp_path / "a.yaml")
    assert header[3:] == ["1", "2", "3", "4"]
    assert rows == [(1, ["s1", "2345A", "", "[[0.50, 1e-3], [no]]", "B", "007", "true"])]
    (tmp_path / "a.json").write_text('{"code": "2345A", "answers": {"1": 0.50, "2": 1E2, "3": NaN}}', "utf-8")
    assert read_submissions(tmp_path / "a.json").rows == [(1, ["", "2345A", "", "0.50", "1E2", "NaN"])]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("answers: {1: *a}", r"a\.yaml:1:14: alias \*a"),
        ("answers: {1: A, 1: B}", r"a\.yaml:1:17: “1” stands twice"),
        ("answers: {1: {a: b}}", "valid string"),
        ("just words", "valid"),
    ],
)
def test_yaml_that_is_in_doubt_is_refused(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "a.yaml").write_text(text, "utf-8")
    with pytest.raises(InputError, match=why):
        read_submissions(tmp_path / "a.yaml")


ROSTER = "id,name\nk1,One Learner\nk2,Two Learner\n4711,Three Learner\nk4,Same Name\nk5,Same Name\n"


def test_the_folder_says_whose_it_is(tmp_path: Path, run, sheets_for) -> None:
    """Where the file does not: by a name that only one student has, or by an id."""
    manifest = sheets_for(ROSTER, "masking.where")
    sheets = {sheet.student: sheet for sheet in load_manifest(manifest).sheets}
    answer = {
        student: json.dumps({"answers": {"1": s.problems[0].parts[0].key}}) for student, s in sheets.items()
    }
    other = json.dumps({"code": sheets["k2"].code, "answers": {"1": "A"}})
    path = zipped(
        tmp_path / "in.zip",
        {
            "One Learner_17_assignsubmission_file/a.json": answer["k1"],
            "learnerthree_LATE_4711_99_a.yaml": answer["4711"],
            "Same Name_18_assignsubmission_file/a.json": answer["k4"],
            "Participant_19_assignsubmission_file/a.json": answer["k5"],
            "Three Learner_20_assignsubmission_file/b.json": other,
        },
    )
    said = run(
        "grade", tmp_path / "exam" / "manifest.json", path, "--no-html", "--out", tmp_path / "m"
    ).stdout
    assert "Rows read: 5; graded: 2; not graded: 3." in said
    assert "k1: the file names no student; taken from where it lay, “One Learner (17)”" in said
    assert "4711: the file names no student; taken from where it lay, “learnerthree #4711”" in said
    assert "Same Name (18): 2 students have this name" in said
    assert "Participant (19): neither a student nor a code, and nobody in this exam is called that" in said
    assert (
        f"k2: sheet {sheets['k2'].code} was handed in by Three Learner (20), who has a sheet of their own"
        in said
    )
    book = (tmp_path / "m" / "gradebook.csv").read_text("utf-8")
    assert f"k1,{sheets['k1'].code},1,1,100,1" in book
    assert f"4711,{sheets['4711'].code},1,1,100,1" in book
