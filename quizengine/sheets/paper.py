"""Paper: a sheet, its key or its overview as the data of a page. What students get is made from
problems without their keys."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from typing import cast

from quizengine.items.close import Sealed, rounded_text
from quizengine.lang.characters import cells
from quizengine.lang.messages import t
from quizengine.lang.text import Lang, Text
from quizengine.problems.effort import multiplications
from quizengine.problems.part import (
    ChoicePart,
    ChoicesPart,
    Key,
    NumericPart,
    OrderPart,
    Part,
    TiersPart,
    WordsPart,
    without_key,
)
from quizengine.problems.problem import Problem
from quizengine.render.blocks import marker_key, points, printed_key, printed_number
from quizengine.render.page import Data, Piece, paragraphs, problem_page, words
from quizengine.sheets.manifest import Manifest, Sheet, Who
from quizengine.sheets.plan import Heading
from quizengine.sheets.roster import extra_of

_SPOKEN = (
    *("sheet.page", "sheet.name", "sheet.id", "sheet.code-label", "sheet.label", "sheet.key", "sheet.points"),
    *("sheet.key-title", "sheet.overview-title", "sheet.worked-title", "sheet.mistakes"),
    *("sheet.mistake", "sheet.desk-title", "sheet.more-mistakes", "sheet.goes-on"),
)
_SENTENCE = re.compile(r"(?<=[.?!]) +(?=[^a-z])|(?<=[。？！])")
_PAPER = {"a4": "a4", "letter": "us-letter"}  # as Typst calls them
_WORKED_OUT = ("number", "array", "construct", "estimate")
Labels = tuple[tuple[str, str], ...]  # part id, label
PART_ROOM, EACH_ROOM, MOST_ROOM = 1.0, 0.05, 9.0  # centimetres for a part, a multiplication, and at most
COLUMNS, LINES = 40, 18  # of a page in large print, titles apart
SHORT = 140  # letters of a question that the key repeats whole
RUN = 24  # letters without a break, before one is allowed within


def asked(sheet: Sheet, lang: Lang) -> list[Problem]:
    """The problems as a student may see them: without keys, rivals, solutions and hints."""
    return [
        problem._replace(
            seed=0,
            parts=tuple(map(without_key, problem.parts)),
            rivals=(),
            worked=(),
            hints=(),
        )
        for problem in sheet.in_language(lang)
    ]


def frame(manifest: Manifest, kind: str, lang: Lang) -> Data:
    """What all pages of one kind share."""
    heading = manifest.heading
    return {
        "kind": kind,
        "lang": lang,
        "title": breakable(heading.title[lang] or t(lang, "sheet.title")),
        "course": breakable(heading.course[lang]),
        "date": heading.date,
        "time": t(lang, "sheet.minutes", minutes=heading.minutes) if heading.minutes else "",
        "instructions": [[["t", breakable(text)]] for text in plain(heading.instructions[lang])],
        "how": t(lang, "sheet.how-paper" if kind == "sheet" else "sheet.how"),
        "scheme": t(
            lang, "sheet.scheme", **{k: f"{float(v):g}" for k, v in manifest.policy._asdict().items()}
        ),
        "paper": _PAPER[heading.paper],
        "words": words(lang, *_SPOKEN),
    }


def sheet_data(manifest: Manifest, sheet: Sheet, lang: Lang) -> Data:
    """The sheet of one student, without any key."""
    problems = asked(sheet, lang)
    return {
        **about(manifest, sheet, problems, lang),
        "sections": [
            {
                "title": title[lang],
                "problems": [
                    problem_page(problems[i], i + 1, sheet.labels[i], manifest.policy)
                    | {"room": room(sheet.problems[i], manifest.heading), "brief": brief(problems[i])}
                    for i in places
                ],
            }
            for title, places in sections(manifest, len(problems))
        ],
    }


def named(labels: Mapping[str, str]) -> Labels:
    """The labels of a problem's parts in a form that has a hash."""
    return tuple(labels.items())


def about(manifest: Manifest, sheet: Sheet, problems: Sequence[Problem], lang: Lang) -> Data:
    """Whose sheet it is, and what it is worth."""
    return {
        **who_data(sheet),
        "large": sheet.large,
        "extra": extra_time(manifest, sheet, lang),
        "total": total(problems, lang),
    }


def room(problem: Problem, heading: Heading) -> float:
    """Centimetres to work in, above every part that is worked out."""
    parts = [part for part in problem.parts if part.kind in _WORKED_OUT]
    if not parts:
        return 0.0
    whole = heading.room
    if whole is None:
        whole = min(MOST_ROOM, PART_ROOM * len(parts) + EACH_ROOM * multiplications(problem))
    return round(whole / len(parts), 2)


def brief(problem: Problem) -> bool:
    """Is it surely shorter than a page, in the narrowest columns and the largest print, so that nobody has to
    measure it?"""
    [part, *others] = problem.parts
    if others or problem.given or not isinstance(part, ChoicePart | ChoicesPart | OrderPart):
        return False
    choices = part.choices
    texts = [problem.prompt, *problem.conventions, part.prompt, *(choice.text for choice in choices)]
    lines = sum(1 + cells(text) // COLUMNS for text in (*texts, *problem.code.splitlines()))
    lines += 2 * len(problem.table)
    return lines + len(choices) // 2 <= LINES


def extra_time(manifest: Manifest, sheet: Sheet, lang: Lang) -> str:
    """The time that is added for this student, in words."""
    if not sheet.extra:
        return ""
    minutes = extra_of(sheet.extra).minutes(manifest.heading.minutes)
    return t(lang, "sheet.extra", minutes=minutes) if minutes else ""


def total(problems: Sequence[Problem], lang: Lang) -> str:
    """How many points there are in all, in words."""
    return t(lang, "sheet.total", points=points(sum(problem.points for problem in problems), lang))


def plain(text: str) -> list[str]:
    """An instructor's own words, paragraph by paragraph, as they stand."""
    return [" ".join(block.split()) for block in text.split("\n\n") if block.strip()]


def breakable(text: str) -> str:
    """With places to break a word that no line could hold; never before a sign that belongs to a letter.

    >>> breakable("i" * 24 + "\u0307i") == "i" * 24 + "\u0307\u200bi"
    True
    """
    out, run = "", 0
    for sign in text:
        joined = unicodedata.category(sign) in ("Mn", "Mc", "Me", "Cf") or out.endswith("\u200d")
        run = 0 if sign.isspace() else run + 1
        if run > RUN and not joined:
            out, run = out + "\u200b", 1
        out += sign
    return out


def who_data(who: Sheet | Who) -> Data:
    """Whose sheet it is, as it stands there."""
    return {"code": who.code, "student": breakable(who.student), "name": breakable(who.name)}


def sections(manifest: Manifest, count: int) -> Iterator[tuple[Text, range]]:
    """Titles, and the places of the problems that stand under them."""
    start = 0
    for title, size in manifest.sections or [(Text(), count)]:
        yield title, range(start, start + size)
        start += size


def key_data(manifest: Manifest, sheet: Sheet, lang: Lang) -> Data:
    """The key of a sheet: answers, worked solutions, and what each misconception would have given."""
    problems = sheet.in_language(lang)
    return {
        **who_data(sheet),
        "total": total(problems, lang),
        "problems": [
            key_problem(manifest, problem, number, labels)
            for number, (problem, labels) in enumerate(zip(problems, sheet.labels, strict=True), 1)
        ],
    }


def key_problem(manifest: Manifest, problem: Problem, number: int, labels: Mapping[str, str]) -> Data:
    """The key of a problem in its place on a sheet."""
    lang = problem.lang
    return {
        "number": number,
        "points": points(problem.points, lang),
        "short": _short(problem),
        "labels": list(labels.values()),
        "answers": [_answer(part, labels[part.id], lang) for part in problem.parts],
        "worked": [paragraphs(line) for line in problem.worked],
        "heat": [heat for part in problem.parts if (heat := _heat(part))],
        "mistakes": list(_mistakes(manifest, problem, lang)),
    }


def _short(problem: Problem) -> Sequence[Piece]:
    """The question if it is short, else the sentence of it that asks, or its first one."""
    whole = " ".join(problem.prompt.split())
    sentences = _SENTENCE.split(whole)
    asking = [sentence for sentence in sentences if sentence.endswith(("?", "？", "か。"))]
    return paragraphs(whole if len(whole) <= SHORT else (asking or sentences)[0])[0]


def _answer(part: Part, label: str, lang: Lang) -> Data:
    line: list[Piece] = [["t", marker_key(part, lang)]]
    if isinstance(part, WordsPart):
        ideas = "; ".join(idea.name for idea in part.ideas)
        line.append(["t", " " + t(lang, "sheet.ideas", ideas=ideas)])
    if isinstance(part, ChoicePart | ChoicesPart | TiersPart):
        labels = part.key[0] if isinstance(part, TiersPart) else part.key
        right = [choice for choice in part.choices if choice.label in labels]
        line = []
        for choice in right:
            [text] = paragraphs(choice.text)
            line += [["b", choice.label], ["t", " "], *text, ["t", "  "]]
    return {"label": label, "text": line, "points": points(part.points, lang)}


def _heat(part: Part) -> list[list[str]]:
    if not isinstance(part, NumericPart) or part.stage != "weights" or part.kind != "array":
        return []
    return [[rounded_text(x, part.decimals or 0) for x in row] for row in part.key]


def _mistakes(manifest: Manifest, problem: Problem, lang: Lang) -> Iterator[Data]:
    """What each misconception answers to every part, where that is not the key: those seen in most places
    first."""
    shown: dict[str, list[list[str]]] = {}
    written = [cache(partial(unbracketed, part)) for part in problem.parts]  # many rivals agree in a part
    for rival in problem.rivals:
        if rival.misconception in manifest.misconceptions:
            cells = shown.setdefault(rival.misconception, [[] for _ in problem.parts])
            for part, cell, text in zip(problem.parts, cells, written, strict=True):
                if (value := rival.values.get(part.id, part.key)) != part.key:
                    cell.append(text(value))
    for id_ in sorted(shown, key=lambda id_: -len(manifest.misconceptions[id_].source)):
        [name] = paragraphs(manifest.misconceptions[id_].name[lang])
        yield {"name": name, "cells": ["; ".join(dict.fromkeys(cell)) for cell in shown[id_]]}


def unbracketed(part: Part, key: Key) -> str:
    """A key for a narrow column: numbers without brackets, rows parted by a stroke."""
    if part.kind not in ("array", "construct"):
        return printed_key(part, key)
    number = printed_number(part)
    return " / ".join(" ".join(map(number, row)) for row in cast(Sealed, key))
