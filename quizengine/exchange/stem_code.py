"""The code of an exported question, which stands in its text: the code of its variant, the last sign of which
checks the others, and its number there. It survives a report that changes the size or the width of letters,
and the translation of the text around it."""

from __future__ import annotations

import re
from typing import NamedTuple

from quizengine.lang.characters import plain
from quizengine.sheets.sheet_code import is_code

_CODE = re.compile(r"\[\s*([0-9A-Za-z]{5})\s*-\s*(\d{1,3})\s*\]")


class StemCode(NamedTuple):
    """Which variant, and which of its questions, from 1."""

    variant: str
    number: int

    def __str__(self) -> str:
        return f"[{self.variant}-{self.number}]"

    @property
    def sound(self) -> bool:
        """Does the check sign fit?"""
        return is_code(self.variant)


def stem_codes(text: str) -> list[StemCode]:
    """The codes in a question's text, each once.

    >>> stem_codes("What is it? ［k7q2m-3］ [K7Q2M-3]")
    [StemCode(variant='K7Q2M', number=3)]
    """
    found = (StemCode(variant.upper(), int(number)) for variant, number in _CODE.findall(plain(text)))
    return list(dict.fromkeys(found))
