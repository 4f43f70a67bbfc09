"""Moodle XML: the sheets of a manifest as questions, a category an item with a variant of it a sheet.

There is no schema; the elements are those that Moodle 4.5 writes itself. A category is named without a
context, so that it comes into whichever question bank the file is imported into.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from quizengine.exchange.cloze import cloze_html, decimal_text, share_text, spellings
from quizengine.exchange.mistakes import afterwards, cell_rivals, names, said_of
from quizengine.exchange.place import export_title, places
from quizengine.exchange.question_file import QuestionFile
from quizengine.exchange.question_html import ask_html, choice_html, listed_choices, stem_html
from quizengine.exchange.stem_code import StemCode
from quizengine.exchange.xml_text import xml_text
from quizengine.items.catalogue import Catalogue
from quizengine.items.close import SEAL, sealed_text
from quizengine.items.policy import Policy
from quizengine.lang.messages import t
from quizengine.lang.shown import Shown, unseen
from quizengine.lang.text import Lang
from quizengine.problems.part import (
    ChoicePart,
    ChoicesPart,
    EstimatePart,
    GapPart,
    NumericPart,
    OrderPart,
    PairsPart,
    Part,
    WordsPart,
)
from quizengine.problems.problem import Problem
from quizengine.render.terminal import plain_text
from quizengine.sheets.manifest import Manifest

_HEAD, _TAIL = b'<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n', b"</quiz>\n"


def moodle_files(
    manifest: Manifest, stamp: str, most: int = 0, shown: Shown = unseen
) -> Iterator[QuestionFile]:
    """The files, one a language, or several of no more than `most` bytes each where that is not 0 and no
    question alone is larger; `stamp` tells this export from any other, and `shown`
    wraps the places as they are written."""
    languages = manifest.heading.languages
    for lang in languages:
        stem = f"moodle.{lang}" if len(languages) > 1 else "moodle"
        made = list(_divided(_questions(manifest, lang, stamp, shown), most))
        digits = len(str(len(made)))
        for number, (content, count) in enumerate(made, 1):
            numbered = f"{stem}-{number:0{digits}}" if len(made) > 1 else stem
            yield QuestionFile(f"{numbered}.xml", content, count)


class _Question(NamedTuple):
    """A question as XML, and the category that it belongs to."""

    category: bytes
    content: bytes


def _divided(questions: Iterable[_Question], most: int) -> Iterator[tuple[bytes, int]]:
    """Whole files, each beginning with its category, and how many questions are in them."""
    pieces: list[bytes] = []
    size = count = 0
    category = b""
    for question in questions:
        more = len(question.category) + len(question.content)
        if count and most and len(_HEAD) + size + more + len(_TAIL) > most:
            yield b"".join((_HEAD, *pieces, _TAIL)), count
            pieces, size, count, category = [], 0, 0, b""
        if question.category != category:
            category = question.category
            pieces.append(category)
            size += len(category)
        pieces.append(question.content)
        size, count = size + len(question.content), count + 1
    yield b"".join((_HEAD, *pieces, _TAIL)), count


def _questions(manifest: Manifest, lang: Lang, stamp: str, shown: Shown) -> Iterator[_Question]:
    """Place by place, all variants of it."""
    title = export_title(manifest, lang, stamp)
    for place in places(manifest, lang, shown):
        path = "/".join(part.replace("/", "//") for part in ("top", title, place.called))
        category = _written(_category(path, f"{stamp} {lang} {place.number}"))
        for code, problem in place.variants:
            element = question(problem, code, manifest.policy, manifest.misconceptions)
            yield _Question(category, _written(element))


def _category(path: str, id_: str) -> ET.Element:
    root = ET.Element("question", type="category")
    ET.SubElement(ET.SubElement(root, "category"), "text").text = path
    ET.SubElement(ET.SubElement(root, "info", format="html"), "text").text = ""
    ET.SubElement(root, "idnumber").text = id_
    return root


def _written(element: ET.Element) -> bytes:
    return xml_text(element, 1).encode()


def question(problem: Problem, code: StemCode, policy: Policy, catalogue: Catalogue) -> ET.Element:
    """A problem as a question of the type that fits it: of one part its own type, else cells."""
    kind = type_of(problem)
    root = ET.Element("question", type=kind)
    ET.SubElement(ET.SubElement(root, "name"), "text").text = f"{problem.item} {code}"
    part = problem.parts[0]
    if kind == "cloze":
        asked = cloze_html(problem, policy, catalogue)
    else:
        asked = stem_html(problem) + ask_html(problem, part, policy, own=kind != "shortanswer")
        asked += listed_choices(part) if kind == "shortanswer" else ""
    _html(root, "questiontext", f"{asked}<p><small>{code}</small></p>")
    _html(root, "generalfeedback", afterwards(problem, catalogue))
    if kind != "cloze":  # whose points are those of its cells
        ET.SubElement(root, "defaultgrade").text = str(problem.points)
    ET.SubElement(root, "penalty").text = "1" if kind == "truefalse" else "0.3333333"
    ET.SubElement(root, "hidden").text = "0"
    ET.SubElement(root, "idnumber").text = f"{code.variant}-{code.number}-{problem.lang}"
    match part:
        case _ if kind == "cloze":
            pass
        case ChoicePart() if kind == "truefalse":
            _true_false(root, problem, part, catalogue)
        case ChoicePart() | ChoicesPart():
            _choice(root, problem, part, catalogue)
        case OrderPart():
            _order(root, part)
        case PairsPart():
            _pairs(root, part)
        case WordsPart():
            _words(root)
        case EstimatePart() if kind == "numerical":
            _value(root, problem, part, catalogue)
        case _:
            _box(root, problem, part)
    return root


def type_of(problem: Problem) -> str:
    """What Moodle calls such a question."""
    part = problem.parts[0]
    if len(problem.parts) > 1 or isinstance(part, NumericPart):
        return "cloze"
    if problem.type == "true_false":
        return "truefalse"
    if isinstance(part, EstimatePart) and not part.factor:
        return "numerical"
    kinds = {"choice": "multichoice", "choices": "multichoice", "order": "ordering", "pairs": "matching"}
    return (kinds | {"words": "essay"}).get(part.kind, "shortanswer")


def _html(parent: ET.Element, tag: str, html: str) -> None:
    ET.SubElement(ET.SubElement(parent, tag, format="html"), "text").text = html


def _answer(parent: ET.Element, fraction: str, text: str, said: str, form: str = "html") -> None:
    answer = ET.SubElement(parent, "answer", fraction=fraction, format=form)
    ET.SubElement(answer, "text").text = text
    _html(answer, "feedback", said)


def _told(root: ET.Element) -> None:
    """What is said of the whole answer: nothing, but how many were right. (An ordering that does not say
    that breaks the import.)"""
    for tag in ("correctfeedback", "partiallycorrectfeedback", "incorrectfeedback"):
        _html(root, tag, "")
    ET.SubElement(root, "shownumcorrect").text = "1"


def _true_false(root: ET.Element, problem: Problem, part: ChoicePart, catalogue: Catalogue) -> None:
    for choice, word in zip(part.choices, ("true", "false"), strict=True):
        right = choice.label == part.key
        said = "" if right else said_of(problem, part, choice, catalogue)
        _answer(root, "100" if right else "0", word, said, "moodle_auto_format")


def _choice(root: ET.Element, problem: Problem, part: ChoicePart | ChoicesPart, catalogue: Catalogue) -> None:
    one = isinstance(part, ChoicePart)
    ET.SubElement(root, "single").text = "true" if one else "false"
    ET.SubElement(root, "shuffleanswers").text = "false"  # every variant is shuffled already
    ET.SubElement(root, "answernumbering").text = "none"
    _told(root)
    keys = (part.key,) if isinstance(part, ChoicePart) else part.key
    right, wrong = share_text(len(keys)), share_text(len(part.choices) - len(keys))
    for choice in part.choices:
        fraction = right if choice.label in keys else "0" if one else f"-{wrong}"
        _answer(root, fraction, choice_html(choice), said_of(problem, part, choice, catalogue))


def _order(root: ET.Element, part: OrderPart) -> None:
    kinds = {"layouttype": "VERTICAL", "selecttype": "ALL", "selectcount": "0"}
    kinds |= {"gradingtype": "RELATIVE_NEXT_EXCLUDE_LAST", "showgrading": "SHOW", "numberingstyle": "none"}
    for tag, text in kinds.items():
        ET.SubElement(root, tag).text = text
    _told(root)
    choices = {choice.label: choice for choice in part.choices}
    for place, label in enumerate(part.key, 1):
        _answer(root, str(place), choice_html(choices[label]), "")


def _pairs(root: ET.Element, part: PairsPart) -> None:
    """A line on the left that belongs to nothing cannot be asked; one on the right is one more to choose."""
    ET.SubElement(root, "shuffleanswers").text = "false"
    _told(root)
    choices, pairs = {choice.label: choice for choice in part.choices}, dict(part.key)
    rows = [(choice_html(choices[left]), choices[right]) for left, right in part.key]
    taken = set(pairs.values())
    rows += [("", one) for one in part.choices if one.label.isdecimal() and one.label not in taken]
    for left, right in rows:
        sub = ET.SubElement(root, "subquestion", format="html")
        ET.SubElement(sub, "text").text = left
        text = f"{right.label}. {plain_text(right.text)}"  # a list to choose from holds no HTML
        ET.SubElement(ET.SubElement(sub, "answer"), "text").text = text


def _words(root: ET.Element) -> None:
    kinds = {"responseformat": "plain", "responserequired": "0", "responsefieldlines": "10"}
    kinds |= {"minwordlimit": "", "maxwordlimit": "", "attachments": "0", "attachmentsrequired": "0"}
    for tag, text in kinds.items():
        ET.SubElement(root, tag).text = text
    _html(root, "graderinfo", "")
    _html(root, "responsetemplate", "")


def _value(root: ET.Element, problem: Problem, part: EstimatePart, catalogue: Catalogue) -> None:
    """One number; Moodle takes the first answer that fits."""
    form = "moodle_auto_format"
    _answer(root, "100", sealed_text(part.key[0][0]), "", form)
    ET.SubElement(root[-1], "tolerance").text = sealed_text(part.within)
    for value, own, ids in cell_rivals(problem, part, 0, 0, part.within):
        _answer(root, "0", sealed_text(value), names(ids, catalogue, problem), form)
        ET.SubElement(root[-1], "tolerance").text = decimal_text(Fraction(own) / SEAL)


def _box(root: ET.Element, problem: Problem, part: Part) -> None:
    """A box for a text that this engine marks: of what is right Moodle knows some spellings."""
    ET.SubElement(root, "usecase").text = "1" if isinstance(part, GapPart) else "0"
    form = "moodle_auto_format"
    for text in spellings(part):
        _answer(root, "100", text.replace("*", "\\*"), "", form)
    _answer(root, "0", "*", t(problem.lang, "export.later"), form)
