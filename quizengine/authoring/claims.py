"""Claims: the numbers that an item states, worked out again by the engine's own functions.

    claim    = sum “=” number, or a list of numbers
    sum      = product, then “+” or “-” product …
    product  = power, then “*” or “/” power …
    power    = [“-”] atom, then “^” power
    atom     = number, (sum), [sum, …], or a name from a closed list with (sum, …)

Nothing here executes what a bank holds.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import numpy as np

from quizengine.attention.stage import Array, softmax

_TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?|[a-z]\w*|[-+*/^(),\[\]])")
MOST = 1e300
Value = Array | np.float64
FUNCTIONS: dict[str, Callable[..., Value]] = {
    "sqrt": np.sqrt,
    "exp": np.exp,
    "ln": np.log,
    "log2": np.log2,
    "tanh": np.tanh,
    "floor": np.floor,
    "softmax": softmax,
    "dot": np.dot,
    "mix": np.dot,  # weights and values
    "mean": np.mean,
}


class BadClaim(ValueError):
    """A claim that cannot be worked out."""


def wrong_claim(claim: str) -> str:
    """What is wrong with the claim, in a sentence; empty when it holds to the digits it states.

    >>> wrong_claim("softmax([1, 0]) = [0.731, 0.269]"), wrong_claim("2 * 3 = 7")
    ('', 'comes to 6')
    """
    left, equals, right = claim.rpartition("=")
    try:
        if not equals:
            raise BadClaim("has no “=”")
        with np.errstate(all="ignore"):
            value = np.atleast_1d(np.asarray(_Reader(left).whole(), dtype=float))
    except BadClaim as bad:
        return str(bad)
    except (ValueError, TypeError):
        return "does not fit together: lists of different lengths, or a wrong number of arguments"
    stated = [text.strip() for text in right.strip().removeprefix("[").removesuffix("]").split(",")]
    if not all(re.fullmatch(r"-?\d+(?:\.\d+)?", text) for text in stated):
        return "states no plain number after “=”"
    if value.shape != (len(stated),):
        return f"comes to {value.size} numbers"
    halves = [0.5 * 10.0 ** -len(text.partition(".")[2]) * 1.000001 for text in stated]
    if all(abs(v - float(text)) <= half for v, text, half in zip(value, stated, halves, strict=True)):
        return ""
    return f"comes to {', '.join(f'{v:.6g}' for v in value)}"


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        at = 0
        while at < len(text.rstrip()):
            match = _TOKEN.match(text, at)
            if match is None:
                raise BadClaim(f"has “{text[at:].strip()[:1]}”, which is no part of a claim")
            self.tokens.append(match[1])
            at = match.end()
        self.at = 0

    def whole(self) -> Value:
        value = self._sum()
        if self.at < len(self.tokens):
            raise BadClaim(f"has “{self.tokens[self.at]}” where it should end")
        return value

    def _next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _take(self, *wanted: str) -> str:
        token = self._next()
        if token in wanted:
            self.at += 1
            return token
        return ""

    def _sum(self) -> Value:
        value = self._product()
        while sign := self._take("+", "-"):
            other = self._product()
            value = value + other if sign == "+" else value - other
        return value

    def _product(self) -> Value:
        value = self._power()
        while sign := self._take("*", "/"):
            other = self._power()
            value = value * other if sign == "*" else value / other
        return value

    def _power(self) -> Value:
        if self._take("-"):
            return -self._power()
        base = self._atom()
        if self._take("^"):
            exponent = self._power()
            if not -MOST < math.log(abs(float(base)) or 1.0) * float(exponent) < math.log(MOST):
                raise BadClaim("has too large a power")
            return base**exponent
        return base

    def _atom(self) -> Value:
        token = self._next()
        self.at += 1
        if token[:1].isdigit():
            return np.float64(token)
        if token == "(":
            return self._closed(")")[0]
        if token == "[":
            return np.array(self._closed("]"), dtype=float)
        if token in FUNCTIONS and self._take("("):
            return FUNCTIONS[token](*self._closed(")"))
        known = ", ".join(FUNCTIONS)
        raise BadClaim(f"has “{token}”, which is not known here: {known}" if token else "ends too early")

    def _closed(self, end: str) -> list[Value]:
        values = [self._sum()]
        while self._take(","):
            values.append(self._sum())
        if not self._take(end):
            raise BadClaim(f"lacks a “{end}”")
        return values
