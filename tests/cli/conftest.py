"""A command on a terminal of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pexpect
import pytest

from quizengine.sessions.event import Event
from quizengine.sessions.store import Store, data_folder

RIGHT = """
import numpy as np
def attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ V
"""  # what a learner hands in


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


@pytest.fixture
def rewritten():
    """Put other events in the place of all that is kept."""

    def call(change: Callable[[Event], Event]) -> None:
        store = Store(data_folder(None))
        log = [[change(event) for event in events] for _, events in store.histories()]
        store.forget()
        store.restore(log)
        store.close()

    return call
