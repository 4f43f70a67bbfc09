"""Repetition: two texts of one item that nobody could tell apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from unicodedata import east_asian_width, normalize

from quizengine.lang.text import LANGUAGES

if TYPE_CHECKING:
    from quizengine.files.document import Path, Raw

_EXACT = re.compile(r"(\$[^$]*\$|`[^`]*`)")  # in formulae and code, capitals matter
TODO = "TODO"  # stands for what an author has still to write
_TOGETHER = (("right", "wrong"), ("steps",))  # fields whose texts are shown side by side


def repetitions(item: Raw) -> Iterator[tuple[Path, str]]:
    """(place within the item, what is wrong) of every choice, step or side of a pair that says what one
    before it says, in any language."""
    if not isinstance(item, dict):
        return
    for fields in _TOGETHER:
        yield from _same([((field, id_), text) for field in fields for id_, text in _entries(item, field)])
    pairs = [(id_, sides) for id_, sides in _entries(item, "pairs") if isinstance(sides, list)]
    for side in (0, 1):
        told = [(("pairs", id_, side), sides[side]) for id_, sides in pairs if len(sides) > side]
        spare = [(("spare", id_), text) for id_, text in _entries(item, "spare")] if side else []
        yield from _same([*told, *spare])


def _entries(item: dict[str, Raw], field: str) -> list[tuple[str, Raw]]:
    held = item.get(field)
    return list(held.items()) if isinstance(held, dict) else []


def _same(texts: list[tuple[Path, Raw]]) -> Iterator[tuple[Path, str]]:
    first: dict[tuple[str, str], Path] = {}
    for place, words in texts:
        for lang, text in words.items() if isinstance(words, dict) else ():
            if lang not in LANGUAGES or not isinstance(text, str) or text.strip() in ("", TODO):
                continue
            other = first.setdefault((lang, normal(text)), place)
            if other != place:
                yield (
                    place,
                    f"“{place[1]}” reads like “{other[1]}” ({lang}: {text}): give it a text of its own",
                )
                break


def normal(text: str) -> str:
    """A text as a reader takes it in: without marks, spaces, a last full stop, or capitals in words.

    >>> normal("The  mask.") == normal("the **mask**"), normal("`K @ K.T`") == normal("`k @ K.T`")
    (True, False)
    """
    said = "".join(part if n % 2 else part.casefold() for n, part in enumerate(_EXACT.split(text)))
    said = "".join(normalize("NFKC", sign) if east_asian_width(sign) in "FH" else sign for sign in said)
    return re.sub(r"[\s*`$]", "", said).rstrip(".。")
