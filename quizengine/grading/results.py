"""Results: every mark of an exam with its reason, in one SQLite file beside the manifest, only added to.

Of one answer the instructor's own mark stands before a discount, and that before what the engine gave.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, NamedTuple

from quizengine import __version__
from quizengine.errors import InputError

Kind = Literal["graded", "regraded", "discount", "override"]
AUTOMATIC: tuple[Kind, ...] = ("graded", "regraded")
FILE, VERSION = "results.sqlite", 1
_FIELDS = (
    *("code", "label", "kind", "raw", "verdict", "credit", "points", "misconceptions"),
    *("item", "key", "engine", "policy", "at", "why"),
)


class Result(NamedTuple):
    """One mark of one part. `key` names the key it was judged by, `why` the reason in words."""

    code: str
    label: str
    kind: Kind
    raw: str
    verdict: str
    credit: Fraction
    points: int
    misconceptions: tuple[str, ...]
    item: str
    key: str
    policy: str
    at: str = ""
    why: str = ""
    engine: str = __version__

    @property
    def place(self) -> tuple[str, str]:
        """Which answer it is about."""
        return self.code, self.label


class Results:
    """The marks of one exam."""

    def __init__(self, manifest: Path):
        self.path = manifest.parent / FILE
        with self._sentence():
            fresh = not self.path.exists()
            self._db = sqlite3.connect(self.path, timeout=30, isolation_level=None)
            self._db.execute("pragma journal_mode = wal")
            self._db.execute("pragma synchronous = full")
            self._db.execute("begin immediate")
            found = self._db.execute("pragma user_version").fetchone()[0]
            self._db.execute("commit")
            if found == 0:
                schema = Path(__file__).with_name("results.sql").read_text("utf-8")
                self._db.executescript(f"begin; {schema} pragma user_version = {VERSION}; commit;")
            if fresh:
                os.chmod(self.path, 0o600)
        if found > VERSION:
            raise InputError(f"{self.path} was written by a newer quizengine: update it", code="store")

    @contextmanager
    def _sentence(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, OSError) as error:
            raise InputError(f"{self.path} cannot be used: {error}", code="store") from None

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def add(self, results: Sequence[Result]) -> None:
        """Add these, all or none; when this returns, they are kept."""
        rows = [
            [
                json.dumps(v) if isinstance(v, tuple) else str(v) if isinstance(v, Fraction) else v
                for v in fields
            ]
            for result in results
            for fields in [[getattr(result, name) for name in _FIELDS]]
        ]
        query = f"insert into mark ({', '.join(_FIELDS)}) values ({', '.join('?' * len(_FIELDS))})"
        with self._sentence():
            self._db.execute("begin immediate")
            self._db.executemany(query, rows)
            self._db.execute("commit")

    def _select(self, where: str = "", values: Iterable[Any] = ()) -> Iterator[Result]:
        with self._sentence():
            for row in self._db.execute(
                f"select {', '.join(_FIELDS)} from mark {where} order by id", tuple(values)
            ):
                found = dict(zip(_FIELDS, row, strict=True))
                found["credit"] = Fraction(found["credit"])
                found["misconceptions"] = tuple(json.loads(found["misconceptions"]))
                yield Result(**found)

    def history(self, code: str) -> list[Result]:
        """Every mark of a sheet, oldest first."""
        return list(self._select("where code = ?", (code,)))

    def standing(self) -> dict[tuple[str, str], Result]:
        """The mark that stands, of every answer."""
        return self._latest(("override",), ("discount",), AUTOMATIC)

    def graded(self) -> dict[tuple[str, str], Result]:
        """What the engine gave when the answer came in, of every answer; its `why` says if it was late."""
        return self._latest(("graded",))

    def automatic(self) -> dict[tuple[str, str], Result]:
        """What the engine gave last, of every answer."""
        return self._latest(AUTOMATIC)

    def _latest(self, *ranks: tuple[Kind, ...]) -> dict[tuple[str, str], Result]:
        out: dict[tuple[str, str], Result] = {}
        for kinds in reversed(ranks):
            marks = ", ".join("?" * len(kinds))
            out |= {result.place: result for result in self._select(f"where kind in ({marks})", kinds)}
        return out
