"""The newer kinds of questions on a page: filled in, saved, loaded again, graded."""

from __future__ import annotations

import json
from pathlib import Path

from quizengine.sheets.manifest import load_manifest

ITEMS = (
    "inference.old-keys-stay-good",
    "masking.prefix-mask",
    "complexity.bytes-of-a-score-matrix",
    "masking.loss-too-good",
)


def filled(page, labels: dict[str, str]) -> None:
    """Put every answer in by its own widget."""
    for label, answer in labels.items():
        field = page.locator(f'fieldset[data-label="{label}"]')
        match field.get_attribute("data-kind"):
            case "tiers":
                for value in answer.split("-"):
                    field.locator(f'input[value="{value}"]').check()
            case "choice":
                field.locator(f'input[value="{answer}"]').check()
            case "array":
                for i, row in enumerate(json.loads(answer)):
                    for j, number in enumerate(row):
                        field.locator(f'[data-row="{i}"][data-column="{j}"]').fill(str(number))
            case _:
                field.locator("[data-one]").fill(answer + " GB")


def test_answers_of_every_newer_kind_are_saved_loaded_and_graded(browser, run, tmp_path: Path) -> None:
    named = [word for item in ITEMS for word in ("--item", item)]
    run("sheet", *named, "--variants", 1, "--seed", 4, "--out", tmp_path / "x", "--format", "html")
    [sheet] = load_manifest(tmp_path / "x" / "manifest.json").sheets
    key = {
        label: problem.to_json()["key"][id_]
        for problem, labels in zip(sheet.problems, sheet.labels, strict=True)
        for id_, label in labels.items()
    }
    page = browser.new_page()
    page.goto((tmp_path / "x" / "sheets" / f"{sheet.code}.html").as_uri())
    filled(page, key)
    with page.expect_download() as waiting:
        page.locator("[data-do=save]").click()
    saved = tmp_path / "answers.json"
    waiting.value.save_as(saved)
    page.reload()
    assert page.locator("[data-progress]").inner_text().startswith("7")
    graded = run("grade", tmp_path / "x" / "manifest.json", saved, "--out", tmp_path / "out").stdout
    page.close()
    lines = (tmp_path / "out" / "gradebook.csv").read_text("utf-8-sig").splitlines()
    assert ",8,8,100," in lines[1], (graded, lines)
