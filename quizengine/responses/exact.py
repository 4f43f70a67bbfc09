"""Exact forms of a number: powers, roots, logarithms, mixed numbers, LaTeX. Never `eval`.

    sum     = signed, and within brackets “+” or “-” product
    signed  = [sign] product
    product = power, then “*” power, “/” power, or a power that needs no sign before it (2 ln 2)
    power   = atom, then “^” or “**” and an exponent, or superscripts
    atom    = digits, a mixed number, (sum), a function of an atom, e, π, or a LaTeX fraction

What can be read in two ways, such as ln 1/2 or 1/2 ln 2, is refused, and so is a sum outside brackets:
0.3–0.4 may be a range, 1 -2 two cells. Irrational values are worked
out to 50 digits, so that no rounding of ours can reach a mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction
from math import isqrt

from quizengine.responses.response import CannotRead

MAX_DEPTH, MAX_BITS, MAX_EXPONENT = 8, 4000, 30
MAX_VALUE, MAX_POWER = Fraction(10) ** 30, 200  # of a value; of e, for an exponential
_EXACTLY = Context(prec=50)
_PI = Fraction("3.14159265358979323846264338327950288419716939937510582")
_GLYPHS = {g: Fraction(*f) for g, f in zip("½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒", (
    (1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (1, 5), (2, 5), (3, 5), (4, 5), (1, 6), (5, 6), (1, 7),
    (1, 8), (3, 8), (5, 8), (7, 8), (1, 9), (1, 10),
), strict=True)}  # fmt: skip
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SPACE = re.compile(r"(?:\s|\\[,;! ]|\\left(?![a-z])|\\right(?![a-z]))*")
_DIGITS = re.compile(r"(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,4})?")
_MIXED = re.compile(r"\s+(\d+)/(\d+)(?![\d./^*])")
_RAISED = re.compile(r"[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_LIBRARY = r"(?:np|numpy|jnp|math|torch)\."
_LOG2 = re.compile(rf"(?:\\|{_LIBRARY})?log(?:_?2|_\{{2\}}|₂)")
_NAME = re.compile(rf"(?:\\|{_LIBRARY})?[A-Za-z]+|[√π]")
_FRAC = re.compile(r"\\[dt]?frac")
_UNSIGNED = re.compile(
    r"√|π|\\?(?:sqrt|ln|exp|pi)(?![a-z])|\\?log(?=[_2₂])|e(?=\s*(?:\^|\*\*|[⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹]))|\\[dt]?frac"
)
_SIGN = re.compile(r"[-+]")
_TIMES = re.compile(r"\*(?!\*)|[·⋅]|\\(?:times|cdot)(?![a-z])")


def read_exact(typed: str, refuse: Callable[[int], CannotRead], *, mixed: bool) -> Fraction:
    """The value of `typed`, which stands in plain characters. `refuse(at)` makes the error for a
    character that does not belong; `mixed` allows “1 1/2”. Raises CannotRead, places counted in `typed`."""
    form = _Form(typed, refuse, mixed)
    value = form.signed()
    if form.take(re.compile("%")):
        value /= 100
    if form.next(_SIGN):
        raise CannotRead("sum", form.spaced())
    if form.spaced() < len(typed):
        raise refuse(form.spaced())
    return value


class _Form:
    def __init__(self, typed: str, refuse: Callable[[int], CannotRead], mixed: bool):
        self.typed, self.refuse, self.mixed = typed, refuse, mixed
        self.at = self.depth = 0

    def take(self, pattern: re.Pattern[str]) -> str:
        """What the pattern matches after any space, passed over; empty when it does not."""
        match = pattern.match(self.typed, self.spaced())
        if match is None:
            return ""
        self.at = match.end()
        return match.group()

    def signed(self) -> Fraction:
        sign = self.take(_SIGN)
        value = self._product()
        return -value if sign == "-" else value

    def _sum(self) -> Fraction:
        value = self.signed()
        while sign := self.take(_SIGN):
            term = self._product()
            value += -term if sign == "-" else term
        return value

    def spaced(self) -> int:
        """Where the next thing stands."""
        match = _SPACE.match(self.typed, self.at)
        return match.end() if match else self.at

    def next(self, pattern: re.Pattern[str]) -> bool:
        """Does the pattern match what comes next?"""
        return pattern.match(self.typed, self.spaced()) is not None

    def _product(self) -> Fraction:
        value, divided = self._power(), False
        while True:
            bracket = self.typed.startswith("(", self.at)  # without a space: 2(3), but not 0.5 (1/2)
            place = self.spaced()
            if self.take(_TIMES):
                value *= self._power()
            elif self.take(re.compile("/")):
                divisor, divided = self._power(), True
                if not divisor:
                    raise CannotRead("zero-denominator", place, text=self.typed)
                value /= divisor
            elif bracket or self.next(_UNSIGNED):
                if divided:
                    raise CannotRead("ambiguous", place)
                value *= self._power()
            else:
                return value
            if abs(value) > MAX_VALUE:
                raise CannotRead("too-large", place)

    def _power(self) -> Fraction:
        base = self._atom()
        place = self.spaced()
        if self.take(re.compile(r"\^|\*\*")):
            return _raised(base, self._exponent(), place)
        if raised := self.take(_RAISED):
            return _raised(base, Fraction(raised.translate(SUPERSCRIPTS)), place)
        return base

    def _exponent(self) -> Fraction:
        if self.next(re.compile(r"[{(]")):
            return self._argument() if self.typed[self.spaced()] == "{" else self._power()
        sign = self.take(_SIGN)
        value = self._power()
        if self.typed.startswith("/", self.at):
            raise CannotRead("ambiguous", self.at)
        return -value if sign == "-" else value

    def _atom(self) -> Fraction:
        place = self.at = self.spaced()
        if self.next(re.compile(r"\(")):
            return self._bracketed("(", ")")
        if digits := self.take(_DIGITS):
            if abs(int(digits.lower().partition("e")[2] or 0)) > MAX_EXPONENT:
                raise CannotRead("too-large", place)
            return self._after_digits(digits)
        glyph = self.typed[place : place + 1]
        if glyph in _GLYPHS:
            self.at += 1
            return _GLYPHS[glyph]
        return self._named(place)

    def _named(self, place: int) -> Fraction:
        """A function, a constant or a LaTeX fraction."""
        if self.take(_FRAC):
            above, below = self._argument(), self._argument()
            if not below:
                raise CannotRead("zero-denominator", place, text=self.typed)
            return above / below
        if self.take(_LOG2):
            if self.typed[self.at : self.at + 1].isdigit():
                raise CannotRead("ambiguous", self.at)  # log28: of 8 to base 2, or of 28?
            return self._function(_log2, place)
        library, _, name = self.take(_NAME).removeprefix("\\").rpartition(".")
        if name == "log":
            if not library:
                raise CannotRead("log-base", place)
            name = "ln"  # a library's log is the natural one
        if name in ("π", "pi", "e"):
            return _PI if name != "e" else _exp(Fraction(1), place)
        if name.lower() not in _FUNCTIONS:
            self.at = place
            raise self.refuse(place)
        return self._function(_FUNCTIONS[name.lower()], place)

    def _after_digits(self, digits: str) -> Fraction:
        """The digits, or the mixed number that they begin."""
        value = Fraction(digits)
        if not digits.isdigit():
            return value
        glyph = self.typed[self.at : self.at + 1]
        if glyph in _GLYPHS:
            self.at += 1
            return value + _GLYPHS[glyph]
        if _FRAC.match(self.typed, self.at):
            return value + self._atom()
        match = _MIXED.match(self.typed, self.at) if self.mixed else None
        if match and int(match[1]) < int(match[2]):
            self.at = match.end()
            return value + Fraction(int(match[1]), int(match[2]))
        return value

    def _function(self, function: Callable[[Fraction, int], Fraction], place: int) -> Fraction:
        """Of what stands in brackets, or of the atom after it if nothing else could be meant."""
        if self.next(re.compile(r"[({]")):
            return function(self._argument(), place)
        argument = self._atom()
        after = self.spaced()
        close = self.typed[self.at : self.at + 1]
        root = function is _root
        if self.next(re.compile(rf"\^|\*\*|{_RAISED.pattern}|{_UNSIGNED.pattern}")) or (
            not root and (close in ("/", "(") or self.next(_TIMES))
        ):
            raise CannotRead("ambiguous", after)
        if root and close == "/" and isqrt(argument.numerator) ** 2 == argument.numerator:
            raise CannotRead("ambiguous", after)  # √9/16: nobody writes a root of 9 for 3
        return function(argument, place)

    def _argument(self) -> Fraction:
        """What stands in {…} or (…), or a single digit, as LaTeX allows."""
        if self.next(re.compile(r"\{")):
            return self._bracketed("{", "}")
        if self.next(re.compile(r"\(")):
            return self._bracketed("(", ")")
        if digit := self.take(re.compile(r"\d")):
            return Fraction(digit)
        raise self.refuse(self.spaced())

    def _bracketed(self, opening: str, closing: str) -> Fraction:
        place = self.spaced()
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise CannotRead("too-nested", place)
        self.at = place + 1
        value = self._sum()
        if not self.take(re.compile(re.escape(closing))):
            if self.spaced() == len(self.typed):
                raise CannotRead("unclosed", place, character=opening)
            raise self.refuse(self.spaced())
        self.depth -= 1
        return value


def _raised(base: Fraction, exponent: Fraction, place: int) -> Fraction:
    if not base and exponent < 0:
        raise CannotRead("zero-denominator", place, text=f"{base}^{exponent}")
    if exponent.denominator == 1:
        bits = max(base.numerator.bit_length(), base.denominator.bit_length())
        value = base if base in (0, 1) and exponent else None
        if value is None:
            if bits * abs(exponent.numerator) > MAX_BITS:
                raise CannotRead("too-large", place)
            value = base**exponent.numerator
    elif base < 0:
        raise CannotRead("root", place)
    elif exponent == Fraction(1, 2):
        value = _root(base, place)
    else:
        value = _exp(exponent * _ln(base, place), place) if base else Fraction(0)
    if abs(value) > MAX_VALUE:
        raise CannotRead("too-large", place)
    return value


def _root(value: Fraction, place: int) -> Fraction:
    if value < 0:
        raise CannotRead("root", place)
    above, below = isqrt(value.numerator), isqrt(value.denominator)
    if above**2 == value.numerator and below**2 == value.denominator:
        return Fraction(above, below)
    return Fraction(_decimal(value).sqrt(_EXACTLY))


def _ln(value: Fraction, place: int) -> Fraction:
    if value <= 0:
        raise CannotRead("logarithm", place)
    return Fraction(_decimal(value).ln(_EXACTLY))


def _log2(value: Fraction, place: int) -> Fraction:
    if value <= 0:
        raise CannotRead("logarithm", place)
    power = value.numerator.bit_length() - value.denominator.bit_length()
    if value == Fraction(2) ** power:
        return Fraction(power)
    return _ln(value, place) / _ln(Fraction(2), place)


def _exp(value: Fraction, place: int) -> Fraction:
    if abs(value) > MAX_POWER:
        raise CannotRead("too-large", place)
    return Fraction(_decimal(value).exp(_EXACTLY))


def _decimal(value: Fraction) -> Decimal:
    return _EXACTLY.divide(Decimal(value.numerator), Decimal(value.denominator))


_FUNCTIONS = {"√": _root, "sqrt": _root, "ln": _ln, "exp": _exp}
