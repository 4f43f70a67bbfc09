"""Results: every mark of an exam with its reason, in one SQLite file beside the manifest, only added to; and
the lock by which one process at a time adds to it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from quizengine.errors import InputError
from quizengine.files.checksum import FUNCTION, expression
from quizengine.files.disk import disk_of, make_private, put_new
from quizengine.files.failure import failed
from quizengine.files.hold import hold, sync
from quizengine.grading.record.effective import AUTOMATIC, Result
from quizengine.items.policy import exact
from quizengine.lang.characters import visible

FILE, VERSION = "results.sqlite", 5
LOCK = "results.lock"
Stored = tuple[str | int, ...]
_FIELDS = Result._fields
_CRC = expression(["id", *_FIELDS])
_CRC_CLAIM = expression(["id", "code", "student", "at"])
_MEND = "put an older copy in its place, or put it aside and grade again"
_DAMAGE = (sqlite3.DatabaseError, UnicodeDecodeError)  # the latter where SQLite quotes a spoilt name
_SHOWN = 5  # sheets with a damaged mark, named at most


class Reading(NamedTuple):
    """What a reader (the first bears no name) found in an answer: the places of its ideas, from 0; None where
    that was taken back."""

    reader: str
    code: str
    label: str
    raw: str
    said: Any  # a tuple of places, as JSON in the file
    at: str


class Results:
    """The marks of one exam. Raises InputError when one of them is not as it was written."""

    def __init__(self, manifest: Path):
        self.path = manifest.parent / FILE
        with self._sentence():
            if not self.path.exists():
                _create(self.path)
            self._db = _connect(self.path)
            self.locked = disk_of(str(self.path)).locks  # so that two processes may write to it
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
        except _DAMAGE as error:
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
        except (*_DAMAGE, OSError) as error:
            spoilt = type(error) in _DAMAGE  # not a subclass of them: the file itself
            mend = _MEND if spoilt else "what is in it is kept, and the same call goes on"
            message = f"{self.path} {'is damaged' if spoilt else 'cannot be used'}: {error}; {mend}"
            raise InputError(message, code="store") from None

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def add(self, results: Iterable[Result]) -> None:
        """Add these, all or none; when this returns, they are kept. Raises InputError."""
        self.put([stored(result) for result in results])

    def put(self, rows: Sequence[Stored]) -> None:
        """Add what is `stored` already, as `add` does. Raises InputError."""
        query = f"insert into mark ({', '.join(_FIELDS)}) values ({', '.join('?' * len(_FIELDS))})"
        with self._sentence():
            self._db.execute("begin immediate")
            last = self._db.execute("select coalesce(max(id), 0) from mark").fetchone()[0]
            self._db.executemany(query, rows)
            self._db.execute(f"update mark set crc = {_CRC} where id > ?", (last,))
            self._db.execute("commit")

    def history(self, code: str) -> list[Result]:
        """Every mark of a sheet, oldest first. Raises InputError."""
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
                    found["late"] = bool(found["late"])
                except (ValueError, TypeError):
                    message = f"{self.path} is damaged: a mark of sheet {found['code']} is none; put it aside"
                    raise InputError(message, code="store") from None
                out.setdefault(found["code"], []).append(Result(**found))
        return out

    def claim(self, claims: Mapping[str, str], at: str) -> None:
        """Keep whose spare sheets are, by their codes; what is known already is not kept twice. Raises
        InputError."""
        known = self.claims()
        new = [(code, student, at) for code, student in claims.items() if known.get(code) != student]
        if not new:
            return
        with self._sentence():
            self._db.execute("begin immediate")
            self._db.executemany("insert into claim (code, student, at) values (?, ?, ?)", new)
            self._db.execute(f"update claim set crc = {_CRC_CLAIM} where crc is null")
            self._db.execute("commit")

    def claims(self) -> dict[str, str]:
        """Whose spare sheets are, by their codes. Raises InputError where that is not as it was written."""
        query = f"select code, student, crc is {_CRC_CLAIM} from claim order by id"
        with self._sentence():
            rows = self._db.execute(query).fetchall()
        if not all(same for _, _, same in rows):
            message = f"{self.path} is damaged: it does not say any more whose spare sheets are; {_MEND}"
            raise InputError(message, code="store")
        return {code: student for code, student, _ in rows}

    @property
    def changed(self) -> bool:
        """Has anything been added since this was opened?"""
        return self._db.total_changes > 0

    def codes(self) -> set[str]:
        """The sheets that have a mark of their own: a discount is given to sheets that nobody handed in, too.
        Raises InputError."""
        with self._sentence():
            rows = self._db.execute("select distinct code from mark where kind <> 'discount'").fetchall()
        return {code for (code,) in rows}

    def add_readings(self, readings: Iterable[Reading]) -> None:
        """Keep what readers found, all or none. Raises InputError."""
        rows = [one._replace(said=None if one.said is None else json.dumps(one.said)) for one in readings]
        fields = ", ".join(Reading._fields)
        with self._sentence():
            self._db.execute("begin immediate")
            query = f"insert into reading ({fields}) values ({', '.join('?' * len(Reading._fields))})"
            self._db.executemany(query, rows)
            self._db.execute("commit")

    def readings(self, reader: str) -> list[Reading]:
        """What a reader found last in every answer. Raises InputError."""
        query = f"select {', '.join(Reading._fields)} from reading where reader = ? order by id"
        with self._sentence():
            rows = [Reading(*row) for row in self._db.execute(query, (reader,))]
            last = {(one.code, one.label, one.raw): one for one in rows}
            return [
                one._replace(said=None if one.said is None else tuple(json.loads(str(one.said))))
                for one in last.values()
            ]

    def remember(self, view: Mapping[str, object]) -> None:
        """Keep what was written last, and where. Raises InputError."""
        with self._sentence():
            self._db.execute("insert or replace into view values (1, ?)", (json.dumps(view),))

    def view(self) -> dict[str, Any] | None:
        """What was written last, and where; None before that. Raises InputError."""
        with self._sentence():
            row = self._db.execute("select data from view where id = 1").fetchone()
            return json.loads(row[0]) if row else None

    def decided_since(self) -> list[tuple[str, str]]:
        """(code, label) of what the instructor decided of a sheet after its marks were read here. Raises
        InputError."""
        own = "select id, code, label from mark where id > ? and kind in ('discount', 'override')"
        with self._sentence():
            rows = self._db.execute(f"{own} order by id", (min(self._read.values(), default=0),)).fetchall()
        late = [(code, label) for id_, code, label in rows if id_ > self._read.get(code, id_)]
        return list(dict.fromkeys(late))


def _connect(path: Path) -> sqlite3.Connection:
    disk = disk_of(str(path))
    db = sqlite3.connect(disk.address(str(path)), timeout=30, isolation_level=None, uri=True)
    for pragma in disk.pragmas():
        with suppress(sqlite3.DatabaseError):  # it is told when the file is read
            db.execute(f"pragma {pragma}")
    return db


def _brought_up(db: sqlite3.Connection, journal: str = "wal") -> int:
    """Make the table in a record that is empty, and what is new in an old one; the version found."""
    db.create_function(*FUNCTION, deterministic=True)
    found: int = db.execute("pragma user_version").fetchone()[0]
    if not found:
        db.execute(f"pragma journal_mode = {journal}")
    if found < VERSION:
        db.execute("begin immediate")
        found = db.execute("pragma user_version").fetchone()[0]
        schema = Path(__file__).with_name("results.sql").read_text("utf-8")
        for statement in () if found else schema.split(";"):
            db.execute(statement)
        if found < 2:
            _add_checksums(db)
        if found < 3:
            _add_lateness(db)
        if found < 4:
            _add_claims(db)
        if found < 5:
            _add_views_and_readings(db)
        if found < VERSION:
            db.execute(f"pragma user_version = {VERSION}")
        db.execute("commit")
    return found


_FIELDS_2 = [name for name in _FIELDS if name != "late"]  # version 2 had no such column
_CRC_2 = expression(["id", *_FIELDS_2])


def _add_checksums(db: sqlite3.Connection) -> None:
    """From version 1 to 2."""
    db.execute("alter table mark add column crc integer not null default 0")
    db.execute(f"update mark set crc = {_CRC_2}")


def _add_lateness(db: sqlite3.Connection) -> None:
    """From version 2, where the reason of what the engine gave said “late”, to 3. A mark that is not as it
    was written gets no checksum that fits."""
    db.execute("alter table mark add column late integer not null default 0 check (late in (0, 1))")
    db.execute(f"update mark set crc = -1 where crc is not {_CRC_2}")
    kinds = ", ".join("?" * len(AUTOMATIC))
    db.execute(f"update mark set late = 1, why = '' where why = 'late' and kind in ({kinds})", AUTOMATIC)
    db.execute(f"update mark set crc = {_CRC} where crc <> -1")


def _add_claims(db: sqlite3.Connection) -> None:
    """From version 3, where a spare sheet stayed nobody's, to 4."""
    columns = "code text not null, student text not null, at text not null, crc integer"
    db.execute(f"create table if not exists claim (id integer primary key, {columns}) strict")


def _add_views_and_readings(db: sqlite3.Connection) -> None:
    """From version 4 to 5."""
    db.execute("create table if not exists view (id integer primary key, data text not null) strict")
    columns = "reader text not null, code text not null, label text not null, raw text not null, said text"
    db.execute(
        f"create table if not exists reading (id integer primary key, {columns}, at text not null) strict"
    )


def _create(path: Path) -> None:
    """A new record, made whole beside its place and then put there at once: of several that begin together
    one wins, and none sees a record half made."""
    with TemporaryDirectory(prefix=f"{FILE}.", dir=path.parent) as folder:
        part = Path(folder, FILE)
        db = _connect(part)
        try:
            _brought_up(db, disk_of(str(part)).journal)
        finally:
            db.close()
        make_private(str(part))
        put_new(str(part), str(path))
    sync(path.parent)


def claims_on_record(manifest: Path) -> dict[str, str]:
    """Whose spare sheets of an exam are, by their codes; nobody's where there is no record. Raises
    InputError."""
    if not (manifest.parent / FILE).exists():
        return {}
    with closing(Results(manifest)) as results:
        return results.claims()


def history_query(count: int) -> str:
    """The SQL that reads every mark of so many sheets."""
    return f"select {', '.join(_FIELDS)} from mark where code in ({', '.join('?' * count)}) order by id"


def stored(result: Result) -> Stored:
    """A result as the file holds it."""
    shown = json.dumps(result.misconceptions)
    kept = result._asdict() | {
        "credit": str(result.credit),
        "misconceptions": shown,
        "late": int(result.late),
    }
    return tuple(kept.values())


@contextmanager
def record_lock(manifest: Path) -> Iterator[None]:
    """No other process gives marks to this exam meanwhile: whoever gives marks by those on record has the
    record to itself. Raises InputError where another one has it."""
    lock = manifest.parent / LOCK
    busy = f"another quizengine is giving marks to the exam of {manifest}: wait for it"
    try:
        held = hold(lock, busy)
    except OSError as error:
        raise failed(lock, error, code="not-written") from None
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
        held.close()
