"""What a shell is told when a learner presses Tab."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MINI = Path(__file__).parent.parent / "mini" / "bad-style.yaml"


def complete(shell: str, *words: str) -> list[str]:
    env = os.environ | {
        "COMP_WORDS": " ".join(words),
        "COMP_CWORD": str(len(words) - 1) if shell != "fish" else words[-1],
        "_QUIZENGINE_COMPLETE": f"{shell}_complete",
    }
    program = "import sys; sys.argv[0] = 'quizengine'; from quizengine.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["ta"], "plain,take"),
        (["take", "--topic", "mask"], "plain,masking"),
        (["take", "--item", "masking.whe"], "plain,masking.where"),
        (["take", "--misconception", "mask-on"], "plain,mask-on-values"),
        (["pose", "masking.one-r"], "plain,masking.one-row"),
        (["progress", "ex"], "plain,export"),
        (["take", "--bank", str(MINI), "--item", "bad-style.exc"], "plain,bad-style.excused"),
    ],
)
def test_bash(words: list[str], expected: str) -> None:
    assert expected in complete("bash", "quizengine", *words)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_gets_its_script(shell: str) -> None:
    env = os.environ | {"_QUIZENGINE_COMPLETE": f"{shell}_source"}
    program = "import sys; sys.argv[0] = 'quizengine'; from quizengine.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True
    )
    assert "_quizengine_completion" in done.stdout
