"""`bank import`: what it writes, what it says, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quizengine.errors import FaultyFile
from quizengine.items.bank import load

FILES = Path(__file__).parent.parent / "exchange/intake/files"
GOOD = "::a::x is so.{T}\n\n::a::y is so.{F}\n\n::b::why?{}\n"


@pytest.fixture
def gift(tmp_path: Path) -> Path:
    path = tmp_path / "My Quiz.gift"
    path.write_text(GOOD, "utf-8")
    return path


@pytest.mark.parametrize("name", ["quiz.xml", "quiz.gift", "quiz.aiken.txt", "canvas.xml"])
def test_what_is_written_and_what_is_left_to_do(run, tmp_path: Path, assert_golden, name: str) -> None:
    out = tmp_path / "masks.yaml"
    said = run("bank", "import", FILES / name, "--out", out, "--topic", "masks").stdout
    assert_golden(f"exchange/import-{name}.yaml", out.read_text("utf-8"))
    assert f"quizengine bank check {out}" in " ".join(said.split())
    faults = [fault for fault in json.loads(run("bank", "check", out, "--json", exit=1).stdout)["faults"]]
    assert {fault["code"] for fault in faults} == {"todo"}
    assert len(faults) == out.read_text("utf-8").count(" TODO") + out.read_text("utf-8").count("[TODO") - 1


def test_a_bank_with_todo_is_not_used(run, tmp_path: Path) -> None:
    out = tmp_path / "masks.yaml"
    run("bank", "import", FILES / "quiz.gift", "--out", out)
    with pytest.raises(FaultyFile, match="TODO: write the Japanese text"):
        load(out)
    assert "TODO: write" in run("take", "--bank", out, exit=3).stderr


def test_in_one_language_what_needs_no_more_is_ready(run, tmp_path: Path, gift: Path) -> None:
    out = tmp_path / "ready.yaml"
    run("bank", "import", gift, "--out", out, "--topic", "t")
    out.write_text(out.read_text("utf-8").replace("[en, ja]", "[en]"), "utf-8")
    bank = load(out)
    assert [item.id for item in bank] == ["t.a", "t.a-2"]
    assert bank.item("t.a").prompt["ja"] == "x is so."  # what stands under ja is no text


@pytest.mark.parametrize("title", ["$ 1 \\neq 0 $", "**a", "`b", "$x"])
def test_a_title_is_no_markup_in_what_is_told(run, tmp_path: Path, gift: Path, title: str) -> None:
    written = title.replace("\\", "\\\\")  # of which GIFT takes one away
    gift.write_text(f"{GOOD}\n::{written}::why?{{}}\n", "utf-8")
    said = run("bank", "import", gift, "--out", tmp_path / "a.yaml").stdout
    assert f"“{title}”" in " ".join(said.split())


def test_the_other_language_is_asked_for(run, tmp_path: Path, gift: Path) -> None:
    out = tmp_path / "ja.yaml"
    said = run("bank", "import", gift, "--out", out, "--lang", "ja").stdout
    assert "taken to be in Japanese" in said
    assert "{en: TODO, ja: 'x is so.'}" in out.read_text("utf-8")


def test_what_is_left_out_is_listed_with_its_place(run, run_json, tmp_path: Path, gift: Path) -> None:
    said = " ".join(run("bank", "import", gift, "--out", tmp_path / "a.yaml").stdout.split())
    assert f"{gift} (GIFT): 2 of 3 questions" in said
    assert f"{gift}:5 “b”: questions of the type essay are not taken in." in said
    made = run_json("bank", "import", gift, "--out", tmp_path / "b.yaml")
    assert made["items"] == 2
    assert [(one["line"], one["name"], one["code"]) for one in made["left"]] == [(5, "b", "kind")]


def test_it_is_said_in_japanese(run, tmp_path: Path, gift: Path, monkeypatch) -> None:
    monkeypatch.setenv("QUIZENGINE_LANG", "ja")
    said = "".join(run("bank", "import", gift, "--out", tmp_path / "a.yaml").stdout.split())
    assert "essay型の問題は取り込めません。" in said


def test_a_bank_that_is_there_is_kept(run, tmp_path: Path, gift: Path) -> None:
    out = tmp_path / "a.yaml"
    out.write_text("mine", "utf-8")
    assert "is there already" in run("bank", "import", gift, "--out", out, exit=2).stderr
    assert out.read_text("utf-8") == "mine"
    run("bank", "import", gift, "--out", out, "--force")
    run("bank", "import", gift, "--out", out, "--force")
    assert (tmp_path / "a.yaml.old-1").read_text("utf-8") == "mine"
    assert (tmp_path / "a.yaml.old-2").read_bytes() == out.read_bytes()


def test_the_topic_is_the_name_of_the_first_file(run, tmp_path: Path, gift: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("bank", "import", gift.name)
    assert "\ntopic: my-quiz\n" in (tmp_path / "my-quiz.yaml").read_text("utf-8")
    assert "small letters" in run("bank", "import", gift, "--topic", "No Topic", exit=2).stderr


def test_a_bad_file_among_several_keeps_none_of_the_others_out(
    run, run_json, tmp_path: Path, gift: Path
) -> None:
    bad, out = tmp_path / "bad.xml", tmp_path / "a.yaml"
    bad.write_text("<quiz>", "utf-8")
    result = run("bank", "import", bad, gift, FILES / "quiz.aiken.txt", "--out", out, "--topic", "t", exit=1)
    assert f"{bad}:1:7: not XML" in result.stderr
    text = out.read_text("utf-8")
    assert text.count("- id: ") == 4
    assert "bad.xml" not in text
    made = run_json("bank", "import", bad, gift, "--out", tmp_path / "b.yaml", exit=1)
    assert [str(bad) in one for one in made["unreadable"]] == [True]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("::b::why?{}\n", "no question of"),
        ("$CATEGORY: a/b\n", "no question of"),
        ("nothing", "is neither GIFT"),
    ],
)
def test_nothing_to_take_in_is_an_error_and_writes_nothing(run, tmp_path: Path, text: str, said: str) -> None:
    path, out = tmp_path / "q.gift", tmp_path / "a.yaml"
    path.write_text(text, "utf-8")
    assert said in run("bank", "import", path, "--out", out, exit=3).stderr
    assert not out.exists()


def test_a_file_that_is_not_there_or_a_folder_is_one_sentence(run, tmp_path: Path) -> None:
    assert "No such file" in run("bank", "import", tmp_path / "q.gift", exit=3).stderr
    assert "is a folder" in run("bank", "import", tmp_path, exit=3).stderr
