"""A damaged store: it is noticed, put aside and said, and what can be read of it goes on."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from quizengine.errors import InputError
from quizengine.sessions.event import Event
from quizengine.sessions.store import Store

AT = "2026-01-01T00:00:0{}+00:00"
PLAN = [{"item": "a", "seed": 1}, {"item": "b", "seed": 2}]
MARK = {"topic": "t", "credit": "1", "points": 1, "misconceptions": []}


def answered(index: int) -> list[Event]:
    """A question that was asked, answered and marked."""
    at = {"index": index}
    problem = {"item": PLAN[index]["item"], "seed": PLAN[index]["seed"]}
    return [
        Event("posed", AT.format(3 * index + 1), at | {"problem": problem}),
        Event("typed", AT.format(3 * index + 2), at | {"part": "x", "raw": "「値」"}),
        Event("marked", AT.format(3 * index + 3), at | MARK | {"item": PLAN[index]["item"]}),
    ]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Three sessions of two questions each, of which the last one goes on; the file."""
    store = Store(str(tmp_path))
    log = [Event("begun", AT.format(0), {"plan": PLAN, "lang": "en"}), *answered(0), *answered(1)]
    end = [Event("ended", AT.format(9), {})]
    store.restore([[log[0]._replace(at=f"2026-01-0{day}T00:00:00+00:00"), *log[1:], *end] for day in (1, 2)])
    store.restore([[log[0]._replace(at="2026-01-03T00:00:00+00:00"), *log[1:6]]])
    store.close()
    return tmp_path / "learner.sqlite"


def spoil(path: Path, session: int, seq: int, old: bytes, new: bytes) -> None:
    """Other bytes in the place of some, in this event alone."""
    db = sqlite3.connect(path)
    for column in ("kind", "at", "data"):
        where = "where session = ? and seq = ?"
        query = f"select cast({column} as blob) from event {where}"
        [found] = db.execute(query, (session, seq)).fetchone()
        if old in found:
            db.execute("pragma ignore_check_constraints = on")
            change = f"update event set {column} = cast(? as text) {where}"
            db.execute(change, (found.replace(old, new), session, seq))
    db.commit()
    db.close()


def log(path: Path) -> list[tuple[int, Event]]:
    store = Store(str(path.parent))
    try:
        return list(store.log())
    finally:
        store.close()


@pytest.mark.parametrize(
    ("seq", "old", "new"),
    [
        (2, b"typed", b"tyqed"),
        (2, b'"raw"', b'"rbw"'),
        (2, b'"raw"', b'"raw\xff'),
        (2, "値".encode(), b"\xe5\x80\xa5"),
        (2, b"{", b"["),
        (3, b'"credit": "1"', b'"credit": "3"'),
        (1, b'"seed": 1', b'"seed": 3'),
        (2, b"2026", b"2\xb026"),
    ],
)
def test_of_a_damaged_event_all_others_are_kept(path: Path, seq: int, old: bytes, new: bytes) -> None:
    whole = log(path)
    spoil(path, 2, seq, old, new)
    with pytest.raises(InputError, match=r"damaged.*kept as .*damaged-1.* of 22 events") as told:
        log(path)
    assert (told.value.exit, told.value.message.count("\n")) == (3, 0)
    kept = log(path)
    assert [event for event in kept if event[0] != 2] == [event for event in whole if event[0] != 2]
    lost = [event for event in whole if event not in kept]
    assert whole[8 + seq] in lost
    assert len(lost) == (2 if seq == 1 else 1)  # an answer goes with its question
    assert (path.parent / "learner.sqlite.damaged-1").exists()
    store = Store(str(path.parent))
    assert store.kept().id == 3
    assert store.add(store.kept(), answered(1)[2])
    store.close()


def test_of_a_session_whose_beginning_is_lost_the_marks_are_kept_and_nothing_goes_on(path: Path) -> None:
    spoil(path, 3, 0, b"begun", b"begtn")
    with pytest.raises(InputError, match="damaged"):
        log(path)
    store = Store(str(path.parent))
    assert store.kept() is None
    last = store.sessions()[2]
    assert ([mark.item for mark in last.marks], last.marks[0].seed, last.ended) == (["a"], 1, True)


def test_no_flipped_bit_changes_what_is_kept_or_stops_a_store_for_ever(path: Path, tmp_path: Path) -> None:
    whole, content = log(path), path.read_bytes()
    answers, noticed = {repr(event) for _, event in whole}, 0
    for place in range(4096, len(content), 37):  # behind the page that says what a file is
        spoilt = bytearray(content)
        spoilt[place] ^= 1 << place % 8
        if not any(content[place - 64 : place + 64]):
            continue
        folder = tmp_path / str(place)
        folder.mkdir()
        (folder / "learner.sqlite").write_bytes(spoilt)
        try:
            found = log(folder / "learner.sqlite")
        except InputError:
            noticed += 1
            found = log(folder / "learner.sqlite")
        assert len(found) >= 12
        assert {repr(event) for _, event in found if event.kind in ("typed", "marked")} <= answers
        shutil.rmtree(folder)
    assert noticed > 20


def test_another_terminal_notices_that_a_store_was_put_aside(path: Path) -> None:
    other = Store(str(path.parent))
    session = other.session(3)
    spoil(path, 1, 2, b'"raw"', b'"rbw"')
    with pytest.raises(InputError, match="damaged"):
        log(path)
    with pytest.raises(InputError, match="put aside in another terminal"):
        other.add(session, answered(1)[2])
    other.close()
