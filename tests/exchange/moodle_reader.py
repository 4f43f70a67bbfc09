"""An independent reader of Moodle XML, after Moodle's own rules and not after our writer: what a question
accepts, what it gives for an answer, and what it says then."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from html import unescape
from typing import NamedTuple

CELL = re.compile(
    r"\{(\d*):(NUMERICAL|MULTICHOICE_V|MULTIRESPONSE|SHORTANSWER_C|SHORTANSWER):(.+?(?<!\\))\}", re.DOTALL
)
ALTERNATIVE = re.compile(
    r"(=|%(-?\d+(?:[.,]\d*)?)%)?(.+?(?<![\\&]))(?=[~#]|$)(?:#(.*?(?<!\\)(?=~|$)))?(?:~|$)", re.DOTALL
)
NUMBER = re.compile(r"(-?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][-+]?\d+)?)(?::(-?\d+[.,]?\d*))?")
SHARES = {
    *(100 / n for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20)),
    0,
    90,
    83.33333,
    80,
    75,
    70,
    66.66667,
    60,
    30,
    40,
}


class Answer(NamedTuple):
    """A text, what it earns of 100, what is said, and how far off a number may be."""

    text: str
    fraction: float
    feedback: str
    tolerance: float = 0


class Cell(NamedTuple):
    """A box of a question."""

    weight: int
    kind: str
    answers: list[Answer]

    def given(self, text: str) -> Answer | None:
        """The first answer that fits, as Moodle looks for it."""
        for answer in self.answers:
            if self.kind == "NUMERICAL" and abs(float(text) - float(answer.text)) <= answer.tolerance + 1e-9:
                return answer
            wild = re.escape(answer.text).replace(r"\\\*", "\0").replace(r"\*", ".*").replace("\0", r"\*")
            if self.kind != "NUMERICAL" and re.fullmatch(wild, text, re.DOTALL):
                return answer
        return None


class Question(NamedTuple):
    """A question with its category, and its boxes: one, or those of a cloze."""

    kind: str
    category: str
    name: str
    text: str
    after: str
    cells: list[Cell]
    root: ET.Element


def read_moodle(content: bytes) -> list[Question]:
    """The questions of a file."""
    category, out = "", []
    for root in ET.fromstring(content).iter("question"):
        kind = root.get("type", "")
        if kind == "category":
            category = root.findtext("category/text", "")
            continue
        text = root.findtext("questiontext/text", "")
        boxes = cloze(text) if kind == "cloze" else [Cell(1, kind, list(map(_answer, root.iter("answer"))))]
        name, after = root.findtext("name/text", ""), root.findtext("generalfeedback/text", "")
        out.append(Question(kind, category, name, text, after, boxes, root))
    return out


def _answer(node: ET.Element) -> Answer:
    fraction = float(node.get("fraction", 0))
    return Answer(node.findtext("text", ""), fraction, node.findtext("feedback/text", ""))


def cloze(text: str) -> list[Cell]:
    """The boxes of a text."""
    out = []
    for weight, kind, body in CELL.findall(text):
        answers = []
        for sign, percent, given, said in ALTERNATIVE.findall(body):
            fraction = 100.0 if sign == "=" else float(percent or 0)
            number = NUMBER.fullmatch(given) if kind == "NUMERICAL" else None
            value = number[1] if number else unescape(given)
            answers.append(Answer(value, fraction, unescape(said), float((number and number[2]) or 0)))
        out.append(Cell(int(weight or 1), kind, answers))
    return out
