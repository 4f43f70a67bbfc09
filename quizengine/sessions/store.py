"""The learner's store: one SQLite file in the data folder, events only ever added.

What `add` returned for is on the disk: the journal is a WAL with full synchronisation.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import count, groupby
from operator import itemgetter

from quizengine.errors import InputError
from quizengine.sessions.event import Event
from quizengine.sessions.session import Session, apply, fold

VERSION = 2  # the last step of schema.sql
FILE = "learner.sqlite"
_HALF_MADE = re.compile(re.escape(FILE) + r"\.([0-9a-f]{16}\.new|\d+)(-wal|-shm|-journal)?")
_STALE = 60  # seconds, after which nobody is at such a file any more
_ADVICE = {
    "full": "; what was saved stays: make room, then go on with quizengine take",
    "disk I/O": "; what was saved stays: look whether the disk is full",
    "readonly": "; choose a folder that can be written with --data-dir",
    "Permission": "; choose a folder that can be written with --data-dir",
    "Read-only": "; choose a folder that can be written with --data-dir",
    "unable to open": "; choose a folder that can be written with --data-dir",
    "locked": "; another quizengine is writing: try again",
}


def data_folder(chosen: str | None) -> str:
    """--data-dir, else QUIZENGINE_DATA, else the XDG data folder."""
    base = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return chosen or os.environ.get("QUIZENGINE_DATA") or os.path.join(base, "quizengine")


def _steps(done: int) -> str:
    """The steps of the schema after those that are done, as one transaction. A step begins with its
    number and, once a release has it, stays as it is."""
    with open(os.path.join(os.path.dirname(__file__), "schema.sql"), encoding="utf-8") as file:
        schema = file.read()
    rest = schema[schema.index(f"-- {done + 1}:") :]
    return f"begin immediate; {rest} pragma user_version = {VERSION}; commit;"


def _create(path: str) -> None:
    """A new store, made whole beside its place and then put there at once: of two terminals that
    begin together one wins, and neither sees a store half made."""
    part = f"{path}.{os.urandom(8).hex()}.new"
    db = sqlite3.connect(part, isolation_level=None)
    try:
        db.execute("pragma journal_mode = wal")
        db.executescript(_steps(0))
    finally:
        db.close()
    os.chmod(part, 0o600)
    with suppress(FileExistsError):
        os.link(part, path)
    os.unlink(part)


def _clear_away(folder: str) -> None:
    """Stores half made, that a kill has left behind."""
    for name in filter(_HALF_MADE.fullmatch, os.listdir(folder)):
        left = os.path.join(folder, name)
        with suppress(FileNotFoundError):
            if time.time() - os.path.getmtime(left) > _STALE:
                os.unlink(left)


def _put_aside(path: str) -> str:
    """Give a damaged store, and what SQLite keeps beside it, a name of its own."""
    number = next(n for n in count(1) if not os.path.exists(f"{path}.damaged-{n}"))
    for beside in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            os.rename(path + beside, f"{path}.damaged-{number}{beside}")
    return f"{path}.damaged-{number}"


class Store:
    """Sessions of one learner."""

    def __init__(self, folder: str):
        self.path = os.path.join(folder, FILE)
        self.aside = ""  # where a damaged store was put
        with self._sentence():
            os.makedirs(folder, exist_ok=True)
            _clear_away(folder)
            if not os.path.exists(self.path):
                _create(self.path)
            try:
                found = self._open()
            except sqlite3.OperationalError:  # locked, or not to be written: nothing is wrong with it
                raise
            except sqlite3.DatabaseError:
                self._db.close()
                self.aside = _put_aside(self.path)
                _create(self.path)
                found = self._open()
            if found < VERSION:
                self._migrate()
        if found > VERSION:
            raise InputError(f"{self.path} was written by a newer quizengine: update it", code="store")

    def _open(self) -> int:
        """Open the file, look whether it can be read at all, and return its version."""
        self._db = sqlite3.connect(self.path, timeout=10, isolation_level=None)
        self._db.execute("pragma synchronous = full")
        self._db.execute("pragma foreign_keys = on")
        self._db.execute("select count(*) from sqlite_schema").fetchone()
        version: int = self._db.execute("pragma user_version").fetchone()[0]
        return version

    def _migrate(self) -> None:
        """Bring an older store up to date; of two terminals that would, one does."""
        self._db.execute("begin immediate")
        found: int = self._db.execute("pragma user_version").fetchone()[0]
        self._db.execute("commit")
        if found < VERSION:
            self._db.executescript(_steps(found))

    @contextmanager
    def _sentence(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, OSError, LookupError, TypeError, ValueError) as error:
            if type(error) is sqlite3.DatabaseError:  # not a subclass of it: the file itself is spoilt
                self._db.close()
                self.aside = _put_aside(self.path)
                said = f"is damaged ({error}): it is kept as {self.aside}, and the next call begins anew"
            else:
                advice = (text for sign, text in _ADVICE.items() if sign in str(error))
                said = f"cannot be used: {error}{next(advice, '')}"
            raise InputError(f"{self.path} {said}", code="store") from None

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def begin(self, event: Event) -> Session:
        """A new session from its first event."""
        with self._sentence():
            self._db.execute("begin immediate")
            id_ = self._insert_all([event])
            self._db.execute("commit")
        return fold(id_, [event])

    def add(self, session: Session, event: Event) -> bool:
        """Add an event; when this returns true, it is kept and the session has it. False: another terminal
        has gone on with the session, so it is to be read again first. Raises InputError when the session
        was erased."""
        with self._sentence():
            self._db.execute("begin immediate")
            query = "select begun, (select count(*) from event where session = id) from session where id = ?"
            begun, events = self._db.execute(query, (session.id,)).fetchone() or ("", 0)
            stands = begun == session.begun and events == session.events
            if stands:
                self._insert(session.id, events, event)
            self._db.execute("commit")
        if begun != session.begun:
            raise InputError("this session was erased in another terminal: begin anew", code="erased")
        if stands:
            apply(session, event)
        return bool(stands)

    def session(self, id_: int) -> Session:
        """The session of this number, as it stands now."""
        with self._sentence():
            return fold(id_, (event for _, event in self.log(id_)))

    def _insert_all(self, events: Sequence[Event]) -> int:
        """A session of these events; its number."""
        query = "insert into session (begun) values (?) returning id"
        id_: int = self._db.execute(query, (events[0].at,)).fetchone()[0]
        for seq, event in enumerate(events):
            self._insert(id_, seq, event)
        return id_

    def _insert(self, session: int, seq: int, event: Event) -> None:
        data = json.dumps(event.data, ensure_ascii=False)
        self._db.execute(
            "insert into event values (?, ?, ?, ?, ?)", (session, seq, event.kind, event.at, data)
        )

    def sessions(self) -> list[Session]:
        """Every session, oldest first."""
        with self._sentence():
            return [fold(id_, events) for id_, events in self.histories()]

    def histories(self) -> Iterator[tuple[int, list[Event]]]:
        """Every session as its number and its events, oldest first."""
        for id_, found in groupby(self.log(), itemgetter(0)):
            yield id_, [event for _, event in found]

    def log(self, only: int | None = None) -> Iterator[tuple[int, Event]]:
        """Every event of every session, or of the one, oldest first."""
        with self._sentence():
            query = """select session, kind, at, data from event
                where ?1 is null or session = ?1 order by session, seq"""
            for id_, kind, at, data in self._db.execute(query, (only,)):
                yield id_, Event(kind, at, json.loads(data))

    def restore(self, sessions: Sequence[Sequence[Event]]) -> int:
        """Add whole sessions, checked ones, all or none; those that are here already are passed over. How
        many came."""
        known = {self._first(events) for _, events in self.histories()}
        fresh = [events for events in sessions if self._first(events) not in known]
        with self._sentence():
            self._db.execute("begin immediate")
            for events in fresh:
                self._insert_all(events)
            self._db.execute("commit")
        return len(fresh)

    @staticmethod
    def _first(events: Sequence[Event]) -> str:
        """What a session is known by on any machine: how and when it was begun."""
        return json.dumps(events[0], ensure_ascii=False, sort_keys=True)

    def forget(self) -> None:
        """Erase everything, also from the free pages of the file."""
        with self._sentence():
            self._db.execute("pragma secure_delete = on")
            self._db.execute("begin immediate")
            self._db.execute("delete from event")
            self._db.execute("delete from session")
            self._db.execute("delete from due")
            self._db.execute("commit")
            self._db.execute("vacuum")
            self._db.execute("pragma wal_checkpoint(truncate)")

    def latest(self) -> str:
        """When something was kept last; empty in an empty store."""
        with self._sentence():
            query = "select at from event order by session desc, seq desc limit 1"
            row: tuple[str] | None = self._db.execute(query).fetchone()
            return row[0] if row else ""

    def remember(self, due: Mapping[str, str]) -> None:
        """When each unit is due, in place of what was known of it before."""
        with self._sentence():
            self._db.execute("begin immediate")
            self._db.execute("delete from due")
            self._db.executemany("insert into due values (?, ?)", due.items())
            self._db.execute("commit")

    def due(self, now: str) -> set[str]:
        """The units that are due by now, as far as is remembered."""
        with self._sentence():
            return {unit for (unit,) in self._db.execute("select unit from due where at <= ?", (now,))}

    def kept(self) -> Session | None:
        """The newest session that is not at its end; an exam before practice."""
        with self._sentence():
            query = """select session from event as first where seq = 0 and not exists
                (select 1 from event where session = first.session and kind = 'ended')
                order by json_extract(data, '$.mode') is 'exam' desc, session desc limit 1"""
            row: tuple[int] | None = self._db.execute(query).fetchone()
        return self.session(row[0]) if row else None
