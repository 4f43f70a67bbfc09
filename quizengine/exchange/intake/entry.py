"""Entries: questions that were taken in, as items of a topic file, with TODO where their author has still to
say something."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TypeAlias

from quizengine.exchange.intake.question import UNSEEN, Question
from quizengine.items.repetition import TODO
from quizengine.lang.text import LANGUAGES, Lang

Value: TypeAlias = "str | int | bool | Decimal | Mapping[str, Value] | Sequence[Value]"
WIDE, LONG = 110, 48  # characters of a line, and of an id
_MARKS = re.compile(r"<[^>]*>|\\[A-Za-z]+")
_CODE = re.compile(r"\s*\[\w{5}-\d{1,3}\]$")
_OWN = re.compile(r"(?:[a-z0-9-]+\.)+([a-z0-9-]+)(?: \d+)?")  # the full id of an item, and its number
_SPOKEN = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}


def slug(text: str, other: str = "") -> str:
    """An id made of a text; `other` where it has no letter that an id can have.

    >>> slug("Où est Q₂?"), slug("masking.where [E7EWG-1]"), slug("何ですか", "question")
    ('ou-est-q2', 'where', 'question')
    """
    text = _CODE.sub("", text)
    if own := _OWN.fullmatch(text):
        text = own[1]
    plain = unicodedata.normalize("NFKD", _MARKS.sub(" ", text)).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", plain.lower().replace("'", ""))
    while len("-".join(words)) > LONG and len(words) > 1:
        words.pop()
    return "-".join(words)[:LONG].strip("-") or other


class Ids:
    """Ids, each given once."""

    def __init__(self) -> None:
        self._given: set[str] = set()
        self._last: dict[str, int] = {}  # by stem, the number given last

    def of(self, text: str, other: str) -> str:
        """An id of its own for what is called so."""
        id_ = stem = slug(text, other)
        while id_ in self._given:
            self._last[stem] = self._last.get(stem, 1) + 1
            id_ = f"{stem}-{self._last[stem]}"
        self._given.add(id_)
        return id_


def topic_text(topic: str, sources: Iterable[str], lang: Lang, items: Iterable[str]) -> str:
    """A whole topic file; each source has a line in its head."""
    other = next(each for each in LANGUAGES if each != lang)
    head = [f"# Taken in from {source}." for source in sources]
    head += [
        "# TODO marks what is still to write; `quizengine bank check` lists it. A wrong choice names its",
        "# misconception (is: an id of `quizengine misconceptions`), or says why it is wrong instead (why:).",
        f"# For a bank in one language write languages: [{lang}]; what stands under {other}: may then stay.",
        "# Remarks of the source on any right, partly right or wrong answer are left out.",
        "format: 1",
        f"topic: {_plain(topic)}",
        f"languages: [{', '.join(LANGUAGES)}]",
        "items:",
    ]
    return "\n".join([*head, *items]) + "\n"


def entry(question: Question, id_: str, lang: Lang) -> str:
    """A question as an item of a topic file."""
    fields = dict(_fields(question, lang))
    told = (UNSEEN.sub("?", " ".join(each.split())) for each in question.comments)
    out = [f"# {text}" for text in told if text]
    out += [f"- id: {_plain(id_)}"]
    for key, value in fields.items():
        out += _lines(key, value, "  ")
    return "\n".join(out)


def _fields(question: Question, lang: Lang) -> Iterator[tuple[str, Value]]:
    types = {
        "choice": "single_choice",
        "choices": "multiple_choice",
        "truth": "true_false",
        "pairs": "matching",
        "words": "short_answer",
        "number": "estimate",
    }
    yield "type", _Bare(types[question.kind])
    if question.points > 1:
        yield "points", question.points
    yield "prompt", _words(question.prompt, lang)
    if question.code:
        yield "code", question.code
    match question.kind:
        case "choice" | "choices":
            yield from _choices(question, lang)
        case "truth":
            yield "right", question.answers[0].share > 0
        case "pairs":
            yield from _pairs(question, lang)
        case "words":
            yield from _ideas(question, lang)
        case "number":
            yield from _number(question)
    if question.explanation:
        yield "explain", _words(question.explanation, lang)
    if question.hints:
        yield "hints", [_words(hint, lang) for hint in question.hints]


def _words(text: str, lang: Lang) -> dict[str, Value]:
    return {each: text if each == lang else TODO for each in LANGUAGES}


def _choices(question: Question, lang: Lang) -> Iterator[tuple[str, Value]]:
    ids = Ids()
    right: dict[str, Value] = {}
    wrong: dict[str, Value] = {}
    for answer in question.answers:
        id_ = ids.of(answer.text, "choice")
        if answer.share > 0:
            right[id_] = _words(answer.text, lang)
        else:
            wrong[id_] = _words(answer.text, lang) | _shows(answer.said, lang)
    yield "right", right
    yield "wrong", wrong


def _shows(said: str, lang: Lang) -> dict[str, Value]:
    return {"why": _words(said, lang)} if said else {"is": TODO}


def _pairs(question: Question, lang: Lang) -> Iterator[tuple[str, Value]]:
    ids = Ids()
    pairs: dict[str, Value] = {}
    spare: dict[str, Value] = {}
    for left, right in question.pairs:
        if left:
            pairs[ids.of(left, "pair")] = [_words(left, lang), _words(right, lang)]
        else:
            spare[ids.of(right, "spare")] = _words(right, lang) | {"is": TODO}
    yield "pairs", pairs
    if spare:
        yield "spare", spare


def _ideas(question: Question, lang: Lang) -> Iterator[tuple[str, Value]]:
    texts = list(dict.fromkeys(answer.text for answer in question.answers))
    words: dict[str, Value] = {each: texts if each == lang else [TODO] for each in LANGUAGES}
    yield "ideas", {"answer": {"name": dict.fromkeys(LANGUAGES, TODO), **words}}
    yield "model", _words(texts[0], lang)


def _number(question: Question) -> Iterator[tuple[str, Value]]:
    key, *wrong = question.answers
    yield "value", Decimal(key.text)
    yield "within", Decimal(key.within)
    if wrong:
        yield "wrong", [{"value": Decimal(answer.text), "is": TODO} for answer in wrong]


class _Bare(str):
    """A text that needs no quotes."""


def _plain(id_: str) -> str:
    """An id, in quotes where YAML would take it for something else."""
    return f"'{id_}'" if id_[0].isdigit() or id_ in _SPOKEN else id_


def _flow(value: Value) -> str:
    """A value on one line; nothing where it has several."""
    match value:
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case Decimal():
            return f"{value:f}"
        case str() if isinstance(value, _Bare) or value == TODO:
            return value
        case str():
            return "" if "\n" in value else "'" + value.replace("'", "''") + "'"
        case Mapping():
            parts = [(key, _flow(each)) for key, each in value.items()]
            return (
                "{" + ", ".join(f"{_plain(key)}: {text}" for key, text in parts) + "}" if _full(parts) else ""
            )
        case _:
            texts = [("", _flow(each)) for each in value]
            return "[" + ", ".join(text for _, text in texts) + "]" if _full(texts) else ""


def _full(parts: Sequence[tuple[str, str]]) -> bool:
    return all(text for _, text in parts)


def _lines(key: str, value: Value, indent: str) -> Iterator[str]:
    """A field, on one line where it fits."""
    head, flow = f"{indent}{_plain(key)}:", _flow(value)
    if flow and (isinstance(value, str) or len(head) + len(flow) < WIDE):
        yield f"{head} {flow}"
    elif isinstance(value, str):
        yield f"{head} |2-" if value.startswith(" ") else f"{head} |-"
        yield from (f"{indent}  {each}" if each else "" for each in value.split("\n"))
    elif isinstance(value, Mapping):
        yield head
        for inner, each in value.items():
            yield from _lines(inner, each, f"{indent}  ")
    elif isinstance(value, Sequence):
        yield head
        for each in value:
            yield from _element(each, indent)


def _element(value: Value, indent: str) -> Iterator[str]:
    flow = _flow(value)
    if flow or not isinstance(value, Mapping):
        yield f"{indent}- {flow}"
        return
    found = [text for key, each in value.items() for text in _lines(key, each, f"{indent}  ")]
    yield f"{indent}- {found[0].strip()}"
    yield from found[1:]
