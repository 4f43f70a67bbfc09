"""The store: what `add` returned for is kept, also through a kill -9."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from quizengine.errors import InputError
from quizengine.sessions.event import Event
from quizengine.sessions.store import Store, data_folder

BEGUN = Event("begun", "2026-01-01T00:00:00+00:00", {"plan": [{"item": "a", "seed": 1}], "lang": "en"})


def test_sessions_come_back(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "new" / "folder"))
    session = store.begin(BEGUN)
    store.add(session, Event("typed", "", {"index": 0, "part": "x", "raw": "「値」\n"}))
    store.close()
    [again] = Store(str(tmp_path / "new" / "folder")).sessions()
    assert again.typed == {0: {"x": "「値」\n"}}


def test_the_newest_open_session_is_the_kept_one(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    assert store.kept() is None
    first, second = store.begin(BEGUN), store.begin(BEGUN)
    assert store.kept().id == second.id
    store.add(second, Event("ended", "", {}))
    assert store.kept().id == first.id
    store.add(first, Event("ended", "", {}))
    assert store.kept() is None


def test_the_folder_is_chosen_by_flag_then_environment_then_xdg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZENGINE_DATA", "named")
    monkeypatch.setenv("XDG_DATA_HOME", "xdg")
    assert data_folder("flag") == "flag"
    assert data_folder(None) == "named"
    monkeypatch.delenv("QUIZENGINE_DATA")
    assert data_folder(None) == os.path.join("xdg", "quizengine")


@pytest.mark.parametrize(
    "content", [b"not a database, but long enough to look at", b"SQLite format 3\0garbage" * 50]
)
def test_a_damaged_store_is_put_aside_and_never_written_over(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "learner.sqlite"
    for number in (1, 2):
        path.write_bytes(content)
        store = Store(str(tmp_path))
        assert store.rescue == (f"{path}.damaged-{number}", 0, 0)
        assert Path(store.rescue.aside).read_bytes() == content
        assert store.begin(BEGUN).plan
        store.close()
    assert Store(str(tmp_path)).rescue is None


def test_what_a_kill_left_of_a_store_half_made_stops_nobody_and_is_cleared_away(tmp_path: Path) -> None:
    """Also of a process that had the same number, as in containers all have."""
    left = [tmp_path / f"learner.sqlite.{name}" for name in (os.getpid(), "0123456789abcdef.new")]
    for path in left:
        Store(str(tmp_path / "other")).close()
        os.replace(tmp_path / "other" / "learner.sqlite", path)
    Store(str(tmp_path)).close()
    assert all(path.exists() for path in left)  # another terminal may be at it
    for path in left:
        os.utime(path, (0, 0))
    Store(str(tmp_path)).close()
    assert [path.name for path in tmp_path.glob("learner*")] == ["learner.sqlite"]


def test_a_locked_store_is_not_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(str(tmp_path)).close()

    def locked(self: Store) -> int:
        raise sqlite3.OperationalError("database is locked")

    monkeypatch.setattr(Store, "_open", locked)
    with pytest.raises(InputError, match="database is locked"):
        Store(str(tmp_path))
    assert [file.name for file in tmp_path.iterdir()] == ["learner.sqlite"]


def test_the_log_makes_the_same_sessions_elsewhere_once(tmp_path: Path) -> None:
    here, there = Store(str(tmp_path / "here")), Store(str(tmp_path / "there"))
    for raw in ("A", "B"):
        session = here.begin(BEGUN._replace(at=raw))
        here.add(session, Event("typed", "", {"index": 0, "part": "x", "raw": raw}))
    sessions: dict[int, list[Event]] = {}
    for id_, event in here.log():
        sessions.setdefault(id_, []).append(event)
    assert [there.restore(list(sessions.values())) for _ in range(2)] == [2, 0]
    assert [event for _, event in there.log()] == [event for _, event in here.log()]


def test_what_does_not_fit_any_more_is_passed_over(tmp_path: Path) -> None:
    """Such as an answer taken back in two terminals."""
    store = Store(str(tmp_path))
    again = Event("undone", "", {"index": 0, "part": "x"})
    store.restore([[BEGUN, Event("typed", "", {"index": 0, "part": "x", "raw": "A"}), again, again]])
    [session] = store.sessions()
    assert session.typed == {0: {}}
    assert store.add(session, Event("typed", "", {"index": 0, "part": "x", "raw": "B"}))


def test_what_another_terminal_did_is_seen_before_more_is_added(tmp_path: Path) -> None:
    here, there = Store(str(tmp_path)), Store(str(tmp_path))
    mine = here.begin(BEGUN)
    theirs = there.session(mine.id)
    assert there.add(theirs, Event("typed", "", {"index": 0, "part": "x", "raw": "A"}))
    assert not here.add(mine, Event("ended", "", {}))
    mine = here.session(mine.id)
    assert mine.typed == {0: {"x": "A"}}
    assert here.add(mine, Event("ended", "", {}))


def test_an_erased_session_takes_nothing_more_and_no_other_takes_its_place(tmp_path: Path) -> None:
    here, there = Store(str(tmp_path)), Store(str(tmp_path))
    mine = here.begin(BEGUN)
    there.forget()
    there.begin(BEGUN._replace(at="2026-02-02T00:00:00+00:00"))
    with pytest.raises(InputError, match="was erased in another terminal"):
        here.add(mine, Event("ended", "", {}))
    assert [session.ended for session in there.sessions()] == [False]


def test_a_store_that_is_damaged_further_in_is_put_aside(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    session = store.begin(BEGUN)
    for number in range(60):
        store.add(session, Event("typed", "", {"index": 0, "part": str(number), "raw": "y" * 900}))
    store.close()
    path = tmp_path / "learner.sqlite"
    spoilt = bytearray(path.read_bytes())
    for page in range(3 * 4096, len(spoilt), 4096):
        spoilt[page : page + 64] = b"\xa5" * 64
    path.write_bytes(spoilt)
    with pytest.raises(InputError, match=r"was damaged .* kept as .*damaged-1, and \d+ of \d+ events go on"):
        Store(str(tmp_path)).sessions()
    assert (tmp_path / "learner.sqlite.damaged-1").read_bytes() == spoilt
    assert Store(str(tmp_path)).sessions() == []


def test_forgetting_leaves_nothing_in_the_file(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    session = store.begin(BEGUN)
    store.add(session, Event("typed", "", {"index": 0, "part": "x", "raw": "a very private answer"}))
    store.forget()
    assert store.sessions() == []
    store.close()
    assert all(b"private" not in file.read_bytes() for file in tmp_path.iterdir())


@pytest.mark.parametrize("data", ["[]", "{}", '{"plan": 3}'])
def test_spoilt_events_are_one_sentence(tmp_path: Path, data: str) -> None:
    store = Store(str(tmp_path))
    store.begin(BEGUN)
    store._db.execute("update event set data = ?", (data,))
    with pytest.raises(InputError, match=r"learner\.sqlite was damaged .* 0 of 1 events go on in its place"):
        store.sessions()


def test_a_store_of_a_newer_engine_is_refused(tmp_path: Path) -> None:
    Store(str(tmp_path)).close()
    db = sqlite3.connect(tmp_path / "learner.sqlite")
    db.execute("pragma user_version = 99")
    db.close()
    with pytest.raises(InputError, match="newer quizengine"):
        Store(str(tmp_path))


def test_a_full_disk_loses_nothing_that_was_kept(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    session = store.begin(BEGUN)
    store._db.execute("pragma max_page_count = 20")
    kept = []

    def fill() -> None:
        for number in range(10_000):
            store.add(session, Event("typed", "", {"index": 0, "part": str(number), "raw": "y" * 500}))
            kept.append(str(number))

    with pytest.raises(InputError, match=r"full; what was saved stays: make room"):
        fill()
    store.close()
    again = Store(str(tmp_path))
    [found] = again.sessions()
    assert list(found.typed[0]) == kept
    assert len(kept) > 10
    again.add(found, Event("typed", "", {"index": 0, "part": "x", "raw": "room again"}))


def test_what_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/quizengine")):
        with pytest.raises(InputError, match=r"learner\.sqlite cannot be used: "):
            Store(str(folder))


def test_a_store_that_may_only_be_read_is_said(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    session = store.begin(BEGUN)
    store._db.execute("pragma query_only = on")  # as root every file may be written
    with pytest.raises(InputError, match="choose a folder that can be written with --data-dir"):
        store.add(session, Event("ended", "", {}))


def test_an_older_store_is_brought_up_to_date_once_and_keeps_its_log(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    session = store.begin(BEGUN)
    store._db.executescript("alter table event drop column crc; pragma user_version = 1")
    store._db.executescript("drop table due; drop table going; drop table mark; drop table choice")
    store.close()
    for _ in range(2):
        again = Store(str(tmp_path))
        assert again.rescue is None
        again.remember({"late": "2026-01-01", "A1": "2026-01-03"})
        assert again.due("2026-01-02") == {"late"}
        assert again.kept().id == session.id
        again.close()


def test_what_is_due_is_remembered_and_forgotten(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    store.remember({"A1": "1", "A2": "2"})
    store.remember({"A2": "1", "A3": "3"})
    assert store.due("2") == {"A2"}
    store.forget()
    assert store.due("9") == set()


BEGINNER = """
import sys
from quizengine.sessions.event import Event
from quizengine.sessions.store import Store
Store(sys.argv[1]).begin(Event("begun", "", {"plan": [{"item": "a", "seed": 1}], "lang": "en"}))
"""


def test_many_that_begin_at_once_all_get_their_session(tmp_path: Path) -> None:
    words = [sys.executable, "-c", BEGINNER, str(tmp_path / "new")]
    children = [subprocess.Popen(words, stderr=subprocess.PIPE, text=True) for _ in range(8)]
    errors = [child.communicate()[1] for child in children]
    assert errors == [""] * 8
    assert len(list(Store(str(tmp_path / "new")).sessions())) == 8


WRITER = """
import sys
from quizengine.sessions.event import Event
from quizengine.sessions.store import Store
store = Store(sys.argv[1])
session = store.begin(Event("begun", "", {"plan": [{"item": "a", "seed": 1}], "lang": "en"}))
for n in range(10_000):
    store.add(session, Event("typed", "", {"index": 0, "part": str(n), "raw": "x"}))
    print(n, flush=True)
"""


@pytest.mark.parametrize("after", [1, 7, 40])
def test_kill_nine_loses_nothing_acknowledged(tmp_path: Path, after: int) -> None:
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout
    with writer.stdout:
        acknowledged = [int(writer.stdout.readline()) for _ in range(after)]
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    [session] = Store(str(tmp_path)).sessions()
    assert {str(n) for n in acknowledged} <= set(session.typed[0])
