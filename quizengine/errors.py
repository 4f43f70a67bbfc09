"""What can go wrong that is not a learner's mistake.

    QuizError            one sentence: what, where, what to do
    ├── UsageError       the call's words do not fit                  exit 2
    │   └── UnknownName  no such item, topic, …: the nearest offered   exit 2
    ├── InputError       a file or an array that cannot be used        exit 3
    │   ├── FaultyFile   all faults of a bank or roster at once        exit 3
    │   └── ArrayError   an array of a wrong shape or kind             exit 3
    └── PosingError      a fault of ours: no fair variant, or two keys that disagree

A learner's mistake is never an exception: it is a reading or a mark.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Fault(NamedTuple):
    """One thing wrong in a file the user wrote, with its place (lines and columns from 1)."""

    file: str
    line: int
    column: int
    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


class QuizError(Exception):
    """A sentence for the user; `code` is stable for programs, `exit` is the exit status."""

    code = "error"
    exit = 1

    def __init__(self, message: str, *, code: str | None = None, fault: Fault | None = None):
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.fault = fault


class UsageError(QuizError):
    """The words of the call do not fit together."""

    code = "usage"
    exit = 2


class UnknownName(UsageError):
    """A name that does not exist; the nearest ones are offered."""

    code = "unknown-name"

    def __init__(self, kind: str, name: str, known: Iterable[str]):
        super().__init__(f"there is no {kind} “{name}”{nearest(name, known)}")


class InputError(QuizError):
    """A file that cannot be used."""

    code = "unreadable"
    exit = 3


class ArrayError(InputError):
    """An array that cannot be used; the message names it and its shape."""

    code = "array"


class FaultyFile(InputError):
    """All faults of a bank or a roster, sorted by place."""

    code = "faults"

    def __init__(self, faults: Sequence[Fault]):
        self.faults = tuple(sorted(faults))
        super().__init__("\n".join(map(str, self.faults)), fault=self.faults[0])


class PosingError(QuizError):
    """No fair variant was found, or the key's two computations disagree: ours, not the learner's."""

    code = "posing"


def near(name: str, known: Iterable[str]) -> list[str]:
    """The names that may be meant, at most three."""
    import difflib

    names = sorted(known)
    found = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    return found + [n for n in names if n not in found and name and name in n][: 3 - len(found)]


def nearest(name: str, known: Iterable[str]) -> str:
    """`; did you mean a, b or c?` — or the whole list when it is short and nothing is near.

    >>> nearest("maskin", ["masking", "order", "roles"])
    '; did you mean masking?'
    """
    names = sorted(known)
    if found := near(name, names):
        head, last = ", ".join(found[:-1]), found[-1]
        return f"; did you mean {head + ' or ' if head else ''}{last}?"
    return f"; there are: {', '.join(names)}" if len(names) <= 12 else ""
