"""No name stops a class: our fonts, then the system's, then id and code without the name."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from quizengine.errors import InputError
from quizengine.items.policy import Policy
from quizengine.lang.text import Text
from quizengine.sheets.manifest import Manifest, Who, load_manifest
from quizengine.sheets.paper import breakable
from quizengine.sheets.plan import Heading
from quizengine.sheets.unset import check_printable, unset_in

OURS = {
    "latin": "Zoë Müller-Øster",
    "kanji": "学習者 二",
    "arabic": "أحمد المتعلم",
    "hebrew": "לומד ראשון",
    "greek": "Μαθητής Πρώτος",
    "cyrillic": "Ученик Первый",
    "armenian": "Աշակերտ Մեկ",
    "georgian": "მოსწავლე ერთი",
    "vietnamese": "Nguyễn Thị Học",
}
THEIRS = {
    "hanzi": "李小龙",
    "hangul": "김민준",
    "thai": "สมชาย",
    "bengali": "শিক্ষার্থী",
    "tamil": "மாணவர்",
    "ethiopic": "ተማሪ",
    "rare-kanji": "𠮷野 学",
}
needs_poppler = pytest.mark.skipif(not shutil.which("pdftotext"), reason="poppler-utils is not installed")


@pytest.fixture
def roster(tmp_path: Path) -> Path:
    path = tmp_path / "roster.csv"
    lines = [f"{id_},{name}" for id_, name in {**OURS, **THEIRS}.items()]
    path.write_text("\n".join(["id,name", *lines, ""]), "utf-8")
    return path


def call_for(roster: Path, out: Path) -> tuple[object, ...]:
    return ("sheet", "--item", "masking.where", "--roster", roster, "--format", "pdf", "--out", out)


def text_of(path: Path) -> str:
    done = subprocess.run(["pdftotext", str(path), "-"], capture_output=True, text=True, check=True)
    return done.stdout


@needs_poppler
def test_names_that_no_font_has_are_left_out_and_said(run, roster: Path, tmp_path: Path, fonts) -> None:
    fonts("")
    done = run(*call_for(roster, tmp_path / "exam"))
    manifest = load_manifest(tmp_path / "exam" / "manifest.json")
    assert [who.name for who in manifest.who] == [*OURS.values(), *THEIRS.values()]
    for code, id_, name, *_ in manifest.who:
        printed = text_of(tmp_path / "exam" / "sheets" / f"{code}.pdf")
        assert printed.count(code) >= 2
        assert printed.count(id_) >= 2
        assert (f"{name} ({id_}, {code})" in done.stderr) == (id_ in THEIRS)
        if id_ in ("latin", "kanji", "greek", "cyrillic"):
            assert name in printed
        if id_ in THEIRS:
            assert not set(printed) & (set(name) - set("学野 "))
    assert "quizengine manifest reprint" in done.stderr
    printed = map(text_of, sorted((tmp_path / "exam").glob("print*.pdf")))
    assert "".join(printed).count("latin") >= 2


def test_what_the_system_has_is_printed_and_nothing_is_said(run, roster: Path, tmp_path: Path, fonts) -> None:
    asked = fonts("".join({sign for name in THEIRS.values() for sign in name} - {" "}))
    assert run(*call_for(roster, tmp_path / "exam")).stderr == ""
    assert asked.count(False) > asked.count(True) > 0


def test_with_the_fonts_that_are_here_a_class_is_printed(run, roster: Path, tmp_path: Path) -> None:
    run(*call_for(roster, tmp_path / "exam"))
    assert len(list((tmp_path / "exam" / "sheets").iterdir())) == len(OURS) + len(THEIRS)


def test_what_is_left_out_is_in_the_json(run_json, roster: Path, tmp_path: Path, fonts) -> None:
    fonts("")
    out = run_json(*call_for(roster, tmp_path / "exam"))
    assert {who["student"]: who["name"] for who in out["unset"]} == THEIRS
    assert set(out["unset"][0]) == {"code", "student", "name"}


def test_a_reprint_says_the_same(run, roster: Path, tmp_path: Path, fonts) -> None:
    fonts("")
    run(*call_for(roster, tmp_path / "exam"))
    path = tmp_path / "exam" / "manifest.json"
    for who in load_manifest(path).who[-8:-5]:
        done = run("manifest", "reprint", path, who.code, "--out", tmp_path)
        again = (tmp_path / f"{who.code}.pdf").read_bytes()
        assert again == (tmp_path / "exam" / "sheets" / f"{who.code}.pdf").read_bytes()
        assert (who.name in done.stderr) == (who.student in THEIRS)
    assert "As it was made" in run("manifest", "verify", path).stdout


@pytest.mark.parametrize(
    ("who", "left"),
    [
        (Who("A", "s1", "Learner"), None),
        (Who("A", "s1", "김"), Who("A", "s1", "")),
        (Who("A", "김", "Learner"), Who("A", "", "Learner")),
        (Who("A", "김", "김"), Who("A", "", "")),
        (Who("A", "s1", "\ue000"), Who("A", "s1", "")),
        (Who("A", "s1", ""), None),
    ],
    ids=["all", "name", "id", "both", "private-use", "nameless"],
)
def test_of_name_and_id_what_can_be_set_stays(fonts, who: Who, left: Who | None) -> None:
    fonts("")
    manifest = Manifest("", Policy(), (), {}, heading=Heading())
    others = [Who(str(n), f"s{n}", f"Learner {n}") for n in range(37)]
    assert unset_in(manifest, [*others, who, *others]) == ({"A": left} if left else {})
    assert unset_in(manifest, []) == {}


def test_a_heading_that_no_font_has_is_an_error_still(fonts) -> None:
    fonts("")
    heading = Heading(title=Text("김"))
    with pytest.raises(InputError, match="title, course, date or instructions cannot be printed as PDF"):
        check_printable(Manifest("", Policy(), (), {}, heading=heading))
    fonts("김")
    check_printable(Manifest("", Policy(), (), {}, heading=heading))


@pytest.mark.parametrize(
    ("name", "asked"),
    [("Learner", [False]), ("学習者", [False]), ("김", [False, True]), ("शिक्षार्थी", [True])],
    ids=["latin", "kanji", "hangul", "devanagari"],
)
def test_ours_come_first_where_they_can_set_it(fonts, name: str, asked: list[bool]) -> None:
    """The letters of Devanagari are in a font of formulae, which cannot join them."""
    found = fonts("김")
    manifest = Manifest("", Policy(), (), {}, heading=Heading())
    assert unset_in(manifest, [Who("A", "s1", name)]) == {}
    assert found == asked


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("a" * 24, ["a" * 24]),
        ("a" * 25, ["a" * 24, "a"]),
        ("a" * 24 + " b", ["a" * 24 + " b"]),
        ("a" * 49, ["a" * 24, "a" * 24, "a"]),
        ("ก" * 24 + "ำ" + "\u0e34" + "ก", ["ก" * 24, "ำ\u0e34ก"]),
        ("ก" * 24 + "\u0e34\u0e49" + "ก", ["ก" * 24 + "\u0e34\u0e49", "ก"]),
        ("👩" * 24 + "\u200d👩👩", ["👩" * 24 + "\u200d👩", "👩"]),
    ],
)
def test_a_long_word_breaks_between_letters(name: str, pieces: list[str]) -> None:
    assert breakable(name).split("\u200b") == pieces


def test_the_notes_are_written_in_both_languages(run, roster: Path, tmp_path: Path, fonts) -> None:
    fonts("")
    said = run(*call_for(roster, tmp_path / "exam"), "--lang", "ja").stderr
    assert "用紙コード" in said
    assert "김민준 (hangul, " in said


def test_many_names_of_few_letters_are_few_pages(fonts) -> None:
    asked = fonts("")
    manifest = Manifest("", Policy(), (), {}, heading=Heading())
    who = [Who(str(n), f"s{n}", "김민준"[n % 3] * (1 + n // 3)) for n in range(60)]
    assert len(unset_in(manifest, [*who, Who("A", "s60", "学習者")])) == 60
    assert len(asked) < 30
