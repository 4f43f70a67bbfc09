"""GIFT, read in the order of Moodle's own rules; what those would only guess at is left out and said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Literal, NamedTuple

from quizengine.exchange.intake.question import (
    Answer,
    Left,
    NotCarried,
    Outcome,
    Pair,
    Question,
    asked,
    decimal,
    share,
    taken,
    written,
)
from quizengine.exchange.intake.rich_text import Form, line, paragraphs, program_is_last, prompt

_SIGNS = "\\:#={}~n"
_ESCAPED = re.compile(r"\\([\\:#={}~n])")
_HIDDEN = {sign: chr(0xD800 + i) for i, sign in enumerate(_SIGNS)}  # halves of characters: in no file's text
_SHOWN = str.maketrans({hidden: "\n" if sign == "n" else sign for sign, hidden in _HIDDEN.items()})
_FORMS: dict[str, Form] = {"html": "html", "moodle": "auto", "plain": "plain", "markdown": "markdown"}
_WEIGHT = re.compile(r"%\s*(-*[0-9]{1,3}(?:\.[0-9]*)?)\s*%")
_TITLE = re.compile(r"::(.*?)::", re.DOTALL)
_LOST = re.compile(
    rf"\\[(\[](?:(?!\\[)\]]).)*{_HIDDEN['n']}[a-z]"
)  # \neq, \nabla: a new line within a formula
_GAP = "_____"
NAME = 60  # characters of a stem that stand for a title
_CATEGORY = "$CATEGORY:"


class _Block(NamedTuple):
    """Lines without an empty one between them, from `line` on, and the comments among them."""

    line: int
    text: str
    comments: tuple[str, ...]


def read_gift(text: str) -> Iterator[Outcome]:
    """Every question, in order."""
    category = ""
    for block in _blocks(text):
        first, _, rest = block.text.strip().partition("\n")
        if first.startswith(_CATEGORY):
            category = " ".join(first.removeprefix(_CATEGORY).split())
            if rest.strip():
                yield Left(first[:NAME], block.line, "after-category")
            continue
        name = _titled(_hide(block.text.strip()))[0]
        yield taken(name, block.line, partial(_question, block, category))


def _blocks(text: str) -> Iterator[_Block]:
    """Questions are parted by empty lines; to Moodle a line of a 0 alone is one as well."""
    begun, lines, comments = 0, list[str](), list[str]()
    for number, each in enumerate([*text.split("\n"), ""], 1):
        words = each.strip()
        if words.startswith("//"):
            comments += re.findall(r"\[((?:id|tag):(?:[^\]\\]|\\.)*)\]", words)
        elif words in ("", "0"):
            if lines:
                yield _Block(begun, "\n".join(lines), tuple(comments))
                comments = []
            begun, lines = 0, []
        else:
            begun = begun or number
            lines.append(each.rstrip())


def _hide(text: str) -> str:
    """The text, its escaped signs behind others that mean nothing."""
    return _ESCAPED.sub(lambda found: _HIDDEN[found[1]], text)


def _show(text: str) -> str:
    return text.translate(_SHOWN).strip()


def _titled(text: str) -> tuple[str, str]:
    """The title, or the beginning of the stem where there is none, and what comes after it."""
    found = _TITLE.match(text)
    if found:
        return " ".join(_show(found[1]).split()), text[found.end() :].strip()
    before, _, rest = text.partition("{")
    stem = re.sub(r"^\s*\[\w+\]", "", f"{before} {rest.partition('}')[2]}")
    return " ".join(re.sub(r"<[^>]*>", " ", _show(stem)).split())[:NAME], text


def _formed(text: str, form: Form) -> tuple[str, Form]:
    """The text without the name of its form before it, and that form."""
    found = re.match(r"\s*\[(\w+)\]", text)
    if found and found[1] in _FORMS:
        return _show(text[found.end() :]), _FORMS[found[1]]
    return _show(text), form


def _question(block: _Block, category: str) -> Question:
    name, text = _titled(_hide(block.text.strip()))
    before, opened, rest = text.partition("{")
    if not opened:
        raise NotCarried("kind", kind="description")
    body, closed, after = rest.partition("}")
    if not closed:
        raise NotCarried("unclosed")
    if "{" in before + body + after or "}" in before + after:
        raise NotCarried("braces")
    if _LOST.search(before + rest):
        raise NotCarried("lost-backslash")
    stem, form = _formed(f"{before}{_GAP}{after}" if after.strip() else before, "auto")
    body, _, general = body.rpartition("####") if "####" in body else (body, "", "")
    question = _body(body.strip(), form)
    found = paragraphs(stem, form)
    texts, code = prompt(found)
    kept = asked(texts, question.answers[0].within if question.kind == "number" else "0")
    if not program_is_last(found, kept):
        raise NotCarried("program")
    comments = [f"category: {category}"] if category else []
    return question._replace(
        name=name,
        line=block.line,
        prompt="\n\n".join(kept),
        code=code,
        explanation=line(*_formed(general, form)),
        comments=(*comments, *block.comments, *question.comments),
    )


def _body(body: str, form: Form) -> Question:
    """What stands between the braces."""
    draft = Question("", 0, "choice", "")
    if not body:
        raise NotCarried("kind", kind="essay")
    if body.startswith(">"):
        raise NotCarried("kind", kind="ordering")
    if body.startswith("#"):
        return draft._replace(kind="number", answers=tuple(_numbers(body[1:], form)))
    if "~" in body:
        kind: Literal["choice", "choices"] = "choice" if "=" in body else "choices"
        return draft._replace(kind=kind, answers=tuple(_choices(body, form)))
    if "=" in body and "->" in body:
        return draft._replace(kind="pairs", pairs=tuple(_pairs(body, form)))
    if (word := body.partition("#")[0].strip()) in ("T", "TRUE", "F", "FALSE"):
        right = word.startswith("T")
        wrong, said = (line(*_formed(part, form)) for part in (*body.split("#")[1:3], "", "")[:2])
        true = Answer("true", Fraction(right), said if right else wrong)
        false = Answer("false", Fraction(not right), wrong if right else said)
        return draft._replace(kind="truth", answers=(true, false))
    return draft._replace(kind="words", answers=tuple(_words(body, form)))


def _parts(body: str, sign: str) -> list[str]:
    """What stands behind each sign; before the first one nothing may."""
    first, *parts = body.split(sign)
    return ([first.strip()] if first.strip() else []) + [part.strip() for part in parts]


def _weighed(part: str) -> tuple[Fraction | None, str]:
    """The share that stands before an answer, if one does."""
    found = _WEIGHT.match(part)
    return (share(found[1]), part[found.end() :].strip()) if found else (None, part)


def _said(part: str, form: Form) -> tuple[str, str]:
    """An answer, and what is said of it."""
    answer, _, said = part.partition("#")
    return answer.strip(), line(*_formed(said, form))


def _choices(body: str, form: Form) -> Iterator[Answer]:
    for part in _parts(body.replace("=", "~="), "~"):
        right = part.startswith("=")
        weight, rest = _weighed(part.removeprefix("=").strip())
        if right and weight is not None:
            raise NotCarried("weight", text=_show(part)[:40])
        answer, said = _said(rest, form)
        earned = Fraction(1) if right else weight or Fraction(0)
        yield Answer(line(*_formed(answer, form)), earned, said)


def _words(body: str, form: Form) -> Iterator[Answer]:
    for part in _parts(body, "="):
        weight, rest = _weighed(part)
        answer, said = _said(rest, form)
        if "->" in answer:
            raise NotCarried("arrow")
        yield Answer(_show(answer), Fraction(1) if weight is None else weight, said)


def _pairs(body: str, form: Form) -> Iterator[Pair]:
    for part in _parts(body, "="):
        left, arrow, right = part.partition("->")
        if not arrow:
            raise NotCarried("no-arrow", text=_show(part)[:40])
        yield Pair(line(*_formed(left, form)), line(_show(right), "plain"))


def _numbers(body: str, form: Form) -> Iterator[Answer]:
    """The right ones first. Behind ~ stands what is said of every other number."""
    values, sign, other = body.partition("~")
    found: Sequence[Answer] = [_number(part, form) for part in _parts(values, "=")]
    yield from (answer for answer in found if answer.share > 0)
    yield from (answer for answer in found if answer.share <= 0)
    if sign:
        yield Answer("*", Fraction(0), line(*_formed(other.partition("#")[2], form)))


def _number(part: str, form: Form) -> Answer:
    weight, rest = _weighed(part)
    answer, said = _said(rest, form)
    earned = Fraction(1) if weight is None else weight
    value, colon, within = _show(answer).partition(":")
    low, dots, high = value.partition("..")
    if dots and not colon:
        ends = decimal(low), decimal(high)
        middle, half = (ends[0] + ends[1]) / 2, (ends[1] - ends[0]) / 2
        return Answer(written(middle), earned, said, written(half))
    return Answer(value.strip(), earned, said, within.strip() if colon else "0")
