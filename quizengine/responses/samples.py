"""One answer of each fate for every kind of part: the bank examines itself with them."""

from __future__ import annotations

from quizengine.problems.problem import Kind, Part, key_text

UNREADABLE: dict[Kind, str] = {
    "number": "about a third?",
    "array": "[[1, 2], [3",
    "choice": "?!",
    "choices": "?!",
    "order": "?!",
    "pairs": "?!",
    "words": "x" * 20_001,  # any words can be read; too many cannot
}


def right(part: Part) -> str:
    """The key as it is printed."""
    return key_text(part, part.key)


def unreadable(part: Part) -> str:
    """A text that is no answer of this kind."""
    return UNREADABLE[part.kind]
