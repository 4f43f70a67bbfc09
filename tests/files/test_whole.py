"""A file is written whole or not at all."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from quizengine.files.whole import whole


def _fill_the_disk(path: Path) -> None:
    with whole(path) as file:
        file.write(b"half")
        raise OSError(errno.ENOSPC, "full")


@pytest.mark.parametrize("before", [None, b"old"])
def test_what_fails_leaves_what_was_there(tmp_path: Path, before: bytes | None) -> None:
    path = tmp_path / "a"
    if before is not None:
        path.write_bytes(before)
    with pytest.raises(OSError, match="full"):
        _fill_the_disk(path)
    assert [p.read_bytes() for p in tmp_path.iterdir()] == ([] if before is None else [before])


@pytest.mark.parametrize("synced", [False, True])
def test_what_is_written_takes_its_place_with_its_mode(tmp_path: Path, synced: bool) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    with whole(path, mode=0o600, synced=synced) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]
