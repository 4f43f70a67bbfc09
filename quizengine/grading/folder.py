"""The folder that grading fills: the gradebook and a page of feedback a learner, written as they are made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from quizengine.errors import InputError
from quizengine.grading.feedback import Page
from quizengine.grading.gradebook import PLAIN, Form, header
from quizengine.lang.characters import visible

GRADEBOOK, FEEDBACK, LOG = "gradebook.csv", "feedback", "grading.txt"
_SAFE = re.compile(r"[\w.-]{1,80}", re.ASCII)


def page_name(student: str, code: str) -> str:
    """What a student's page is called: the id, where a file may be called so, else the code."""
    return student if _SAFE.fullmatch(student) and not student.startswith(".") else code


class Folder:
    """Opened to write into; a gradebook that was there stays until the new one is whole. Raises
    InputError."""

    def __init__(self, out: Path, labels: Sequence[str], form: Form = PLAIN):
        self.out, self.part = out, out / f"{GRADEBOOK}.part"
        with self._sentence():
            out.mkdir(parents=True, exist_ok=True)
            for old in [p for kind in ("md", "html", "part") for p in (out / FEEDBACK).glob(f"*.{kind}")]:
                old.unlink()  # pages of an earlier run must not pass for this one's
            self.part.write_text(header(labels, form), "utf-8", newline="")

    @contextmanager
    def _sentence(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            message = (
                f"{self.out}: {error.strerror}; the marks so far are on record, and the same call goes on"
            )
            raise InputError(message, code="not-written") from None

    def add(self, lines: str, pages: Sequence[Page]) -> None:
        """Some students more."""
        with self._sentence():
            with self.part.open("a", encoding="utf-8", newline="") as file:
                file.write(lines)
            if pages:
                (self.out / FEEDBACK).mkdir(exist_ok=True)
            for student, code, text, html in pages:
                name = page_name(student, code)
                self._put(f"{FEEDBACK}/{name}.md", text)
                if html:
                    self._put(f"{FEEDBACK}/{name}.html", html)

    def put(self, name: str, text: str) -> None:
        """A file, whole or not at all: a full disk never costs the one that was there."""
        with self._sentence():
            self._put(name, text)

    def _put(self, name: str, text: str) -> None:
        part = self.out / f"{name}.part"
        try:
            part.write_text(text, "utf-8")
            part.replace(self.out / name)
        except OSError:
            part.unlink(missing_ok=True)
            raise

    def close(self, log: Sequence[str]) -> None:
        """All students are there: the gradebook in its place, and what was decided."""
        with self._sentence():
            self.part.replace(self.out / GRADEBOOK)
            self._put(LOG, visible("\n".join(log)) + "\n")
