"""The only file that prints: lines out, answers in."""

from __future__ import annotations

import base64
import builtins
import codecs
import json as json_
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from time import monotonic
from typing import TypeVar

import click

from quizengine.files.charset import UTF16, decode, decode_named
from quizengine.lang.characters import SHADES, ascii_json, harmless, plain, visible
from quizengine.lang.emphasis import Emphasis

MAX_WIDTH = 80
LONG, MOMENT = 40, 0.4  # things from which on a bar is shown at once; seconds after which it is of fewer
T = TypeVar("T")
_TYPED = str.maketrans(SHADES[1:] + "·", ":+%#.")  # for an output that has no blocks
_SPOKEN = str.maketrans({**dict.fromkeys(SHADES[1:], ""), "─": "-", "│": ",", "✗": " (x)"})


class Wish:
    """What the call asks of the terminal."""

    plain = False  # for a screen reader: no colour, no figures made of signs


def _plain() -> bool:
    return Wish.plain or os.environ.get("ACCESSIBLE", "0") not in ("", "0")


def width() -> int:
    """Cells to write in: the terminal's, or COLUMNS, at most 80."""
    try:
        columns = int(os.environ.get("COLUMNS") or os.get_terminal_size(sys.stdout.fileno()).columns)
    except (ValueError, OSError, AttributeError):  # a closed output is None
        columns = MAX_WIDTH
    return max(20, min(MAX_WIDTH, columns))


def height() -> int:
    """The lines of the terminal, or LINES; 0 where nothing rolls off one."""
    if sys.stdout is None or not sys.stdout.isatty():
        return 0
    try:
        return int(os.environ.get("LINES") or os.get_terminal_size(sys.stdout.fileno()).lines)
    except (ValueError, OSError):
        return 0


def abreast() -> bool:
    """May matrices stand side by side? A voice reads line by line."""
    return not _plain()


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


def print(*lines: str, style: str = "") -> None:
    """Lines to standard output; `style` (bold, green, red, yellow, grey) only where colour is wanted."""
    codes = {"bold": "1", "green": "32", "red": "31", "yellow": "33", "grey": "90"}
    for line in lines:
        text = visible(line)
        if isinstance(line, Emphasis) and _coloured():
            for start, end in reversed(line.stretches):
                text = f"{text[:start]}\033[1;36m{text[start:end]}\033[0m{text[end:]}"
        if _plain():
            text = text.translate(_SPOKEN)
        elif not _blocks():
            text = text.translate(_TYPED)
        if _coloured():
            text = re.sub(f"[{SHADES[1:]}]", "\033[36m\\g<0>\033[0m", text)
        builtins.print(f"\033[{codes[style]}m{text}\033[0m" if style and _coloured() else text)


def copy(text: str) -> None:
    """Put this text on the clipboard of a terminal that takes it from its output (OSC 52); others ignore
    it."""
    if os.environ.get("TERM") != "dumb" and sys.stdout is not None and sys.stdout.isatty():
        packed = base64.b64encode(text.encode()).decode()
        builtins.print(f"\033]52;c;{packed}\a", end="", flush=True)


def keys(text: str) -> str:
    """The parts of a key line, parted so that a voice pauses between them."""
    return text.replace(" · ", ", ") if _plain() else text


def line(text: str) -> None:
    """JSON that a program reads: a console that is not UTF-8 would change or lose letters of it, and gets
    them as ASCII."""
    builtins.print(text if _unicode(text) else ascii_json(text))


def json(data: object) -> None:
    """One JSON value to standard output."""
    line(harmless(json_.dumps(data, ensure_ascii=False, indent=1)))


def _unicode(text: str) -> bool:
    """Does the text go out letter by letter, as UTF-8?"""
    if sys.stdout is None:
        return True
    try:
        text.encode()
        return codecs.lookup(sys.stdout.encoding).name == "utf-8"
    except (UnicodeEncodeError, LookupError, TypeError):  # half a character; an output without an encoding
        return False


def _blocks() -> bool:
    """Has the output the signs that pictures are drawn with?"""
    try:
        SHADES.encode((sys.stdout and sys.stdout.encoding) or "utf-8")
        return True
    except (UnicodeEncodeError, LookupError):
        return False


def _watched() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def sign(text: str) -> None:
    """What takes a while now, to standard error while a person watches."""
    if _watched():
        builtins.print(text, file=sys.stderr, flush=True)


def progress(things: Iterable[T], count: int, size: Callable[[T], int] = lambda _: 1) -> Iterator[T]:
    """The things, with a bar on standard error while a person watches a long run: one of many things, or one
    that takes longer than a moment; each thing counts for so many."""
    if not _watched() or _plain():
        yield from things
        return
    begun, done, rest, few = monotonic(), 0, iter(things), count < LONG
    for thing in rest if few else ():
        yield thing
        done += size(thing)
        if monotonic() - begun >= MOMENT:
            break
    else:
        if few:
            return
    with click.progressbar(length=count, show_pos=True, file=sys.stderr) as bar:
        bar.update(done)
        for thing in rest:
            yield thing
            bar.update(size(thing))


def complain(text: str) -> None:
    """A sentence to standard error."""
    with suppress(OSError, AttributeError):
        sys.stdout.flush()
    with suppress(OSError):
        if sys.stderr is not None:  # else it would go among the answers
            builtins.print(visible(text), file=sys.stderr)


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


def soften() -> None:
    """A sign that the console has not stops no sentence."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]


def prepare() -> None:
    """Begin with the first line of what comes in; make lines editable where a person types."""
    _unread.clear()
    _pressed.clear()
    _piped[:] = [_lines()]
    if interactive():
        with suppress(ImportError):
            import readline  # noqa: F401  wide characters are erased whole only with it


_pressed: list[str] = []  # keys that came together, to be taken one by one


def key() -> str | None:
    """One key, without Enter at a terminal; “\\n” is Enter, and None the end of input. On a pipe every sign
    is one."""
    if not interactive() and not _pressed:
        _pressed.extend(f"{line}\n" if (line := next(_piped[0], None)) is not None else "")
        return _pressed.pop(0) if _pressed else None
    while not _pressed:
        sys.stdout.flush()
        try:
            keys = click.getchar()
        except EOFError:
            return None
        _pressed.extend("" if keys.startswith("\x1b") else keys)  # of an arrow nothing; of fast typing all
    return {"\r": "\n", "\x04": None}.get(pressed := _pressed.pop(0), pressed)


def over(text: str) -> None:
    """A line that is written over as often as it changes; Enter goes on below it."""
    if interactive() and not _plain():
        builtins.print(f"\r\033[K{visible(text)}", end="", flush=True)
    else:
        print(text)


_unread: list[str] = []  # a command that ended an array, to be read next
_piped: list[Iterator[str]] = []  # what comes on a pipe, as far as it is not read


def answer(*, rows: int = 0) -> str | None:
    """What is typed: one line; for an array of so many rows until its brackets close or, at a terminal,
    until its rows are there. An empty line ends it there, and a command does everywhere. None at the end of
    input."""
    if _unread:
        return _unread.pop()
    lines: list[str] = []
    while True:
        line = _line(f"{len(lines) + 1}> " if lines else "> ")
        if line is None:
            return "\n".join(lines) if lines else None
        if lines and line.lstrip().startswith(_COMMAND):
            _unread.append(line)
            return "\n".join(lines)
        if lines and interactive() and not line.strip() and (_rows(lines) or not lines[-1].strip()):
            return "\n".join(lines)
        lines.append(line)
        if not _goes_on(lines, rows):
            return "\n".join(lines)


_COMMAND = (":", "：", "?", "？")
_WHOLE = re.compile(r"[\[(]\s*[\[(]|\[[^]]*;|\\")  # brackets around rows: when they close it is complete
_ROW = re.compile(r"\[|\((?=[^()]*[,\s][^()]*\))")  # the bracket that begins a row
_NO_ROW = re.compile(r".*[:=]\s*|[|+][-|:+\s]*|\s*")  # the heading of a print, the rule of a table


def _goes_on(lines: list[str], rows: int) -> bool:
    """Is there more to come of this array?"""
    text = plain("\n".join(lines))
    if not rows or not text.strip() or text.lstrip().startswith(_COMMAND):
        return False
    if _open(text) > 0 or text.count(r"\begin{") > text.count(r"\end{"):
        return True
    return interactive() and not _WHOLE.search(text) and _rows(lines) < rows


def _rows(lines: list[str]) -> int:
    """How many rows these lines hold, of an array that is not in brackets as a whole."""
    pieces = [piece for line in lines for piece in plain(line).split(";") if not _NO_ROW.fullmatch(piece)]
    return sum(max(1, len(_ROW.findall(piece))) for piece in pieces)


def _line(prompt: str) -> str | None:
    if interactive():
        try:
            return input(prompt)
        except EOFError:
            print("")
            return None
    if _pressed:  # the rest of a line of keys
        rest = "".join(_pressed).partition("\n")[0]
        del _pressed[: len(rest) + 1]
        return rest
    return next(_piped[0], None)


def _lines() -> Iterator[str]:
    """The lines on a pipe: UTF-8, whatever the console is, and what is none as the console has it; UTF-16
    where its mark says so."""
    if sys.stdin is None:
        return
    buffer, console = sys.stdin.buffer, sys.stdin.encoding
    mark: tuple[bytes, ...] = UTF16
    for raw in iter(buffer.readline, b""):
        if mark and raw.startswith(mark):
            rest = (raw + buffer.read()).decode("utf-16", "replace")
            yield from (line.rstrip("\r") for line in rest.removesuffix("\n").split("\n"))
            return
        try:
            line = decode(raw) if mark else raw.decode()
        except UnicodeDecodeError:
            line = raw.decode(console, "replace")
        mark = ()
        yield line.rstrip("\r\n")


def _open(text: str) -> int:
    return sum(text.count(c) for c in "[(") - sum(text.count(c) for c in "])")


def read_bytes() -> bytes:
    """All of standard input."""
    return sys.stdin.buffer.read() if sys.stdin is not None else b""


def read_stdin() -> str:
    """All of standard input as text: UTF-8 or UTF-16, else as the console has it. Raises InputError."""
    raw = read_bytes()
    try:
        return decode(raw)
    except UnicodeDecodeError:
        with suppress(UnicodeDecodeError, AttributeError):
            if codecs.lookup(sys.stdin.encoding).name != "utf-8":
                return raw.decode(sys.stdin.encoding)
    return decode_named(raw, "standard input")


def hush() -> None:
    """Nobody reads any more: let the interpreter leave without a word."""
    with suppress(OSError, AttributeError, ValueError):  # closed from the start, it is None
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
