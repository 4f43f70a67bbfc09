"""Signs of life: whatever goes through many things shows how far it is while a person watches."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from quizengine.cli import progress as progress_command
from quizengine.cli import screen
from quizengine.cli.house import house

MANIFEST, ANSWERS, OUT = "exam/manifest.json", "answers.csv", "out"
ITEMS = ("--item", "masking.where", "--item", "masking.one-row")
LONG = {
    "sheet": ("sheet", "--variants", 3, *ITEMS, "--out", OUT),
    "verify": ("manifest", "verify", MANIFEST),
    "grade": ("grade", MANIFEST, ANSWERS, "--out", OUT),
    "feedback": ("marks", "feedback", MANIFEST, "--out", OUT),
    "gradebook": ("marks", "gradebook", MANIFEST, "--out", OUT),
    "report": ("marks", "report", MANIFEST, "--out", f"{OUT}.html"),
    "moodle": ("marks", "moodle", MANIFEST, "--out", OUT),
    "regrade": ("marks", "regrade", MANIFEST, "--why", "looked at again"),
    "read": ("marks", "read", MANIFEST),
    "override": ("marks", "override", MANIFEST, "s1", "1", "--credit", "1", "--why", "looked at again"),
    "export moodle": ("export", "moodle", *ITEMS, "--variants", 3, "--out", OUT),
    "export canvas": ("export", "canvas", *ITEMS, "--variants", 3, "--out", OUT),
    "export qti": ("export", "qti", *ITEMS, "--variants", 3, "--out", OUT),
    "export gift": ("export", "gift", *ITEMS, "--variants", 3, "--out", OUT),
    "export aiken": ("export", "aiken", *ITEMS, "--variants", 3, "--out", OUT),
    "export anki": ("export", "anki", *ITEMS, "--variants", 3, "--out", OUT),
    "bank check": ("bank", "check", "own.yaml"),
    "bank stats": ("bank", "stats", "--variants", 30),
}
QUIET = {
    name: words for name, words in LONG.items() if name.split()[0] in ("export", "bank", "regrade", "verify")
}


@pytest.fixture
def told(monkeypatch) -> list[int]:
    """How many things each bar is of."""
    counts: list[int] = []

    def progress(things, count, size=lambda _: 1):
        counts.append(count)
        return things

    monkeypatch.setattr(screen, "progress", progress)
    return counts


@pytest.fixture
def graded(run, tmp_path: Path, monkeypatch) -> None:
    """An exam of three students on record."""
    monkeypatch.chdir(tmp_path)
    Path("roster.csv").write_text("id,name\ns1,One\ns2,Two\ns3,Three\n")
    Path("answers.csv").write_text("student,1\ns1,A\ns2,B\ns3,C\n")
    run("bank", "new", "own", "single_choice")
    run("sheet", "--roster", "roster.csv", *ITEMS, "--out", "exam")
    run("grade", MANIFEST, ANSWERS, "--out", "marks")


def called(*words: object) -> None:
    """Also where a fault is found."""
    result = CliRunner().invoke(house, list(map(str, words)))
    assert result.exit_code in (0, 1), result.output


@pytest.mark.usefixtures("graded")
@pytest.mark.parametrize("name", LONG)
def test_a_bar_where_there_are_many_things(told: list[int], name: str) -> None:
    called(*LONG[name])
    assert told
    assert all(told)


@pytest.mark.usefixtures("graded")
@pytest.mark.parametrize("name", QUIET)
def test_no_bar_beside_json(told: list[int], name: str) -> None:
    called(*QUIET[name], "--json")
    assert told == []


def test_years_are_read_with_a_word(run, monkeypatch) -> None:
    monkeypatch.setattr(screen, "_watched", lambda: True)
    run("take", "--count", 1, "--seed", 1, input="A\n")
    for lang, word in (("en", "Reading 1 sessions …"), ("ja", "1 回分の記録を読み込んでいます…")):
        for words in (["progress"], ["progress", "map"]):
            assert word not in run(*words, "--lang", lang).stderr
            monkeypatch.setattr(progress_command, "LONG", 1)
            assert word in run(*words, "--lang", lang).stderr
            monkeypatch.setattr(progress_command, "LONG", 1000)


def test_a_large_file_is_read_with_a_word(run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(screen, "_watched", lambda: True)
    monkeypatch.chdir(tmp_path)
    Path("small.txt").write_text("Which one?\nA. this\nB. that\nANSWER: A\n")
    Path("large.txt").write_text(
        "\n".join("Which one?\nA. this\nB. that\nANSWER: A\n" for _ in range(14_000))
    )
    for lang, word in (("en", "Reading large.txt …"), ("ja", "large.txt を読み込んでいます…")):
        monkeypatch.setenv("QUIZENGINE_LANG", lang)
        said = run("bank", "import", "small.txt", "large.txt", "--out", f"{lang}.yaml").stderr
        assert said.count(word) == 1
        assert "small.txt" not in said
