"""Disks without hard links, modes, locks or shared memory; folders that cannot be written."""

from __future__ import annotations

import errno
import fcntl
import mmap
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from quizengine.errors import InputError
from quizengine.files import loan
from quizengine.files.disk import Disk, disk_of, put_new
from quizengine.files.hold import hold, sync
from quizengine.grading.record.results import Results
from quizengine.sessions.event import Event
from quizengine.sessions.store import Store

BEGUN = Event("begun", "2026-01-01T00:00:00+00:00", {"plan": [{"item": "a", "seed": 1}], "lang": "en"})
LACKS = {"link": (os, "link"), "chmod": (os, "chmod"), "flock": (fcntl, "flock"), "lock": (fcntl, "lockf")}
LACKS |= {"share": (mmap, "mmap"), "sync": (os, "fsync")}
ERRORS = {"link": errno.EPERM, "chmod": errno.EPERM, "share": errno.ENODEV, "sync": errno.EINVAL}


@pytest.fixture
def lacking(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A disk that has not these."""

    real = os.fsync

    def call(*names: str, number: int = errno.ENOLCK) -> None:
        for name in names:
            error = OSError(ERRORS.get(name, number), "not here")

            def refuse(*words: object, name: str = name, error: OSError = error, **_: object) -> None:
                if name != "sync" or os.path.isdir(f"/proc/self/fd/{words[0]}"):
                    raise error
                real(words[0])

            monkeypatch.setattr(*LACKS[name], refuse)

    return call


KINDS = [("link",), ("chmod",), ("flock",), ("lock",), ("share",), ("sync",), tuple(LACKS)]


@pytest.mark.parametrize("lacks", KINDS, ids="+".join)
def test_a_store_is_begun_and_gone_on_with(tmp_path: Path, lacking, lacks: tuple[str, ...]) -> None:
    lacking(*lacks)
    store = Store(str(tmp_path / "data"))
    session = store.begin(BEGUN)
    store.close()
    again = Store(str(tmp_path / "data"))
    assert again.add(again.kept(), Event("typed", BEGUN.at, {"index": 0, "part": "x", "raw": "1"}))
    assert [s.id for s in again.sessions()] == [session.id]
    assert again.locked == ("lock" not in lacks)
    again.close()
    assert [p.name for p in (tmp_path / "data").iterdir()] == ["learner.sqlite"]


@pytest.mark.parametrize("lacks", KINDS, ids="+".join)
def test_a_record_is_begun_and_gone_on_with(tmp_path: Path, lacking, lacks: tuple[str, ...]) -> None:
    lacking(*lacks)
    for _ in range(2):
        results = Results(tmp_path / "manifest.json")
        assert results.history("A") == []
        results.close()
    assert [p.name for p in tmp_path.iterdir()] == ["results.sqlite"]


def _killed(path: Path, into: Path) -> None:
    """What a store leaves that was killed: its newest event is in the journal alone."""
    store = Store(str(path))
    store.begin(BEGUN)
    shutil.copytree(path, into)
    store.close()
    assert (into / "learner.sqlite-wal").stat().st_size


@pytest.mark.parametrize("lacks", [("lock",), ("share",), tuple(LACKS)], ids="+".join)
def test_what_another_disk_kept_in_its_journal_is_read_here(tmp_path: Path, lacking, lacks) -> None:
    _killed(tmp_path / "there", tmp_path / "here")
    (tmp_path / "here" / "learner.sqlite-shm").unlink()
    lacking(*lacks)
    store = Store(str(tmp_path / "here"))
    assert store.count() == 1
    store.close()


@pytest.mark.parametrize("lacks", [(), ("link",), tuple(LACKS)], ids=lambda names: "+".join(names) or "none")
def test_a_damaged_store_is_put_aside_on_any_disk(tmp_path: Path, lacking, lacks) -> None:
    lacking(*lacks)
    (tmp_path / "learner.sqlite").write_bytes(b"no database" * 1000)
    store = Store(str(tmp_path))
    assert store.rescue
    assert Path(store.rescue.aside).read_bytes() == b"no database" * 1000
    store.close()


def test_what_cannot_be_put_in_its_place_leaves_nothing(tmp_path: Path, monkeypatch, lacking) -> None:
    lacking("link")

    def refuse(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "rename", refuse)
    with pytest.raises(InputError, match=r"learner\.sqlite cannot be used: .*Input/output error"):
        Store(str(tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("lacks", [(), ("link",)], ids=["links", "none"])
def test_what_is_there_stays(tmp_path: Path, lacking, lacks: tuple[str, ...]) -> None:
    lacking(*lacks)
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old")
    new.write_text("new")
    put_new(str(new), str(old))
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("old", "old")]


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL])
def test_a_file_is_held_as_far_as_the_disk_can(tmp_path: Path, lacking, number: int) -> None:
    lacking("flock", number=number)
    hold(tmp_path / "lock", "busy").close()
    lacking("flock", number=errno.EIO)
    with pytest.raises(OSError, match="not here"):
        hold(tmp_path / "lock", "busy")


def test_a_file_that_is_not_on_the_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only of a folder may a disk say that it cannot."""

    def refuse(_: int) -> None:
        raise OSError(errno.EINVAL, "no")

    monkeypatch.setattr(os, "fsync", refuse)
    sync(tmp_path)
    (tmp_path / "a").write_text("")
    with pytest.raises(OSError, match="no"):
        sync(tmp_path / "a")


def test_a_disk_is_tried_and_nothing_is_left(tmp_path: Path, lacking) -> None:
    path = str(tmp_path / "50%?#.sqlite")
    assert disk_of(path) == Disk(locks=True, shares=True)
    sqlite3.connect(Disk(locks=False).address(path), uri=True).close()
    assert [p.name for p in tmp_path.iterdir()] == ["50%?#.sqlite"]
    lacking("lock", "share")
    assert disk_of(path) == Disk(locks=False, shares=False)
    assert disk_of(str(tmp_path / "none" / "a")) == Disk()
    assert len(list(tmp_path.iterdir())) == 1


@pytest.fixture
def sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that cannot be written: by its mode, and as root by what the system says of it."""
    folder = tmp_path / "sealed"
    folder.mkdir()
    access = os.access
    monkeypatch.setattr(
        os,
        "access",
        lambda path, mode: folder not in (Path(path), *Path(path).parents) and access(path, mode),
    )
    return folder


def test_a_copy_is_lent_of_what_cannot_be_written(sealed: Path) -> None:
    (sealed / "a").write_text("1")
    (sealed / "a-wal").write_text("2")
    (sealed / "b").write_text("3")
    with loan.readable(sealed, "a") as lent:
        assert lent != sealed
        assert {p.name: p.read_text() for p in lent.iterdir()} == {"a": "1", "a-wal": "2"}
    assert not lent.exists()
    with loan.readable(sealed / "below" / "none", "a") as lent:
        assert list(lent.iterdir()) == []
    with (
        pytest.raises(InputError, match=f"^{sealed}/a is damaged$") as told,
        loan.readable(sealed, "a") as lent,
    ):
        raise InputError(f"{lent}/a is damaged", code="store")
    assert told.value.code == "store"


def test_what_can_be_written_is_not_copied(tmp_path: Path) -> None:
    with loan.readable(tmp_path, "a") as lent:
        assert lent == tmp_path
