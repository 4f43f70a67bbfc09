"""`bank stats`: guessers as a table in both languages, and classes by their reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ITEM = "masking.visible-cells"
ONE = {"item": ITEM, "part": "answer", "answers": 12, "facility": 0.75, "discrimination": 0.3}
OTHER = {"item": ITEM, "part": "answer", "answers": 4, "facility": 0.25, "discrimination": None}


@pytest.fixture
def reports(tmp_path: Path) -> list[str]:
    """Of two classes: 9 of 12 and 1 of 4 are right, and nobody took 13."""
    for name, one, choices in (
        ("a", ONE, {"10": 9, "8": 2, "6": 1}),
        ("b", OTHER, {"10 個": 1, "8 個": 3}),
    ):
        entry = one | {"choices": choices, "right": [next(iter(choices))]}
        (tmp_path / f"{name}.json").write_text(json.dumps({"items": [entry]}), "utf-8")
    return [word for name in "ab" for word in ("--from", str(tmp_path / f"{name}.json"))]


def test_classes_for_a_program(run_json, reports: list[str]) -> None:
    found = run_json("bank", "stats", *reports)
    assert found["classes"] == 2
    [one] = found["statistics"]
    assert (one["item"], one["answers"], one["facility"]) == (ITEM, 16, 10 / 16)
    assert one["choices"] == {"10": 10, "8": 5, "6": 1}
    assert (one["untaken"], one["remarks"]) == (["13"], ["untaken"])


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ["author should look at: 1.", "replace what tempts nobody", "0.62", "  10  10 (right)"]),
        ("ja", ["作問者が見直したい問題：1 問。", "別の選択肢に替えてください", "0.62", "  10  10（正答）"]),
    ],
)  # fmt: skip
def test_classes_for_an_author(run, reports: list[str], lang: str, words: list[str]) -> None:
    said = run("bank", "stats", *reports, "--lang", lang).stdout
    assert [word for word in [*words, "quizbank/masking.yaml:"] if word not in said] == []


def test_a_file_that_is_no_report(run, tmp_path: Path) -> None:
    assert "nowhere.json" in run("bank", "stats", "--from", tmp_path / "nowhere.json", exit=3).stderr
    (tmp_path / "r.json").write_text("{", "utf-8")
    assert "r.json:1:2: not JSON" in run("bank", "stats", "--from", tmp_path / "r.json", exit=3).stderr


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ["strategy", "always false", "chance", "true_false"]),
        ("ja", ["答え方", "つねに「誤り」", "偶然"]),
    ],
)
def test_guessers_for_an_author(run, tmp_path: Path, lang: str, words: list[str]) -> None:
    (tmp_path / "t.yaml").write_text(
        "format: 1\ntopic: t\nlanguages: [en]\nitems:\n- id: a\n  type: true_false\n"
        "  prompt: {en: Is it so?}\n  right: true\n"
    )
    call = ("bank", "stats", "--bank", tmp_path / "t.yaml", "--lang", lang)
    said = run(*call).stdout
    assert [word for word in words if word not in said] == []


def test_guessers_for_a_program(run_json, tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(
        "format: 1\ntopic: t\nlanguages: [en]\nitems:\n- id: a\n  type: true_false\n"
        "  prompt: {en: Is it so?}\n  right: true\n"
    )
    found = run_json("bank", "stats", "--bank", tmp_path / "t.yaml")["strategies"]
    assert found == [
        {"type": "true_false", "name": "false", "share": 0.0, "chance": 0.5, "items": 1},
        {"type": "true_false", "name": "true", "share": 1.0, "chance": 0.5, "items": 1},
    ]
