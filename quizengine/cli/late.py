"""Late: a command that is imported when it is called, so that those beside it do not wait for it."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click


def command_at(where: str) -> click.Command:
    """The command of `where`, which is its module and its name: “bank_stats:stats”."""
    module, name = where.split(":")
    command: click.Command = getattr(importlib.import_module(f"quizengine.cli.{module}"), name)
    return command
