"""Numbers as learners type them: decimals, exponents, fractions, percent; other exact forms are read in
`exact`. Exact, never a float."""

from __future__ import annotations

import re
from fractions import Fraction

from quizengine.lang.characters import plain
from quizengine.responses.exact import MAX_EXPONENT, MAX_VALUE, SUPERSCRIPTS, read_exact
from quizengine.responses.response import CannotRead, Number

MAX_LENGTH = 60
_DECIMAL = re.compile(r"([-+]?)\s*(\d*)(?:[.](\d*))?(?:[eE]([-+]?\d{1,4}))?\s*(%?)")
_FRACTION = re.compile(r"([-+]?)\s*(\d+)\s*/\s*(\d+)")
_COMMA = re.compile(r"([-+]?)(\d+),(\d+)")
_GROUPS = re.compile(r"[-+]?\d{1,3}(?:,\d{3}|(?: \d{3}))+")
_SCIENTIFIC = re.compile(
    r"([-+]?(?:\d+(?:\.\d*)?|\.\d+))\s*(?:[x*·⋅]|\\times|\\cdot)\s*10\s*"
    r"(?:(?:\^|\*\*)\s*(?:\(([-+]?\d{1,4})\)|\{([-+]?\d{1,4})\}|([-+]?\d{1,4}))|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4}))"
)
_WRAPPED = re.compile(r"\$+(.*?)\$+|\\\((.*)\\\)")
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(,\d{3}){2,}(\.\d*)?|[-+]?\d{1,3}(,\d{3})+\.\d*")


def read_number(text: str, at: int = 0, *, whole: bool = False, mixed: bool = True) -> Number:
    """The number that `text` writes; `at` is where it stands in the whole answer. Where a whole
    number is asked, commas or blanks between groups of three can only part thousands. `mixed`: is
    “1 1/2” one number?

    Raises CannotRead, which names the character.

    >>> read_number("−０．１２５")
    Number(value=Fraction(-1, 8), decimals=3)
    >>> read_number("1/3"), read_number("0,25").decimals
    (Number(value=Fraction(1, 3), decimals=None), 2)
    """
    at += len(text) - len(text.lstrip())
    typed = plain(text.replace("×", "*")).strip()
    if len(typed) > MAX_LENGTH:
        raise CannotRead("too-long", at, limit=MAX_LENGTH)
    if match := _WRAPPED.fullmatch(typed):
        inner = match[1] or match[2] or ""
        at, typed = at + typed.index(inner), inner.strip()
    typed = _pointed(typed, text.strip(), at, whole=whole)
    if match := _FRACTION.fullmatch(typed):
        if not int(match[3]):
            raise CannotRead("zero-denominator", at, text=text.strip())
        return _checked(Number(Fraction(int(match[1] + match[2]), int(match[3])), None), at)
    if match := _SCIENTIFIC.fullmatch(typed):
        power = next(filter(None, match.groups()[1:]))
        typed = f"{match[1]}e{power.translate(SUPERSCRIPTS)}"
    if (match := _DECIMAL.fullmatch(typed)) and (match[2] or match[3]):
        return _checked(_decimal(match, at), at)
    return _checked(Number(_exact(typed, text.strip(), at, mixed=mixed), None), at)


def _pointed(typed: str, shown: str, at: int, *, whole: bool) -> str:
    """The text with its decimal comma as a point, and without commas that part thousands."""
    if _THOUSANDS.fullmatch(typed) or (whole and _GROUPS.fullmatch(typed)):
        return typed.replace(",", "").replace(" ", "")
    match = _COMMA.fullmatch(typed)
    if not match:
        return typed
    sign, before, decimals = match.groups()
    if len(decimals) == 3 and 0 < len(before) <= 3 and before[0] != "0":
        point, none = f"{sign}{before}.{decimals}", f"{sign}{before}{decimals}"
        raise CannotRead("comma", at, text=shown, point=point, none=none)
    return f"{sign}{before}.{decimals}"


def _exact(typed: str, shown: str, at: int, *, mixed: bool) -> Fraction:
    def refuse(place: int) -> CannotRead:
        place = max(0, min(place, len(typed) - 1))
        return CannotRead("number", place, character=typed[place : place + 1])

    try:
        return read_exact(typed, refuse, mixed=mixed)
    except CannotRead as cannot:
        code, place, values = cannot.reading
        raise CannotRead(code, at + place, **{"text": shown, **values}) from None


def _decimal(match: re.Match[str], at: int) -> Number:
    sign, whole, after, exponent, percent = match.groups()
    power = int(exponent or 0)
    if abs(power) > MAX_EXPONENT:
        raise CannotRead("too-large", at)
    digits = Fraction(int(sign + (whole or "0") + (after or "")), 10 ** len(after or ""))
    value = digits * Fraction(10) ** power
    if percent:
        return Number(value / 100, len(after or "") - power + 2)
    return Number(value, max(0, len(after or "") - power))


def _checked(number: Number, at: int) -> Number:
    if abs(number.value) > MAX_VALUE:
        raise CannotRead("too-large", at)
    return number
