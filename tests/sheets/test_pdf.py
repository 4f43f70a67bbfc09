"""PDFs as a reader sees them: names, codes and pages, both languages, nothing outside the page."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from quizengine.lang.messages import t
from quizengine.problems.part import NumericPart
from quizengine.problems.pose import pose
from quizengine.render.page import problem_page
from quizengine.render.pdf import pdf
from quizengine.sheets.manifest import load_manifest
from quizengine.sheets.overview import entry, overview_data
from quizengine.sheets.paper import frame, key_data, sheet_data

from .conftest import NAMES

needs_poppler = pytest.mark.skipif(not shutil.which("pdftotext"), reason="poppler-utils is not installed")


def pages(path: Path) -> list[str]:
    done = subprocess.run(
        ["pdftotext", "-layout", str(path), "-"], capture_output=True, text=True, check=True
    )
    return done.stdout.split("\f")[:-1]


@needs_poppler
def test_every_page_bears_student_code_and_number(made: Path) -> None:
    for sheet in load_manifest(made / "manifest.json").sheets:
        shown = pages(made / "sheets" / f"{sheet.code}.pdf")
        assert len(shown) >= 2
        for number, page in enumerate(shown, 1):
            assert sheet.code in page
            assert sheet.student in page
            assert f"Page {number} of {len(shown)}" in page


@needs_poppler
def test_odd_names_are_printed_as_they_are(made: Path) -> None:
    for sheet in load_manifest(made / "manifest.json").sheets:
        first = pages(made / "sheets" / f"{sheet.code}.pdf")[0]
        for word in re.split(r"[\s-]+", NAMES[sheet.student]):
            if sheet.student != "s07":  # written from right to left: its letters come in another order
                assert first.replace("\u200b", "").count(word) >= 2
        assert "root:" not in first


@needs_poppler
def test_the_japanese_sheet_is_japanese(made: Path) -> None:
    sheet = load_manifest(made / "manifest.json").sheets[0]
    text = "".join(pages(made / "sheets" / f"{sheet.code}.ja.pdf"))
    for words in (
        "中間試験",
        "すべて",
        "概念",
        "用紙コード",
        "制限時間：40 分",
        "計算のどの段階でかけますか。",
    ):
        assert "".join(words.split()) in "".join(text.split())
    fonts = subprocess.run(
        ["pdffonts", str(made / "sheets" / f"{sheet.code}.ja.pdf")],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()[2:]
    assert any("BIZUDPGothic" in line for line in fonts)
    assert all(re.search(r" yes yes yes ", line) for line in fonts)  # embedded, a subset, with Unicode


@needs_poppler
def test_the_key_and_the_overview_tell_every_answer(made: Path) -> None:
    manifest = load_manifest(made / "manifest.json")
    key, overview = ("".join(pages(made / f"{name}.pdf")) for name in ("key", "overview"))
    assert len(pages(made / "overview.pdf")) == 1
    desk = "".join(pages(made / "desk.pdf"))
    assert all(one.code in desk and one.student in desk for one in manifest.who)
    for sheet in manifest.sheets:
        assert sheet.code in key
        assert sheet.code in overview
    assert "What mistakes would give" in key
    assert re.search(r"\d+ more\n", key)
    assert "the mask is not applied" in (made / "key.html").read_text("utf-8")
    assert "Worked solution" in key
    assert "1.01 units of the last decimal" in key


def test_every_item_of_the_bank_can_be_printed(bank) -> None:
    """In both languages; a sign that no font has, or a warning, would raise."""
    from quizengine.items.policy import Policy
    from quizengine.sheets.manifest import Manifest, Sheet

    for lang in ("en", "ja"):
        problems = [pose(item, 3, lang, bank.catalogue) for item in bank if item.id]
        labels = [{p.id: f"{n}{p.id}" for p in problem.parts} for n, problem in enumerate(problems, 1)]
        sheet = Sheet("2345A", "s01", tuple(problems), tuple(labels))
        manifest = Manifest("00", Policy(), (sheet,), bank.catalogue)
        made = [
            ("sheet", sheet_data(manifest, sheet, lang)),
            ("key", key_data(manifest, sheet, lang)),
            ("overview", overview_data([entry(sheet, lang)])),
        ]
        for kind, data in made:
            page = frame(manifest, kind, lang) | {"sheets": [data]}
            assert pdf(page).startswith(b"%PDF-1.7")


def widest(bank) -> dict:
    """The worst case: an 8 × 6 matrix, its answer grid, four choices of four lines in Japanese."""
    problem = pose(bank.item("masking.where"), 1, "ja", bank.catalogue)
    long = "隠す位置のスコアには、とても小さい数を足しておき、そのあとで行ごとに softmax を取ります。" * 4
    choices = tuple(choice._replace(text=long) for choice in problem.parts[0].choices)
    wide = [[-0.125 * (i + j) for j in range(6)] for i in range(8)]
    part = problem.parts[0]._replace(choices=choices)
    grid = NumericPart("grid", part.prompt, part.points, (), (8, 6), 3)
    given = {"Q": wide, "K": wide, "V": wide, "mask": [[1] * 6] * 8}
    odd = problem._replace(given=given, parts=(part, grid), type="numeric")
    return problem_page(odd, 1, {"answer": "1a", "grid": "1b"}) | {"room": 1.5}


def lowest(path: Path) -> float:
    """Where the last line ends of the page that is filled furthest, in points from its top."""
    return max(box[3] for box in boxes(path))


def boxes(path: Path) -> list[tuple[float, ...]]:
    """Every word's (left, top, right, bottom), in points."""
    done = subprocess.run(["pdftotext", "-bbox", str(path), "-"], capture_output=True, text=True, check=True)
    found = re.findall(r'<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)"', done.stdout)
    return [tuple(map(float, box)) for box in found]


def printed(made: Path, path: Path, *problems: dict) -> Path:
    """A sheet of these problems, in Japanese."""
    manifest = load_manifest(made / "manifest.json")
    sheet = sheet_data(manifest, manifest.sheets[5], "ja")
    sheet["sections"] = [{"title": "", "problems": list(problems)}]
    path.write_bytes(pdf(frame(manifest, "sheet", "ja") | {"sheets": [sheet]}))
    return path


@needs_poppler
def test_the_worst_case_stays_on_the_page(bank, made: Path, tmp_path: Path) -> None:
    worst = widest(bank)
    words = boxes(printed(made, tmp_path / "wide.pdf", worst, worst | {"number": 2}))
    assert len(words) > 400
    assert min(word[0] for word in words) > 40
    assert max(word[2] for word in words) < 595 - 40
    assert max(word[3] for word in words) < 842 - 15


@needs_poppler
def test_a_question_is_parted_from_that_room_on_which_no_page_has(bank, made: Path, tmp_path: Path) -> None:
    """And none of it is lost. (A layout that does not come to rest is a warning, and raises.)"""
    again = "".join(t("ja", "sheet.goes-on", number=1).split())
    problem = pose(bank.item("masking.one-row"), 1, "ja", bank.catalogue)
    page = problem_page(problem, 1, {part.id: f"1{part.id}" for part in problem.parts})
    parted = []
    for room in np.arange(0, 6, 0.2).tolist():
        path = printed(made, tmp_path / "long.pdf", page | {"room": room}, page | {"room": room, "number": 2})
        parted.append(any(again in "".join(text.split()) for text in pages(path)))
        assert lowest(path) < 842 - 15
    assert parted == sorted(parted)
    assert set(parted) == {False, True}


def width_of(made: Path, path: Path, instructions: str) -> float:
    """How wide a line is, in points, from its first word to its last."""
    page = frame(load_manifest(made / "manifest.json"), "top", "ja")
    path.write_bytes(pdf(page | {"instructions": [[["t", instructions]]], "sheets": []}))
    done = subprocess.run(["pdftotext", "-bbox", str(path), "-"], capture_output=True, text=True, check=True)
    words = re.findall(r'xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)".*?>(.*?)</word>', done.stdout)
    line = [word for word in words if word[1] == words[-1][1]]
    return float(line[-1][2]) - float(line[0][0])


@needs_poppler
@pytest.mark.parametrize("pair", ["」（", "）、", "）。", "（「", "」）", "。」", "：「", "、「"])
def test_signs_beside_each_other_are_not_drawn_over_each_other(made: Path, tmp_path: Path, pair: str) -> None:
    """Beside each other they are as wide as between letters."""
    one, other = pair
    beside = width_of(made, tmp_path / "a.pdf", f"あ{pair}いう。え")
    apart = width_of(made, tmp_path / "b.pdf", f"あ{one}い{other}う。え")
    assert beside == pytest.approx(apart, abs=0.5)
