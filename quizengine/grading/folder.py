"""The folder that grading fills: the gradebook and a page of feedback a learner, written as they are made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from quizengine.files.failure import failed
from quizengine.files.hold import hold
from quizengine.files.whole import write_whole
from quizengine.grading.feedback import Page
from quizengine.grading.gradebook import PLAIN, Form, header
from quizengine.lang.characters import visible
from quizengine.sheets.manifest import Who

GRADEBOOK, FEEDBACK, LOG = "gradebook.csv", "feedback", "grading.txt"
_KINDS = ("md", "html", "part")
_SAFE = re.compile(r"[\w.-]{1,80}", re.ASCII)


def page_name(student: str, code: str) -> str:
    """What a student's page is called: the id, where a file may be called so, else the code."""
    return student if _SAFE.fullmatch(student) and not student.startswith(".") else code


class Folder:
    """Opened to write into; a gradebook that was there stays until the new one is whole. Pages of an earlier
    run must not pass for this one's: those of `who` are removed. Raises InputError."""

    def __init__(self, out: Path, labels: Sequence[str], form: Form = PLAIN, who: Sequence[Who] = ()):
        self.out, self.part = out, out / f"{GRADEBOOK}.part"
        try:
            out.mkdir(parents=True, exist_ok=True)
            busy = f"another quizengine is writing to {out}: wait for it, or name another folder"
            self.book = hold(self.part, busy)
        except OSError as error:
            raise failed(error.filename or out, error, code="not-written") from None
        try:
            with self._sentence():
                self.book.truncate(0)
                self.book.write(header(labels, form))
                own = {page_name(student, code) for code, student, _ in who}
                for old in [p for kind in _KINDS for p in (out / FEEDBACK).glob(f"*.{kind}")]:
                    if old.name.removesuffix(".part").rpartition(".")[0] in own:
                        old.unlink()
        except BaseException:
            self.close()
            raise

    @contextmanager
    def _sentence(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            with suppress(OSError):
                self.part.unlink(missing_ok=True)  # half a gradebook is none
            then = "; the marks so far are on record, and the same call goes on"
            raise failed(self.out, error, code="not-written", then=then) from None

    def add(self, lines: str, pages: Sequence[Page]) -> None:
        """Some students more."""
        with self._sentence():
            self.book.write(lines)
            self.book.flush()
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
        write_whole(self.out / name, text.encode())

    def keep(self) -> None:
        """All students are there: the gradebook in its place."""
        with self._sentence():
            self.book.flush()
            self.part.replace(self.out / GRADEBOOK)

    def log(self, lines: Sequence[str]) -> None:
        """What was decided."""
        self.put(LOG, visible("\n".join(lines)) + "\n")

    def close(self) -> None:
        """Let go of it."""
        with suppress(OSError):
            self.book.close()
