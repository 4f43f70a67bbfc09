"""Emphasis: a line of text, some of which is to catch the eye where there is colour."""

from __future__ import annotations


class Emphasis(str):
    """A line, and the stretches of it, from a letter up to another, that are to catch the eye."""

    stretches: tuple[tuple[int, int], ...] = ()

    @classmethod
    def on(cls, line: str, stretches: tuple[tuple[int, int], ...]) -> str:
        """The line with these stretches; without any it is the line itself."""
        if not stretches:
            return line
        out = cls(line)
        out.stretches = stretches
        return out
