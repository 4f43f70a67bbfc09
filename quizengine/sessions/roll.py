"""A roll: the desk as a dialogue sees it, which counts the lines since the givens were shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quizengine.sessions.desk import Desk


class Roll:
    """A desk, and how many lines have rolled on since the first one of what is given."""

    def __init__(self, desk: Desk):
        self.desk, self.since = desk, 0
        self.width, self.height, self.abreast = desk.width, desk.height, desk.abreast
        self.interactive, self.keys = desk.interactive, desk.keys
        self.copy, self.complain = desk.copy, desk.complain

    def print(self, *lines: str, style: str = "") -> None:
        """Show these lines, and count them."""
        self.since += len(lines)
        self.desk.print(*lines, style=style)

    def answer(self, *, rows: int = 0) -> str | None:
        """What is typed; its lines count."""
        raw = self.desk.answer(rows=rows)
        self.since += 1 + (raw or "").count("\n")
        return raw

    def rolled_off(self, lines: int) -> bool:
        """Will the givens no longer be on the screen once so many more lines are shown, and the prompt?"""
        return 0 < self.height() < self.since + lines + 1
