"""Broken streams: nobody reads, nothing can be written, nothing can be read."""

from __future__ import annotations

import subprocess
import sys

import pytest

QUIZ = f"{sys.executable} -m quizengine"


@pytest.mark.parametrize(
    ("shell", "status", "error"),
    [
        (f"{QUIZ} bank list | head -1 >/dev/null; echo ${{PIPESTATUS[0]}}", "0", ""),
        (f"{QUIZ} bank list >/dev/full; echo $?", "3", "the output cannot be"),
        (f"{QUIZ} pose nosuch >&-; echo $? >&2", "", "there is no item"),
        (f"{QUIZ} take --item masking.where <&- >/dev/null; echo $?", "130", ""),
        (f"{QUIZ} mark masking.where --answers - <&-; echo $?", "3", "standard input is not JSON"),
        (f"{QUIZ}; echo $?", "0", ""),
        (f"printf 'A\\377\\n' | LC_ALL=C {QUIZ} take --item masking.where >/dev/null; echo $?", "0", ""),
        (f"COLUMNS=5 {QUIZ} pose masking.where >/dev/null; echo $?", "0", ""),
    ],
)
def test_streams(shell: str, status: str, error: str) -> None:
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert "fault of ours" not in done.stderr
    assert error in done.stderr
    assert done.stdout.strip().endswith(status)
