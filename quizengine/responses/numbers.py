"""Numbers as learners type them: decimals, exponents, fractions, percent. Exact, never a float."""

from __future__ import annotations

import re
from fractions import Fraction

from quizengine.lang.characters import plain
from quizengine.responses.response import CannotRead, Number

MAX_LENGTH, MAX_MAGNITUDE, MAX_EXPONENT = 60, Fraction(10) ** 30, 30
_DECIMAL = re.compile(r"([-+]?)\s*(\d*)(?:[.](\d*))?(?:[eE]([-+]?\d{1,4}))?\s*(%?)")
_FRACTION = re.compile(r"([-+]?)\s*(\d+)\s*/\s*(\d+)")
_COMMA = re.compile(r"([-+]?)(\d+),(\d+)")
_GROUPS = re.compile(r"[-+]?\d{1,3}(?:,\d{3}|(?: \d{3}))+")
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(,\d{3}){2,}(\.\d*)?|[-+]?\d{1,3}(,\d{3})+\.\d*")


def read_number(text: str, at: int = 0, *, whole: bool = False) -> Number:
    """The number that `text` writes; `at` is where it stands in the whole answer. Where a whole
    number is asked, commas or blanks between groups of three can only part thousands.

    Raises CannotRead, which names the character.

    >>> read_number("−０．１２５")
    Number(value=Fraction(-1, 8), decimals=3)
    >>> read_number("1/3"), read_number("0,25").decimals
    (Number(value=Fraction(1, 3), decimals=None), 2)
    """
    at += len(text) - len(text.lstrip())
    typed = plain(text).strip()
    if len(typed) > MAX_LENGTH:
        raise CannotRead("too-long", at, limit=MAX_LENGTH)
    if _THOUSANDS.fullmatch(typed) or (whole and _GROUPS.fullmatch(typed)):
        typed = typed.replace(",", "").replace(" ", "")
    if match := _COMMA.fullmatch(typed):
        sign, before, decimals = match.groups()
        if len(decimals) == 3 and 0 < len(before) <= 3 and before[0] != "0":
            raise CannotRead(
                "comma",
                at,
                text=text.strip(),
                point=f"{sign}{before}.{decimals}",
                none=f"{sign}{before}{decimals}",
            )
        typed = f"{sign}{before}.{decimals}"
    if match := _FRACTION.fullmatch(typed):
        if not int(match[3]):
            raise CannotRead("zero-denominator", at, text=text.strip())
        return _checked(Number(Fraction(int(match[1] + match[2]), int(match[3])), None), at)
    match = _DECIMAL.match(typed)
    if not match or not (match[2] or match[3]) or match.end() < len(typed):
        raise _unexpected(typed, text.strip(), match, at)
    return _checked(_decimal(match, at), at)


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
    if abs(number.value) > MAX_MAGNITUDE:
        raise CannotRead("too-large", at)
    return number


def _unexpected(typed: str, shown: str, match: re.Match[str] | None, at: int) -> CannotRead:
    """Which character could not be read as part of a number."""
    end = match.end() if match and (match[2] or match[3]) else 0
    while end < len(typed) and typed[end] in " +-" and end == 0:
        end += 1
    end = min(end, len(typed) - 1)
    character = shown[end] if end < len(shown) else typed[end] if typed else ""
    return CannotRead("number", at + max(end, 0), text=shown, character=character)
