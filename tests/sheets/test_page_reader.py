"""The page's own reader: one corpus through it in a real browser, with the outcomes of the grader's."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from quizengine.lang.messages import CATALOGUE
from quizengine.problems.layout import layout

READ = """(cases) => cases.map(([asked, text]) => {
    const typed = typeof text === "string" ? text : textOf(text);
    const {cells, told, blank, code, at, values} = readAnswer(asked, typed);
    const cell = (c) => c && (c.infinite ? "-inf" : {n: `${c.q.n}`, d: `${c.q.d}`, decimals: c.decimals});
    const label = asked.shape.length ? "7a" : "9a";
    const field = document.querySelector(`fieldset[data-label="${label}"]`);
    field.dataset.asked = JSON.stringify(asked);
    const box = field.querySelector("[data-box], [data-one]");
    box.value = typed;
    box.dispatchEvent(new Event("input", {bubbles: true}));
    return {
        is: cells?.map((row) => row.map(cell)), told, blank, refused: code, at,
        either: values?.point && [values.point, values.none],
        said: field.querySelector("[data-said]").textContent, kept: read(field), box: box.value,
    };
})"""


def test_the_page_reads_every_line_of_the_corpus_as_the_grader_does(opened, asked_for) -> None:
    """Values, refusals and what is said of them; and the text is kept as typed."""
    corpus = Path(__file__).parent.parent / "responses" / "corpus.jsonl"
    lines = [json.loads(line) for line in corpus.read_text("utf-8").splitlines()]
    assert len(lines) >= 120
    cases = [[layout(asked_for[line["asked"]]).to_json() | {"said": {}}, line["text"]] for line in lines]
    found = opened().evaluate(READ, cases)
    differ = [line for line, page in zip(lines, found, strict=True) if not _agrees(line, page)]
    assert differ == []


def _agrees(line: dict, page: dict) -> bool:
    if line.get("blank"):
        return page["blank"] and page["kept"] in (None, page["box"]) and page["said"] == ""
    if page["kept"] != page["box"]:
        return False
    if code := line.get("refused"):
        words = CATALOGUE["en"][f"unreadable.{code}"].partition("{")[0].strip()
        reasons = page["refused"], page["at"], page["either"]
        return reasons == (code, line["at"], line.get("either")) and words in page["said"]
    rows = line["is"] if isinstance(line["is"], list) else [[line["is"]]]
    cells = [cell for row in page["is"] or [] for cell in row]
    flat = [cell for row in rows for cell in row]
    return (
        [len(row) for row in page["is"] or []] == [len(row) for row in rows]
        and page["told"] == line.get("told", [])
        and all(map(_same, flat, cells))
        and (isinstance(line["is"], list) or cells[0]["decimals"] == line.get("decimals"))
    )


def _same(expected: object, cell: dict | str | None) -> bool:
    if not isinstance(cell, dict):
        return cell == expected
    value = Fraction(int(cell["n"]), int(cell["d"]))
    if isinstance(expected, float):
        return float(value) == pytest.approx(expected, rel=1e-13)
    return value == Fraction(str(expected))
