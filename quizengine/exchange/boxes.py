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

SHOWN = 40  # letters of an answer that is not understood
_FIRST = re.compile(r"(\D{1,40}?)\s*1\s*([:：])")
_LABEL = r"([A-Z]|\d{1,2})\.(?=\s)"  # as a choice begins: “A. …”
_TRUE = {"true", "wahr", "vrai", "verdadero", "verdadeiro", "vero", "waar", "○", "正", "对", "正确", "참"}
_FALSE = {"false", "falsch", "faux", "falso", "niet waar", "onwaar", "×", "错", "错误", "거짓"}


class NotTold(ValueError):
    """What was answered is not told by the report: why, and what there is to say of it."""

    def __init__(self, code: str, **values: object):
        super().__init__(code)
        self.code, self.values = code, values


def answers_in(problem: Problem, response: str) -> dict[str, str]:
    """The answers by part. Raises NotTold where the response cannot be taken apart into the boxes of the
    question, or is of none of the choices: nobody typed it, so the learner is not to blame."""
    kind = type_of(problem)
    if kind != "cloze":
        part = problem.parts[0]
        return {part.id: _truth(response) if kind == "truefalse" else _chosen(part, response)}
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
            out[part.id] = _chosen(part, own[0]) if isinstance(part, ChoicePart | ChoicesPart) else own[0]
    return out


def taken_apart(response: str, count: int) -> list[str]:
    """What stands in each box of “part 1: …; part 2: …”, in whichever language the word is.

    >>> taken_apart("part 1: 0.5; part 2: ; part 3: a; b", 3)
    ['0.5', '', 'a; b']
    >>> taken_apart("パート 1: 0.5; パート 2: 1", 2)
    ['0.5', '1']

    Raises NotTold where it is not certain.
    """
    first = _FIRST.match(response)
    if not first:
        raise NotTold("parts", count=count)
    word, colon = re.escape(first[1].strip()), first[2]
    marks = list(re.finditer(rf"(?:^|;\s*){word}\s*(\d+)\s*{colon}", response))
    if [int(mark[1]) for mark in marks] != list(range(1, count + 1)):
        raise NotTold("parts", count=count)
    ends = [*(mark.start() for mark in marks[1:]), len(response)]
    texts = (response[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=True))
    return ["" if text == "-" else text for text in texts]


def _chosen(part: Part, response: str) -> str:
    """The letters of what was chosen; anything that was typed as it is."""
    if not response:
        return ""
    match part:
        case ChoicePart():
            found = _begun(part, response)[:1]
        case ChoicesPart() | OrderPart():
            found = _begun(part, response)
        case PairsPart():
            found = _paired(part, response)
        case _:
            return response
    if not found:
        raise NotTold("unlabelled", text=response[:SHOWN])
    return ", ".join(found)


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
    ends = [*(match.start() for match in starts[1:]), len(text)][: len(starts)]
    out = []
    for start, end in zip(starts, ends, strict=True):
        chosen: Sequence[str] = re.findall(rf"->\s*{_LABEL}", text[start.end() : end])
        out += [f"{start[1]}-{label}" for label in chosen[-1:] if label in right]
    return out


def _truth(response: str) -> str:
    """A for true, B for false."""
    word = response.strip().casefold()
    if word and word not in _TRUE | _FALSE:
        raise NotTold("untrue", text=response[:SHOWN])
    return "A" if word in _TRUE else "B" if word else ""
