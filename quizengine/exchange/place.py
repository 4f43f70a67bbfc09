"""Places: an exam as other platforms hold it, place by place, each with all its variants."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from quizengine.exchange.stem_code import StemCode
from quizengine.lang.messages import name, t
from quizengine.lang.shown import Shown, unseen
from quizengine.lang.text import Lang
from quizengine.problems.problem import Problem
from quizengine.sheets.manifest import Manifest


class Place(NamedTuple):
    """A place by its number, from 1: what it is called, and what may stand there, with its codes."""

    number: int
    called: str
    variants: Sequence[tuple[StemCode, Problem]]


def places(manifest: Manifest, lang: Lang, shown: Shown = unseen) -> Iterable[Place]:
    """The places of an exam, in order; `shown` wraps them as they are made, so that a person sees how far it
    is."""
    sheets = [(sheet.code, sheet.in_language(lang)) for sheet in manifest.sheets]
    found = []
    for number in range(1, 1 + max((len(problems) for _, problems in sheets), default=0)):
        variants = [(StemCode(code, number), problems[number - 1]) for code, problems in sheets]
        items = list(dict.fromkeys(problem.item for _, problem in variants))
        topic = name("topic", variants[0][1].topic, lang)
        found.append(Place(number, f"{number:02} {items[0] if len(items) == 1 else topic}", variants))
    return shown(found, len(found))


def export_title(manifest: Manifest, lang: Lang, stamp: str) -> str:
    """The title of the exam, the moment and the language of this export, which tell it from any other."""
    title = " ".join((manifest.heading.title[lang] or t(lang, "sheet.title")).split())
    return f"{title} {stamp} {lang}"
