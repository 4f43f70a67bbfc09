"""The HTML sheet in a real browser: every widget by keyboard, saved and loaded, silent and closed."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest


def field(page, label: str, lang: str = "en"):
    return page.locator(f'.page[data-lang="{lang}"] fieldset[data-label="{label}"]')


def fill(page) -> None:
    """Every kind of widget, by keyboard alone."""
    field(page, "1").locator("input").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    field(page, "2").locator("button[data-move='1']").first.focus()
    page.keyboard.press("Enter")
    selects = field(page, "3").locator("select")
    for i, number in enumerate(("3", "1", "2")):
        selects.nth(i).focus()
        page.keyboard.type(number)
    field(page, "4").locator("textarea").focus()
    page.keyboard.type("</script><b>日本語")
    for i in (0, 2):
        field(page, "5").locator("input").nth(i).focus()
        page.keyboard.press("Space")
    field(page, "7a").locator("input").first.focus()
    for number in ("0.25", "-1", "１／３"):
        page.keyboard.insert_text(number)
        page.keyboard.press("ArrowRight")
    field(page, "9a").locator("input").focus()
    page.keyboard.type("4096")


EXPECTED = {
    "1": "B",
    "2": "B, A, C, D, E, F",
    "3": "A-3, B-1, C-2",
    "4": "</script><b>日本語",
    "5": "A, C",
    "7a": [["0.25", "-1", "１／３", "", "", ""]],
    "9a": "4096",
}


def downloaded(page) -> tuple[str, dict]:
    with page.expect_download() as waiting:
        page.locator(".page:not([hidden]) [data-do=save]").click()
    return waiting.value.suggested_filename, json.loads(Path(waiting.value.path()).read_text("utf-8"))


def test_every_widget_by_keyboard_then_saved(opened, sheets) -> None:
    page = opened()
    fill(page)
    name, data = downloaded(page)
    code = sheets["s01"].code
    assert name == f"answers-{code}.json"
    assert datetime.fromisoformat(data.pop("time")).tzinfo
    assert data == {"code": code, "student": "s01", "answers": EXPECTED}
    assert "7 of 13 answered" in page.locator(".page:not([hidden]) [data-progress]").inner_text()
    assert page.said == []
    assert len([url for url in page.asked if not url.startswith(("blob:", "data:"))]) == 1


def paste(page, label: str, text: str) -> list[list[str]]:
    """What stands in a grid after this was pasted into its first cell."""
    page.evaluate(
        """([label, text]) => {
            const cell = document.querySelector(`fieldset[data-label="${label}"] input`);
            const data = new DataTransfer();
            data.setData("text", text);
            const how = {clipboardData: data, bubbles: true, cancelable: true};
            cell.dispatchEvent(new ClipboardEvent("paste", how));
        }""",
        [label, text],
    )
    return field(page, label).evaluate(
        "f => [...f.querySelectorAll('.line')].map(l => [...l.querySelectorAll('input')].map(i => i.value))"
    )


NUMBERS = [["0.5", "1/3", "-2"], ["1", "2", "3"], ["4", "5", "6e-1"]]


@pytest.mark.parametrize(
    "text",
    [
        "[[0.5, 1/3, -2],\n [1, 2, 3],\n [4, 5, 6e-1]]",
        "array([[0.5, 1/3, -2], [1, 2, 3], [4, 5, 6e-1]], dtype=float32)",
        "tensor([[0.5, 1/3, -2], [1, 2, 3], [4, 5, 6e-1]], dtype=torch.float64)",
        "Array([[0.5, 1/3, -2], [1, 2, 3], [4, 5, 6e-1]])",
        "[0.5 1/3 -2; 1 2 3; 4 5 6e-1]",
        "0.5\t1/3\t-2\n1\t2\t3\n4\t5\t6e-1\n",
        "\\begin{bmatrix} 0.5 & 1/3 & -2 \\\\ 1 & 2 & 3 \\\\ 4 & 5 & 6e-1 \\end{bmatrix}",
    ],
    ids=["list", "numpy", "torch", "jax", "matlab", "table", "latex"],
)
def test_a_whole_matrix_is_pasted(opened, text: str) -> None:
    page = opened()
    assert paste(page, "8", text) == NUMBERS
    assert downloaded(page)[1]["answers"] == {"8": NUMBERS}


@pytest.mark.parametrize(
    ("label", "text", "cells"),
    [
        ("7a", "0,1\t0,2\t0,3\t0,4", ["0,1", "0,2", "0,3", "0,4", "", ""]),
        ("7a", "0,5 0,25 0,125", ["0,5", "0,25", "0,125", "", "", ""]),
        ("7a", "array([0.125, 0.5 , 0.   ])", ["0.125", "0.5", "0.", "", "", ""]),
        ("7a", "[0.1 0.2 0.3\n 0.4 0.  0. ]", ["0.1", "0.2", "0.3", "0.4", "0.", "0."]),
        ("7a", "1\n2\n3\n4\n5\n6", ["1", "2", "3", "4", "5", "6"]),
        ("7a", "√2/2, 1/3, ln 2", ["√2/2", "1/3", "ln 2", "", "", ""]),
        ("7a", r"\begin{pmatrix} 1 & \frac{1}{2} \end{pmatrix}", ["1", r"\frac{1}{2}", "", "", "", ""]),
    ],
    ids=["table", "decimal commas", "print", "wrapped print", "lines", "roots", "latex"],
)
def test_what_is_pasted_is_laid_into_cells_as_it_was_typed(
    opened, label: str, text: str, cells: list[str]
) -> None:
    page = opened()
    assert paste(page, label, text) == [cells]
    assert downloaded(page)[1]["answers"] == {label: [cells]}
    assert said(page, label) == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1 ln 2 2", "“ln” is not a number (character 4, “n”)."),
        ("1 2 3 4 5 6 7 8 9", "This reads as 1 × 9; 1 × 6 is asked."),
        ("0,1 0,2 ; x", "“x” is not a number (character 11, “x”)."),
        ("one two", "“one” is not a number (character 1, “o”)."),
        ("1,234 2,345 1 1 1 1", "Read as 1 × 6."),  # by itself each cell could be a thousand
        (
            "1 2 3 4 5 6\n" * 6,
            "Read as 1 × 6. You wrote the whole matrix; your answer was taken from row {row}.",
        ),
    ],
    ids=["in doubt", "too many", "no number", "words", "commas", "whole matrix"],
)
def test_what_cannot_be_laid_into_cells_stands_in_the_box_whole(opened, sheets, text: str, why: str) -> None:
    page = opened()
    assert paste(page, "7a", text) == [[""] * 6]
    assert said(page, "7a").startswith(why.format(row=sheets["s01"].problems[6].parts[0].rows[0]))
    assert status(page) == "This does not fit into the cells. It is in the box below them, as you typed it."
    assert downloaded(page)[1]["answers"] == {"7a": text}


def said(page, label: str, lang: str = "en") -> str:
    return field(page, label, lang).locator("[data-said]").text_content()


def status(page) -> str:
    return page.locator(".page:not([hidden]) [data-status]").inner_text()


def test_the_box_counts_while_it_holds_something(opened) -> None:
    page = opened()
    cell, box = field(page, "7a").locator("input").first, field(page, "7a").locator("textarea")
    cell.fill("0.5")
    box.fill("1 2 3 4 5 6")
    assert said(page, "7a") == "Read as 1 × 6. The box counts; the cells do not."
    assert downloaded(page)[1]["answers"] == {"7a": "1 2 3 4 5 6"}
    box.fill("")
    assert downloaded(page)[1]["answers"] == {"7a": [["0.5", "", "", "", "", ""]]}


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("abc", "Column 3: “abc” is not a number (character 1, “a”)."),
        ("12..3", "Column 3: “12..3” is not a number (character 4, “.”)."),
        ("1,234", "Column 3: “1,234” can mean 1.234 or 1234: write one of these (character 1)."),
        ("√2/2", ""),
        ("1 1/2", ""),
        ("", ""),
    ],
)
def test_what_will_not_be_read_is_said_at_its_cell_at_once(opened, typed: str, line: str) -> None:
    page = opened()
    cells = field(page, "7a").locator("input")
    cells.nth(2).fill(typed)
    assert field(page, "7a").locator("[data-line]").text_content().startswith(line)
    assert cells.nth(2).get_attribute("aria-invalid") == ("true" if line else None)
    page.locator(".page:not([hidden]) [data-to=ja]").click()
    assert ("3 列目：" in field(page, "7a", "ja").locator("[data-line]").text_content()) == bool(line)


def test_another_cell_may_say_what_a_comma_is(opened) -> None:
    page = opened()
    cells = field(page, "7a").locator("input")
    cells.nth(0).fill("4,143")
    assert cells.nth(0).get_attribute("aria-invalid") == "true"
    cells.nth(1).fill("0,5")
    assert cells.nth(0).get_attribute("aria-invalid") is None


def test_saved_as_stands_where_the_reader_is_looking_until_something_changes(opened) -> None:
    page = opened(viewport={"width": 380, "height": 800})
    number = field(page, "9a").locator("input")
    number.fill("12 apples")
    assert said(page, "9a").startswith("“12 apples” is not a number (character 4, “a”).")
    number.scroll_into_view_if_needed()
    name, _ = downloaded(page)
    assert status(page).startswith(f"Saved as {name}.")
    box = page.locator(".page:not([hidden]) [data-status]").bounding_box()
    assert 0 <= box["y"] <= 800 - box["height"] + 1
    number.fill("12")
    assert status(page) == ""


def test_a_reload_keeps_it_and_a_file_brings_it_back(opened, tmp_path: Path) -> None:
    page = opened()
    fill(page)
    page.reload()
    _, data = downloaded(page)
    assert data["answers"] == EXPECTED
    path = tmp_path / "answers.json"
    path.write_text(json.dumps(data), "utf-8")
    other = opened()
    assert "0 of 13" in other.locator(".page:not([hidden]) [data-progress]").inner_text()
    other.locator(".page:not([hidden]) [data-do=load]").set_input_files(path)
    other.wait_for_function("document.querySelector('[data-status]').textContent !== ''")
    assert "7 answers loaded" in other.locator(".page:not([hidden]) [data-status]").inner_text()
    again = downloaded(other)[1]
    assert again.pop("time") > data.pop("time")
    assert again == data


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("not json", "That file holds no answers."),
        ('{"code": "XXXXX", "answers": {}}', "That file belongs to another sheet (XXXXX)."),
        ('{"answers": 3}', "That file holds no answers."),
    ],
)
def test_a_wrong_file_is_told_and_changes_nothing(opened, tmp_path: Path, content: str, said: str) -> None:
    page = opened()
    fill(page)
    path = tmp_path / "answers.json"
    path.write_text(content, "utf-8")
    page.locator(".page:not([hidden]) [data-do=load]").set_input_files(path)
    page.wait_for_function("document.querySelector('[data-status]').textContent !== ''")
    assert page.locator(".page:not([hidden]) [data-status]").inner_text() == said
    assert downloaded(page)[1]["answers"] == EXPECTED


def test_the_languages_share_the_answers(opened) -> None:
    page = opened()
    fill(page)
    page.locator(".page:not([hidden]) [data-to=ja]").click()
    assert page.locator("html").get_attribute("lang") == "ja"
    assert page.locator("h1:visible").inner_text() == "中間試験"
    assert field(page, "4", "ja").locator("textarea").input_value() == EXPECTED["4"]
    field(page, "9a", "ja").locator("input").fill("１２")
    field(page, "2", "ja").locator("button[data-move='-1']").nth(1).click()
    page.locator(".page:not([hidden]) [data-to=en]").click()
    _, data = downloaded(page)
    assert data["answers"] == EXPECTED | {"9a": "１２", "2": "A, B, C, D, E, F"}


def test_arrows_walk_a_grid_and_odd_cells_are_marked(opened) -> None:
    page = opened()
    cells = field(page, "7a").locator("input")
    cells.nth(2).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.insert_text("半分")
    assert cells.nth(3).get_attribute("aria-invalid") == "true"
    page.keyboard.press("Control+a")
    page.keyboard.type("1/2")
    assert cells.nth(3).get_attribute("aria-invalid") is None
    page.keyboard.press("ArrowLeft")
    assert cells.nth(3).evaluate("cell => cell === document.activeElement")


@pytest.mark.parametrize("student", ["s03", "s04", "s05", "s07"])
def test_hostile_names_run_nothing(opened, student: str) -> None:
    page = opened(student)
    assert page.said == []
    assert page.locator("bdi strong:visible").first.inner_text() == page.evaluate(
        "document.querySelector('bdi strong').textContent"
    )
    assert page.locator("header script, header b").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_it_is_accessible(opened, scheme: str, lang: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    page = opened(color_scheme=scheme, bypass_csp=True)
    if lang == "ja":
        page.locator(".page:not([hidden]) [data-to=ja]").click()
    found = axe.Axe().run(page).response
    assert len(found["passes"]) > 15
    assert not [(violation["id"], violation["nodes"][0]["html"]) for violation in found["violations"]]


def test_a_phone_needs_no_scrolling_sideways(opened) -> None:
    page = opened(viewport={"width": 380, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") == 380


def test_it_prints_without_its_buttons(opened, tmp_path: Path) -> None:
    page = opened()
    fill(page)
    page.emulate_media(media="print")
    assert not page.locator("[data-do=save]").first.is_visible()
    assert page.locator("textarea:visible").first.input_value() == EXPECTED["4"]
    assert page.pdf().startswith(b"%PDF")


def test_the_key_is_silent_and_closed_too(opened, made: Path, sheets) -> None:
    page = opened()
    page.goto((made / "key.html").as_uri())
    assert page.said == []
    assert page.locator("h2").count() == len(sheets)
    page.locator("summary").first.click()
    assert page.locator("details[open]").count() == 1


def test_nothing_in_a_sheet_leads_outside(made: Path, sheets) -> None:
    for sheet in sheets.values():
        text = (made / "sheets" / f"{sheet.code}.html").read_text("utf-8")
        assert "http" not in text.replace("http-equiv", "")
        assert " style=" not in text
        assert "unsafe" not in text
