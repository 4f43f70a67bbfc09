"""The summary beside the log: which sessions go on, and every mark. It is worked out from the log event by
event, so that nobody has to read all of it, and made anew when a line of it is damaged."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from quizengine.files.checksum import expression
from quizengine.sessions.event import Begun, Ended, Event, Judged, Undone
from quizengine.sessions.session import Marked, Session, fits, marked, step

_GOING, _MARK = expression(["session", "exam"]), expression(["session", "seq", "place", "data"])


def note(db: sqlite3.Connection, session: Session, event: Event) -> None:
    """What the next event of a session changes."""
    if not fits(session, event):
        return
    match content := event.content:
        case Begun():
            query = f"insert into going select session, exam, {_GOING} from (select ? as session, ? as exam)"
            db.execute(query, (session.id, content.mode == "exam"))
        case Ended():
            db.execute("delete from going where session = ?", (session.id,))
        case Undone(index, part) if not part:
            db.execute("delete from mark where session = ? and place = ?", (session.id, index))
        case Judged(index):
            query = f"""insert into mark select session, seq, place, data, {_MARK}
                from (select ? as session, ? as seq, ? as place, ? as data)"""
            data = json.dumps(marked(session, content, event.at), ensure_ascii=False)
            db.execute(query, (session.id, session.events, index, data))


def rebuild(db: sqlite3.Connection, log: Iterable[tuple[int, Event]]) -> None:
    """All of it anew."""
    db.execute("delete from going")
    db.execute("delete from mark")
    session = Session(0)
    for id_, event in log:
        session = session if session.id == id_ else Session(id_)
        note(db, session, event)
        step(session, event)


def sound(db: sqlite3.Connection) -> bool:
    """Is every line of it as it was written?"""
    query = f"""select not exists (select 1 from mark where crc is not {_MARK})
        and not exists (select 1 from going where crc is not {_GOING}
            or not exists (select 1 from event where session = going.session and seq = 0))"""
    return bool(db.execute(query).fetchone()[0])


def marks(db: sqlite3.Connection) -> list[Marked]:
    """Every mark that stands, in the order of the log."""
    out = []
    for (data,) in db.execute("select data from mark order by session, seq"):
        item, topic, credit, points, misconceptions, *rest = json.loads(data)
        out.append(Marked(item, topic, credit, points, tuple(misconceptions), *rest))
    return out


def kept(db: sqlite3.Connection) -> int | None:
    """The newest session that is not at its end; an exam before practice."""
    row = db.execute("select session from going order by exam desc, session desc limit 1").fetchone()
    return row[0] if row else None
