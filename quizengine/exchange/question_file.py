"""A file of questions, as it is written for another platform."""

from __future__ import annotations

from typing import NamedTuple

MB = 10**6  # bytes


class QuestionFile(NamedTuple):
    """A file to import, in one language."""

    path: str
    content: bytes
    questions: int
