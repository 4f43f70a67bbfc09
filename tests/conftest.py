"""Fixtures for all: an own home for every test, the shipped bank, golden files, the slow lane."""

from __future__ import annotations

import csv
import difflib
import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import settings

from quizengine.cli.house import house
from quizengine.items.bank import Bank, load
from quizengine.problems.part import ConstructPart, EstimatePart, NumbersPart, NumericPart, key_text
from quizengine.render import html, pdf

GOLDEN = Path(__file__).parent / "golden"
settings.register_profile("house", derandomize=True, deadline=None)
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--approve", action="store_true", help="write golden files anew")
    parser.addoption("--slow", action="store_true", help="run the slow lane too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--slow"):
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="slow lane: run with --slow"))


@pytest.fixture(scope="session")
def _cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, _cache: Path) -> Path:
    """Every test has a data folder of its own; the compiled bank is shared."""
    monkeypatch.setenv("QUIZENGINE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(_cache))
    monkeypatch.setenv("QUIZENGINE_LANG", "en")
    monkeypatch.setenv("QUIZENGINE_DEBUG", "1")
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.fixture(scope="session")
def asked_for() -> dict[str, NumbersPart]:
    """The parts that the corpus of texts names; of rows it is row 4 of 6, which sees four keys."""
    one = NumericPart("answer", "", 1, (), decimals=3)
    whole, row = one._replace(decimals=0), one._replace(rows=(4,), of=6)
    seen = ((True,) * 4 + (False,) * 2,)
    shapes = ("1x1", "1x2", "1x3", "1x5", "2x1", "2x2", "3x1")
    return {
        "number": one,
        "bytes": whole._replace(stage="cache_bytes"),
        "times": whole._replace(stage="growth"),
        "tokens": whole._replace(stage="crossover"),
        "estimate": EstimatePart("answer", "", 1, (), Fraction(2), "GiB"),
        "bias": ConstructPart("answer", "", 1, (), (2, 2), "bias"),
        "scaled": one._replace(shape=(1, 2), stage="scaled"),
        "size": whole._replace(shape=(1, 2), stage="scores_shape"),
        "weights": row._replace(shape=(1, 6), stage="weights", free=seen),
        "output": row._replace(shape=(1, 2), stage="output"),
        **{name: one._replace(shape=tuple(map(int, name.split("x")))) for name in shapes},
    }


@pytest.fixture(scope="session")
def bank() -> Bank:
    return load()


@pytest.fixture
def run():
    """Run a command in-process: `run("take", "--count", "1", input="A\\n")`."""

    def call(*args: object, input: str = "", exit: int = 0):
        result = CliRunner().invoke(house, [str(arg) for arg in args], input=input)
        assert result.exit_code == exit, f"exit {result.exit_code}\n{result.output}\n{result.exception!r}"
        return result

    return call


@pytest.fixture
def run_json(run):
    def call(*args: object, input: str = "", exit: int = 0):
        return json.loads(run(*args, "--json", input=input, exit=exit).stdout)

    return call


@pytest.fixture
def no_sheets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The extra “sheets” is not installed, with nothing that comes along with it."""
    caches = html.environment, pdf._compiler
    for module in ("jinja2", "markupsafe", "typst"):
        monkeypatch.setitem(sys.modules, module, None)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


@pytest.fixture
def assert_golden(request: pytest.FixtureRequest):
    """Compare with tests/golden/<name>; `--approve` writes it anew."""

    def check(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--approve"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            return
        expected = path.read_text("utf-8") if path.exists() else ""
        diff = "".join(
            difflib.unified_diff(
                expected.splitlines(keepends=True), text.splitlines(keepends=True), f"golden/{name}", "now"
            )
        )
        assert not diff, f"{diff}\nIf this is what is wanted: pytest --approve"

    return check


@pytest.fixture(scope="session")
def written():
    """What a learner writes who means this value: two more places than asked."""

    def call(part, key) -> str:
        if not isinstance(part, NumericPart):
            return key_text(part, key)
        places = (part.decimals or 0) + 2 if part.decimals else 0
        rows = [" ".join(f"{x / 1e9:.{places}f}" for x in row) for row in key]
        return "[" + "; ".join(rows) + "]" if part.kind == "array" else rows[0]

    return call


@pytest.fixture(scope="session")
def crowd(bank, written, tmp_path_factory):
    """An exam of so many students with a variant each, and a CSV of answers of which three in ten are those
    of a misconception; its folder. It is made once."""
    from quizengine.sheets.compose import compose
    from quizengine.sheets.lineup import drawn
    from quizengine.sheets.manifest import keep_on_disk
    from quizengine.sheets.plan import Blueprint, Heading, Section
    from quizengine.sheets.roster import Student

    made: dict[tuple[int, tuple[str, ...]], Path] = {}

    def call(size: int, *items: str) -> Path:
        if (size, items) in made:
            return made[size, items]
        folder = made[size, items] = tmp_path_factory.mktemp(f"crowd-{size}")
        pool = tuple(bank.item(id_).metadata for id_ in items)
        plan = Blueprint(Heading(), (Section(pool, len(pool), named=True),))
        students = [Student(f"s{i:06}") for i in range(size)]
        keep = keep_on_disk(folder / "sheets.lines")
        manifest = compose(bank, plan, students, drawn(plan, b"a secret of a crowd, 32 bytes .."), keep)
        manifest.save(folder / "manifest.json")
        with (folder / "answers.csv").open("w", encoding="utf-8", newline="") as file:
            out = csv.writer(file)
            out.writerow(["student", *manifest.labels])
            for number, sheet in enumerate(manifest.sheets):
                cells = []
                for place, problem in enumerate(sheet.problems):
                    astray = (7 * number + 3 * place) % 10 >= 7 and problem.rivals
                    values = problem.rivals[number // 10 % len(problem.rivals)].values if astray else {}
                    cells += [written(part, values.get(part.id, part.key)) for part in problem.parts]
                out.writerow([sheet.student, *cells])
        return folder

    return call
