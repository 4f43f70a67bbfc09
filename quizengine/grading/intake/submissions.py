"""Saved answers: the JSON that HTML sheets hand in, or YAML of the same form, as rows of a table: one file, a
folder, or the zip of submissions that Moodle and Canvas give out."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import datetime
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from quizengine.errors import InputError
from quizengine.files.cell import ABSENT, Cell
from quizengine.files.document import read_text
from quizengine.files.kind import kind_at, kind_of
from quizengine.files.rows import encodings_of, text_from
from quizengine.grading.intake.archive import MOST_BYTES, Moment, files_in, is_archive
from quizengine.grading.intake.column_map import EMAIL, OWNER, TIME, WHO
from quizengine.grading.note import Note
from quizengine.responses.grid import answer_text
from quizengine.sheets.sheet_code import is_code

MOST_ANSWERS = 2000  # of one sheet
SPARE = 8  # columns that no sheet bears, to be named; further ones are counted
Scalar = str | bool | None  # of JSON; numbers come as their text
Answer = Scalar | list[Scalar] | list[list[Scalar]]
_BEGIN = 2**12  # bytes by which a file is known
_BOOKS = (".xlsx", ".xlsm")
_OTHERS = {  # files of ours by their fields
    "the manifest, not answers": {"sheets", "secret"},
    "a report: it holds marks, not answers": {"students", "misconceptions"},
    "what grade answered: it holds marks, not answers": {"graded", "listed", "results"},
}
_YAML, _WEB = (".yaml", ".yml"), (".html", ".htm")
_OBJECT = re.compile(r"\s*(\[\s*)?\{")  # how answers in JSON begin
_ENTRY = re.compile(r"(?:---\s+)?(?:- )?(?:code|student|answers):\s")  # and in YAML


class Submission(BaseModel):
    """One sheet's answers by label: a text, or rows of them."""

    model_config = ConfigDict(extra="ignore")
    code: str = ""
    student: str = ""
    time: str = ""
    answers: dict[str, Answer]


_FILE: TypeAdapter[Submission | list[Submission]] = TypeAdapter(Submission | list[Submission])
# What platforms call a submission: Moodle “Full Name_123_assignsubmission_file/…”, where the number is of the
# submission, not of the student; Canvas “fullname_LATE_123_456_…”, where the first number is the student's
_MOODLE = re.compile(r"(?P<who>.+)_(?P<number>\d+)_assignsubmission_\w+")
_CANVAS = re.compile(r"([^_]+)_(?:LATE_)?(\d+)_\d+_.+")
_NAMED = re.compile(r"(?<![A-Za-z0-9])answers[-_ ]([0-9A-Za-z]{5})(?![0-9A-Za-z])", re.IGNORECASE)
Lines = Iterable[tuple[int, Sequence[Cell]]]  # may be gone through more than once


class Table(NamedTuple):
    """A header and numbered rows; `raw` is the header as it stands in the file; `listed` are lines, or files
    of a folder, that can only be listed; `remarks` are what else there is to say; `files` are the names of
    those that are a line each, `moments` when they were saved, by each clock that tells; `left` is how many
    columns were left out that no sheet bears."""

    header: list[str]
    rows: Lines
    raw: Sequence[str] = ()
    listed: Sequence[Note] = ()
    remarks: Sequence[Note] = ()
    files: Mapping[int, str] = {}
    moments: Mapping[int, Sequence[Moment]] = {}
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


def are_submissions(path: Path) -> bool:
    """Does it hold saved answers, or files of them, and no table? Its ending may say so, else how it begins.
    Raises InputError."""
    if is_archive(path):
        return path.suffix.lower() not in _BOOKS
    if {".json", *_YAML, *_WEB} & {*_endings(path.name)}:
        return True
    if kind_at(path) != "text":
        return False
    with path.open("rb") as file:
        start = file.read(_BEGIN)
    text = start.decode(encodings_of(start)[0], "replace").removeprefix("\ufeff")
    return bool(_OBJECT.match(text) or _ENTRY.match(text))


def read_submissions(path: Path, known: Container[str] | None = None) -> Table:
    """A row a sheet, with whose folder it came in; `known` are the labels that count. In a folder or a zip a
    file that holds no answers is skipped and told. Raises InputError for one that is named by itself, and
    where there is none."""
    found: list[tuple[int, str, Submission]] = []
    labels = Labels(known)
    listed: list[Note] = []
    remarks: list[Note] = []
    files: dict[int, str] = {}
    moments: dict[int, list[Moment]] = {}
    alone = not is_archive(path)
    number = 0
    for number, (name, content, moment) in enumerate(files_in(path), 1):
        files[number] = name
        try:
            if isinstance(content, Exception):
                raise content
            whose = owner(name) if not alone else owner(name).rpartition("/")[2]  # a path says nothing
            for saved in submissions_in(name, content):
                saved.answers = {label: cell for label, cell in saved.answers.items() if labels.wanted(label)}
                found.append((number, whose, saved))
                moments[number] = [*_said_moment(saved), *filter(None, [moment])]
                if not saved.code and (code := _code_in(name)):
                    saved.code = code
                    remarks.append(Note(number, saved.student, "by-file", {"code": code}))
        except (ValueError, RecursionError) as error:
            why = str(error)
            if alone:
                message = f"{name} holds no answers that a sheet saved ({why})"
                raise InputError(message, code="answers") from None
            listed.append(Note(number, name, "no-answers", {"why": why}))
    if not number:
        raise InputError(f"there is no file with answers in {path}", code="no-file")
    rows = [
        (n, [saved.student, saved.code, whose, *_cells(saved, labels.names)]) for n, whose, saved in found
    ]
    header = [*WHO, OWNER, *labels.names]
    if alone:
        return Table(header, rows, listed=listed, remarks=remarks, left=labels.left)
    return Table(header, rows, (), listed, remarks, files, moments, labels.left)


def _said_moment(saved: Submission) -> list[Moment]:
    """When the answers were saved, as the file says it; nothing where it says no moment."""
    try:
        moment = datetime.fromisoformat(saved.time)
    except ValueError:
        return []
    return [Moment("file", moment.timestamp())] if moment.tzinfo else []


def _code_in(name: str) -> str:
    """The code of the sheet in the name that a page gives to its file, whatever was added to it."""
    found = _NAMED.search(Path(name).name)
    return found[1].upper() if found and is_code(found[1].upper()) else ""


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
    *folders, last = Path(name).parts
    zips = [part for part in folders if part.lower().endswith(".zip")]
    if found := next(filter(None, map(_CANVAS.fullmatch, (*zips, last))), None):
        return f"{found[1]} #{found[2]}"
    return "".join(f"{part.removesuffix('.zip')}/" for part in folders)


def submission(name: str) -> dict[str, str]:
    """Whose submission a file of Moodle's belongs to (`who`), and its `number`; nothing for other files."""
    found = next(filter(None, map(_MOODLE.match, Path(name).parts)), None)
    return found.groupdict() if found else {}


def submissions_in(name: str, content: bytes) -> list[Submission]:
    """What a file holds. Raises ValueError, RecursionError."""
    if len(content) > MOST_BYTES:
        raise ValueError("it is too large")
    try:
        kind = kind_of(BytesIO(content))
    except ValueError as error:
        raise ValueError(f"it {error}") from None
    if kind != "text":
        raise ValueError("it is a workbook" if kind == "xlsx" else "it is a zip that is not called .zip")
    return parsed(name, text_from(content))


def parsed(name: str, text: str) -> list[Submission]:
    """What a text says, of a file of that name. Raises ValueError, RecursionError."""
    data = _data(name, text)
    if why := _ours(data):
        raise ValueError(why)
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
    if taken := [label for one in found for label in one.answers if label in (*WHO, EMAIL, OWNER, TIME)]:
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


def _ours(data: object) -> str:
    """What it is, of the files that this engine writes, where it holds no answers."""
    keys = {*data} if isinstance(data, dict) else set()
    return next((f"it is {what}" for what, own in _OTHERS.items() if own <= keys), "")


def _endings(name: str) -> list[str]:
    """All of them, without what was added to a copy.

    >>> _endings("answers.JSON.txt"), _endings("answers.json (1)")
    (['.json', '.txt'], ['.json'])
    """
    return [ending.split(" ")[0] for ending in Path(name.lower()).suffixes]


class _Words(HTMLParser):
    """The text of a page: what was pasted into an editor of a learning platform."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._silent = False

    def handle_starttag(self, tag: str, _attrs: object) -> None:
        self._silent = self._silent or tag in ("script", "style")
        self.said += ["\n"] * (tag in ("br", "p", "div"))

    def handle_endtag(self, tag: str) -> None:
        self._silent = self._silent and tag not in ("script", "style")

    def handle_data(self, data: str) -> None:
        self.said += [data] * (not self._silent)


def _shown(text: str) -> str:
    """The object that a page shows. Raises ValueError where it shows none."""
    words = _Words()
    words.feed(text)
    words.close()
    found = re.search(r"\{.*\}", "".join(words.said).replace("\xa0", " "), re.DOTALL)
    if not found:
        raise ValueError("it is a web page, not the file that its button “Save answers” writes")
    return found[0]


def _data(name: str, text: str) -> object:
    """What the file says, its numbers as they are typed; JSON shows by its ending or by how it begins."""
    endings = _endings(name)
    if ".json" in endings or not ({*_YAML} & {*endings} or _ENTRY.match(text)):
        if {*_WEB} & {*endings} and not _OBJECT.match(text):
            text = _shown(text)
        if ".json" not in endings and not _OBJECT.match(text):
            raise ValueError("it is neither JSON nor YAML")
        return _JSON.decode(text)
    document = read_text(text, name, typed=True)
    if document.faults:
        raise ValueError(str(document.faults[0]))
    return document.data


def typed(saved: Submission) -> dict[str, str]:
    """Its answers as a learner would type them."""
    return {label: answer_text(answer) for label, answer in saved.answers.items()}


def _cells(saved: Submission, labels: Iterable[str]) -> list[Cell]:
    texts = typed(saved)
    return [texts.get(label, ABSENT) for label in labels]
