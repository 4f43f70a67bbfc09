"""Late: commands that are imported when they are called, so that those beside them, and the help, do not wait
for them."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click

Late = Mapping[str, tuple[str, str]]  # by name, where each is, “bank_stats:stats”, and what it does in a line


def command_at(where: str) -> click.Command:
    """The command of `where`, which is its module and its name."""
    module, name = where.split(":")
    command: click.Command = getattr(importlib.import_module(f"quizengine.cli.{module}"), name)
    return command


class LateGroup(click.Group):
    """A group with `late` commands beside its own, in the order of the alphabet."""

    def __init__(self, *args: Any, late: Late, **more: Any):
        super().__init__(*args, **more)
        self.late = late

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return sorted([*self.commands, *self.late])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, imported now if it is late; None where there is none."""
        if cmd_name in self.late:
            return command_at(self.late[cmd_name][0])
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the words name. Raises NoSuchCommand, which tells the nearest ones."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            known = self.list_commands(ctx)
            raise click.exceptions.NoSuchCommand(error.command_name, None, known, ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a line a command without importing any."""
        names = self.list_commands(ctx)
        room = formatter.width - 6 - max(map(len, names))
        lines = [
            (name, self.late[name][1] if name in self.late else self.commands[name].get_short_help_str(room))
            for name in names
        ]
        with formatter.section("Commands"):
            formatter.write_dl(lines)
