"""A question of another system as this engine takes it in, before it is an item: texts are bank text already,
shares are of one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from quizengine.exchange.stem_code import stem_codes
from quizengine.items.markup import parse
from quizengine.items.repetition import normal
from quizengine.lang.messages import t
from quizengine.lang.text import LANGUAGES
from quizengine.render.blocks import joined

Kind: TypeAlias = Literal["choice", "choices", "truth", "pairs", "words", "number"]
MOST_CHOICES, MOST_PAIRS = 12, 9
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,3})?", re.ASCII)
_DIGITS, _PLACES, _LARGE = 15, 9, 12  # of a number that a bank holds as it stands
UNSEEN = re.compile("[^\t\n\r\f\v\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\U00010000-\U0010fffd]")
_NEAR = Fraction(1, 1000)  # shares are written with five decimals, and often with two
_ASKED = (
    *("ask.single_choice", "ask.multiple_choice", "ask.true_false", "ask.matching", "ask.short_answer"),
    *("export.pairs", "ask.value"),
)


class NotCarried(Exception):
    """Why a question is not taken in: a code of the catalogue, and what the sentence names."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code, self.values = code, values


class Answer(NamedTuple):
    """A choice, a text or a number: its share of the points, what is said of it, and of a number how far off
    it may be."""

    text: str
    share: Fraction
    said: str = ""
    within: str = "0"


class Pair(NamedTuple):
    """A line and what belongs to it; a right side that belongs to nothing has no left."""

    left: str
    right: str


class Remark(NamedTuple):
    """What is to be known of a question that is taken in: a code of the catalogue, and what it names."""

    code: str
    values: Mapping[str, object] = MappingProxyType({})


class Question(NamedTuple):
    """A question that can be carried. `comments` go beside it into the bank, `remarks` to whoever imports."""

    name: str
    line: int
    kind: Kind
    prompt: str
    answers: tuple[Answer, ...] = ()
    pairs: tuple[Pair, ...] = ()
    explanation: str = ""
    hints: tuple[str, ...] = ()
    points: int = 1
    code: str = ""
    comments: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()


class Left(NamedTuple):
    """A question that is left out, and why."""

    name: str
    line: int
    code: str
    values: Mapping[str, object] = MappingProxyType({})


Outcome: TypeAlias = Question | Left


def taken(name: str, line: int, read: Callable[[], Question]) -> Outcome:
    """What `read` makes of a question, as long as nothing is lost that would change its meaning."""
    try:
        return sound(read())
    except NotCarried as why:
        return Left(name, line, why.code, why.values)


def sound(question: Question) -> Question:
    """The question, if an item can say all of it that matters for a mark. Raises NotCarried."""
    if not question.prompt:
        raise NotCarried("no-prompt")
    for text in (question.prompt, question.explanation, *question.hints):
        parse(text)
    match question.kind:
        case "choice" | "choices":
            return _chosen(question)
        case "truth":
            return _told_true(question)
        case "pairs":
            return _paired(question)
        case "number":
            return _numbered(question)
        case "words":
            return _worded(question)


def _chosen(question: Question) -> Question:
    texts = unlabelled([answer.text for answer in question.answers], "A")
    answers = tuple(a._replace(text=text) for a, text in zip(question.answers, texts, strict=True))
    _distinct(texts)
    right = [a for a in answers if a.share > 0]
    wrong = [a for a in answers if a.share <= 0]
    if not right:
        raise NotCarried("no-right")
    if len(wrong) > MOST_CHOICES or len(right) > MOST_CHOICES:
        raise NotCarried("many-choices", most=MOST_CHOICES)
    question = question._replace(answers=answers)
    return _one_of(question, right, wrong) if question.kind == "choice" else _any_of(question, right, wrong)


def _one_of(question: Question, right: Sequence[Answer], wrong: Sequence[Answer]) -> Question:
    if len(right) > 1:
        raise NotCarried("several-right" if [a.share for a in right].count(Fraction(1)) > 1 else "partial")
    if abs(right[0].share - 1) > _NEAR:
        raise NotCarried("partial")
    if not wrong:
        raise NotCarried("no-wrong")
    if any(a.share < 0 for a in wrong):
        raise NotCarried("fine")
    return question


def _any_of(question: Question, right: Sequence[Answer], wrong: Sequence[Answer]) -> Question:
    even = Fraction(1, len(right))
    if any(abs(a.share - even) > _NEAR for a in right):
        raise NotCarried("uneven")
    if not wrong:
        raise NotCarried("no-wrong")
    if len({a.share for a in wrong}) > 1:
        raise NotCarried("uneven-wrong")
    remarks = question.remarks
    if abs(wrong[0].share + Fraction(1, len(wrong))) > _NEAR:
        remarks += (Remark("cancel", {"percent": f"{float(-100 * wrong[0].share):.5g}"}),)
    return question._replace(remarks=remarks)


def _told_true(question: Question) -> Question:
    """The first answer is true, the second false."""
    shares = sorted(answer.share for answer in question.answers)
    if shares != [0, 1]:
        raise NotCarried("partial" if shares[-1:] == [1] else "no-right")
    said = (
        comment(word, a.said) for word, a in zip(("true", "false"), question.answers, strict=True) if a.said
    )
    return question._replace(comments=(*question.comments, *said))


def _paired(question: Question) -> Question:
    asked = [pair for pair in question.pairs if pair.left]
    if any(not pair.right for pair in question.pairs):
        raise NotCarried("empty")
    if len(asked) < 2:
        raise NotCarried("few-pairs")
    if len(asked) > MOST_PAIRS:
        raise NotCarried("many-pairs", most=MOST_PAIRS)
    lefts = iter(unlabelled([pair.left for pair in asked], "A"))
    rights = unlabelled([pair.right for pair in question.pairs], "1")
    pairs = tuple(
        Pair(next(lefts) if pair.left else "", right)
        for pair, right in zip(question.pairs, rights, strict=True)
    )
    for side in ([pair.left for pair in pairs if pair.left], rights):
        _distinct(side)
    return question._replace(pairs=pairs)


def _distinct(texts: Sequence[str]) -> None:
    if any(not text.strip() for text in texts):
        raise NotCarried("empty")
    seen: set[str] = set()
    for text in texts:
        if normal(text) in seen:
            raise NotCarried("same", text=text)
        seen.add(normal(text))


def _numbered(question: Question) -> Question:
    """One value is right; others, which earn nothing, are known mistakes."""
    right = [a for a in question.answers if a.share > 0]
    wrong = [a for a in question.answers if a.share <= 0]
    if any(a.text.strip() == "*" for a in right):
        raise NotCarried("any-right")
    if any(a.share != 1 for a in right) or any(a.share < 0 for a in wrong):
        raise NotCarried("partial")
    if not right:
        raise NotCarried("no-right")
    if len(right) > 1:
        raise NotCarried("several-right")
    said = tuple(
        comment("anything else" if a.text.strip() == "*" else a.text.strip(), a.said) for a in wrong if a.said
    )
    answers = [a for a in (*right, *wrong) if a.text.strip() != "*"]
    read = [(decimal(a.text), decimal(a.within)) for a in answers]
    if any(within < 0 for _, within in read):
        raise NotCarried("range")
    key, reach = read[0]
    if any(abs(value - key) <= reach for value, _ in read[1:]):
        raise NotCarried("shadowed", text=str(key))
    texts = tuple(
        a._replace(text=written(value), within=written(within))
        for a, (value, within) in zip(answers, read, strict=True)
    )
    return question._replace(answers=texts, comments=question.comments + said)


def _worded(question: Question) -> Question:
    right = [a for a in question.answers if a.share > 0]
    if any(a.share != 1 for a in right) or any(a.share < 0 for a in question.answers):
        raise NotCarried("partial")
    if not right:
        raise NotCarried("no-right")
    if any("*" in a.text.replace("\\*", "") for a in right):
        raise NotCarried("wildcard")
    if any(not a.text.strip() for a in right):
        raise NotCarried("empty")
    texts = [a._replace(text=" ".join(a.text.replace("\\*", "*").split())) for a in right]
    for a in texts:
        seen(a.text)
    said = tuple(
        comment("anything else" if a.text == "*" else f"“{a.text}”", a.said)
        for a in question.answers
        if a.said or (a.share == 0 and a.text != "*")
    )
    remarks = (*question.remarks, Remark("read-by-a-person"))
    return question._replace(answers=tuple(texts), comments=question.comments + said, remarks=remarks)


def seen(text: str) -> None:
    """Raises NotCarried for a text with a character that no file should have."""
    if found := UNSEEN.search(text):
        raise NotCarried("control", sign=f"U+{ord(found[0]):04X}")


def decimal(text: str) -> Decimal:
    """A number as it was written. Raises NotCarried for what is none, or more exact than a bank keeps."""
    if not _NUMBER.fullmatch(text.strip()):
        raise NotCarried("number", text=text.strip()[:60])
    value = Decimal(text.strip()).normalize()
    _, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)  # neither infinite nor no number
    if len(digits) > _DIGITS or exponent < -_PLACES or value.adjusted() > _LARGE:
        raise NotCarried("digits", text=text.strip()[:60])
    return value


def written(value: Decimal) -> str:
    """A number in plain decimals.

    >>> written(Decimal("1e2")), written(Decimal("-0.50")), written(Decimal("-0"))
    ('100', '-0.5', '0')
    """
    text = f"{value:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def share(text: str) -> Fraction:
    """A share in percent, of one. Raises NotCarried.

    >>> share("33.33333") * 3
    Fraction(9999999, 10000000)
    """
    if not _NUMBER.fullmatch(text.strip()):
        raise NotCarried("share", text=text.strip()[:60])
    return Fraction(Decimal(text.strip())) / 100


def comment(of: str, said: str) -> str:
    """What the source said of an answer, where an item has no place for it."""
    return f"of {of}: {said}" if said else f"of {of}: wrong"


def points(text: str) -> tuple[int, tuple[Remark, ...]]:
    """The points of an item, and what is to be said of those that it cannot have."""
    if not text.strip():
        return 1, ()
    value = Fraction(Decimal(text.strip())) if _NUMBER.fullmatch(text.strip()) else Fraction(0)
    if value.denominator == 1 and 1 <= value <= 100:
        return int(value), ()
    return 1, (Remark("points", {"points": text.strip()[:20]}),)


def unlabelled(texts: Sequence[str], first: str) -> list[str]:
    """The texts without the letters (from A) or numbers (from 1) before them, if each has its own: they are
    put there anew.

    >>> unlabelled(["A. one", "B. two"], "A"), unlabelled(["2. b", "1. a"], "1")
    (['one', 'two'], ['b', 'a'])
    """
    wanted = [chr(ord("A") + i) if first == "A" else str(i + 1) for i in range(len(texts))]
    found = [re.match(r"([A-Z]|\d{1,2})[.)]\s+(?=\S)", text) for text in texts]
    labels = [match[1] if match else "" for match in found]
    if len(texts) < 2 or (labels if first == "A" else sorted(labels, key=lambda x: (len(x), x))) != wanted:
        return list(texts)
    return [text[match.end() :] if match else text for text, match in zip(texts, found, strict=True)]


def asked(paragraphs: Sequence[str], within: str = "0") -> list[str]:
    """The paragraphs of a prompt without those at the end that this engine writes itself: the code of an
    export, and how to answer."""
    out = list(paragraphs)
    own = {t(lang, key) for lang in LANGUAGES for key in _ASKED} | set(_values(within))
    while out and (out[-1] in own or _is_code(out[-1])):
        out.pop()
    return out


def _values(within: str) -> Iterable[str]:
    for lang in LANGUAGES:
        for note in (t(lang, "part.exactly"), t(lang, "part.within", within=within)):
            yield joined([t(lang, "ask.value"), note])


def _is_code(text: str) -> bool:
    codes = stem_codes(text)
    return len(codes) == 1 and codes[0].sound and text.strip() == str(codes[0])
