"""The file of a learner's store: made whole, brought up to date, and when it is damaged put aside, with
what can be read of it going on in its place."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import count
from typing import NamedTuple

from quizengine.files.checksum import FUNCTION, expression
from quizengine.files.disk import disk_of, make_private, put_also, put_new
from quizengine.sessions import summary
from quizengine.sessions.event import KINDS, Begun, Ended, Event, Planned, Typed, event_of
from quizengine.sessions.session import Session, apply, fits, fold, step

VERSION = 5  # the last step of schema.sql
FILE = "learner.sqlite"
_HALF_MADE = re.compile(re.escape(FILE) + r"\.([0-9a-f]{16}\.new|\d+)(-wal|-shm|-journal)?")
_STALE = 60  # seconds, after which nobody is at such a file any more
_CRC = expression(["session", "seq", "kind", "at", "data"])
_SAME = f"crc is {_CRC}"
_INSERT = f"""insert into event select session, seq, kind, at, data, {_CRC}
    from (select ? as session, ? as seq, ? as kind, ? as at, ? as data)"""

Log = Mapping[int, Sequence[Event]]  # the events of each session


class Rescue(NamedTuple):
    """Where a damaged store was put, and how many of how many events go on."""

    aside: str
    kept: int
    events: int


def connect(path: str) -> sqlite3.Connection:
    """The file, opened. What is no UTF-8 is read with U+FFFD in it: its checksum tells that it is damaged."""
    disk = disk_of(path)
    db = sqlite3.connect(disk.address(path), timeout=10, isolation_level=None, uri=True)
    for pragma in disk.pragmas():
        with suppress(sqlite3.DatabaseError):  # it is told when the file is read
            db.execute(f"pragma {pragma}")
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")
    db.create_function(*FUNCTION, deterministic=True)
    return db


def bring_up(db: sqlite3.Connection) -> int:
    """Run the steps of the schema that a store has not had; the version that was found. A step begins with
    its number and, once a release has it, stays as it is. Of two terminals that would, one does. Raises
    sqlite3.DatabaseError."""
    found: int = db.execute("pragma user_version").fetchone()[0]
    if found >= VERSION:
        return found
    with open(os.path.join(os.path.dirname(__file__), "schema.sql"), encoding="utf-8") as file:
        schema = file.read()
    db.execute("begin immediate")
    found = db.execute("pragma user_version").fetchone()[0]
    try:
        for statement in schema[schema.index(f"-- {found + 1}:") :].split(";") if found < VERSION else ():
            db.execute(statement)
    except sqlite3.OperationalError as error:
        if re.search("already exists|duplicate|no such", str(error)):  # the version is none of ours
            raise sqlite3.DatabaseError(str(error)) from None
        raise
    if found < 3:
        db.execute(f"update event set crc = {_CRC} where json_valid(data) and julianday(at) is not null")
    if found < 4:
        summary.rebuild(db, read(db))
    db.execute(f"pragma user_version = {max(found, VERSION)}")
    db.execute("commit")
    return found


def read(db: sqlite3.Connection, where: str = "true", *values: object) -> Iterator[tuple[int, Event]]:
    """The events of which this holds, oldest first, with the numbers of their sessions. Raises
    sqlite3.DatabaseError where one is not as it was written."""
    order = f"where {where} order by session, seq"
    for session, seq, event in _rows(db, _SAME, order, *values):
        if event is None:
            raise sqlite3.DatabaseError(f"event {seq} of session {session} is not as it was written")
        yield session, event


def _rows(
    db: sqlite3.Connection, same: str, rest: str, *values: object
) -> Iterator[tuple[int, int, Event | None]]:
    """Session, place, and the event if it is as it was written."""
    query = f"select session, seq, kind, at, data, {same} from event {rest}"
    for session, seq, kind, at, data, whole in db.execute(query, values):
        event = None
        with suppress(ValueError):
            if whole and kind in KINDS and isinstance(found := json.loads(data), dict):
                event = Event(kind, at, found)
        yield session, seq, event


def keep(db: sqlite3.Connection, session: Session, event: Event) -> None:
    """Add the next event of a session, and what it changes in the summary."""
    data = json.dumps(event.data, ensure_ascii=False)
    db.execute(_INSERT, (session.id, session.events, event.kind, event.at, data))
    summary.note(db, session, event)


def insert(db: sqlite3.Connection, events: Sequence[Event], id_: int | None = None) -> Session:
    """A new session of these events, with this number or the next one."""
    query = "insert into session (id, begun) values (?, ?) returning id"
    session = Session(db.execute(query, (id_, events[0].at)).fetchone()[0])
    for event in events:
        keep(db, session, event)
        step(session, event)
    return session


def create(
    path: str, log: Log | None = None, choices: Sequence[tuple[str, str]] = (), *, over: bool = False
) -> None:
    """A new store with this in it, made whole beside its place and then put there at once: of two terminals
    that begin together one wins, and neither sees a store half made. A store that is there already stays,
    but for `over`."""
    part = f"{path}.{os.urandom(8).hex()}.new"
    try:
        with closing(connect(part)) as db:
            db.execute(f"pragma journal_mode = {disk_of(part).journal}")
            bring_up(db)
            db.execute("begin")
            for id_, events in (log or {}).items():
                insert(db, events, id_)
            db.executemany("insert or ignore into choice values (?, ?)", choices)
            db.execute("commit")
        make_private(part)
        if over:
            os.replace(part, path)
        else:
            put_new(part, path)
    except BaseException:
        for left in (part, f"{part}-journal", f"{part}-wal", f"{part}-shm"):
            with suppress(OSError):
                os.unlink(left)
        raise


def clear_away(folder: str) -> None:
    """Stores half made, that a kill has left behind."""
    for name in filter(_HALF_MADE.fullmatch, os.listdir(folder)):
        left = os.path.join(folder, name)
        with suppress(OSError):
            if time.time() - os.path.getmtime(left) > _STALE:
                os.unlink(left)


def rescue(path: str) -> Rescue:
    """Put a damaged store aside under a name of its own; what can be read of it goes on in its place. It is
    there as a whole before the damaged one is gone. Raises OSError."""
    log, events = _readable(path)
    choices = _choices(path)
    number = next(n for n in count(1) if not os.path.exists(f"{path}.damaged-{n}"))
    aside = f"{path}.damaged-{number}"
    put_also(path, aside)
    for beside in ("-wal", "-shm"):  # they belong to what is aside: the new one is not to be read with them
        with suppress(FileNotFoundError):
            os.rename(path + beside, aside + beside)
    create(path, log, choices, over=True)
    return Rescue(aside, sum(map(len, log.values())), events)


def _readable(path: str) -> tuple[Log, int]:
    """What can be read of a damaged store, and how many events it has at least. It is read from the front and
    from the back up to a damaged page, and session by session between them."""
    found: dict[int, dict[int, Event | None]] = {}
    with suppress(sqlite3.Error), closing(connect(path)) as db:

        def take(rest: str, *values: object) -> None:
            with suppress(sqlite3.Error, OverflowError):
                for session, seq, event in _rows(db, same, rest, *values):
                    whole = type(session) is int and type(seq) is int
                    found.setdefault(session if whole else -1, {})[seq if whole else -1] = event

        columns = [row[1] for row in db.execute("pragma table_info (event)")]
        same = _SAME if "crc" in columns else "true"
        take("order by session, seq")
        take("order by session desc, seq desc")
        ids: list[int] = []
        with suppress(sqlite3.Error):
            ids.extend(id_ for (id_,) in db.execute("select id from session"))
        for id_ in ids:
            if id_ not in found:
                take("where session = ? order by seq", id_)
        with suppress(sqlite3.Error):
            db.execute("pragma wal_checkpoint(passive)")  # the file is then whole without what lies beside it
    log = {id_: _sound(events) for id_, events in sorted(found.items())}
    return {id_: events for id_, events in log.items() if events}, sum(map(len, found.values()))


def _choices(path: str) -> list[tuple[str, str]]:
    """What the learner has chosen, as far as it can be read."""
    with suppress(sqlite3.Error), closing(connect(path)) as db:
        found = db.execute("select name, value from choice").fetchall()
        return [(name, value) for name, value in found if isinstance(name, str) and isinstance(value, str)]
    return []


def _sound(found: Mapping[int, Event | None]) -> list[Event]:
    """Of the events of a session, by their places, those that can go on."""
    events = [event for _, event in sorted(found.items()) if event]
    with suppress(LookupError, TypeError, ValueError):
        fold(0, events)
        if sorted(found) == list(range(len(events))):
            return events
    if not events or events[0].kind != "begun":
        events = _of_marks(events)
    session, out = Session(0), []
    for event in events:
        with suppress(LookupError, TypeError, ValueError):
            content = event.content
            asked = not isinstance(content, Typed) or content.index in session.posed
            if fits(session, event) and asked:  # an answer goes with its question
                apply(session, event)
                out.append(event)
    return out


def _of_marks(events: Sequence[Event]) -> list[Event]:
    """Of a session whose beginning is lost: its marks. It is at its end."""
    marked = [event for event in events if event.kind == "marked"]
    if not marked:
        return []
    items = {event.data["index"]: event.data["item"] for event in marked}
    seeds = {e.data["index"]: e.data["problem"]["seed"] for e in events if e.kind == "posed"}
    plan = [Planned(items.get(i, ""), seeds.get(i, 0)) for i in range(max(items) + 1)]
    begun, ended = event_of(Begun(plan, "en"), marked[0].at), event_of(Ended(), marked[-1].at)
    return [begun, *marked, ended]
