"""The learner's store: one SQLite file in the data folder, events only ever added.

What `add` returned for is on the disk: the journal is a WAL with full synchronisation.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from operator import itemgetter

from quizengine.errors import InputError
from quizengine.files.disk import disk_of
from quizengine.sessions import summary
from quizengine.sessions.event import Event
from quizengine.sessions.file import (
    FILE,
    VERSION,
    Rescue,
    bring_up,
    clear_away,
    connect,
    create,
    insert,
    keep,
    read,
    rescue,
)
from quizengine.sessions.session import Marked, Session, apply, fold

_MOVED = "was put aside in another terminal, since it was damaged: call again"
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


class Store:
    """Sessions of one learner."""

    def __init__(self, folder: str):
        self.path = os.path.join(folder, FILE)
        self.rescue: Rescue | None = None  # of a store that was damaged
        self.locked = True  # has its disk locks, so that two terminals may write to it?
        with self._sentence():
            os.makedirs(folder, exist_ok=True)
            clear_away(folder)
            if not os.path.exists(self.path):
                create(self.path)
            try:
                found = self._open()
            except sqlite3.OperationalError:  # locked, or not to be written: nothing is wrong with it
                raise
            except sqlite3.DatabaseError:
                self._db.close()
                self.rescue = rescue(self.path)
                found = self._open()
        if found > VERSION:
            raise InputError(f"{self.path} was written by a newer quizengine: update it", code="store")

    def _open(self) -> int:
        """Open the file, look whether it can be read at all, bring it up to date; the version it had."""
        self._db = connect(self.path)
        self.locked = disk_of(self.path).locks
        self._file = os.stat(self.path).st_ino
        self._db.execute("pragma synchronous = full")
        self._db.execute("pragma foreign_keys = on")
        self._db.execute("select count(*) from sqlite_schema").fetchone()
        return bring_up(self._db)

    @contextmanager
    def _sentence(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, OSError, LookupError, TypeError, ValueError) as error:
            said = self._spoilt(error) if type(error) is sqlite3.DatabaseError else ""
            if not said:
                advice = (text for sign, text in _ADVICE.items() if sign in str(error))
                said = f"cannot be used: {error}{next(advice, '')}"
            raise InputError(f"{self.path} {said}", code="store") from None

    def _spoilt(self, error: Exception) -> str:
        """The file itself is damaged: put it aside. One terminal does; what is to be said."""
        with suppress(sqlite3.Error):
            self._db.execute("rollback")
        with suppress(sqlite3.Error):
            self._db.execute("begin immediate")
        if os.stat(self.path).st_ino != self._file:
            return _MOVED
        aside, kept, events = rescue(self.path)
        self._db.close()
        went = f"it is kept as {aside}, and {kept} of {events} events go on in its place: call again"
        return f"was damaged ({error}); {went}"

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """All or nothing; when this is left, it is on the disk."""
        with self._sentence():
            self._db.execute("begin immediate")
            if os.stat(self.path).st_ino != self._file:
                raise OSError(_MOVED)
            yield
            self._db.execute("commit")

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def begin(self, event: Event) -> Session:
        """A new session from its first event."""
        with self._writing():
            return insert(self._db, [event])

    def add(self, session: Session, event: Event) -> bool:
        """Add an event; when this returns true, it is kept and the session has it. False: another terminal
        has gone on with the session, so it is to be read again first. Raises InputError when the session
        was erased."""
        with self._writing():
            query = """select at, (select max(seq) + 1 from event where session = ?1) from event
                where session = ?1 and seq = 0"""
            begun, events = self._db.execute(query, (session.id,)).fetchone() or ("", 0)
            there = events > 0 and begun == session.begun
            stands = there and events == session.events
            if stands:
                keep(self._db, session, event)
        if not there:
            raise InputError("this session was erased in another terminal: begin anew", code="erased")
        if stands:
            apply(session, event)
        return bool(stands)

    def session(self, id_: int) -> Session:
        """The session of this number, as it stands now."""
        with self._sentence():
            return _fold(id_, [event for _, event in self.log("session = ?", id_)])

    def sessions(self) -> list[Session]:
        """Every session, oldest first."""
        with self._sentence():
            return [_fold(id_, events) for id_, events in self.histories()]

    def histories(self) -> Iterator[tuple[int, list[Event]]]:
        """Every session as its number and its events, oldest first."""
        for id_, found in groupby(self.log(), itemgetter(0)):
            yield id_, [event for _, event in found]

    def log(self, where: str = "true", *values: object) -> Iterator[tuple[int, Event]]:
        """Every event of every session, or those of which this holds, oldest first."""
        with self._sentence():
            yield from read(self._db, where, *values)

    def restore(self, sessions: Sequence[Sequence[Event]]) -> int:
        """Add whole sessions, checked ones, all or none; those that are here already are passed over. How
        many came."""
        known = {self._first([event]) for _, event in self.log("seq = 0")}
        fresh = [events for events in sessions if self._first(events) not in known]
        with self._writing():
            for events in fresh:
                insert(self._db, events)
        return len(fresh)

    @staticmethod
    def _first(events: Sequence[Event]) -> str:
        """What a session is known by on any machine: how and when it was begun."""
        return json.dumps(events[0], ensure_ascii=False, sort_keys=True)

    def forget(self) -> None:
        """Erase everything, also from the free pages of the file."""
        with self._sentence():
            self._db.execute("pragma secure_delete = on")
            with self._writing():
                self._db.execute("delete from event")
                self._db.execute("delete from session")
                self._db.execute("delete from due")
                self._db.execute("delete from choice")
                summary.rebuild(self._db, ())
            self._db.execute("vacuum")
            self._db.execute("pragma wal_checkpoint(truncate)")

    def latest(self) -> str:
        """When something was kept last; empty in an empty store."""
        last = "(session, seq) = (select session, seq from event order by session desc, seq desc limit 1)"
        return next((event.at for _, event in self.log(last)), "")

    def remember(self, due: Mapping[str, str]) -> None:
        """When each unit is due, in place of what was known of it before."""
        with self._writing():
            self._db.execute("delete from due")
            self._db.executemany("insert into due values (?, ?)", due.items())

    def due(self, now: str) -> set[str]:
        """The units that are due by now, as far as is remembered."""
        with self._sentence():
            return {unit for (unit,) in self._db.execute("select unit from due where at <= ?", (now,))}

    def choose(self, name: str, value: str) -> None:
        """Keep what the learner chooses under this name; nothing takes the choice away."""
        with self._writing():
            self._db.execute("delete from choice where name = ?", (name,))
            if value:
                self._db.execute("insert into choice values (?, ?)", (name, value))

    def choice(self, name: str) -> str:
        """What the learner has chosen under this name; empty where nothing is."""
        with self._sentence():
            row = self._db.execute("select value from choice where name = ?", (name,)).fetchone()
            return row[0] if row else ""

    def marks(self) -> list[Marked]:
        """Every mark that stands, in the order of the log."""
        with self._summary():
            return summary.marks(self._db)

    def kept(self) -> Session | None:
        """The newest session that is not at its end; an exam before practice."""
        with self._summary():
            id_ = summary.kept(self._db)
        return None if id_ is None else self.session(id_)

    def count(self) -> int:
        """How many sessions there are."""
        with self._sentence():
            number: int = self._db.execute("select count(*) from session").fetchone()[0]
            return number

    @contextmanager
    def _summary(self) -> Iterator[None]:
        """The summary, made anew if it is damaged."""
        with self._sentence():
            if not summary.sound(self._db):
                with self._writing():
                    summary.rebuild(self._db, read(self._db))
            yield


def _fold(id_: int, events: Sequence[Event]) -> Session:
    """The session of these events; where they make none, the file is damaged."""
    try:
        return fold(id_, events)
    except (LookupError, TypeError, ValueError) as error:
        raise sqlite3.DatabaseError(f"session {id_} is none: {error!r}") from None
