"""The process that a command runs in."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

CODE = """
import os, sys
from quizengine.cli import main
sys.argv = ["quizengine", "pose", "masking.one-row", "--seed", "3"]
try: main()
except SystemExit: pass
print(os.environ["OPENBLAS_NUM_THREADS"], len(os.listdir("/proc/self/task")) if os.path.isdir("/proc") else 1)
"""


@pytest.mark.parametrize(("said", "kept"), [(None, "1"), ("2", "2")], ids=["ours", "the user's"])
def test_numpy_starts_no_threads_unless_it_is_told_to(said: str | None, kept: str) -> None:
    mine = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    environment = mine | ({"OPENBLAS_NUM_THREADS": said} if said else {})
    done = subprocess.run(
        [sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=True
    )
    setting, threads = done.stdout.splitlines()[-1].split()
    assert setting == kept
    assert 1 <= int(threads) <= int(kept)
