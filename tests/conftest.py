"""Fixtures for all: an own home for every test, the shipped bank, golden files, the slow lane."""

from __future__ import annotations

import difflib
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import settings

from quizengine.cli.house import house
from quizengine.items.bank import Bank, load

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
