"""Layout: no part is parted from its givens, on any paper, in any size of print."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from quizengine.items.policy import Policy
from quizengine.problems.pose import pose
from quizengine.render.pdf import pdf
from quizengine.sheets.manifest import Manifest, Sheet
from quizengine.sheets.paper import frame, room, sheet_data
from quizengine.sheets.plan import Heading

needs_poppler = pytest.mark.skipif(not shutil.which("pdftotext"), reason="needs poppler-utils")
LETTERS = "abcdefgh"


def sheet_of(bank, seed: int, lang: str, *, large: bool) -> Sheet:
    """A sheet of every problem of numbers that has several parts."""
    posed = (
        pose(bank.item(metadata.id), seed, lang, bank.catalogue)
        for metadata in bank.metadata
        if metadata.type == "numeric"
    )
    problems = [problem for problem in posed if len(problem.parts) > 1]
    labels = [
        {part.id: f"{n}{LETTERS[i]}" for i, part in enumerate(problem.parts)}
        for n, problem in enumerate(problems, 1)
    ]
    return Sheet("2345A", "s01", tuple(problems), tuple(labels), large=large)


def pages_of(manifest: Manifest, lang: str, path: Path) -> list[str]:
    page = frame(manifest, "sheet", lang) | {"sheets": [sheet_data(manifest, manifest.sheets[0], lang)]}
    path.write_bytes(pdf(page))
    said = subprocess.run(
        ["pdftotext", "-layout", str(path), "-"], capture_output=True, text=True, check=True
    )
    return said.stdout.split("\f")


def parted(pages: list[str], sheet: Sheet) -> list[str]:
    """The labels that begin on a page without the givens of their problem."""
    out = []
    for number, labels in enumerate(sheet.labels, 1):
        head = re.compile(rf"^ *{number} +/ ?\d|(?:Question|問) ?{number}(?:, continued|（つづき）)", re.M)
        given = sum(isinstance(value, list) for value in sheet.problems[number - 1].given.values())
        for label in labels.values():
            on = [page for page in pages if re.search(rf"^ *{label}\b", page, re.M)]
            assert on, f"{label} is not printed"
            out += [label for page in on[:1] if not head.search(page) and page.count("=") < max(given, 1)]
    return out


@needs_poppler
@pytest.mark.parametrize("large", [False, True], ids=["plain", "large"])
@pytest.mark.parametrize(("paper", "lang"), [("a4", "en"), ("letter", "ja")])
def test_no_part_is_parted_from_its_givens(bank, tmp_path: Path, paper, lang, large: bool) -> None:
    sheet = sheet_of(bank, 3, lang, large=large)
    manifest = Manifest("00", Policy(), (sheet,), bank.catalogue, heading=Heading(paper=paper))
    assert parted(pages_of(manifest, lang, tmp_path / "x.pdf"), sheet) == []


@needs_poppler
@pytest.mark.slow
def test_in_twenty_variants_none_is(bank, tmp_path: Path) -> None:
    for seed in range(20):
        sheet = sheet_of(bank, seed, "en", large=False)
        manifest = Manifest("00", Policy(), (sheet,), bank.catalogue)
        assert parted(pages_of(manifest, "en", tmp_path / "x.pdf"), sheet) == []


@needs_poppler
def test_what_cannot_stand_on_one_page_has_its_givens_again(bank, tmp_path: Path) -> None:
    sheet = sheet_of(bank, 3, "en", large=False)
    wide = Manifest("00", Policy(), (sheet,), bank.catalogue, heading=Heading(room=22.0))
    pages = pages_of(wide, "en", tmp_path / "x.pdf")
    assert parted(pages, sheet) == []
    assert sum("continued" in page for page in pages) > 3


def test_room_is_what_is_asked_for_else_by_the_work(bank) -> None:
    hard, easy = (pose(bank.item(id_), 1, "en", bank.catalogue) for id_ in ("masking.one-row", "head.shapes"))
    assert room(hard, Heading(room=6.0)) == 2.0
    assert room(hard, Heading()) > room(easy, Heading()) > 0
    assert room(pose(bank.item("masking.where"), 1, "en", bank.catalogue), Heading()) == 0.0


@pytest.mark.parametrize(
    ("text", "centimetres"), [("6 cm", 6.0), ("2.5 in", 6.35), ("4", 4.0), ("'7'", 7.0)], ids=repr
)
def test_room_is_a_length(bank, tmp_path: Path, text: str, centimetres: float) -> None:
    from quizengine.sheets.blueprint import load_blueprint

    path = tmp_path / "b.yaml"
    path.write_text(f"format: 1\ntitle: x\nroom: {text}\npaper: letter\nsections: [{{count: 1}}]\n", "utf-8")
    heading = load_blueprint(path, bank).heading
    assert (heading.room, heading.paper) == (pytest.approx(centimetres), "letter")


@needs_poppler
def test_large_print_takes_more_pages(bank, tmp_path: Path) -> None:
    sheet = sheet_of(bank, 1, "en", large=True)
    large, plain = (
        len(pages_of(Manifest("00", Policy(), (one,), bank.catalogue), "en", tmp_path / "x.pdf"))
        for one in (sheet, replace(sheet, large=False))
    )
    assert large > plain
