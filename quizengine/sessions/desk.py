"""A desk: where a learner sits before a session. Sessions show and ask through it, and print nothing."""

from __future__ import annotations

from typing import Protocol


class Desk(Protocol):
    """What shows lines and gives what is typed; the terminal's is the module `cli.screen`."""

    def width(self) -> int:
        """The cells of a line."""

    def height(self) -> int:
        """The lines of a screen; 0 where nothing rolls off one."""

    def abreast(self) -> bool:
        """May matrices stand side by side? (A voice reads line by line.)"""

    def interactive(self) -> bool:
        """Is a person typing?"""

    def print(self, *lines: str, style: str = "") -> None:
        """Show these lines; `style` is bold, green, red, yellow, or empty."""

    def copy(self, text: str) -> None:
        """Put this text where the learner's machine pastes from, if this desk can."""

    def keys(self, text: str) -> str:
        """A line of keys, as this desk writes it."""

    def answer(self, *, rows: int = 0) -> str | None:
        """What is typed: a line, or an array of so many rows; None at the end of input."""

    def complain(self, text: str) -> None:
        """Say what went wrong, apart from all else."""
