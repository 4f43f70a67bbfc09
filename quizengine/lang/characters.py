"""Character tables: what a learner's keyboard may send for a sign we know, and cell widths.

One character becomes one character, so that a place in the normalised text is the place in the
text as typed. NFKC is not used: it turns 3² into 32 and 1½ into 11/2.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache

MINUS = "-−‐‑‒–—﹣－ー"  # the long vowel mark is what a Japanese keyboard sends for a minus
_SPACES = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000\u200b\ufeff"
_SIGNS = {"、": ",", "。": ".", "｡": ".", "٫": ".", "・": " ", "⁄": "/", "∕": "/", "÷": "/", "×": "x"}
_TABLE = str.maketrans(
    {chr(0xFF01 + i): chr(0x21 + i) for i in range(94)}  # full-width forms of ASCII
    | dict.fromkeys(MINUS, "-")
    | dict.fromkeys(_SPACES, " ")
    | _SIGNS
)


def plain(text: str) -> str:
    """`text` with full-width forms, minus signs, spaces and digits as ASCII, one for one.

    >>> plain("［−０．５、１／３］")
    '[-0.5,1/3]'
    """
    text = text.translate(_TABLE)
    if text.isascii():
        return text
    return "".join(
        str(unicodedata.digit(c)) if not c.isascii() and unicodedata.category(c) == "Nd" else c for c in text
    )


SHADES = " ░▒▓█"


_NUMBER = re.compile(r"([+-] ?)?[0-9][0-9./]*( ln 2)?")


def signed(text: str) -> str:
    """A number as it is printed, with a true minus sign; any other text as it is.

    >>> signed("-4 ln 2"), signed("d-k")
    ('−4 ln 2', 'd-k')
    """
    return text.replace("-", "−") if _NUMBER.fullmatch(text) else text


def shade(share: float) -> str:
    """A weight as a block, the darker the larger.

    >>> shade(0), shade(0.2), shade(1)
    (' ', '░', '█')
    """
    return SHADES[min(4, int(share * 4 + 0.999))] if share > 0 else SHADES[0]


_STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """`text` without control and direction signs, which a name or an answer could smuggle in.

    >>> visible("B\\x9b31m\\u202e")
    'B31m'
    """
    return _STEERS.sub("", text)


def harmless(text: str) -> str:
    """JSON that says the same, with control and direction signs in their long form.

    >>> harmless('"B\\x9b"')
    '"B\\\\u009b"'
    """
    return _STEERS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


_DIGITS = re.compile(r"(\d+)")


def natural(text: str) -> list[str | int]:
    """By what texts are sorted so that group 10 comes after group 9: words and numbers by turns.

    >>> sorted(["Lab 10", "lab 9"], key=natural)
    ['lab 9', 'Lab 10']
    """
    return [int(piece) if i % 2 else piece.casefold() for i, piece in enumerate(_DIGITS.split(text))]


def ascii_json(text: str) -> str:
    """JSON that says the same in ASCII alone.

    >>> ascii_json('"√ 𝑥"')
    '"\\\\u221a \\\\ud835\\\\udc65"'
    """
    return re.sub("[^\x00-\x7f]+", lambda match: json.dumps(match[0])[1:-1], text)


def cells(text: str) -> int:
    """Terminal cells that `text` fills: two for wide characters, none for combining ones."""
    return len(text) if text.isascii() else sum(map(_cells, text))


@lru_cache(4096)
def _cells(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
