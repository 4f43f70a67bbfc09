"""The only file that prints: lines out, answers in."""

from __future__ import annotations

import json as json_
import os
import re
import sys
from contextlib import suppress
from typing import Any

from quizengine.lang.characters import SHADES

MAX_WIDTH = 80
_SPOKEN = str.maketrans({**dict.fromkeys(SHADES[1:], ""), "─": "-", "✗": " (x)"})


class Wish:
    """What the call asks of the terminal."""

    plain = False  # for a screen reader: no colour, no figures made of signs


def _plain() -> bool:
    return Wish.plain or os.environ.get("ACCESSIBLE", "0") not in ("", "0")


def width() -> int:
    """Cells to write in: the terminal's, or COLUMNS, at most 80."""
    try:
        columns = int(os.environ.get("COLUMNS") or os.get_terminal_size(sys.stdout.fileno()).columns)
    except (ValueError, OSError):
        columns = MAX_WIDTH
    return max(20, min(MAX_WIDTH, columns))


def interactive() -> bool:
    """Is a person typing?"""
    return sys.stdin is not None and sys.stdin.isatty()


def _coloured() -> bool:
    if _plain() or os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    wanted = os.environ.get("TERM") != "dumb" and os.environ.get("CLICOLOR") != "0"
    return wanted and sys.stdout is not None and sys.stdout.isatty()


def say(*lines: str, style: str = "") -> None:
    """Lines to standard output; `style` (bold, green, red, yellow) only where colour is wanted."""
    codes = {"bold": "1", "green": "32", "red": "31", "yellow": "33"}
    for line in lines:
        text = _visible(line)
        if _plain():
            text = text.translate(_SPOKEN)
        if _coloured():
            text = re.sub(f"[{SHADES[1:]}]", "\033[36m\\g<0>\033[0m", text)
        print(f"\033[{codes[style]}m{text}\033[0m" if style and _coloured() else text)


def keys(text: str) -> str:
    """The parts of a key line, parted so that a voice pauses between them."""
    return text.replace(" · ", ", ") if _plain() else text


def line(text: str) -> None:
    """A line that a program reads, as it is."""
    print(text)


def json(data: Any) -> None:
    """One JSON value to standard output."""
    print(json_.dumps(data, ensure_ascii=False, indent=1))


def complain(text: str) -> None:
    """A sentence to standard error."""
    with suppress(OSError, AttributeError):
        sys.stdout.flush()
    with suppress(OSError):
        print(_visible(text), file=sys.stderr)


def finish(status: int) -> int:
    """Let out what is still held back; the exit status, or 3 when it cannot be written."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        hush()
    except OSError as error:
        hush()
        complain(f"quizengine: the output cannot be written: {error.strerror}")
        return 3
    return status


def prepare() -> None:
    """Make odd bytes harmless, and lines editable where a person types."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    if interactive():
        with suppress(ImportError):
            import readline  # noqa: F401  wide characters are erased whole only with it


def answer(*, array: bool = False) -> str | None:
    """What is typed: one line, or an array until its brackets close. None at the end of input."""
    lines: list[str] = []
    while True:
        line = _line("> " if not lines else ". ")
        if line is None:
            return "\n".join(lines) if lines else None
        lines.append(line)
        text = "\n".join(lines)
        if not array or _open(text) <= 0:
            return text


def _line(prompt: str) -> str | None:
    if interactive():
        try:
            return input(prompt)
        except EOFError:
            say("")
            return None
    line = sys.stdin.readline() if sys.stdin is not None else ""
    return line.rstrip("\r\n") if line else None


def _open(text: str) -> int:
    return sum(text.count(c) for c in "[［(（") - sum(text.count(c) for c in "]］)）")


def read_stdin() -> str:
    """All of standard input."""
    return sys.stdin.read() if sys.stdin is not None else ""


def hush() -> None:
    """Nobody reads any more: let the interpreter leave without a word."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _visible(text: str) -> str:
    """Without control and direction signs, which a name or an answer could smuggle in."""
    return "".join(c for c in text if c in "\n\t" or (c >= " " and c not in "\x7f" and not _directs(c)))


def _directs(character: str) -> bool:
    return (
        "\x80" <= character <= "\x9f" or character in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    )
