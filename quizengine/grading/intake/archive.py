"""An archive: the files of a folder or a zip, and of the zips in it. Nothing is unpacked: members are read
where they lie."""

from __future__ import annotations

import lzma
import zlib
from calendar import timegm
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple
from zipfile import BadZipFile, ZipFile, ZipInfo

from quizengine.errors import InputError
from quizengine.files.failure import failed
from quizengine.files.kind import kind_at

MOST_BYTES, MOST_FILES = 2**20, 200_000  # of one file, and in one zip
MOST_ZIP, MOST_DEEP = 2**26, 3  # bytes of a zip in a zip, and zips within one another
_IGNORED = ("__MACOSX/", ".DS_Store", "Thumbs.db")
_EPOCH = 1980  # what a zip says that knows no time
BROKEN = (BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error, lzma.LZMAError)


class Moment(NamedTuple):
    """When a file was saved, in seconds by a clock: of a disk, or of a zip, which knows no time zone."""

    clock: str
    seconds: float


class Member(NamedTuple):
    """A file: its name with its folders, its content or why there is none, and when it was saved."""

    name: str
    content: bytes | ValueError
    moment: Moment | None = None


def is_archive(path: Path) -> bool:
    """Does it hold files? Raises InputError."""
    if not path.is_file():
        return path.is_dir()
    kind = kind_at(path)
    return kind == "zip" or (kind == "text" and path.suffix.lower() == ".zip")


def files_in(path: Path, *, most: int = MOST_BYTES) -> Iterator[Member]:
    """The files by name, or the one that it is; never much more of each than so many bytes, which is what a
    file of answers may have. Raises InputError."""
    try:
        if path.is_dir():
            for file in sorted(p for p in path.rglob("*") if p.is_file() and p.name not in _IGNORED):
                with file.open("rb") as opened:
                    moment = Moment("disk", file.stat().st_mtime)
                    yield from _contents(str(file.relative_to(path)), opened, moment, 1, most)
        elif is_archive(path):
            with ZipFile(path) as archive:
                yield from _members(archive, "", 1, most)
        else:
            with path.open("rb") as opened:
                yield Member(str(path), opened.read(most + 1))
    except OSError as error:
        raise failed(path, error) from None
    except (*BROKEN, ValueError) as error:
        raise InputError(f"{path} is no zip that can be read: {error}", code="zip") from None


def _contents(name: str, file: BinaryIO, moment: Moment | None, deep: int, most: int) -> Iterator[Member]:
    """The file, or the files in it if it is a zip, which lie in a folder of its name."""
    if not name.lower().endswith(".zip"):
        yield Member(name, file.read(most + 1), moment)
        return
    content = file.read(MOST_ZIP + 1)
    try:
        if len(content) > MOST_ZIP or deep > MOST_DEEP:
            raise BadZipFile("it is too large" if deep <= MOST_DEEP else "zips lie too deep in one another")
        with ZipFile(BytesIO(content)) as archive:
            yield from _members(archive, f"{name}/", deep + 1, most)
    except (*BROKEN, ValueError) as error:
        yield Member(name, ValueError(f"it is no zip that can be read: {error}"), moment)


def _members(archive: ZipFile, folder: str, deep: int, most: int) -> Iterator[Member]:
    infos = sorted(archive.infolist(), key=lambda info: info.filename)
    if len(infos) > MOST_FILES:
        raise BadZipFile(f"more than {MOST_FILES} files")
    for info in infos:
        if not info.is_dir() and not any(name in info.filename for name in _IGNORED):
            name, moment = folder + info.filename, _moment(info)
            found = list[Member]()
            try:
                with archive.open(info) as member:  # never all of it: no bomb goes off
                    found = list(_contents(name, member, moment, deep, most))  # type: ignore[arg-type]
            except (*BROKEN, OSError) as error:
                found = [Member(name, ValueError(f"it is damaged: {error}"), moment)]
            yield from found


def _moment(info: ZipInfo) -> Moment | None:
    with suppress(ValueError):
        if info.date_time[0] > _EPOCH:
            return Moment("zip", timegm(info.date_time))
    return None
