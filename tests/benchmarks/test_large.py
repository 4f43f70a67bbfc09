"""Large classes and large banks, as benchmarks: `pytest tests/benchmarks/test_large.py --slow`."""

from __future__ import annotations

from collections import deque
from functools import partial

import pytest

from quizengine.authoring.examine import item_faults
from quizengine.cli import cores
from quizengine.sheets.manifest import load_manifest

CODES, CLASS = 20, 10_000


@pytest.mark.slow
@pytest.mark.benchmark(group="20 codes typed in, of 10 000 sheets and of 100: at most 0.1 s a code")
@pytest.mark.parametrize("size", [100, CLASS])
def test_entering(benchmark, crowd, run, tmp_path, size: int) -> None:
    exam = crowd(size, "masking.where") / "manifest.json"
    codes = [who.code for who in load_manifest(exam).who[-CODES:]]
    typed = "".join(f"{code}\n\n" for code in codes)
    benchmark.pedantic(
        run, ("marks", "enter", exam, "--into", tmp_path / "a.csv"), {"input": typed}, rounds=3
    )


def _faults(bank, item) -> int:
    return len(deque(item_faults(bank, item, 5), 0))


@pytest.mark.benchmark(group="40 numeric items examined in two processes: at most 0.75 x one")
@pytest.mark.parametrize("count", [1, 2])
def test_examining(benchmark, bank, monkeypatch, count: int) -> None:
    from quizengine.items.bank import Bank

    items = [item for item in bank if item.family][:40]
    alone = Bank((), {}, dict(bank.catalogue.items()), {}, {}, "")
    monkeypatch.setattr(cores, "LOOK", 0)
    monkeypatch.setattr(cores, "ALONE", 0)
    monkeypatch.setattr(cores, "cores", lambda: count)
    benchmark.pedantic(lambda: deque(cores.watched(partial(_faults, alone), items, quiet=True), 0), rounds=1)
