"""Grading at size, as benchmarks: `pytest tests/benchmarks/test_grading.py --slow --benchmark-only`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from quizengine.problems.dice import Dice
from quizengine.problems.part import NumericPart
from quizengine.responses.read import read
from quizengine.responses.response import NumericValue

ANSWERS, SIDE = 20_000, 4
WATCHED = (
    "import resource, sys\n"
    "from quizengine.cli import main\n"
    "if __name__ == '__main__':\n"
    "    try: main()\n"
    "    finally: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)\n"
)


@pytest.fixture(scope="module")
def matrices() -> tuple[list[str], np.ndarray]:
    """Texts of 4 × 4 with five decimals, and what they say, in units of 10⁻⁹."""
    dice = Dice("matrices", 1)
    cells = [[dice.between(-300_000, 300_000) for _ in range(SIDE * SIDE)] for _ in range(ANSWERS)]
    texts = []
    for row in cells:
        typed = [f"{x / 100_000:.5f}" for x in row]
        rows = [", ".join(typed[i : i + SIDE]) for i in range(0, len(typed), SIDE)]
        texts.append("[[" + "], [".join(rows) + "]]")
    return texts, np.array(cells, dtype=np.int64) * 10_000


@pytest.mark.benchmark(group="20 000 texts of 4 x 4: at most 20 x the same text by json.loads")
@pytest.mark.parametrize("what", ["bare", "text"])
def test_the_text_path(benchmark, matrices, what: str) -> None:
    texts, keys = matrices
    zeros = ((0,) * SIDE,) * SIDE
    part = NumericPart("x", "", 1, zeros, shape=(SIDE, SIDE), decimals=3)

    def bare() -> int:
        return sum(json.loads(typed) is not None for typed in texts)

    def text() -> int:
        return sum(isinstance(read(part, typed).reading, NumericValue) for typed in texts)

    assert benchmark(bare if what == "bare" else text) == ANSWERS
    [cells] = [read(part, texts[0]).reading.content]
    assert [cell.units for row in cells for cell in row] == keys[0].tolist()


def grade(folder: Path, out: Path, *more: object) -> int:
    """The most memory that it took, in KiB."""
    script = out.with_suffix(".py")
    script.write_text(WATCHED, "utf-8")
    (folder / "results.sqlite").unlink(missing_ok=True)
    words = ["grade", folder / "manifest.json", folder / "answers.csv", "--no-feedback", "--out", out, *more]
    done = subprocess.run(
        [sys.executable, script, *map(str, words)], capture_output=True, text=True, check=True
    )
    return int(done.stderr.splitlines()[-1])


BOOKS: dict[int, str] = {}


@pytest.mark.slow
@pytest.mark.benchmark(group="100 000 matrices, a variant each, from CSV: two processes at least 1.7 x one")
@pytest.mark.parametrize("jobs", [1, 2])
def test_processes(benchmark, crowd, tmp_path: Path, jobs: int) -> None:
    if (os.cpu_count() or 1) < 2:
        pytest.skip("this machine has one core")
    folder = crowd(100_000, "head.dot-products")
    peak = benchmark.pedantic(grade, (folder, tmp_path / "m", "--jobs", jobs), rounds=1)
    benchmark.extra_info["peak_kib"] = peak
    BOOKS[jobs] = (tmp_path / "m" / "gradebook.csv").read_text("utf-8")
    assert BOOKS[1] == BOOKS[jobs]
    assert peak < 400_000


PEAKS: dict[int, int] = {}


@pytest.mark.slow
@pytest.mark.benchmark(group="growth: ten times the answers, at most 11.2 x the time (exponent 1.05)")
@pytest.mark.parametrize("size", [1_000, 10_000, 100_000])
def test_growth(benchmark, crowd, tmp_path: Path, size: int) -> None:
    """Memory grows by an exponent of 0.3 at most."""
    folder = crowd(size, "head.dot-products")
    PEAKS[size] = benchmark.pedantic(grade, (folder, tmp_path / "m"), rounds=1)
    benchmark.extra_info["peak_kib"] = PEAKS[size]
    sizes = sorted(PEAKS)
    if len(sizes) == 3:
        slope = np.polyfit(np.log(sizes), np.log([PEAKS[n] for n in sizes]), 1)[0]
        benchmark.extra_info["exponent"] = slope
        assert slope <= 0.3
