"""The HTML sheet in a real browser: every widget by keyboard, saved and loaded, silent and closed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from quizengine.sheets.manifest import Sheet, load_manifest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no chromium on this machine")
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")


@pytest.fixture(scope="module")
def browser() -> Iterator:
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def sheets(made: Path) -> dict[str, Sheet]:
    return {sheet.student: sheet for sheet in load_manifest(made / "manifest.json").sheets}


@pytest.fixture
def opened(browser, made: Path, sheets):
    """A sheet in a fresh window; what it says and what it asks of the network is noted."""
    contexts = []

    def call(student: str = "s01", **options):
        context = browser.new_context(accept_downloads=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.said, page.asked = [], []
        page.on("console", lambda message: page.said.append(message.text))
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("dialog", lambda dialog: (page.said.append(dialog.message), dialog.accept()))
        page.goto((made / "sheets" / f"{sheets[student].code}.html").as_uri())
        return page

    yield call
    for context in contexts:
        context.close()


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


def test_decimal_commas_of_a_table_stay_together(opened) -> None:
    assert paste(opened(), "7a", "0,1\t0,2\t0,3\t0,4") == [["0,1", "0,2", "0,3", "0,4", "", ""]]


@pytest.mark.parametrize(
    "text",
    [
        "1 ln 2 2",
        "1/3 2 / 3 1",
        "1 & 2 & \\frac{1}{3}",
        "1\n2\n3\n4\n5\n6",
        "1 2 3 4 5 6 7 8 9",
        "0,1 0,2 ; x",
        "one two",
    ],
)
def test_what_is_in_doubt_is_not_entered_but_told(opened, text: str) -> None:
    page = opened()
    assert paste(page, "7a", text) == [[""] * 6]
    told = page.locator(".page:not([hidden]) [data-status]").inner_text()
    assert told == "This does not fit: 1 × 6 are asked. Nothing was entered."


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
