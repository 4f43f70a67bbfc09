"""Results: every mark of an exam with its reason, in one SQLite file beside the manifest, only added to.

Of one answer the instructor's own mark stands before a discount, and that before what the engine gave.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple

from quizengine import __version__
from quizengine.errors import InputError
from quizengine.files.checksum import FUNCTION, expression
from quizengine.files.hold import sync
from quizengine.items.policy import exact
from quizengine.lang.characters import visible

Kind = Literal["graded", "regraded", "discount", "override"]
AUTOMATIC: tuple[Kind, ...] = ("graded", "regraded")
FILE, VERSION = "results.sqlite", 2
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
_CRC = expression(["id", *_FIELDS])
_MEND = "put an older copy in its place, or put it aside and grade again"
_SHOWN = 5  # sheets with a damaged mark, named at most


class Results:
    """The marks of one exam. Raises InputError when one of them is not as it was written."""

    def __init__(self, manifest: Path):
        self.path = manifest.parent / FILE
        with self._sentence():
            if not self.path.exists():
                _create(self.path)
            self._db = sqlite3.connect(self.path, timeout=30, isolation_level=None)
            self._db.execute("pragma synchronous = full")
            found = _brought_up(self._db)
        self._read: dict[str, int] = {}  # sheets, and the newest mark of all when theirs were read
        if found > VERSION:
            raise InputError(f"{self.path} was written by a newer quizengine: update it", code="store")
        self._check()

    def _check(self) -> None:
        """Raise InputError unless the file is whole and every mark is as it was written."""
        rows = greatest = intact = 0
        spoilt: set[str] = set()
        try:
            query = f"select id, cast(code as blob), crc is {_CRC} from mark"
            for id_, code, same in self._db.execute(query):
                rows, intact, greatest = rows + 1, intact + same, max(greatest, id_ if same else 0)
                if not same:
                    spoilt.add(str(code or b"", "utf-8", "replace"))
            why = str(self._db.execute("pragma integrity_check(1)").fetchone()[0])
        except sqlite3.OperationalError:  # locked, or the disk: nothing is wrong with it
            with self._sentence():
                raise
        except sqlite3.DatabaseError as error:
            why = str(error)
        total = max(rows, greatest)  # marks are numbered from 1, and none is ever taken away
        if intact < total or why != "ok":
            self._db.close()
            names = ", ".join(sorted(spoilt)[:_SHOWN]) + (", …" if len(spoilt) > _SHOWN else "")
            where = f", but not all of sheet {names}" if spoilt else f" ({why})" if why != "ok" else ""
            said = f"{self.path} is damaged: {intact} of {total} marks are intact{where}; {_MEND}"
            raise InputError(" ".join(visible(said).split()), code="store")

    @contextmanager
    def _sentence(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, OSError) as error:
            spoilt = type(error) is sqlite3.DatabaseError  # not a subclass of it: the file itself
            mend = _MEND if spoilt else "what is in it is kept, and the same call goes on"
            message = f"{self.path} {'is damaged' if spoilt else 'cannot be used'}: {error}; {mend}"
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
            last = self._db.execute("select coalesce(max(id), 0) from mark").fetchone()[0]
            self._db.executemany(query, rows)
            self._db.execute(f"update mark set crc = {_CRC} where id > ?", (last,))
            self._db.execute("commit")

    def history(self, code: str) -> list[Result]:
        """Every mark of a sheet, oldest first."""
        return self.histories([code]).get(code, [])

    def histories(self, codes: Sequence[str]) -> dict[str, list[Result]]:
        """Every mark of these sheets, oldest first, by code; of what has none, nothing. Raises InputError
        where the store is damaged."""
        out: dict[str, list[Result]] = {}
        with self._sentence():
            newest = self._db.execute("select coalesce(max(id), 0) from mark").fetchone()[0]
            self._read |= dict.fromkeys(codes, newest)
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

    def decided_since(self) -> list[tuple[str, str]]:
        """(code, label) of what the instructor decided of a sheet after its marks were read here."""
        own = "select id, code, label from mark where id > ? and kind in ('discount', 'override')"
        with self._sentence():
            rows = self._db.execute(f"{own} order by id", (min(self._read.values(), default=0),)).fetchall()
        late = [(code, label) for id_, code, label in rows if id_ > self._read.get(code, id_)]
        return list(dict.fromkeys(late))


def _brought_up(db: sqlite3.Connection) -> int:
    """Make the table in a record that is empty, and the checksums in an old one; the version found."""
    db.create_function(*FUNCTION, deterministic=True)
    found: int = db.execute("pragma user_version").fetchone()[0]
    if not found:
        db.execute("pragma journal_mode = wal")
    if found < VERSION:
        db.execute("begin immediate")
        found = db.execute("pragma user_version").fetchone()[0]
        schema = Path(__file__).with_name("results.sql").read_text("utf-8")
        for statement in () if found else schema.split(";"):
            db.execute(statement)
        if found < VERSION:
            db.execute("alter table mark add column crc integer not null default 0")
            db.execute(f"update mark set crc = {_CRC}")
            db.execute(f"pragma user_version = {VERSION}")
        db.execute("commit")
    return found


def _create(path: Path) -> None:
    """A new record, made whole beside its place and then put there at once: of several that begin together
    one wins, and none sees a record half made."""
    with TemporaryDirectory(prefix=f"{FILE}.", dir=path.parent) as folder:
        part = Path(folder, FILE)
        db = sqlite3.connect(part, isolation_level=None)
        try:
            _brought_up(db)
        finally:
            db.close()
        os.chmod(part, 0o600)
        with suppress(FileExistsError):
            os.link(part, path)
    sync(path.parent)


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
