"""How an exam of a few students is made."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def sheets_for(tmp_path: Path, run):
    """Sheets of these items for a roster, given as CSV; the manifest."""

    def call(roster: str, *items: str, seed: int = 1) -> Path:
        (tmp_path / "r.csv").write_text(roster, "utf-8")
        asked = [word for item in items for word in ("--item", item)]
        run("sheet", "--roster", tmp_path / "r.csv", *asked, "--seed", seed, "--out", tmp_path / "exam")
        return tmp_path / "exam" / "manifest.json"

    return call
