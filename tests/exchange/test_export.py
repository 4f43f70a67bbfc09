"""`export`: a folder with files to import, a manifest to grade by, and what is lost."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from quizengine.sheets.manifest import load_manifest
from tests.exchange.canvas_reader import unpacked
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


@pytest.mark.parametrize(("kind", "platform"), [("canvas", "Canvas"), ("qti", "QTI")])
def test_a_package_comes_with_a_manifest_and_what_is_lost(
    run, tmp_path: Path, kind: str, platform: str
) -> None:
    out = tmp_path / "out"
    items = ("--item", "masking.one-row", "--item", "masking.where")
    told = run("export", kind, *items, "--variants", 2, "--out", out).stdout
    said = " ".join(told.split())
    assert f"{out}/{kind}.zip: 4 questions, 0." in said
    assert f"What {platform} cannot carry" in said
    assert "masking.one-row: hints are left out." in said
    assert "masking.where" not in (out / "losses.txt").read_text("utf-8")
    manifest = load_manifest(out / "manifest.json")
    assert {*manifest.files} == {f"{kind}.zip", "losses.txt"}
    assert len(manifest.sheets) == 2


@pytest.mark.parametrize("kind", ["canvas", "qti"])
def test_a_package_a_language_holds_the_same_variants(run_json, tmp_path: Path, kind: str) -> None:
    call = ("export", kind, "--item", "masking.where", "--lang", "both", "--seed", 7)
    said = run_json(*call, "--out", tmp_path / "out")
    assert [Path(file["path"]).name for file in said["files"]] == [f"{kind}.en.zip", f"{kind}.ja.zip"]
    texts = [
        "".join(content.decode() for content in unpacked(Path(file["path"]).read_bytes()).values())
        for file in said["files"]
    ]
    assert "It removes the hidden tokens" in texts[0]
    assert "隠すトークンを入力から取り除く" in texts[1]
    codes = [re.findall(r"\[[A-Z0-9]{5}-1\]", text) for text in texts]
    assert codes[0] == codes[1] != []


def test_what_a_package_leaves_out_is_said_and_an_empty_one_is_refused(run, run_json, tmp_path: Path) -> None:
    lost = ("--item", "head.padded-batch")
    result = run("export", "canvas", *lost, "--out", tmp_path / "none", exit=2)
    assert "nothing can be carried; head.padded-batch: left out: it has several parts" in result.stderr
    assert not (tmp_path / "none").exists()
    said = run_json("export", "canvas", *lost, "--item", "masking.where", "--out", tmp_path / "some")
    assert [file["questions"] for file in said["files"]] == [1]
    assert [(loss["item"], loss["code"]) for loss in said["losses"]] == [("head.padded-batch", "several")]


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
