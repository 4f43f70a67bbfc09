"""Exams made for the tests."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from quizengine.render import pdf as pdf_
from quizengine.sheets.manifest import Sheet, load_manifest

BLUEPRINT = """\
format: 1
title: {en: Midterm, ja: 中間試験}
course: Course 101
date: '2030-02-01'
instructions: {en: "Read **all** of it first.", ja: "**すべて**読んでから始めなさい。"}
minutes: 40
languages: [en, ja]
formats: [pdf, html, md]
sections:
- title: {en: Concepts, ja: 概念}
  items: [masking.where, order.steps, averaging.which-row, masking.why-causal, averaging.shifted-values,
    masking.times-zero]
- title: By hand
  items: [masking.one-row, head.dot-products, complexity.cache]
  points: 6
"""
NAMES = {
    "s01": "Learner One",
    "s02": "学習者 二",
    "s03": "O'Neil <script>alert(1)</script>",
    "s04": '=cmd|"/c calc"',
    "s05": '#read("/etc/hostname") $x$ *bold* _em_ `raw`',
    "s07": "أحمد علي",
    "s06": "Learner " + "Longname-" * 8,
}


@pytest.fixture
def blueprint(tmp_path: Path) -> Path:
    path = tmp_path / "midterm.yaml"
    path.write_text(BLUEPRINT, "utf-8")
    return path


@pytest.fixture
def class_roster(tmp_path: Path) -> Path:
    path = tmp_path / "class.csv"
    rows = ['"' + id_ + '","' + name.replace('"', '""') + '"' for id_, name in NAMES.items()]
    path.write_text("id,name\n" + "\n".join(rows) + "\n", "utf-8")
    return path


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, bank) -> Path:
    """An exam of every item type, in every format, for a class of odd names."""
    from quizengine.sheets.blueprint import load_blueprint
    from quizengine.sheets.compose import compose
    from quizengine.sheets.lineup import drawn
    from quizengine.sheets.roster import Student
    from quizengine.sheets.write import Run, files

    folder = tmp_path_factory.mktemp("made")
    (folder / "midterm.yaml").write_text(BLUEPRINT, "utf-8")
    plan = load_blueprint(folder / "midterm.yaml", bank)
    students = [Student(id_, name) for id_, name in NAMES.items()]
    manifest = compose(bank, plan, students, drawn(plan, b"a secret of thirty-two bytes .. "))
    with Run(folder / "exam", "call") as run:
        run.write(manifest, list(files(manifest, plan.formats)))
    return folder / "exam"


@pytest.fixture
def fonts(monkeypatch: pytest.MonkeyPatch):
    """A system whose fonts have these signs besides ours; the compilers that were asked for."""

    def call(signs: str) -> list[bool]:
        real, asked = pdf_._compiler(system=False), []

        def compiler(*, system: bool):
            asked.append(system)
            if not system or not signs:
                return real
            return lambda data: real(re.sub(f"[{signs}]", "x", data.decode()).encode())

        monkeypatch.setattr(pdf_, "_compiler", compiler)
        return asked

    return call


@pytest.fixture(scope="module")
def browser() -> Iterator:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        pytest.skip("no chromium on this machine")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
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
