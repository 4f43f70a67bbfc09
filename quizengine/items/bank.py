"""The bank: every item, the catalogue of misconceptions, the objectives; loaded once, checked once.

A checked bank lies compiled in the user's cache folder, keyed by its bytes: neither yaml nor
pydantic is needed to open it again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from quizengine import __version__
from quizengine.errors import Fault, FaultyFile, InputError, UnknownName
from quizengine.items import catalogue
from quizengine.items.catalogue import Catalogue
from quizengine.items.item import Item, build
from quizengine.lang.text import Text

CATALOGUE, OBJECTIVES = "misconceptions.yaml", "objectives.yaml"
_APART = (CATALOGUE, OBJECTIVES, "glossary.yaml")


@dataclass(frozen=True)
class Bank:
    """Items by full id (topic.id), in the order of the files."""

    items: Mapping[str, Item]
    catalogue: Catalogue
    objectives: Mapping[str, Text]
    digest: str

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


def builtin() -> Path:
    """The folder of the bank that is shipped."""
    return Path(str(resources.files("quizbank")))


def load(path: Path | None = None) -> Bank:
    """The bank at `path` (a folder or one file), or the shipped one.

    A bank without a catalogue or objectives of its own stands on the shipped ones.
    Raises FaultyFile with every fault.
    """
    files = _files(path or builtin())
    digest = hashlib.sha256(__version__.encode())
    for name, file in files:
        digest.update(name.encode() + b"\0" + file.read_bytes() + b"\0")
    key = digest.hexdigest()
    compiled = _cached(key)
    if compiled is None:
        compiled = _compile(files)
        _keep(key, compiled)
    items = [build(data) for data in compiled["items"]]
    return Bank(
        {item.id: item for item in items},
        {id_: catalogue.build(id_, data) for id_, data in compiled["misconceptions"].items()},
        {id_: Text(data["en"], data["ja"]) for id_, data in compiled["objectives"].items()},
        key[:16],
    )


def _files(path: Path) -> list[tuple[str, Path]]:
    """(name in messages, file): the bank's own files, then the shipped ones it stands on."""
    if not path.exists():
        raise InputError(f"there is no bank at {path}", code="no-file")
    files = sorted(path.glob("*.yaml")) if path.is_dir() else [path]
    if not files:
        raise InputError(f"there is no .yaml file in {path}", code="no-file")
    named = [(str(file) if path != builtin() else f"quizbank/{file.name}", file) for file in files]
    shipped = [(f"quizbank/{name}", builtin() / name) for name in (CATALOGUE, OBJECTIVES)]
    return [*(s for s in shipped if s[1] not in files), *named]


def _compile(files: list[tuple[str, Path]]) -> dict[str, Any]:
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
                form.MODELS.get(file.name, form.TopicFile),
                {"languages": form.languages(document.data)},
            )
            if model is not None:
                _join(out, model.model_dump(by_alias=True, exclude_none=True), document)
        documents.append(document)
    _cross_check(out, documents)
    for document in documents:
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
        place = {"file": document.file, "line": line, "column": column, "index": index}
        out["items"].append(data["defaults"] | head | item | place)


def _cross_check(out: dict[str, Any], documents: Sequence[Any]) -> None:
    """What one file alone cannot tell: ids used twice, names that nothing has."""
    by_file = {document.file: document for document in documents}
    seen: Counter[str] = Counter()
    for item in out["items"]:
        document, path = by_file[item["file"]], ("items", item["index"])
        id_ = f"{item['topic']}.{item['id']}"
        if seen[id_]:
            document.fault((*path, "id"), "duplicate-id", f"the id “{id_}” is already taken")
        seen[id_] += 1
        for objective in item["objectives"]:
            if objective not in out["objectives"]:
                document.fault(path, "objective", str(UnknownName("objective", objective, out["objectives"])))
        for where, id_ in _tags(item, path):
            if id_ not in out["misconceptions"]:
                message = str(UnknownName("misconception", id_, out["misconceptions"]))
                document.fault(where, "misconception", message)


def _tags(data: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Every `is` within an item, with its place."""
    children = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in children:
        if key == "is" and isinstance(value, str):
            yield (*path, key), value
        else:
            yield from _tags(value, (*path, key))


def _cache_file(key: str) -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "quizengine" / f"bank-{key[:32]}.json"


def _cached(key: str) -> dict[str, Any] | None:
    with suppress(OSError, ValueError, KeyError):
        data: dict[str, Any] = json.loads(_cache_file(key).read_bytes())
        return data if data.pop("key") == key else None
    return None


def _keep(key: str, compiled: dict[str, Any]) -> None:
    """Write the compiled bank beside the others; a full or read-only disk is no reason to stop."""
    with suppress(OSError):
        file = _cache_file(key)
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps({"key": key} | compiled, ensure_ascii=False), "utf-8")
        part.replace(file)
