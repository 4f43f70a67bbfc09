"""The bank: every item, the catalogue of misconceptions, the objectives; loaded once, checked once.

A checked bank lies compiled in the user's cache folder, keyed by its bytes: neither yaml nor
pydantic is needed to open it again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from quizengine import __version__
from quizengine.errors import Fault, FaultyFile, InputError, UnknownName
from quizengine.items import catalogue
from quizengine.items.catalogue import Catalogue
from quizengine.items.item import Item, build
from quizengine.lang.text import Text

CATALOGUE, OBJECTIVES = "misconceptions.yaml", "objectives.yaml"
MAX_BYTES = 32 * 2**20  # more than this of a file is refused by the reader


class Bank:
    """Items by full id (topic.id), in the order of the files."""

    def __init__(
        self, items: Mapping[str, Item], catalogue: Catalogue, objectives: Mapping[str, Text], digest: str
    ) -> None:
        self.items = items
        self.catalogue = catalogue
        self.objectives = objectives
        self.digest = digest

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items.values())

    def __len__(self) -> int:
        return len(self.items)

    def item(self, id_: str) -> Item:
        """The item of this id. Raises UnknownName with the nearest ids."""
        if id_ not in self.items:
            raise UnknownName("item", id_, self.items)
        return self.items[id_]

    def select(self, **wanted: Sequence[str]) -> list[Item]:
        """Items that fit every filter (topic, type, level, objective, family, misconception).

        Raises UnknownName for a value that no item has.
        """
        chosen = list(self)
        for field, values in wanted.items():
            for value in values:
                known = {v for item in self for v in _values(item, field)}
                if value not in known:
                    raise UnknownName(field, value, known)
            if values:
                chosen = [item for item in chosen if set(values) & set(_values(item, field))]
        return chosen


def _values(item: Item, field: str) -> tuple[str, ...]:
    match field:
        case "objective":
            return item.objectives
        case "misconception":
            return item.misconceptions
        case _:
            return (getattr(item, field),) if getattr(item, field) else ()


def builtin() -> str:
    """The folder of the bank that is shipped. (importlib.resources finds the same one, but it and
    pathlib would cost a fifth of the time until the first question; hence plain paths here.)"""
    import quizbank

    return quizbank.__path__[0]


def load(path: str | os.PathLike[str] | None = None) -> Bank:
    """The bank at `path` (a folder or one file), or the shipped one.

    A bank without a catalogue or objectives of its own stands on the shipped ones.
    Raises FaultyFile with every fault.
    """
    files = _files(os.fspath(path) if path else builtin())
    digest = hashlib.sha256(__version__.encode())
    for name, file in files:
        digest.update(name.encode() + b"\0" + _content(file) + b"\0")
    key = digest.hexdigest()
    with suppress(Exception):  # whatever is wrong with the cache, the files themselves are there
        return _bank(_cached(key), key)
    compiled = _compile(files)
    _keep(key, compiled)
    return _bank(compiled, key)


def _content(file: str) -> bytes:
    try:
        with open(file, "rb") as opened:
            return opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}", code="no-file") from None


def _bank(compiled: dict[str, Any], key: str) -> Bank:
    items = [build(data) for data in compiled["items"]]
    return Bank(
        {item.id: item for item in items},
        {id_: catalogue.build(id_, data) for id_, data in compiled["misconceptions"].items()},
        {id_: Text(data["en"], data["ja"]) for id_, data in compiled["objectives"].items()},
        key[:16],
    )


def _files(path: str) -> list[tuple[str, str]]:
    """(name in messages, path) of the bank's own files and the shipped ones it stands on."""
    if not os.path.exists(path):
        raise InputError(f"there is no bank at {path}", code="no-file")
    shipped = builtin()
    if os.path.isdir(path):
        names = sorted(name for name in os.listdir(path) if name.endswith(".yaml"))
        names = [name for name in names if os.path.isfile(os.path.join(path, name))]
        shown = "quizbank" if path == shipped else path
        files = [(f"{shown}/{name}", os.path.join(path, name)) for name in names]
    elif os.path.isfile(path):
        files = [(path, path)]
    else:
        raise InputError(f"{path} is neither a file nor a folder", code="no-file")
    if not files:
        raise InputError(f"there is no .yaml file in {path}", code="no-file")
    own = {os.path.realpath(file) for _, file in files}
    base = [(f"quizbank/{name}", os.path.join(shipped, name)) for name in (CATALOGUE, OBJECTIVES)]
    return [*(b for b in base if os.path.realpath(b[1]) not in own), *files]


def _compile(files: list[tuple[str, str]]) -> dict[str, Any]:
    """Read, check and join the files; the result is plain JSON."""
    from quizengine.items import form, load

    out: dict[str, Any] = {"items": [], "misconceptions": {}, "objectives": {}}
    faults: list[Fault] = []
    documents: list[load.Document] = []
    for name, file in files:
        document = load.read_file(file, name)
        if document.data is not None:
            model = load.check(
                document,
                form.MODELS.get(os.path.basename(file), form.TopicFile),
                {"languages": form.languages(document.data)},
            )
            if model is not None:
                _join(out, model.model_dump(by_alias=True, exclude_none=True), document)
        documents.append(document)
    _cross_check(out, documents)
    for document in documents:
        document.drop_echoes()
        faults += document.faults
    if faults:
        raise FaultyFile(list(dict.fromkeys(faults)))
    return out


def _join(out: dict[str, Any], data: dict[str, Any], document: Any) -> None:
    out["objectives"] |= data.get("objectives", {})
    for id_, entry in data.get("misconceptions", {}).items():
        line = document.keys["misconceptions", id_][0]
        out["misconceptions"][id_] = entry | {"file": document.file, "line": line}
    head = {"topic": data.get("topic"), "languages": data.get("languages")}
    for index, item in enumerate(data.get("items", ())):
        line, column = document.values["items", index]
        place = {"file": document.file, "line": line, "column": column}
        out["items"].append(data["defaults"] | head | item | place)


def _cross_check(out: dict[str, Any], documents: Sequence[Any]) -> None:
    """What one file alone cannot tell: ids used twice, names that nothing has. It looks at the files
    as they were read, so that a fault elsewhere in one hides none of these."""
    seen: dict[str, str] = {}
    for document in documents:
        data = document.data if isinstance(document.data, dict) else {}
        for path, id_ in _tags(data, ()):
            if id_ not in out["misconceptions"]:
                document.fault(
                    path, "misconception", str(UnknownName("misconception", id_, out["misconceptions"]))
                )
        for path, objective in _objectives(data):
            if objective not in out["objectives"]:
                document.fault(path, "objective", str(UnknownName("objective", objective, out["objectives"])))
        items = data.get("items")
        for index, item in enumerate(items if isinstance(items, list) else ()):
            id_ = f"{data.get('topic')}.{item.get('id')}" if isinstance(item, dict) else ""
            if id_ in seen:
                document.fault(
                    ("items", index, "id"), "duplicate-id", f"the id “{id_}” is taken at {seen[id_]}"
                )
            elif id_:
                seen[id_] = f"{document.file}:{document.values['items', index][0]}"


def _objectives(data: dict[str, Any]) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Every objective that a topic file names, with its place."""
    items = data.get("items")
    holders: list[tuple[tuple[Any, ...], Any]] = [(("defaults",), data.get("defaults"))]
    holders += [(("items", i), item) for i, item in enumerate(items if isinstance(items, list) else ())]
    for path, holder in holders:
        named = holder.get("objectives") if isinstance(holder, dict) else None
        for i, objective in enumerate(named if isinstance(named, list) else ()):
            if isinstance(objective, str):
                yield (*path, "objectives", i), objective


def _tags(data: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Every `is` within an item, with its place."""
    children = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in children:
        if key == "is" and isinstance(value, str) and value:
            yield (*path, key), value
        else:
            yield from _tags(value, (*path, key))


def _cache_file(key: str) -> str:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "quizengine", f"bank-{key[:32]}.json")


def _cached(key: str) -> dict[str, Any]:
    with open(_cache_file(key), "rb") as file:
        data: dict[str, Any] = json.load(file)
    if data.pop("key") != key:
        raise ValueError("the cache is another bank’s")
    return data


def _keep(key: str, compiled: dict[str, Any]) -> None:
    """Write the compiled bank beside the others; a full or read-only disk is no reason to stop."""
    file = _cache_file(key)
    part = f"{file}.{os.getpid()}"
    with suppress(OSError):
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(part, "w", encoding="utf-8") as opened:
            json.dump({"key": key} | compiled, opened, ensure_ascii=False)
        os.replace(part, file)
    with suppress(OSError):
        os.unlink(part)
