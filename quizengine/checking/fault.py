"""Fault: what a learner is told whose code does not fit the contract, or stops."""

from __future__ import annotations

import re

from quizengine.checking.call import Broken, Raised
from quizengine.lang.messages import t
from quizengine.lang.quotation import Quoted, Sentence, tell
from quizengine.lang.text import Lang

_PLACE = re.compile(r"(?:\[(?P<cell>\d+)\]:)?(?P<line>\d+)(?::(?P<column>\d+))?")


def fault_text(fault: Raised | Broken, lang: Lang) -> list[Sentence]:
    """The sentences; what is the learner's own stands in them as a quotation."""
    if isinstance(fault, Broken):
        values = {
            name: say_place(str(value), lang) if name == "place" else Quoted(str(value))
            for name, value in fault.values.items()
        }
        return [tell(lang, fault.message, **values)]
    kind, message = Quoted(fault.kind), Quoted(fault.message)
    if not fault.line:
        return [tell(lang, "check.raised-anywhere", kind=kind, message=message)]
    cell, text = re.fullmatch(r"(?:(\[\d+\]): )?(.*)", fault.text, re.DOTALL).groups()  # type: ignore[union-attr]
    place = say_place(f"{cell}:{fault.line}" if cell else str(fault.line), lang)
    if fault.kind == "NotImplementedError" and fault.kind in text:
        return [tell(lang, "check.not-written", place=place)]
    said = [tell(lang, "check.raised", kind=kind, message=message, place=place)]
    return [*said, tell(lang, "check.raised-text", text=Quoted(text))] if text else said


def say_place(place: str, lang: Lang) -> str:
    """A line of a file, or of a cell of a notebook, in words.

    >>> say_place("7", "en"), say_place("7:3", "en"), say_place("[2]:7", "ja")
    ('line 7', 'line 7, character 3', 'セル 2 の 7 行目')
    """
    found = _PLACE.fullmatch(place)
    if not found:
        return "?"
    message = "check.column" if found["column"] else "check.line"
    said = t(lang, message, line=found["line"], column=found["column"])
    return t(lang, "check.cell", cell=found["cell"], place=said) if found["cell"] else said
