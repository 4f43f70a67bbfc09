"""Boxes: what a Moodle report says of a question, as the answers to its parts that this engine reads."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quizengine.exchange.cloze import cells
from quizengine.exchange.moodle import type_of
from quizengine.lang.characters import plain
from quizengine.problems.part import (
    ChoicePart,
    ChoicesPart,
    NumericPart,
    OrderPart,
    PairsPart,
    Part,
    labels_of,
)
from quizengine.problems.problem import Problem
from quizengine.responses.grid import answer_text

_FIRST = re.compile(r"(\D{1,40}?)\s*1\s*([:：])")
_LABEL = r"([A-Z]|\d{1,2})\.(?=\s)"  # as a choice begins: “A. …”
_TRUE = {"true", "wahr", "vrai", "verdadero", "verdadeiro", "vero", "waar", "○", "对", "正确", "참"}
_FALSE = {"false", "falsch", "faux", "falso", "niet waar", "onwaar", "×", "错", "错误", "거짓"}


def answers_in(problem: Problem, response: str) -> dict[str, str]:
    """The answers by part. Raises ValueError with the number of boxes where the response cannot be taken
    apart into them."""
    kind = type_of(problem)
    if kind != "cloze":
        part = problem.parts[0]
        return {part.id: _truth(response) if kind == "truefalse" else answer_of(part, response)}
    boxes = cells(problem)
    texts = taken_apart(response, len(boxes)) if response else [""] * len(boxes)
    out: dict[str, str] = {}
    for part in problem.parts:
        own = [text for box, text in zip(boxes, texts, strict=True) if box.part is part]
        if isinstance(part, NumericPart) and part.shape:
            wide = len(part.key[0])
            rows = [own[i : i + wide] for i in range(0, len(own), wide)]
            out[part.id] = answer_text(rows) if any(own) else ""
        else:
            out[part.id] = answer_of(part, own[0])
    return out


def taken_apart(response: str, count: int) -> list[str]:
    """What stands in each box of “part 1: …; part 2: …”, in whichever language the word is.

    >>> taken_apart("part 1: 0.5; part 2: ; part 3: a; b", 3)
    ['0.5', '', 'a; b']
    >>> taken_apart("パート 1: 0.5; パート 2: 1", 2)
    ['0.5', '1']

    Raises ValueError with the count where it is not certain.
    """
    first = _FIRST.match(response)
    if not first:
        raise ValueError(count)
    word, colon = re.escape(first[1].strip()), first[2]
    marks = list(re.finditer(rf"(?:^|;\s*){word}\s*(\d+)\s*{colon}", response))
    if [int(mark[1]) for mark in marks] != list(range(1, count + 1)):
        raise ValueError(count)
    ends = [*(mark.start() for mark in marks[1:]), len(response)]
    texts = (response[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=True))
    return ["" if text == "-" else text for text in texts]


def answer_of(part: Part, response: str) -> str:
    """The text by which this engine reads the answer: letters for choices, and anything typed as it is."""
    match part:
        case ChoicePart():
            found = re.match(_LABEL, plain(response.strip()))
            return found[1] if found else response
        case ChoicesPart():
            return ", ".join(_begun(part, response)) or response
        case OrderPart() if _begun(part, response):
            return ", ".join(_begun(part, response))
        case PairsPart() if "->" in response:
            return ", ".join(_paired(part, response)) or ""
        case _:
            return response


def _begun(part: Part, response: str) -> list[str]:
    """The letters of the choices in “A. …; C. …”, in order."""
    known = [choice.label for choice in labels_of(part)]
    found = re.findall(rf"(?:^|;\s*|\n\s*){_LABEL}", plain(response))
    return [label for label in found if label in known]


def _paired(part: PairsPart, response: str) -> list[str]:
    """The pairs in “A. … -> 2. …; B. … -> 1. …”."""
    left, right = (
        [choice.label for choice in part.choices if choice.label.isdecimal() is number]
        for number in (False, True)
    )
    text = plain(response)
    starts = [m for m in re.finditer(rf"(?:^|;\s*|\n\s*){_LABEL}", text) if m[1] in left]
    ends = [*(match.start() for match in starts[1:]), len(text)]
    out = []
    for start, end in zip(starts, ends, strict=True):
        chosen: Sequence[str] = re.findall(rf"->\s*{_LABEL}", text[start.end() : end])
        out += [f"{start[1]}-{label}" for label in chosen[-1:] if label in right]
    return out


def _truth(response: str) -> str:
    """A for true, B for false; any other word as it is, for the reader of answers to know or to refuse."""
    word = response.strip().casefold()
    return "A" if word in _TRUE else "B" if word in _FALSE else response
