"""The bank: every item, the catalogue of misconceptions, the objectives; loaded once, checked once.

A checked bank lies compiled in the user's cache folder, keyed by its bytes: neither yaml nor
pydantic is needed to open it again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

import quizbank
from quizengine import __version__
from quizengine.errors import Fault, FaultyFile, InputError, UnknownName
from quizengine.files import MAX_BYTES
from quizengine.files.failure import failed
from quizengine.items import catalogue
from quizengine.items.catalogue import Catalogue
from quizengine.items.item import (
    Item,
    Metadata,
    Objective,
    Term,
    build,
    build_objective,
    build_term,
)

if TYPE_CHECKING:
    from quizengine.files.document import Document
    from quizengine.items import form

CATALOGUE, OBJECTIVES, GLOSSARY = "misconceptions.yaml", "objectives.yaml", "glossary.yaml"
BUILTIN = "builtin"
KINDS = ("misconceptions", "objectives", "terms")  # of entries, besides items


class Lazy(dict[str, Any]):
    """Entries by id, each built from its line when it is first asked for. (A Mapping in all that is used
    of one; but to inherit from that class would cost a tenth of the time until the first question.)"""

    def __init__(self, lines: Iterable[tuple[str, bytes]], build: Callable[[str, Any], Any]) -> None:
        super().__init__(lines)
        self._build = build

    def __getitem__(self, id_: str) -> Any:
        entry = super().__getitem__(id_)
        if isinstance(entry, bytes):
            entry = self[id_] = self._build(id_, json.loads(entry))
        return entry

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())  # and so {**lazy} asks for the entries, too

    def get(self, id_: str, default: Any = None) -> Any:
        """The entry, or the default where there is none."""
        return self[id_] if id_ in self else default  # noqa: SIM401 (that would be this)

    def values(self) -> Any:
        """Every entry, built."""
        return [self[id_] for id_ in self]

    def items(self) -> Any:
        """Every id with its entry, built."""
        return [(id_, self[id_]) for id_ in self]


class Bank:
    """Items by full id (topic.id), in the order of the files; `metadata` is what they are chosen by."""

    def __init__(
        self,
        metadata: Sequence[Metadata],
        items: Mapping[str, Item],
        catalogue: Catalogue,
        objectives: Mapping[str, Objective],
        glossary: Mapping[str, Term],
        digest: str,
    ) -> None:
        self.metadata = metadata
        self.items = items
        self.catalogue = catalogue
        self.objectives = objectives
        self.glossary = glossary
        self.digest = digest

    @cached_property
    def by_id(self) -> Mapping[str, Metadata]:
        """What every item is chosen by, under its id; no item is built for it."""
        return {metadata.id: metadata for metadata in self.metadata}

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items.values())

    def __len__(self) -> int:
        return len(self.items)

    def __reduce__(self) -> tuple[Any, ...]:
        """As it is sent to another process: with everything built."""
        named = (self.items, self.catalogue, self.objectives, self.glossary)
        return Bank, (self.metadata, *(dict(entries.items()) for entries in named), self.digest)

    def item(self, id_: str) -> Item:
        """The item of this id. Raises UnknownName with the nearest ids."""
        if id_ not in self.items:
            raise UnknownName("item", id_, self.items)
        return self.items[id_]

    def select(self, **wanted: Sequence[str]) -> list[Metadata]:
        """The metadata of the items that fit every filter (topic, type, level, objective, family,
        misconception).

        Raises UnknownName for a value that no item has.
        """
        chosen = list(self.metadata)
        for field, values in wanted.items():
            for value in values:
                if value not in (known := self.known(field)):
                    raise UnknownName(field, value, known)
            if values:
                chosen = [each for each in chosen if set(values) & set(_values(each, field))]
        return chosen

    def known(self, field: str) -> set[str]:
        """Every value of a filter that some item has; of `item` the ids."""
        return {value for each in self.metadata for value in _values(each, field)}


def _values(item: Metadata, field: str) -> tuple[str, ...]:
    match field:
        case "objective":
            return item.objectives
        case "misconception":
            return item.misconceptions
        case "item":
            return (item.id,)
        case _:
            return (getattr(item, field),) if getattr(item, field) else ()


def builtin() -> str:
    """The folder of the bank that is shipped. (importlib.resources finds the same one, but it and
    pathlib would cost a fifth of the time until the first question; hence plain paths here.)"""
    return quizbank.__path__[0]


def load(*paths: str | os.PathLike[str]) -> Bank:
    """The banks at `paths` (folders or files; BUILTIN is the shipped one) as one; without any, the
    shipped one.

    A bank without a catalogue or objectives of its own stands on the shipped ones.
    Raises FaultyFile with every fault.
    """
    files, key = _found(paths)
    with suppress(Exception):  # whatever is wrong with the cache, the files themselves are there
        return _bank(_cached(key), key)
    lines = _lines(_compile(files), key)
    _keep(key, lines)
    return _bank(lines, key)


def load_sound(*paths: str | os.PathLike[str]) -> tuple[Bank, Sequence[Fault]]:
    """The banks at `paths` without the items that have faults, and the faults: what is sound can then be
    examined further. There is no item where what all stand on has faults."""
    try:
        return load(*paths), ()
    except FaultyFile as error:
        faults = error.faults
    files, key = _found(paths)
    if any(os.path.basename(fault.file) in (CATALOGUE, OBJECTIVES, GLOSSARY) for fault in faults):
        return Bank((), {}, {}, {}, {}, key[:16]), faults
    return _bank(_lines(_compile(files, faults), key), key), faults


def _found(paths: Sequence[str | os.PathLike[str]]) -> tuple[list[tuple[str, str]], str]:
    """The files, and the key that their bytes make."""
    files = _files([os.fspath(path) for path in paths] or [BUILTIN])
    digest = hashlib.sha256(__version__.encode())
    for name, file in files:
        digest.update(name.encode() + b"\0" + _content(file) + b"\0")
    return files, digest.hexdigest()


def _content(file: str) -> bytes:
    try:
        with open(file, "rb") as opened:
            return opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise failed(file, error) from None


class _Compiled(NamedTuple):
    """What the files of a bank hold, checked and joined: plain JSON."""

    items: list[form.Entry]
    misconceptions: dict[str, form.CatalogueEntry]
    objectives: dict[str, form.Objective]
    terms: dict[str, form.Term]


def _lines(compiled: _Compiled, key: str) -> bytes:
    """A compiled bank as lines of JSON: metadata and ids first, then an entry a line."""
    items = {item.id: (item.metadata, entry) for entry in compiled.items for item in [build(entry)]}
    kinds = {kind: getattr(compiled, kind) for kind in KINDS}
    entries = [entry for _, entry in items.values()]
    for kind in kinds.values():
        entries += kind.values()
    body = b"\n".join(json.dumps(entry, ensure_ascii=False).encode() for entry in entries)
    first = {
        "key": key,
        "crc": crc32(body),
        "items": [metadata for metadata, _ in items.values()],
        **{kind: list(held) for kind, held in kinds.items()},
    }
    return json.dumps(first, ensure_ascii=False).encode() + b"\n" + body


def _bank(lines: bytes, key: str) -> Bank:
    first, _, body = lines.partition(b"\n")
    index = json.loads(first)
    if index["key"] != key or index["crc"] != crc32(body):
        raise ValueError("the cache is another bank’s, or damaged")
    metadata = [
        Metadata._make(tuple(field) if isinstance(field, list) else field for field in each)
        for each in index["items"]
    ]
    ids = [[each.id for each in metadata], *(index[kind] for kind in KINDS)]
    rest = iter(body.split(b"\n"))
    items, misconceptions, objectives, terms = (list(zip(some, rest, strict=False)) for some in ids)
    return Bank(
        metadata,
        Lazy(items, lambda _, data: build(data)),
        Lazy(misconceptions, catalogue.build),
        Lazy(objectives, lambda _, data: build_objective(data)),
        Lazy(terms, lambda _, data: build_term(data)),
        key[:16],
    )


def _files(paths: Sequence[str]) -> list[tuple[str, str]]:
    """(name in messages, path) of every file, once: the shipped ones that all stand on, then the own."""
    shipped = builtin()
    files = [(f"quizbank/{name}", os.path.join(shipped, name)) for name in (CATALOGUE, OBJECTIVES, GLOSSARY)]
    for path in paths:
        files += _own_files(shipped if path == BUILTIN else path, shipped)
    return list({os.path.realpath(file): (name, file) for name, file in files}.values())


def _own_files(path: str, shipped: str) -> list[tuple[str, str]]:
    if os.path.isfile(path):
        return [(path, path)]
    if not os.path.exists(path):
        raise InputError(f"there is no bank at {path}", code="no-file")
    if not os.path.isdir(path):
        raise InputError(f"{path} is neither a file nor a folder", code="no-file")
    names = sorted(name for name in os.listdir(path) if name.endswith(".yaml"))
    names = [name for name in names if os.path.isfile(os.path.join(path, name))]
    if not names:
        raise InputError(f"there is no .yaml file in {path}", code="no-file")
    shown = "quizbank" if os.path.realpath(path) == os.path.realpath(shipped) else path
    return [(f"{shown}/{name}", os.path.join(path, name)) for name in names]


def _compile(files: list[tuple[str, str]], leaving_out: Sequence[Fault] = ()) -> _Compiled:
    """Read, check and join the files, without the items that these faults stand in. Raises FaultyFile with
    every fault that is left."""
    from quizengine.files.document import check, read_file
    from quizengine.items import form
    from quizengine.items.reference import check_references, leave_out, note_todos

    out = _Compiled([], {}, {}, {})
    faults: list[Fault] = []
    documents: list[Document] = []
    for name, file in files:
        document = read_file(file, name)
        leave_out(document, leaving_out)
        if document.data is not None:
            languages = form.languages(document.data)
            note_todos(document, languages)
            model = check(
                document,
                form.MODELS.get(os.path.basename(file), form.TopicFile),
                {"languages": languages},
            )
            if model is not None:
                _join(out, model.model_dump(by_alias=True, exclude_none=True), document)
        documents.append(document)
    check_references(out.misconceptions, out.objectives, documents)
    for document in documents:
        document.drop_echoes()
        faults += document.faults
    if left := [fault for fault in dict.fromkeys(faults) if fault not in leaving_out]:
        raise FaultyFile(left)
    return out


def _join(out: _Compiled, data: dict[str, Any], document: Document) -> None:
    out.objectives.update(data.get("objectives", {}))
    out.terms.update(data.get("terms", {}))
    for id_, entry in data.get("misconceptions", {}).items():
        line = document.keys["misconceptions", id_][0]
        out.misconceptions[id_] = entry | {"file": document.file, "line": line}
    for index, item in enumerate(data.get("items", ())):
        line, column = document.values["items", index]
        chosen = data["defaults"] | item
        out.items.append(
            {
                "item": item,
                "namespace": data.get("namespace", ""),
                "topic": data["topic"],
                "languages": data["languages"],
                "level": chosen["level"],
                "difficulty": chosen["difficulty"],
                "objectives": chosen["objectives"],
                "file": document.file,
                "line": line,
                "column": column,
            }
        )


def _cache_file(key: str) -> str:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "quizengine", f"bank-{key[:32]}.jsonl")


def _cached(key: str) -> bytes:
    with open(_cache_file(key), "rb") as file:
        return file.read()


def _keep(key: str, lines: bytes) -> None:
    """Write the compiled bank beside the others; a full or read-only disk is no reason to stop."""
    file = _cache_file(key)
    part = f"{file}.{os.getpid()}"
    with suppress(OSError):
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(part, "wb") as opened:
            opened.write(lines)
        os.replace(part, file)
    with suppress(OSError):
        os.unlink(part)
