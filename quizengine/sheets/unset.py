"""Unset: names and ids with signs that no font has. They stop no class: a PDF leaves them out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias
from unicodedata import category

from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.render.page import Data
from quizengine.render.pdf import Unprintable, pdf
from quizengine.sheets.manifest import Manifest, Who
from quizengine.sheets.paper import frame, who_data

Unset: TypeAlias = Mapping[str, Who]  # by code, what of a student can be set
NONE: Unset = MappingProxyType({})


def check_printable(manifest: Manifest) -> None:
    """Have the fonts of the PDF a sign for all that stands at the top of every sheet, whosever it is? Raises
    InputError with what they have not."""
    for lang in manifest.heading.languages:
        if message := _fault(frame(manifest, "top", lang), ()):
            raise Unprintable(f"title, course, date or instructions cannot be printed as PDF: {message}")


def unset_in(manifest: Manifest, who: Sequence[Who]) -> dict[str, Who]:
    """Those of whom the fonts do not have every sign, with what of them they have. Raises InputError."""
    page = frame(manifest, "top", manifest.heading.languages[0])
    page |= {"title": "–", "course": "", "date": "", "instructions": []}
    if not who or not _fault(page, who):
        return {}
    signs = {sign for one in who for sign in one.student + one.name if _alone(sign)}
    lacking = {one.student for one in _odd(page, [Who("", sign) for sign in sorted(signs)])}

    def lacks(text: str) -> bool:
        return not text.isascii() and (not lacking.isdisjoint(text) or bool(_fault(page, [Who("", text)])))

    rest = [one for one in who if lacking.isdisjoint(one.student + one.name)]
    odd = {one.code for one in _odd(page, rest)} | {one.code for one in who} - {one.code for one in rest}
    return {
        one.code: Who(
            one.code, "" if lacks(one.student) else one.student, "" if lacks(one.name) else one.name
        )
        for one in who
        if one.code in odd
    }


def _alone(sign: str) -> bool:
    """A letter, which can be looked up by itself: a class has many names of few letters."""
    return not sign.isascii() and category(sign)[0] not in "MC"


def unset_sentences(who: Sequence[Who], lang: Lang) -> Iterator[str]:
    """Whose name or id is left out, and what to do."""
    if who:
        said = [f"{name} ({id_}, {code})" if name else f"{id_} ({code})" for code, id_, name, *_ in who]
        yield t(lang, "sheet.unset", who=t(lang, "rows.between").join(said))


def _odd(page: Data, who: Sequence[Who]) -> Iterator[Who]:
    """Those that cannot be set, found by halves: mostly there are none, or few."""
    if not who or not _fault(page, who):
        return
    if len(who) == 1:
        yield who[0]
        return
    half = len(who) // 2
    yield from _odd(page, who[:half])
    yield from _odd(page, who[half:])


def _fault(page: Data, who: Sequence[Who]) -> str:
    if any(category(sign) == "Co" for one in who for sign in one.student + one.name):
        return "a sign of private use, which every font draws as it likes"
    try:
        pdf(page | {"sheets": [who_data(one) for one in who]})
    except Unprintable as error:
        return error.message
    return ""
