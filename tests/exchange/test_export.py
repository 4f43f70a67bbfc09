"""`export`: a folder with files to import, a manifest to grade by, and what is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quizengine.sheets.manifest import load_manifest
from tests.exchange.moodle_reader import read_moodle

BLUEPRINT = """\
format: 1
title: {en: Midterm, ja: 中間試験}
languages: [en, ja]
sections:
- items: [masking.where, masking.one-row]
- topic: [averaging]
  count: 2
"""


def test_an_export_says_its_size_and_what_is_lost(run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    told = run("export", "moodle", "--item", "masking.one-row", "--variants", 2, "--out", out).stdout
    said = " ".join(told.split())
    assert f"{out}/moodle.xml: 2 questions, 0." in said
    assert "Import each file once" in said
    assert "grade marks follow-through" in (out / "losses.txt").read_text("utf-8")
    assert "grade marks follow-through" in said
    manifest = load_manifest(out / "manifest.json")
    assert [who.student for who in manifest.who] == [who.code for who in manifest.who]
    assert {*manifest.files} == {"moodle.xml", "losses.txt"}


def test_both_languages_are_a_file_each_of_the_same_variants(run_json, tmp_path: Path) -> None:
    said = run_json(
        *("export", "moodle", "--item", "masking.where", "--lang", "both", "--variants", 2),
        *("--out", tmp_path / "out"),
    )
    en, ja = (read_moodle(Path(file["path"]).read_bytes()) for file in said["files"])
    assert [q.name for q in en] == [q.name for q in ja]
    assert [q.text for q in en] != [q.text for q in ja]


def test_a_blueprint_is_exported_as_it_is_drawn(run, tmp_path: Path) -> None:
    file = tmp_path / "midterm.yaml"
    file.write_text(BLUEPRINT, "utf-8")
    run("blueprint", "draw", file)
    drawn = (tmp_path / "midterm.drawn.yaml").read_text("utf-8")
    run("export", "moodle", file, "--variants", 2, "--out", tmp_path / "out", "--lang", "ja")
    sheet = load_manifest(tmp_path / "out" / "manifest.json").sheets[0]
    assert [p.item for p in sheet.problems] == [
        line.split()[2] for line in drawn.splitlines() if line.startswith("- item: ")
    ]
    assert (tmp_path / "midterm.drawn.yaml").read_text("utf-8") == drawn
    [first, *_] = read_moodle((tmp_path / "out" / "moodle.xml").read_bytes())
    assert first.category.startswith("top/中間試験 ")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        pytest.param([], "give either a blueprint or --item", id="nothing"),
        pytest.param(["--item", "no.such"], "no.such", id="unknown"),
        pytest.param(["--item", "masking.where", "--max-size", "0"], "--max-size", id="no-size"),
    ],
)
def test_what_cannot_be_exported_is_said(run, tmp_path: Path, words: list[str], sentence: str) -> None:
    result = run("export", "moodle", *words, "--out", tmp_path / "out", exit=2)
    assert sentence in result.stderr
    assert not (tmp_path / "out").exists()


def test_the_marks_of_an_export_are_those_of_its_class(run, tmp_path: Path) -> None:
    run("export", "moodle", "--item", "masking.where", "--out", tmp_path / "out")
    manifest = tmp_path / "out" / "manifest.json"
    result = run("marks", "moodle", manifest, "--out", tmp_path / "back.csv", exit=2)
    assert str(tmp_path / "out" / "class" / "manifest.json") in result.stderr
    assert (
        json.loads(run("marks", "history", manifest, "s01", "--json", exit=2).stdout)["error"]["code"]
        == "export"
    )
