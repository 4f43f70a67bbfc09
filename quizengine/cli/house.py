"""The command group: each command is imported when it is called, and every error is one sentence."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from quizengine import __version__
from quizengine.cli import screen
from quizengine.cli.late import Late, LateGroup
from quizengine.errors import FaultyFile, InputError, QuizError, UnknownName

COMMANDS: Late = {
    "start": ("start:start", "Be led from the beginning."),
    "take": ("take:take", "Sit down and answer."),
    "progress": ("progress:progress", "Where a learner stands, over all sessions."),
    "review": ("review:review", "Ask again what is due, by spaced repetition."),
    "blueprint": ("blueprint:blueprint", "What an exam is to hold."),
    "sheet": ("sheet:sheet", "Write one variant per student, with keys."),
    "manifest": ("manifest:manifest", "The record of an exam."),
    "grade": ("grade:grade", "Grade answers by the manifest."),
    "marks": ("marks:marks", "Marks on record, beside the manifest."),
    "export": ("export:export", "Questions for other platforms."),
    "bank": ("bank:bank", "List, show and examine the questions."),
    "pose": ("problem:pose", "Pose one problem."),
    "mark": ("problem:mark", "Mark answers to one problem."),
    "solve": ("solve:solve", "Solve attention from Q, K, V or from X and its W's."),
    "check": ("check:check", "Check an attention function that a learner wrote."),
    "misconceptions": ("misconceptions:misconceptions", "List every known misconception and its remedy."),
}
INTERRUPTED = 130


class House(LateGroup):
    """All commands, each of them late."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands in the order of use, not of the alphabet."""
        return list(COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the words name. Raises UnknownName, which tells the nearest ones."""
        if args and args[0] not in COMMANDS:
            raise UnknownName("command", args[0], COMMANDS)
        return super().resolve_command(ctx, args)

    def main(self, args: Sequence[str] | None = None, *rest: Any, **more: Any) -> Any:
        """Run, and leave with the exit status of the house."""
        words = list(sys.argv[1:] if args is None else args)
        screen.soften()
        try:
            status = self._status(words, *rest, **more)
        except OSError as error:  # what went wrong could not be told: the output is closed, or its disk full
            screen.hush()
            status = 0 if isinstance(error, BrokenPipeError) else InputError.exit
            screen.complain(f"quizengine: the output cannot be used: {error.strerror or error}")
        sys.exit(screen.finish(status))

    def _status(self, words: list[str], *rest: Any, **more: Any) -> int:
        """Run one command; its exit status, when every error has been told."""
        more["standalone_mode"] = False
        try:
            status = super().main(words, *rest, **more)
        except QuizError as error:
            status = _failed(error, as_json="--json" in words)
        except click.exceptions.NoArgsIsHelpError as error:
            screen.print(error.format_message())
            status = 0
        except click.ClickException as error:
            wrong = QuizError(error.format_message(), code="usage")
            wrong.exit = error.exit_code
            status = _failed(wrong, as_json="--json" in words)
        except (KeyboardInterrupt, click.Abort):
            status = INTERRUPTED
        except SystemExit:  # click leaves so when nobody reads any more
            screen.hush()
            status = 0
        except BrokenPipeError:
            screen.hush()
            status = 0
        except OSError as error:
            said = f"{error.filename or 'the output'} cannot be used: {error.strerror or error}"
            status = _failed(InputError(said, code="file"), as_json="--json" in words)
        except Exception as error:
            if os.environ.get("QUIZENGINE_DEBUG"):
                raise
            ours = QuizError(
                f"a fault of ours ({type(error).__name__}: {error}); please report it", code="fault"
            )
            status = _failed(ours, as_json="--json" in words)
        return status if isinstance(status, int) else 0


def _failed(error: QuizError, *, as_json: bool) -> int:
    if as_json:
        said: dict[str, object] = {"code": error.code, "message": error.message}
        if error.fault:
            said |= {
                "file": error.fault.file,
                "line": error.fault.line,
                "column": error.fault.column,
            }
        screen.json({"error": said})
    elif isinstance(error, FaultyFile):
        screen.complain(error.message)
    else:
        screen.complain(f"quizengine: {error.message}")
    return error.exit


@click.group(cls=House, late=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="quizengine")
def house() -> None:
    """A self-grading exam and quiz engine for the attention mechanism.

    Begin with: quizengine start
    """
