"""What a class's report says besides misconceptions: how many showed what, and what is only possible."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from quizengine.sheets.manifest import load_manifest

DIVISOR = 2.7


@pytest.fixture
def folder(tmp_path: Path, run) -> Path:
    """Seven whose scores are divided by 2.7, two whose rows add up to more than 1, one who did nothing."""
    words = ("--item", "masking.one-row", "--variants", 10, "--seed", 5)
    run("sheet", *words, "--out", tmp_path / "exam")
    rows = [["code", "1a", "1b", "1c"]]
    for number, sheet in enumerate(load_manifest(tmp_path / "exam" / "manifest.json").sheets):
        [problem] = sheet.problems
        [key] = problem.part("weights").key
        root = problem.given["d_k"] ** 0.5
        powers = [(k / 1e9) ** (root / DIVISOR) for k in key]
        weights = [power / sum(powers) for power in powers]
        if number >= 7:
            weights = [k / 1e9 + 0.03 * place if k else 0 for place, k in enumerate(key, 1)]
        if number == 9:
            weights = [0.0] * len(key)
        rows.append([sheet.code, "", " ".join(f"{x:.5f}" for x in weights), ""])
    with (tmp_path / "answers.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return tmp_path


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ("7 students: a softmax of the scores divided by 2.7", "2 students: row sums that are not 1")),
        ("ja", ("7 名：スコアを 2.7 で割った softmax", "2 名：行の合計が 1 にならない重み")),
    ],
)
def test_the_class_is_told_what_several_did(folder: Path, run, lang: str, said: tuple[str, ...]) -> None:
    words = (folder / "exam" / "manifest.json", folder / "answers.csv", "--out", folder / "marks")
    log = run("grade", *words, "--lang", lang).stdout
    page = (folder / "marks" / "report.html").read_text("utf-8")
    assert all(line in page for line in said)
    assert said[0].split("：")[-1].split(": ")[-1] in log
    data = json.loads((folder / "marks" / "report.json").read_text("utf-8"))
    [divided] = [one for one in data["observations"] if one["id"] == "divided"]
    assert (divided["value"], len(divided["students"])) == (str(DIVISOR), 7)
    assert divided["where"] == [{"item": "masking.one-row", "part": "weights", "count": 7}]
    assert "scale-by-dk" not in {one["id"] for one in data["misconceptions"]}
