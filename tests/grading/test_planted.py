"""A class with planted misconceptions: every one is found with its exact students, and the numbers are
those that NumPy computes."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

from quizengine.problems.dice import Dice
from quizengine.sheets.manifest import load_manifest

CLASS = 48
ITEMS = ("masking.one-row", "head.from-input", "masking.where", "complexity.cache", "scaling.scaled-weights")
PLANTED = {
    "masking.one-row": ("mask-ignored", "scale-forgotten", "softmax-columns"),
    "head.from-input": ("scale-forgotten", "mask-ignored"),
    "masking.where": ("mask-after-softmax", "mask-on-values"),
    "complexity.cache": ("cache-one-layer",),
}


@pytest.fixture(scope="module")
def planted(tmp_path_factory, bank, written):
    """The exam, the answers as CSV, and who was given which misconception where: the truth, made before
    anything is graded."""
    from quizengine.sheets.compose import compose
    from quizengine.sheets.lineup import drawn
    from quizengine.sheets.plan import Blueprint, Heading, Section
    from quizengine.sheets.roster import Student

    folder = tmp_path_factory.mktemp("class")
    pool = tuple(bank.item(id_).metadata for id_ in ITEMS)
    plan = Blueprint(Heading(), (Section(pool, len(pool), named=True),))
    lineup = drawn(plan, b"planted misconceptions, 32 bytes")
    manifest = compose(bank, plan, [Student(f"s{i:03}") for i in range(CLASS)], lineup)
    manifest.save(folder / "manifest.json")
    dice, truth, rows = Dice("planted", 1), {}, []
    for sheet in manifest.sheets:
        answers = {}
        for problem, labels in zip(sheet.problems, sheet.labels, strict=True):
            chosen = dice.pick(["", "", *PLANTED.get(problem.item, ())])
            rivals = {rival.misconception: rival.values for rival in problem.rivals}
            values = rivals.get(chosen, {})
            if chosen in rivals:
                truth.setdefault(chosen, set()).add(sheet.student)
            for part in problem.parts:
                answers[labels[part.id]] = written(part, values.get(part.id, part.key))
        rows.append({"student": sheet.student, **answers})
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    (folder / "answers.csv").write_text(out.getvalue(), "utf-8")
    return folder, truth


@pytest.fixture
def report(planted, run, tmp_path: Path) -> dict:
    folder, _ = planted
    run("grade", folder / "manifest.json", folder / "answers.csv", "--out", tmp_path / "marks")
    return json.loads((tmp_path / "marks" / "report.json").read_text("utf-8"))


def test_every_planted_misconception_is_found_with_its_students(planted, report: dict) -> None:
    _, truth = planted
    found = {one["id"]: set(one["students"]) for one in report["misconceptions"]}
    assert {id_: found.get(id_) for id_ in truth} == truth
    assert set(found) == set(truth)


def test_the_statistics_are_those_of_numpy(planted, report: dict, tmp_path: Path) -> None:
    text = (tmp_path / "marks" / "gradebook.csv").read_text("utf-8")
    book = list(csv.DictReader(io.StringIO(text)))
    labels = list(book[0])[5:]
    marks = np.array([[float(row[label]) for label in labels] for row in book])
    manifest = load_manifest(planted[0] / "manifest.json")
    places = {
        label: (manifest.sheets[0].problems[i].item, id_) for label, i, id_ in manifest.sheets[0].labelled()
    }
    items = {(item["item"], item["part"]): item for item in report["items"]}
    points = {
        label: manifest.sheets[0].problems[i].part(id_).points
        for label, i, id_ in manifest.sheets[0].labelled()
    }
    for column, label in enumerate(labels):
        item = items[places[label]]
        assert item["answers"] == CLASS
        assert item["facility"] == pytest.approx(marks[:, column].mean() / points[label], abs=0.006)
        rest = marks.sum(axis=1) - marks[:, column]
        if marks[:, column].std() > 0:
            expected = np.corrcoef(marks[:, column], rest)[0, 1]
            assert item["discrimination"] == pytest.approx(expected, abs=0.02)
    k = len(labels)
    covariance = np.cov(marks.T)
    alpha = k / (k - 1) * (1 - np.trace(covariance) / covariance.sum())
    assert report["alpha"] == pytest.approx(alpha, abs=0.01)
    low, high = report["alpha_interval"]
    assert low < alpha < high
    # 95 %: the middle nineteen twentieths of a normal log(1 − α), to either side (Bonett's interval)
    side = NormalDist().inv_cdf(0.975) * math.sqrt(2 * k / ((k - 1) * (CLASS - 2)))
    assert math.log(1 - low) - math.log(1 - alpha) == pytest.approx(side, rel=0.05)
    assert math.log(1 - alpha) - math.log(1 - high) == pytest.approx(side, rel=0.05)
    assert report["error_of_measurement"] == pytest.approx(
        marks.sum(axis=1).std(ddof=1) * np.sqrt(1 - alpha), rel=0.05
    )


def test_the_page_says_it_in_words(planted, run, tmp_path: Path) -> None:
    folder, truth = planted
    for lang in ("en", "ja"):
        run(
            "grade",
            folder / "manifest.json",
            folder / "answers.csv",
            "--out",
            tmp_path / lang,
            "--lang",
            lang,
        )
        page = (tmp_path / lang / "report.html").read_text("utf-8")
        assert ("Teach again first" if lang == "en" else "まず教え直すこと") in page
        assert "http" not in page.replace("http-equiv", "")
        assert " style=" not in page
        assert len(re.findall(r"<svg role=.img.", page)) == 3
    top = max(truth.items(), key=lambda pair: (len(pair[1]), pair[0]))
    english = (tmp_path / "en" / "report.html").read_text("utf-8")
    assert f"{len(top[1])} of {CLASS} students" in english
