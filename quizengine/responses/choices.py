"""Letters, orders and pairs as learners type them: ア, イ or 1, 2 stand for A, B."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quizengine.lang.characters import plain
from quizengine.problems.part import ChoicePart, ChoicesPart, LabelledPart, OrderPart, PairsPart, TiersPart
from quizengine.responses.response import CannotRead
from quizengine.responses.wordings import by_wording

_LETTERS = str.maketrans(
    {chr(ord("a") + i): chr(ord("A") + i) for i in range(26)}
    | {kana: "ABCDEFGHIJ"[i % 10] for i, kana in enumerate("アイウエオカキクケコｱｲｳｴｵｶｷｸｹｺ")}
    | {chr(ord("①") + i): str(i + 1) for i in range(9)}
)
_NUMBERED = re.compile(r"^[ \t]*\d+[.):、．][ \t]*(?=\D)", re.MULTILINE)  # a list numbered by its writer
_TIERS = re.compile(r"(\S+?)[\s,;:/=|.>→⇒-]*([0-9]{1,2})", re.DOTALL)
_APART = r"\s,;:/>=|.()\[\]{}'\"&→⇒と"  # what may part labels
_AROUND = " \t\r\n\u3000.,!。、！()（）「」'\""
_TRUE = ("○", "⭕", "マル", "まる", "真", "〇", "◯", "o", "正", "正しい", "t", "true", "yes", "y", "はい")
_FALSE = (
    "×",
    "❌",
    "バツ",
    "ばつ",
    "偽",
    "✕",
    "✗",
    "誤",
    "誤り",
    "f",
    "false",
    "no",
    "n",
    "いいえ",
    "間違い",
    "正しくない",
)


def read_choice(part: ChoicePart, text: str) -> str:
    """The one label that is written. Raises CannotRead."""
    labels = _labels(part, text)
    if len(labels) != 1:
        raise CannotRead("one-only", count=len(labels))
    return labels[0]


def read_choices(part: ChoicesPart, text: str) -> tuple[str, ...]:
    """The labels that are written, once each, in the order of the choices. Raises CannotRead."""
    return tuple(sorted(set(_labels(part, text))))


def read_order(part: OrderPart, text: str) -> tuple[str, ...]:
    """The labels of the part, once each, in the learner's order. Raises CannotRead."""
    known = [choice.label for choice in part.choices]
    if (worded := by_wording(part.choices, _NUMBERED.sub("", text))) and len(worded) == len(known):
        return tuple(worded)
    if "\n" in text.strip():
        text = _NUMBERED.sub(lambda match: " " * len(match.group()), text)
    labels = _labels(part, text.replace("-", ","))
    if sorted(labels) != sorted(known):
        missing = [label for label in known if label not in labels]
        twice = sorted({label for label in labels if labels.count(label) > 1})
        code, names = ("order-twice", twice) if twice else ("order-missing", missing)
        raise CannotRead(code, labels=", ".join(names))
    return tuple(labels)


def read_tiers(part: TiersPart, text: str) -> tuple[tuple[str, str], ...]:
    """The answer and the reason that are written, such as A-2, true 2 or ○②. Raises CannotRead."""
    typed = plain(text).translate(_LETTERS).strip(_AROUND)
    found = _TIERS.fullmatch(typed)
    if not found:
        raise CannotRead("tiers")
    answer, number = found.groups()
    letters, numbers = _sides(part)
    if _truth(part.choices[0].text):  # the answers are true and false
        head = text.strip(_AROUND)[: len(answer)] if len(text.strip(_AROUND)) == len(typed) else answer
        answer = _truth(head) or answer
    for label, known in ((answer, letters), (number, numbers)):
        if label not in known:
            raise CannotRead("label", 0, text=label, labels=", ".join(known))
    return ((answer, number),)


def read_pairs(part: PairsPart, text: str) -> tuple[tuple[str, str], ...]:
    """The pairs that are written, such as A-2, B1, C→3; a left side may stay unpaired. Raises CannotRead."""
    typed = plain(text).translate(_LETTERS)
    left, right = _sides(part)
    pairs: dict[str, str] = {}
    end = 0
    for match in re.finditer(r"([A-Z])['\"]?[\s,=:>→⇒-]*['\"]?(\d+)", typed):
        if outside := re.search(rf"[^{_APART}]", typed[end : match.start()]):
            raise CannotRead("pair", end + outside.start(), character=text[end + outside.start()])
        letter, number = match.groups()
        if letter not in left or number not in right:
            wrong, known = (letter, left) if letter not in left else (number, right)
            raise CannotRead("label", match.start(), text=wrong, labels=", ".join(known))
        if letter in pairs or number in pairs.values():
            twice = letter if letter in pairs else number
            raise CannotRead("order-twice", match.start(), labels=twice)
        pairs[letter] = number
        end = match.end()
    if outside := re.search(rf"[^{_APART}]", typed[end:]):
        raise CannotRead("pair", end + outside.start(), character=text[end + outside.start()])
    if not pairs:
        raise CannotRead("no-pairs")
    return tuple(sorted(pairs.items()))


def _sides(part: PairsPart | TiersPart) -> tuple[list[str], list[str]]:
    labels = [choice.label for choice in part.choices]
    return [x for x in labels if not x.isdigit()], [x for x in labels if x.isdigit()]


def _truth(text: str) -> str:
    """A for what says true, B for what says false; none for anything else. Raises CannotRead for the letter
    x, by which some mean a cross and others that they tick a box."""
    word = text.strip(_AROUND).lower()
    word = plain(word) if plain(word).isascii() and word not in _FALSE else word
    if word == "x":
        raise CannotRead("cross", text=text.strip())
    return "A" if word in _TRUE else "B" if word in _FALSE else ""


def _labels(part: LabelledPart, text: str) -> Sequence[str]:
    """The labels in `text`, between separators or run together (`BADC`); a number counts the choices."""
    known = [choice.label for choice in part.choices]
    if text in known:
        return [text]
    if len(known) == 2 and part.kind == "choice" and (label := _truth(text)):
        return [label]
    typed = plain(text.replace("->", ", ")).translate(_LETTERS)
    counted = {str(number): label for number, label in enumerate(known, 1)}
    if worded := by_wording(part.choices, text):
        number = counted.get(typed.strip(_AROUND))
        if number not in (None, *worded):  # “4” can be the fourth, or the one that says 4
            raise CannotRead("comma", text=text.strip(), point=str(number), none=worded[0])
        return worded
    labels = []
    for match in re.finditer(rf"[^{_APART}]+", typed):
        token = match.group()
        for sign in [token] if token in known or token in counted else list(token):
            label = counted.get(sign, sign)
            if label not in known:
                raise CannotRead("label", match.start(), text=text.strip(), labels=", ".join(known))
            labels.append(label)
    if not labels:
        raise CannotRead("label", 0, text=text.strip(), labels=", ".join(known))
    return labels
