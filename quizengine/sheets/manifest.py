"""A manifest: every sheet's problems, whole, so that grading needs nothing else.

It is one JSON object with a line for every sheet, so that an exam of any size is written and read sheet by
sheet. Codes have a check sign: a single wrong sign or two exchanged ones are noticed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import tee
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, NamedTuple, overload

from pydantic import ConfigDict, PlainValidator, TypeAdapter, ValidationError

from quizengine import __version__
from quizengine.errors import InputError, UnknownName
from quizengine.files.failure import failed
from quizengine.files.hold import sync
from quizengine.files.whole import whole
from quizengine.items import catalogue
from quizengine.items.catalogue import Catalogue
from quizengine.items.policy import Policy
from quizengine.lang.text import Lang, Text
from quizengine.problems.part import NumericPart
from quizengine.problems.problem import Problem
from quizengine.sheets.plan import Heading

FORMAT = 1
_NO_HEADING = Heading()
_CLOSED = ConfigDict(extra="forbid")
_TOP, _END = f'{{"format":{FORMAT},"sheets":[\n'.encode(), b"],\n"
_STRING = rb'"(?:[^"\\]|\\.)*"'
_WHO = re.compile(
    rb'\{"code":(%b),"student":(%b),"name":(%b),(?:"group":%b,)?' % ((_STRING,) * 4)
    + rb'(?:"email":(%b),)?(?:"extra":(%b),)?(?:"own":(%b),)?' % ((_STRING,) * 3)
)
_LABELS = re.compile(rb'"labels":(\{[^{}]*\})')  # a quote inside a text has a backslash before it


def _catalogue(data: Mapping[str, Any]) -> Catalogue:
    return {id_: catalogue.build(id_, entry) for id_, entry in data.items()}


def _heading(data: Mapping[str, Any] | None) -> Heading:
    return Heading.from_json(data) if data else _NO_HEADING


if TYPE_CHECKING:
    _Posed = Problem
    _Sheets = Sequence["Sheet"]
else:  # a problem is read by its own class, and a sheet not before it is asked for
    _Posed = Annotated[Any, PlainValidator(Problem.from_json)]
    _Sheets = Any


@dataclass(frozen=True)
class Sheet:
    """One student's problems, and the label that each part bears on paper; `others` holds the same
    problems in the other languages of the exam. What a file may hold is checked by these fields."""

    __pydantic_config__ = _CLOSED

    code: str
    student: str
    problems: tuple[_Posed, ...]
    labels: tuple[Mapping[str, str], ...]  # per problem: part id → label
    name: str = ""
    group: str = ""
    email: str = ""
    others: Mapping[Lang, tuple[_Posed, ...]] = field(default_factory=dict)
    extra: str = ""  # time that is added to the others', as the roster says it
    large: bool = False  # in large print
    own: Lang | None = None  # the language that the student is to have, of several

    def labelled(self) -> list[tuple[str, int, str]]:
        """(label, index of the problem, part id), in order."""
        return [(label, i, part) for i, labels in enumerate(self.labels) for part, label in labels.items()]

    @property
    def own_problems(self) -> tuple[Problem, ...]:
        """The problems in the language that the student is to have, else in the first of the exam; there too
        one that would be marked otherwise, for a key that was changed by hand is changed for all."""
        own = self.in_language(self.own) if self.own else ()
        if len(own) != len(self.problems):
            return self.problems
        both = zip(self.problems, own, strict=True)
        return tuple(mine if _marked_by(mine) == _marked_by(first) else first for first, mine in both)

    def in_language(self, lang: Lang) -> tuple[Problem, ...]:
        """The problems in `lang`."""
        return self.others.get(lang, self.problems)

    def to_json(self) -> dict[str, object]:
        """As the manifest keeps it."""
        out: dict[str, object] = {"code": self.code, "student": self.student, "name": self.name}
        out["group"] = self.group
        told = {"email": self.email, "extra": self.extra, "own": self.own, "large": self.large}
        out |= {what: value for what, value in told.items() if value}
        out["items"] = [
            problem.to_json() | {"labels": dict(labels)}
            for problem, labels in zip(self.problems, self.labels, strict=True)
        ]
        if self.others:
            out["others"] = {lang: [p.to_json() for p in problems] for lang, problems in self.others.items()}
        return out

    def line(self) -> bytes:
        """As it stands in a manifest: one line."""
        return _compact(self.to_json())

    @classmethod
    def from_line(cls, line: bytes) -> Sheet:
        """What `line` wrote. Raises what `build` does."""
        return build(json.loads(line))


class Who(NamedTuple):
    """Whose sheet it is."""

    code: str
    student: str
    name: str = ""
    email: str = ""
    extra: str = ""
    own: str = ""


class Lines(Sequence[Sheet]):
    """Sheets on disk, a line each, of which only codes and students are in memory; each is built when it is
    asked for. `read` gives the lines of some of them, by their place."""

    def __init__(
        self, who: Sequence[Who], labels: Sequence[str], read: Callable[[Iterable[int]], Iterator[bytes]]
    ):
        self.who, self.labels, self.read = who, labels, read

    def __len__(self) -> int:
        return len(self.who)

    def __iter__(self) -> Iterator[Sheet]:
        return map(Sheet.from_line, self.read(range(len(self))))

    @overload
    def __getitem__(self, place: int) -> Sheet: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Sheet, ...]: ...
    def __getitem__(self, place: int | slice) -> Sheet | tuple[Sheet, ...]:
        if isinstance(place, slice):
            return tuple(map(Sheet.from_line, self.read(range(len(self))[place])))
        [line] = self.read([range(len(self))[place]])
        return Sheet.from_line(line)


def _text(quoted: bytes) -> str:
    """What a string of JSON says."""
    return str(json.loads(quoted)) if b"\\" in quoted else quoted[1:-1].decode()


class _Index:
    """What is remembered of every line as it goes by."""

    def __init__(self) -> None:
        self.who: list[Who] = []
        self.starts: list[int] = []
        self.end = 0
        self.labels: dict[str, None] = {}
        self._seen: set[bytes] = set()
        self.hash = hashlib.sha256()

    def add(self, line: bytes, start: int) -> bool:
        """Take a line of the file; False when it is none that we wrote."""
        found = _WHO.match(line)
        if found is None:
            return False
        self.who.append(Who(*map(_text, found.groups(b""))))
        self.starts.append(start)
        self.end = start + len(line)
        self.hash.update(line.rstrip(b",\n"))
        for labels in _LABELS.findall(line):
            if labels not in self._seen:
                self._seen.add(labels)
                self.labels |= dict.fromkeys(json.loads(labels).values())
        return True

    def lines(self, path: Path) -> Lines:
        """The sheets, to be read where they lie. A sheet ends with a comma or not, and a line feed."""
        starts = [*self.starts, self.end]

        def read(places: Iterable[int]) -> Iterator[bytes]:
            with path.open("rb") as file:
                for place in places:
                    file.seek(starts[place])
                    yield file.read(starts[place + 1] - starts[place]).rstrip(b",\n")

        return Lines(self.who, list(self.labels), read)


Keep = Callable[[Iterable[Sheet]], Sequence[Sheet]]  # how sheets are held as they are made


def keep_on_disk(path: Path) -> Keep:
    """There, not in memory."""

    def keep(sheets: Iterable[Sheet]) -> Lines:
        index = _Index()
        with path.open("wb") as file:
            for sheet in sheets:
                line = sheet.line() + b"\n"
                index.add(line, index.end)
                file.write(line)
        return index.lines(path)

    return keep


@dataclass(frozen=True)
class Manifest:
    """All sheets of an exam, what stands at their top, the policy they are marked by, the misconceptions
    they can show, and the files written with their SHA-256. What a file may hold is checked by these
    fields; its sheets are, one by one, when they are built."""

    __pydantic_config__ = _CLOSED

    secret: str
    policy: Annotated[Policy, PlainValidator(Policy.from_json)]
    sheets: _Sheets
    misconceptions: Annotated[Catalogue, PlainValidator(_catalogue)]
    bank: str = ""
    heading: Annotated[Heading, PlainValidator(_heading)] = _NO_HEADING
    sections: tuple[tuple[Text, int], ...] = ()  # title, and how many problems
    files: Mapping[str, str] = field(default_factory=dict)
    engine: str = __version__
    intact: bool = True  # is it, to the letter, what was saved?

    @property
    def labels(self) -> Sequence[str]:
        """Every label that stands on a sheet, in order."""
        if isinstance(self.sheets, Lines):
            return self.sheets.labels
        return list(dict.fromkeys(label for sheet in self.sheets for label, _, _ in sheet.labelled()))

    @property
    def who(self) -> Sequence[Who]:
        """Codes and students, in order."""
        if isinstance(self.sheets, Lines):
            return self.sheets.who
        return [
            Who(sheet.code, sheet.student, sheet.name, sheet.email, sheet.extra, sheet.own or "")
            for sheet in self.sheets
        ]

    def lines(self, places: Iterable[int]) -> Iterator[bytes]:
        """Some sheets as they stand in the file."""
        if isinstance(self.sheets, Lines):
            return self.sheets.read(places)
        return (self.sheets[place].line() for place in places)

    def claimed(self, claims: Mapping[str, str]) -> Manifest:
        """The same exam with sheets, by their codes, under the ids of those who have claimed them."""
        who = [one._replace(student=claims.get(one.code, one.student)) for one in self.who]

        def read(places: Iterable[int]) -> Iterator[bytes]:
            places, again = tee(places)
            for place, line in zip(again, self.lines(places), strict=True):
                own, new = (b'"student":%b,' % _compact(x[place].student) for x in (self.who, who))
                yield line.replace(own, new, 1)

        return replace(self, sheets=Lines(who, self.labels, read)) if claims else self

    def place(self, code: str) -> int:
        """Where the sheet of this code stands. Raises UnknownName."""
        found = {who.code: place for place, who in enumerate(self.who)}
        if code not in found:
            raise UnknownName("sheet", code, found)
        return found[code]

    def save(self, path: Path) -> None:
        """Write as JSON, for the owner's eyes alone, whole or not at all; when this returns, it is kept."""
        rest = {
            "engine": self.engine,
            "bank": self.bank,
            "secret": self.secret,
            "policy": self.policy.to_json(),
            "heading": self.heading.to_json(),
            "sections": [[title._asdict(), size] for title, size in self.sections],
            "misconceptions": {id_: m.to_json() for id_, m in self.misconceptions.items()},
            "files": dict(self.files),
        }
        digest = hashlib.sha256()
        with whole(path, mode=0o600, synced=True) as file:
            file.write(_TOP)
            comma = b""
            for line in self.lines(range(len(self.sheets))):
                file.write(comma + line)
                digest.update(line)
                comma = b",\n"
            file.write(b"\n" + _END if comma else _END)
            digest.update(_compact(rest))
            text = json.dumps(rest | {"digest": digest.hexdigest()}, ensure_ascii=False, indent=1)
            file.write(text.encode().removeprefix(b"{\n") + b"\n")
        sync(path.parent)


def _compact(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


_SHEET, _MANIFEST = TypeAdapter(Sheet), TypeAdapter(Manifest)


def load_manifest(path: Path) -> Manifest:
    """What `save` wrote. Raises InputError."""
    try:
        with path.open("rb") as file:
            found = _by_line(path, file) if file.readline() == _TOP else None
        sheets, rest, digest = found or _whole(path)
        intact = rest.get("digest") == digest
        if not intact:  # not what we wrote: nothing is taken on trust
            for _ in sheets:
                pass
        kept = {name: value for name, value in rest.items() if name != "digest"}
        whole = {"misconceptions": {}, **kept, "engine": rest["engine"], "sheets": sheets, "intact": intact}
        return _MANIFEST.validate_python(whole)
    except OSError as error:
        raise failed(path, error) from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"{path} is not a whole manifest: {where}: {first['msg']}") from None
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise InputError(f"{path} is not a whole manifest: {type(error).__name__} {error}") from None


_Found = tuple[Lines, dict[str, Any], str]  # sheets, the rest, and the digest of both


def _by_line(path: Path, file: BinaryIO) -> _Found | None:
    """Sheet by sheet; None where the lines are not those that `save` writes."""
    index, start = _Index(), file.tell()
    for line in file:
        if line == _END:
            rest: dict[str, Any] = json.loads(b"{" + file.read())
            return index.lines(path), rest, _digest(index, rest)
        if not index.add(line, start):
            return None
        start += len(line)
    return None


def _digest(index: _Index, rest: Mapping[str, object]) -> str:
    whole = index.hash.copy()
    whole.update(_compact({name: value for name, value in rest.items() if name != "digest"}))
    return whole.hexdigest()


def _whole(path: Path) -> _Found:
    """All at once: a manifest that another program has written anew."""
    try:
        data: dict[str, Any] = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not a manifest: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        found = data.get("format", "no") if isinstance(data, dict) else "no"
        raise InputError(f"{path}: format {found} is not one this engine reads ({FORMAT})", code="format")
    index, lines = _Index(), [_compact(sheet) for sheet in data["sheets"]]
    for line in lines:
        if not index.add(line, 0):
            raise ValueError("a sheet does not begin with its code, its student and the name")
    rest = {name: value for name, value in data.items() if name not in ("format", "sheets")}
    sheets = Lines(index.who, list(index.labels), lambda places: (lines[place] for place in places))
    return sheets, rest, _digest(index, rest)


def build(data: Any) -> Sheet:
    """A sheet of its JSON. Raises ValidationError, and whatever a part that is missing raises."""
    fields = {name: value for name, value in data.items() if name != "items"}
    labels = [item["labels"] for item in data["items"]]
    sheet = _SHEET.validate_python({**fields, "problems": data["items"], "labels": labels})
    for problem, labelled in zip(sheet.problems, sheet.labels, strict=True):
        if set(labelled) != {part.id for part in problem.parts}:
            raise ValueError(f"the labels of {problem.item} are not those of its parts")
        if not all(isinstance(part.points, int) and part.points >= 0 for part in problem.parts):
            raise ValueError(f"a part of {problem.item} has less than no points")
    return sheet


def _marked_by(problem: Problem) -> tuple[object, ...]:
    """What decides a mark, in every language alike: a person reads what is answered in words."""
    parts = [
        part._replace(prompt="")
        if isinstance(part, NumericPart)
        else (part.id, part.points, "" if part.kind == "words" else part.key)
        for part in problem.parts
    ]
    return problem.item, problem.seed, parts, problem.rivals
