"""Wordings: choices that are answered by what they say, as forms export them: “It sets …”, “B  It sets …”."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from quizengine.lang.characters import MINUS
from quizengine.problems.part import Label
from quizengine.responses.response import CannotRead

_HYPHENS = str.maketrans(dict.fromkeys(MINUS.replace("ー", ""), "-") | dict.fromkeys("$_{}*`", ""))
_SIGNS = (  # of TeX and of keyboards, as one
    (re.compile(r"\\?(?:sqrt|√)[\s(]*"), "√"),
    (re.compile(r"\\times(?![a-z])"), "×"),
    (re.compile(r"\\cdot(?![a-z])"), "·"),
    (re.compile(r"\\infty(?![a-z])"), "∞"),
    (re.compile(r"(?<=\d)\s*[x×]\s*(?=\d)"), "×"),
    (re.compile(r"[^\w√∞×·%=<>≤≥≠/^+-]+"), " "),
)


@lru_cache(1024)
def reduced(text: str) -> str:
    """The words of a text, without marks, punctuation and what the eye does not see.

    >>> reduced("It **sets** $\\\\sqrt{d_k}$."), reduced("it sets √dₖ")
    ('it sets √dk', 'it sets √dk')
    """
    text = "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")
    text = text.casefold().translate(_HYPHENS)
    for pattern, sign in _SIGNS:
        text = pattern.sub(sign, text)
    return text.strip()


def by_wording(choices: Sequence[Label], text: str) -> list[str]:
    """The labels of the choices that `text` consists of, with or without their labels before them; none where
    it is no such text, or choices cannot be told apart by theirs. Raises CannotRead for a label before the
    words of another choice."""
    typed = reduced(text)
    labels = {choice.label for choice in choices}
    if typed.upper() in labels:
        return []
    said = {choice.label: reduced(choice.text) for choice in choices}
    if len(set(said.values())) < len(said) or labels & {words.upper() for words in said.values()}:
        return []
    found = list(islice(_labels(typed, said), 2))
    if len(found) != 1:
        return []
    for label, named in found[0]:
        if named not in ("", label):
            raise CannotRead("comma", text=text.strip(), point=named, none=label)
    return [label for label, _ in found[0]]


def _labels(typed: str, said: Mapping[str, str]) -> Iterator[list[tuple[str, str]]]:
    """Every way to take `typed` apart into choices, each with the label that stands before it."""
    if not typed:
        yield []
    for label, words in said.items():
        for named in ("", *said) if words else ():
            head = f"{named.lower()} {words}".lstrip()
            if f"{typed} ".startswith(f"{head} "):
                others = {name: own for name, own in said.items() if name != label}
                for rest in _labels(typed[len(head) + 1 :], others):
                    yield [(label, named), *rest]
