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
from typing import Literal, NamedTuple

from quizengine import __version__
from quizengine.errors import InputError
from quizengine.items.policy import exact

Kind = Literal["graded", "regraded", "discount", "override"]
AUTOMATIC: tuple[Kind, ...] = ("graded", "regraded")
FILE, VERSION = "results.sqlite", 1
Stored = tuple[str | int, ...]


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


_FIELDS = Result._fields


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
            message = f"{self.path} cannot be used: {error}; what is in it is kept, and the same call goes on"
            raise InputError(message, code="store") from None

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def add(self, results: Iterable[Result]) -> None:
        """Add these, all or none; when this returns, they are kept."""
        self.put([stored(result) for result in results])

    def put(self, rows: Sequence[Stored]) -> None:
        """As `add`, of what is `stored` already."""
        query = f"insert into mark ({', '.join(_FIELDS)}) values ({', '.join('?' * len(_FIELDS))})"
        with self._sentence():
            self._db.execute("begin immediate")
            self._db.executemany(query, rows)
            self._db.execute("commit")

    def history(self, code: str) -> list[Result]:
        """Every mark of a sheet, oldest first."""
        return self.histories([code]).get(code, [])

    def histories(self, codes: Sequence[str]) -> dict[str, list[Result]]:
        """Every mark of these sheets, oldest first, by code; of what has none, nothing."""
        out: dict[str, list[Result]] = {}
        with self._sentence():
            for row in self._db.execute(history_query(len(codes)), codes):
                found = dict(zip(_FIELDS, row, strict=True))
                try:
                    found["credit"] = exact(found["credit"])
                    found["misconceptions"] = tuple(json.loads(found["misconceptions"]))
                except (ValueError, TypeError):
                    message = f"{self.path} is damaged: a mark of sheet {found['code']} is none; put it aside"
                    raise InputError(message, code="store") from None
                out.setdefault(found["code"], []).append(Result(**found))
        return out


def history_query(count: int) -> str:
    """That of so many sheets."""
    return f"select {', '.join(_FIELDS)} from mark where code in ({', '.join('?' * count)}) order by id"


def stored(result: Result) -> Stored:
    """A result as the file holds it."""
    shown = json.dumps(result.misconceptions)
    return tuple(result._replace(credit=str(result.credit), misconceptions=shown))  # type: ignore[arg-type]


def latest(history: Iterable[Result], *ranks: Sequence[Kind]) -> dict[str, Result]:
    """By label the last mark of a sheet that is of these kinds; those of a later rank stand before others."""
    known = list(history)
    return {r.label: r for kinds in ranks for r in known if r.kind in kinds}


def standing(history: Iterable[Result]) -> dict[str, Result]:
    """By label the mark of a sheet that stands."""
    return latest(history, AUTOMATIC, ("discount",), ("override",))
