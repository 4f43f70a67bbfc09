"""Saved answers: the JSON that HTML sheets hand in, or YAML of the same form, as rows of a table: one file, a
folder, or the zip of submissions that Moodle and Canvas give out. Nothing is unpacked: members are read where
they lie."""

from __future__ import annotations

import json
import lzma
import re
import zlib
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile, ZipFile

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from quizengine.errors import InputError
from quizengine.files.cell import ABSENT, Cell
from quizengine.files.document import read_text
from quizengine.files.failure import failed
from quizengine.grading.intake.column_map import OWNER, TIME, WHO
from quizengine.grading.note import Note
from quizengine.responses.grid import answer_text

MOST_BYTES, MOST_FILES = 2**20, 200_000  # of one file, and in one zip
MOST_ANSWERS = 2000  # of one sheet
SPARE = 8  # columns that no sheet bears, to be named; further ones are counted
_IGNORED = ("__MACOSX/", ".DS_Store", "Thumbs.db")
Scalar = str | bool | None  # of JSON; numbers come as their text
Answer = Scalar | list[Scalar] | list[list[Scalar]]
KINDS = (".json", ".yaml", ".yml")


class Submission(BaseModel):
    """One sheet's answers by label: a text, or rows of them."""

    model_config = ConfigDict(extra="ignore")
    code: str = ""
    student: str = ""
    answers: dict[str, Answer]


_FILE: TypeAdapter[Submission | list[Submission]] = TypeAdapter(Submission | list[Submission])
# What platforms call a submission: Moodle “Full Name_123_assignsubmission_file/…”, where the number is of the
# submission, not of the student; Canvas “fullname_LATE_123_456_…”, where the first number is the student's
_MOODLE = re.compile(r"(?P<who>.+)_(?P<number>\d+)_assignsubmission_\w+")
_CANVAS = re.compile(r"([^_]+)_(?:LATE_)?(\d+)_\d+_.+")
Lines = Iterable[tuple[int, Sequence[Cell]]]  # may be gone through more than once


class Table(NamedTuple):
    """A header and numbered rows; `raw` is the header as it stands in the file; `listed` are lines, or files
    of a folder, that can only be listed; `remarks` are what else there is to say; `files` are the names of
    those that are a line each; `left` is how many columns were left out that no sheet bears."""

    header: list[str]
    rows: Lines
    raw: Sequence[str] = ()
    listed: Sequence[Note] = ()
    remarks: Sequence[Note] = ()
    files: Mapping[int, str] = {}
    left: int = 0


class Labels:
    """The columns that a file needs as its answers go by: every label that is known (all, without `known`),
    and some others, to be named; `left` are those that are only counted."""

    def __init__(self, known: Container[str] | None):
        self.known, self.names, self.left = known, dict[str, None](), 0
        self._spare, self._seen = SPARE, set[int]()

    def wanted(self, name: str) -> bool:
        """Is it to be a column?"""
        if name in self.names:
            return True
        if self.known is not None and name not in self.known:
            if not self._spare:
                self._seen.add(hash(name))
                self.left = len(self._seen)
                return False
            self._spare -= 1
        self.names[name] = None
        return True


def read_submissions(path: Path, known: Container[str] | None = None) -> Table:
    """A row a sheet, with whose folder it came in; `known` are the labels that count. In a folder or a zip a
    file that holds no answers is skipped and told. Raises InputError for one that is named by itself, and
    where there is none."""
    found: list[tuple[int, str, Submission]] = []
    labels = Labels(known)
    listed: list[Note] = []
    files: dict[int, str] = {}
    alone = path.is_file() and path.suffix.lower() != ".zip"
    number = 0
    for number, (name, content) in enumerate(files_in(path), 1):
        files[number] = name
        try:
            if isinstance(content, Exception):
                raise content
            whose = owner(name) if not alone else owner(name).rpartition("/")[2]  # a path says nothing
            for saved in submissions_in(name, content):
                saved.answers = {label: cell for label, cell in saved.answers.items() if labels.wanted(label)}
                found.append((number, whose, saved))
        except (ValueError, RecursionError) as error:
            why = str(error)
            if alone:
                message = f"{name} holds no answers that a sheet saved ({why})"
                raise InputError(message, code="answers") from None
            listed.append(Note(number, name, "no-answers", {"why": why}))
    if not number:
        raise InputError(f"there is no file with answers in {path}", code="no-file")
    rows = [
        (n, [saved.student, saved.code, whose, *(_said(saved, label) for label in labels.names)])
        for n, whose, saved in found
    ]
    header = [*WHO, OWNER, *labels.names]
    return Table(header, rows, listed=listed, files={} if alone else files, left=labels.left)


def owner(name: str) -> str:
    """Who handed a file in, by the names that Moodle and Canvas give to folders and files: a full name with
    the number of the submission, or a name without blanks with an id; else the folders that it lies in.

    >>> owner("One Learner_17_assignsubmission_file/a.json"), owner("learnerone_LATE_4711_99_a.json")
    ('One Learner (17)', 'learnerone #4711')
    >>> owner("in/s01/a.json"), owner("a.json")
    ('in/s01/', '')
    """
    if known := submission(name):
        return f"{known['who'].replace('_', ' ')} ({known['number']})"
    found = _CANVAS.fullmatch(Path(name).name)
    return f"{found[1]} #{found[2]}" if found else "".join(f"{part}/" for part in Path(name).parts[:-1])


def submission(name: str) -> dict[str, str]:
    """Whose submission a file of Moodle's belongs to (`who`), and its `number`; nothing for other files."""
    found = next(filter(None, map(_MOODLE.match, Path(name).parts)), None)
    return found.groupdict() if found else {}


def files_in(path: Path) -> Iterator[tuple[str, bytes | ValueError]]:
    """Names and bytes, by name, or why a member of a zip cannot be read; never much more than a file of
    answers may have. Raises InputError."""
    try:
        if path.is_dir():
            for file in sorted(p for p in path.rglob("*") if p.is_file() and p.name not in _IGNORED):
                yield str(file.relative_to(path)), file.read_bytes()[: MOST_BYTES + 1]
        elif path.suffix.lower() == ".zip":
            with ZipFile(path) as archive:
                yield from _members(archive)
        else:
            yield str(path), path.read_bytes()
    except OSError as error:
        raise failed(path, error) from None
    except (*BROKEN, ValueError) as error:
        raise InputError(f"{path} is no zip that can be read: {error}", code="zip") from None


BROKEN = (BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error, lzma.LZMAError)


def _members(archive: ZipFile) -> Iterator[tuple[str, bytes | ValueError]]:
    infos = sorted(archive.infolist(), key=lambda info: info.filename)
    if len(infos) > MOST_FILES:
        raise BadZipFile(f"more than {MOST_FILES} files")
    for info in infos:
        if not info.is_dir() and not any(name in info.filename for name in _IGNORED):
            content: bytes | ValueError
            try:
                with archive.open(info) as member:  # never all of it: no bomb goes off
                    content = member.read(MOST_BYTES + 1)
            except (*BROKEN, OSError) as error:
                content = ValueError(f"it is damaged: {error}")
            yield info.filename, content


def submissions_in(name: str, content: bytes) -> list[Submission]:
    """What a file holds. Raises ValueError, RecursionError."""
    if len(content) > MOST_BYTES:
        raise ValueError("it is too large")
    data = _data(name, content.decode("utf-8-sig"))
    sheets = [
        one.get("answers") for one in (data if isinstance(data, list) else [data]) if isinstance(one, dict)
    ]
    if any(isinstance(answers, dict) and len(answers) > MOST_ANSWERS for answers in sheets):
        raise ValueError(f"more than {MOST_ANSWERS} answers for one sheet")
    json.dumps(data, ensure_ascii=False).encode()  # half of a character, which JSON can write, is none
    try:
        saved = _FILE.validate_python(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if str(part) not in ("Saved", "list[Submission]"))
        raise ValueError(f"{where}: {first['msg']}" if where else first["msg"]) from None
    found = saved if isinstance(saved, list) else [saved]
    if taken := [label for one in found for label in one.answers if label in (*WHO, OWNER, TIME)]:
        raise ValueError(f"no answer can be called “{taken[0]}”")
    return found


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object. Raises ValueError where a key stands twice, of which JSON readers drop one unsaid."""
    out = dict(pairs)
    if len(out) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"“{next(name for name in names if names.count(name) > 1)}” stands twice")
    return out


_JSON = json.JSONDecoder(
    parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=_once
)  # numbers as they are typed: 0.50 has two decimals


def _data(name: str, text: str) -> object:
    """What the file says, its numbers as they are typed."""
    kind = Path(name).suffix.lower()
    if kind not in KINDS:
        raise ValueError("it is neither JSON nor YAML")
    if kind == ".json":
        return _JSON.decode(text)
    document = read_text(text, name, typed=True)
    if document.faults:
        raise ValueError(str(document.faults[0]))
    return document.data


def _said(saved: Submission, label: str) -> Cell:
    return answer_text(saved.answers[label]) if label in saved.answers else ABSENT
