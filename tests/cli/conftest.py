"""A command on a terminal of its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pexpect
import pytest


class Terminal(pexpect.spawn):
    """A command that runs on a terminal."""

    def answer(self, typed: str, shown: object) -> None:
        """Wait for the prompt, type, and wait for what must then be shown."""
        self.expect("> ")
        self.sendline(typed)
        self.expect(shown)


@pytest.fixture
def spawn(home: Path):
    opened = []

    def start(
        *words: str, columns: int = 80, program: tuple[str, ...] = ("-m", "quizengine"), **env: str
    ) -> Terminal:
        child = Terminal(
            sys.executable,
            [*program, *words],
            env={k: v for k, v in os.environ.items() if k != "COLUMNS"}
            | {"TERM": "xterm", "LANG": "C.UTF-8"}
            | env,
            encoding="utf-8",
            timeout=20,
            dimensions=(40, columns),
        )
        opened.append(child)
        return child

    yield start
    for child in opened:
        child.close(force=True)
