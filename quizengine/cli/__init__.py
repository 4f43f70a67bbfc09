"""The front desk: it parses words, makes one call, and prints."""

from __future__ import annotations


def main() -> None:
    """The console script."""
    from quizengine.cli.house import house

    house()
