"""Rosters, codes, manifests, sheets: nothing written half, nothing given away."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizengine.errors import FaultyFile, InputError
from quizengine.sheets.manifest import load_manifest
from quizengine.sheets.md import sheet_text
from quizengine.sheets.roster import load_roster
from quizengine.sheets.sheet_code import ALPHABET, code_of, is_code

ROSTER = "id,name\ns01,Learner One\ns02,Learner Two\ns03,Learner Three\n"


def roster(tmp_path: Path, content: str | bytes) -> Path:
    path = tmp_path / "roster.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    "content",
    [
        ROSTER,
        "\ufeff" + ROSTER,
        ROSTER.replace(",", ";"),
        ROSTER.replace(",", "\t"),
        ROSTER.replace("\n", "\r\n"),
        ROSTER.replace("id,name", "ID, Name "),
        ROSTER.encode("utf-16"),
        ROSTER + "\n,\n",
    ],
    ids=["plain", "bom", "semicolon", "tab", "crlf", "header", "utf16", "blank-lines"],
)
def test_rosters_read(tmp_path: Path, content) -> None:
    assert [s.id for s in load_roster(roster(tmp_path, content)).students] == ["s01", "s02", "s03"]


def test_japanese_rosters_in_cp932_are_read(tmp_path: Path) -> None:
    path = roster(tmp_path, "id,name\ns01,学習者一\n".encode("cp932"))
    assert load_roster(path).students[0].name == "学習者一"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("name\nx\n", ":1:1: the column “id” is missing; the header has: name"),
        ("id\ns01\n", ":1:1: the column “name” is missing"),
        ("id,name\ns01,a\ns02,b\ns01,c\n,d\n", ":4:1: the id “s01” stands twice (first on line 2)"),
        ("id,name\ns01,a\n,d\n", ":3:1: the id is empty"),
        ("id,name\ns01,a,b\n", ":2:1: 3 cells under 2 headers"),
        ("id,name\n", ":1:1: there is nobody in the roster"),
        ("id,name,id\na,b,c\n", ":1:1: the column “id” stands twice"),
        ("id,name\ns\x1b01,a\n", ":2:1: the id 's\\x1b01' holds a sign that cannot be printed"),
    ],
)
def test_rosters_refused_with_lines(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(FaultyFile) as caught:
        load_roster(roster(tmp_path, content))
    assert message in caught.value.message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("id,name\nFrançois,b\nBjörk,c\n".encode("cp1252"), "neither UTF-8, UTF-16 nor cp932"),
        (b"PK\x03\x04 a spreadsheet", "is a zip, not a table"),
        (b'id,name\ns01,"Ann\ns02,Bob\n', ":2: a quote is opened and never closed"),
    ],
)
def test_files_that_are_no_rosters(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_roster(roster(tmp_path, content))


def test_an_empty_or_missing_roster_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is empty"):
        load_roster(roster(tmp_path, ""))
    with pytest.raises(InputError, match="No such file"):
        load_roster(tmp_path / "none.csv")


@given(st.integers(0, 10**6), st.data())
def test_a_mistyped_code_is_noticed(number: int, data) -> None:
    code = code_of(b"secret", str(number), {})
    assert is_code(code)
    at = data.draw(st.integers(0, 4))
    other = data.draw(st.sampled_from([c for c in ALPHABET if c != code[at]]))
    assert not is_code(code[:at] + other + code[at + 1 :])
    at = data.draw(st.integers(0, 3))
    swapped = code[:at] + code[at + 1] + code[at] + code[at + 2 :]
    assert swapped == code or not is_code(swapped)


def test_codes_are_unlike_those_taken() -> None:
    code = code_of(b"secret", "s01", {})
    assert code_of(b"secret", "s01", {code: None}) != code


@pytest.fixture
def exam(tmp_path: Path, run) -> Path:
    out = tmp_path / "exam"
    run("sheet", "--roster", roster(tmp_path, ROSTER), "--count", 6, "--seed", 7, "--out", out)
    return out


def test_what_is_written(exam: Path) -> None:
    manifest = load_manifest(exam / "manifest.json")
    assert {p.stem for p in (exam / "sheets").iterdir()} == {sheet.code for sheet in manifest.sheets}
    assert [sheet.student for sheet in manifest.sheets] == ["s01", "s02", "s03"]
    assert all(is_code(sheet.code) for sheet in manifest.sheets)
    [same] = {tuple(p.item for p in sheet.problems) for sheet in manifest.sheets}
    numbers = [p.given for sheet in manifest.sheets for p in sheet.problems if p.given]
    assert len(numbers) >= 3
    assert len({json.dumps(given) for given in numbers}) == len(numbers)
    assert len(same) == 6


def test_the_same_seed_makes_the_same_sheets(exam: Path, tmp_path: Path, run) -> None:
    again = tmp_path / "again"
    run("sheet", "--roster", tmp_path / "roster.csv", "--count", 6, "--seed", 7, "--out", again)
    for path in exam.rglob("*.*"):
        assert path.read_bytes() == (again / path.relative_to(exam)).read_bytes()


def test_without_a_seed_the_secret_is_new(tmp_path: Path, run) -> None:
    for name in ("one", "two"):
        run("sheet", "--variants", 2, "--count", 2, "--out", tmp_path / name)
    first, second = (load_manifest(tmp_path / name / "manifest.json") for name in ("one", "two"))
    assert first.secret != second.secret
    assert len(first.secret) == 64


def test_no_sheet_contains_an_answer(exam: Path) -> None:
    """A sheet is the same whatever the keys, the rivals and the worked solutions are."""
    manifest = load_manifest(exam / "manifest.json")
    for sheet in manifest.sheets:
        text = (exam / "sheets" / f"{sheet.code}.md").read_text("utf-8")
        blank = [
            problem._replace(
                parts=tuple(
                    part._replace(**dict.fromkeys({"key", "free", "also", "ideas"} & set(part._fields), ()))
                    for part in problem.parts
                ),
                rivals=(),
                worked=(),
                hints=(),
            )
            for problem in sheet.problems
        ]
        assert sheet_text(manifest, replace(sheet, problems=tuple(blank)), "en") == text


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path, run) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("keep")
    result = run("sheet", "--variants", 1, "--count", 1, "--out", tmp_path / "full", exit=3)
    assert "is not an empty folder" in result.stderr
    assert [p.name for p in (tmp_path / "full").iterdir()] == ["mine.txt"]


def test_the_folder_at_hand_may_be_named(tmp_path: Path, run, monkeypatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert "manifest.json" in run("sheet", "--variants", 1, "--count", 1, "--out", ".").stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--item", "masking.where", "--count", 2, "--variants", 1), "give either --item or --count"),
        ((), "give either --roster FILE or --variants N"),
        (("--variants", 2, "--topic", "masking", "--count", 99), "99 items are asked, and "),
        (("--variants", 2, "--topic", "maskin"), "there is no topic “maskin”; did you mean masking?"),
    ],
)
def test_impossible_sheets_say_what_is_missing(tmp_path: Path, run, words, message: str) -> None:
    assert message in run("sheet", *words, "--out", tmp_path / "x", exit=2).stderr
    assert not (tmp_path / "x").exists()


def test_a_faulty_roster_writes_nothing(tmp_path: Path, run) -> None:
    path = roster(tmp_path, "id,name\ns01,a\ns01,b\n")
    assert (
        ":3:1: the id “s01” stands twice"
        in run("sheet", "--roster", path, "--out", tmp_path / "x", exit=3).stderr
    )
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not a manifest"),
        ("[]", "format no is not one this engine reads"),
        ('{"format": 9}', "format 9 is not one this engine reads"),
        ('{"format": 1}', "is not a whole manifest"),
    ],
)
def test_manifests_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "m.json").write_text(text)
    with pytest.raises(InputError, match=message):
        load_manifest(tmp_path / "m.json")


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "whoever guesses this seed"), ("ja", "シード値を言い当てた人")]
)
def test_a_seed_is_warned_of_at_every_use(tmp_path: Path, run, lang: str, said: str) -> None:
    for n in range(2):
        words = ("--variants", 2, "--item", "masking.where", "--out", tmp_path / f"{n}", "--lang", lang)
        assert said in run("sheet", *words, "--seed", 20301130).stderr
        assert said in run("sheet", *words, "--seed", 20301130, "--force", "--json").stderr
    assert run("sheet", *words, "--force").stderr == ""
