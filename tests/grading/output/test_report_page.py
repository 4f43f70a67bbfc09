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


GROUPS = "id,name,group\ns01,a,Lab 9\ns02,b,Lab 10\ns03,c,Lab 9\ns04,d,\n"


@pytest.fixture
def labs(tmp_path: Path, run, sheets_for) -> Path:
    """Two groups and one of none; s01 and s02 are right, s03 gives a misconception, s04 nothing."""
    manifest = sheets_for(GROUPS, "masking.where")
    rows = [["student", "1"]]
    for sheet in load_manifest(manifest).sheets:
        [problem] = sheet.problems
        [part] = problem.parts
        rival = next(iter(problem.rivals[0].values.values()))
        rows.append([sheet.student, {"s03": rival, "s04": ""}.get(sheet.student, part.key)])
    with (tmp_path / "answers.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return tmp_path


@pytest.mark.parametrize(
    ("lang", "logged", "shown"),
    [
        (
            "en",
            "Lab 9 (2): mean 50 %, lowest 0 %, highest 100 %",
            ("Lab 9", "(no group)", "Commonest mistakes"),
        ),
        ("ja", "Lab 9（2 人）：平均 50 %、最低 0 %、最高 100 %", ("Lab 9", "（グループなし）", "多い誤り")),
    ],
)
def test_every_group_has_its_line(labs: Path, run, lang: str, logged: str, shown: tuple[str, ...]) -> None:
    words = (labs / "exam" / "manifest.json", labs / "answers.csv", "--out", labs / "marks", "--lang", lang)
    assert logged in run("grade", *words).stdout
    page = (labs / "marks" / "report.html").read_text("utf-8")
    assert all(word in page for word in shown)
    assert page.index("Lab 9") < page.index("Lab 10") < page.index(shown[1])


def test_groups_are_told_to_a_program(labs: Path, run) -> None:
    run("grade", labs / "exam" / "manifest.json", labs / "answers.csv", "--out", labs / "marks", "--jobs", 2)
    data = json.loads((labs / "marks" / "report.json").read_text("utf-8"))
    found = {one["group"]: one for one in data["groups"]}
    assert [one["students"] for one in data["groups"]] == [2, 1, 1]
    assert {name: one["mean"] for name, one in found.items()} == {"Lab 10": 100, "Lab 9": 50, "": 0}
    assert found["Lab 9"]["labels"] == {"1": {"credit": 1, "points": 2, "percent": 50}}
    assert [one["students"] for one in found["Lab 9"]["misconceptions"]] == [1]
    assert found["Lab 10"]["misconceptions"] == []


def test_a_class_without_groups_has_no_table_of_them(folder: Path, run) -> None:
    run("grade", folder / "exam" / "manifest.json", folder / "answers.csv", "--out", folder / "marks")
    assert json.loads((folder / "marks" / "report.json").read_text("utf-8"))["groups"] == []
    assert "Groups:" not in (folder / "marks" / "report.html").read_text("utf-8")
