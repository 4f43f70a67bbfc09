"""The one strict reader of YAML: plain data with a place for every value, all faults at once.

No anchors, aliases, merge keys, tags or duplicate keys; words that some YAML reader takes for
something else are refused with what to write instead. Then the caller's pydantic model checks
the shape, and its complaints get the place of what they complain about.
"""

from __future__ import annotations

import difflib
import gc
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import yaml

from quizengine.errors import Fault
from quizengine.files import MAX_BYTES

if TYPE_CHECKING:
    from pydantic import BaseModel

Model = TypeVar("Model", bound="BaseModel")

MAX_DEPTH, MAX_DIGITS, UPPER = 40, 26, 2
_LOADER = getattr(yaml, "CLoader", yaml.Loader)
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")
_AMBIGUOUS = (
    (r"(?i)(yes|no|on|off)", "is a truth value to some readers: write '{0}' in quotes, or true or false"),
    (r"True|TRUE|False|FALSE", "is not how a truth value is written here: write true or false, or '{0}'"),
    (r"(?i)null|~", "means “nothing”: leave the key out, or write '{0}' in quotes"),
    (
        r"[-+]?0[0-9_]+(\.\d*)?|0[xob][0-9a-fA-F_]+",
        "begins with 0: leave the 0 out, or write '{0}' in quotes",
    ),
    (r"[-+]?\d[\d_]*_[\d_.]*", "holds an underscore: write the digits alone, or '{0}' in quotes"),
    (r"[-+]?\d+(:[0-5]?\d)+(\.\d*)?", "is a number to base 60 to some readers: write '{0}' in quotes"),
    (r"\d{4}-\d\d?-\d\d?([Tt ].*)?", "is a date to some readers: write '{0}' in quotes"),
    (r"(?i)[-+]?\.(inf|nan)", "is not a finite number"),
    (
        r"[-+]?(\d+\.|\.\d+)|\+\d.*",
        "is an unusual number: write digits on both sides of the point, no plus sign",
    ),
)


Raw: TypeAlias = "dict[str, Raw] | list[Raw] | str | int | float | None"  # what a file says
Event: TypeAlias = Any  # of libyaml, whose types do not say that each has its place
Path: TypeAlias = tuple[str | int, ...]  # to a value: keys and places

_SUSPECT = frozenset("0123456789+-.~")  # what a plain scalar begins with that may be no mere word
_SUSPECT_WORDS = frozenset(["yes", "no", "on", "off", "true", "false", "null"])


@dataclass
class Document:
    """What a file says, where it says it, and what is wrong with it so far. Places are kept of the upper
    levels; those further down are looked up in a second reading, if a fault asks for one."""

    file: str
    data: Raw = None
    values: dict[Path, tuple[int, int]] = field(default_factory=dict)
    keys: dict[Path, tuple[int, int]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    text: str = ""

    def fault(self, path: Path, code: str, message: str, *, key: bool = False) -> None:
        """Note a fault at `path`, or at the nearest place above it that exists."""
        if len(path) > UPPER and self.text:
            again = Document(self.file)
            _Reader(again, self.text, MAX_DEPTH + 1).document()
            self.values, self.keys, self.text = again.values, again.keys, ""
        places = self.keys if key else self.values
        while path and path not in places:
            path = path[:-1]
        line, column = places.get(path) or self.values.get(path, (1, 1))
        self.faults.append(Fault(self.file, line, column, code, message))

    def drop_echoes(self) -> None:
        """Of several faults at one place keep the first: the others only follow from it."""
        self.faults = list({(f.line, f.column): f for f in reversed(self.faults)}.values())[::-1]


def read_file(path: str, name: str) -> Document:
    """Read one YAML file strictly; `name` is what messages call it."""
    with open(path, "rb") as file:
        raw = file.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        return _refused(name, 1, 1, "size", f"the file has more than {MAX_BYTES} bytes")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - (raw.rfind(b"\n", 0, error.start) + 1) + 1
        return _refused(name, line, column, "encoding", "the file is not UTF-8 here: save it as UTF-8")
    return read_text(text, name)


def read_text(text: str, name: str, *, typed: bool = False) -> Document:
    """Read YAML text strictly into plain data; `typed` leaves every scalar as it was typed.

    >>> read_text("a: no", "x.yaml").faults[0].column
    4
    """
    document = Document(name, text=text)
    collecting = gc.isenabled()
    gc.disable()  # nothing here is garbage, and looking for it takes as long as the reading
    try:
        document.data = _Reader(document, text, UPPER, typed=typed).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        lines = text.splitlines()
        tab = mark is not None and mark.line < len(lines) and "\t" in lines[mark.line][: mark.column + 1]
        what = "a tab stands where YAML wants spaces" if tab else f"not YAML: {error.problem}"
        document.faults.append(Fault(name, line, column, "yaml", what))
    except yaml.YAMLError as error:
        document.faults.append(Fault(name, 1, 1, "yaml", f"not YAML: {error}"))
    finally:
        if collecting:
            gc.enable()
    return document


def _refused(name: str, line: int, column: int, code: str, message: str) -> Document:
    return Document(name, faults=[Fault(name, line, column, code, message)])


class _Reader:
    """One pass over libyaml's events; places are noted down to `upper` levels."""

    def __init__(self, document: Document, text: str, upper: int, *, typed: bool = False):
        self.out, self.upper, self.typed = document, upper, typed
        self.lines = text.splitlines()
        self.events: Iterator[Event] = iter(yaml.parse(text, Loader=_LOADER))

    def document(self) -> Raw:
        data: Raw = None
        seen = False
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                if seen:
                    self.note(event, "documents", "a second document begins: one file, one document")
                    break
                seen = True
                data = self.value(next(self.events), (), 0)
        if not seen:
            self.out.faults.append(Fault(self.out.file, 1, 1, "empty", "the file is empty"))
        return data

    def note(self, event: Event, code: str, message: str) -> None:
        mark = event.start_mark
        self.out.faults.append(Fault(self.out.file, mark.line + 1, mark.column + 1, code, message))

    def value(self, event: Event, path: Path | None, depth: int) -> Raw:
        """What the event begins, at `path` (None where places are not noted)."""
        if path is not None:
            self.out.values[path] = (event.start_mark.line + 1, event.start_mark.column + 1)
        kind = type(event)
        if kind is yaml.AliasEvent:
            self.note(event, "alias", f"alias *{event.anchor}: write the text out again")
            return ""
        if event.anchor:
            self.note(event, "anchor", f"anchor &{event.anchor}: anchors are not used here, remove it")
        if event.tag is not None and event.tag != "!":
            self.note(event, "tag", f"tag {event.tag}: tags are not used here, remove it")
        if kind is yaml.ScalarEvent:
            return self.scalar(event)
        if depth > MAX_DEPTH:
            self.note(event, "depth", f"more than {MAX_DEPTH} levels deep")
            raise yaml.YAMLError(f"more than {MAX_DEPTH} levels deep")
        path = path if depth < self.upper else None
        return (self.sequence if kind is yaml.SequenceStartEvent else self.mapping)(path, depth + 1)

    def sequence(self, path: Path | None, depth: int) -> list[Raw]:
        values: list[Raw] = []
        while type(event := next(self.events)) is not yaml.SequenceEndEvent:
            values.append(self.value(event, None if path is None else (*path, len(values)), depth))
        return values

    def mapping(self, path: Path | None, depth: int) -> dict[str, Raw]:
        values: dict[str, Raw] = {}
        lines: dict[str, int] = {}
        while type(event := next(self.events)) is not yaml.MappingEndEvent:
            key = self.value(event, None, depth)
            if type(event) is not yaml.ScalarEvent or not isinstance(key, str):
                self.note(event, "key", "a key must be a word: write it in quotes")
                key = str(key)
            if key == "<<":
                self.note(event, "merge", "merge key <<: write the fields out again")
            if key in values:
                self.note(event, "duplicate", f"“{key}” stands twice (first on line {lines[key]})")
                self.value(next(self.events), None, depth)
                continue
            lines[key] = event.start_mark.line + 1
            under = None if path is None else (*path, key)
            if under is not None:
                self.out.keys[under] = (lines[key], event.start_mark.column + 1)
            values[key] = self.value(next(self.events), under, depth)
        return values

    def scalar(self, event: Event) -> Raw:
        text: str = event.value
        if event.style or self.typed:
            if event.style == '"' and "\\" in self.source(event):
                self.note(event, "backslash", "a backslash in double quotes: use 'single quotes'")
            return text
        if text == "":
            self.note(event, "empty-value", "a value is missing here: write it, or leave the key out")
            return text
        if text[0] not in _SUSPECT and text.lower() not in _SUSPECT_WORDS:
            return text
        if text in ("true", "false"):
            return text == "true"
        for pattern, message in _AMBIGUOUS:
            if re.fullmatch(pattern, text):
                self.note(event, "ambiguous", f"“{text}” {message.format(text)}")
                return text
        if match := _NUMBER.fullmatch(text):
            if len(text) > MAX_DIGITS:
                self.note(event, "number", f"a number of more than {MAX_DIGITS} characters")
                return 0
            return float(text) if match[2] or match[3] else int(text)
        return text

    def source(self, event: Event) -> str:
        """The scalar as it stands in the file."""
        start, end = event.start_mark, event.end_mark
        lines = self.lines[start.line : end.line + 1]
        if start.line == end.line:
            return lines[0][start.column : end.column]
        return "\n".join([lines[0][start.column :], *lines[1:-1], lines[-1][: end.column]])


def check(document: Document, model: type[Model], context: Mapping[str, object]) -> Model | None:
    """The data as `model` sees it, or None with the faults noted in the document."""
    from pydantic import ValidationError

    try:
        return model.model_validate(document.data, strict=True, context=dict(context))
    except ValidationError as error:
        for e in error.errors(include_url=False, include_input=False):
            path = _real_path(document.data, e["loc"])
            missing, extra = e["type"] == "missing", e["type"] == "extra_forbidden"
            message = _sentence(dict(e), known=_fields(model) if extra else ())
            document.fault(path[:-1] if missing else path, e["type"].replace("_", "-"), message, key=extra)
    return None


def _real_path(data: Raw, loc: Path) -> Path:
    """pydantic's location without the names of union members, which are not in the file."""
    path: list[str | int] = []
    for at, part in enumerate(loc):
        match data, part:
            case dict(), str() if part in data:
                data = data[part]
            case list(), int() if part < len(data):
                data = data[part]
            case _ if at < len(loc) - 1:
                continue
        path.append(part)
    return tuple(path)


def _sentence(error: Mapping[str, Any], known: tuple[str, ...]) -> str:
    field_ = str(error["loc"][-1]) if error["loc"] else ""
    match error["type"]:
        case "missing":
            return f"“{field_}” is missing"
        case "extra_forbidden":
            near = difflib.get_close_matches(field_, known, 1)
            return f"unknown field “{field_}”" + (f"; did you mean {near[0]}?" if near else "")
        case "string_type":
            return f"“{field_}” must be a text: write it in quotes"
        case "literal_error":
            return f"“{field_}” must be {error['ctx']['expected']}"
        case "union_tag_invalid":
            return f"unknown type; there are: {error['ctx']['expected_tags']}"
        case "string_pattern_mismatch":
            return f"“{field_}” must be small letters, digits and hyphens, such as my-item"
        case "union_tag_not_found":
            return "“type” is missing"
        case _:
            return str(error["msg"])


def _fields(model: type[BaseModel]) -> tuple[str, ...]:
    """Every field name of the format: what a misspelt one may have meant."""
    names: set[str] = set()
    schema = model.model_json_schema(by_alias=True)
    for part in [schema, *schema.get("$defs", {}).values()]:
        names |= set(part.get("properties", ()))
    return tuple(sorted(names))
