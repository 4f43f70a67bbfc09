"""References: what one item or one file alone cannot tell, and which items a fault stands in."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from quizengine.errors import Fault, UnknownName
from quizengine.items.item import full_id
from quizengine.items.repetition import TODO, repetitions
from quizengine.lang.text import LANGUAGES

if TYPE_CHECKING:
    from quizengine.files.document import Document, Path, Raw

_WANTED: dict[str, str] = {  # by the key that TODO stands under
    "is": "name the misconception (quizengine misconceptions), or say “why” it is wrong",
    "en": "write the English text",
    "ja": "write the Japanese text",
}


def check_references(
    misconceptions: Collection[str], objectives: Collection[str], documents: Sequence[Document]
) -> None:
    """Note in the documents: ids used twice, names that nothing has, texts of an item that are the same.
    They are looked at as they were read, so that a fault elsewhere hides none of these."""
    seen: dict[str, str] = {}
    for document in documents:
        data = document.data
        for path, id_ in _tags(data, ()):
            if id_ not in misconceptions:
                document.fault(path, "misconception", str(UnknownName("misconception", id_, misconceptions)))
        for path, objective in (*_objectives(data), *_prerequisites(data)):
            if objective not in objectives:
                document.fault(path, "objective", str(UnknownName("objective", objective, objectives)))
        for path, item in _listed(_of(data, "items"), ("items",)):
            named = (_of(data, "namespace"), _of(data, "topic"), _of(item, "id"))
            id_ = full_id(*(str(name or "") for name in named)) if isinstance(item, dict) else ""
            for place, message in repetitions(item):
                document.fault((*path, *place), "repeated-text", message)
            if id_ in seen:
                message = (
                    f"the id “{id_}” is taken at {seen[id_]}: choose another, or give the file a “namespace”"
                )
                document.fault((*path, "id"), "duplicate-id", message)
            elif id_:
                seen[id_] = f"{document.file}:{document.values[path][0]}"


def note_todos(document: Document, languages: Collection[str]) -> None:
    """Note in the document where TODO stands for what is still to be written, before anything else is found
    wrong with it. In a language that the file does not declare it may stay, and is taken for nothing."""
    for path, what in _todos(document.data, (), languages):
        document.fault(path, "todo", f"TODO: {what}")
    _drop_todos(document.data, languages)


def _todos(data: Raw, path: Path, languages: Collection[str]) -> Iterator[tuple[Path, str]]:
    if data == TODO:
        under = next((key for key in reversed(path) if isinstance(key, str)), "")
        yield path, _WANTED.get(under, "write what belongs here")
    for place, value in (*_mapped(data, path), *_listed(data, path)):
        if place[-1] in languages or place[-1] not in LANGUAGES:
            yield from _todos(value, place, languages)


def _drop_todos(data: Raw, languages: Collection[str]) -> None:
    if isinstance(data, dict):
        for lang in set(LANGUAGES) - set(languages):
            if data.get(lang) in (TODO, [TODO]):
                del data[lang]
    for _, value in (*_mapped(data, ()), *_listed(data, ())):
        _drop_todos(value, languages)


def _of(data: Raw, key: str) -> Raw:
    """What a mapping holds under a key; nothing where there is neither."""
    return data.get(key) if isinstance(data, dict) else None


def _mapped(data: Raw, path: Path) -> Iterator[tuple[Path, Raw]]:
    """All that a mapping holds, with its place."""
    for key, value in data.items() if isinstance(data, dict) else ():
        yield (*path, key), value


def _listed(data: Raw, path: Path) -> Iterator[tuple[Path, Raw]]:
    """All that a list holds, with its place."""
    for index, value in enumerate(data if isinstance(data, list) else ()):
        yield (*path, index), value


def _texts(data: Raw, path: Path) -> Iterator[tuple[Path, str]]:
    """Every text that a list holds, with its place."""
    for place, value in _listed(data, path):
        if isinstance(value, str):
            yield place, value


def _objectives(data: Raw) -> Iterator[tuple[Path, str]]:
    """Every objective that a topic file names, with its place."""
    yield from _texts(_of(_of(data, "defaults"), "objectives"), ("defaults", "objectives"))
    for path, item in _listed(_of(data, "items"), ("items",)):
        yield from _texts(_of(item, "objectives"), (*path, "objectives"))


def _prerequisites(data: Raw) -> Iterator[tuple[Path, str]]:
    """Every objective that another one comes after, with its place."""
    for path, entry in _mapped(_of(data, "objectives"), ("objectives",)):
        yield from _texts(_of(entry, "after"), (*path, "after"))


def _tags(data: Raw, path: Path) -> Iterator[tuple[Path, str]]:
    """Every `is` within an item, with its place."""
    for place, value in (*_mapped(data, path), *_listed(data, path)):
        if place[-1] == "is" and isinstance(value, str) and value:
            yield place, value
        else:
            yield from _tags(value, place)


def leave_out(document: Document, faults: Sequence[Fault]) -> None:
    """Take the items that one of these faults stands in out of the document: all of them where one stands
    above the first."""
    at = [fault.line for fault in faults if fault.file == document.file]
    if not (
        at and isinstance(document.data, dict) and isinstance(items := _of(document.data, "items"), list)
    ):
        return
    starts = [document.values["items", i][0] for i in range(len(items))]
    faulty = {bisect_right(starts, line) - 1 for line in at}
    kept = [] if -1 in faulty else [i for i in range(len(items)) if i not in faulty]
    document.values.update({("items", n): document.values["items", i] for n, i in enumerate(kept)})
    document.data = document.data | {"items": [items[i] for i in kept]}
