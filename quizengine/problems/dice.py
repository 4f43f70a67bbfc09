"""Chance: the only source of it in a problem, the same on every machine for ever.

Words come from SHA-256 over labels and a counter; ranges by rejection, so every outcome is
equally likely. No floats, no library generator. A new scheme is a new name, never an edit.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import islice
from struct import unpack
from typing import TypeVar

T = TypeVar("T")
SCHEME = "quizengine-dice-1"
WORDS = 2**64  # as many there are
SEED_BITS = 53  # a seed passes through JSON as a number


class Dice:
    """A stream of draws named by labels; equal labels give equal draws.

    >>> dice = Dice("example", 7)
    >>> [dice.between(1, 6) for _ in range(5)], dice.shuffled("abcd")
    ([6, 1, 4, 5, 1], ['a', 'b', 'd', 'c'])
    """

    def __init__(self, *labels: str | int):
        parts = [str(label).encode() for label in (SCHEME, *labels)]
        self._key = hashlib.sha256(b"".join(b"%d:%s" % (len(p), p) for p in parts)).digest()
        self._words = self._stream()

    def _stream(self) -> Iterator[int]:
        block = 0
        while True:
            yield from unpack(">4Q", hashlib.sha256(self._key + block.to_bytes(8, "big")).digest())
            block += 1

    def below(self, n: int) -> int:
        """An integer from 0 to n − 1, each equally likely (n at most 2⁶⁴)."""
        limit = WORDS - WORDS % n
        while (word := next(self._words)) >= limit:
            pass
        return word % n

    def many_below(self, n: int, count: int) -> list[int]:
        """So many integers from 0 to n − 1, as `below` gives them one after the other."""
        limit = WORDS - WORDS % n
        found = [word % n for word in islice(self._words, count) if word < limit]
        return [*found, *(self.below(n) for _ in range(count - len(found)))]

    def between(self, low: int, high: int) -> int:
        """An integer from low to high, both included."""
        return low + self.below(high - low + 1)

    def pick(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.below(len(options))]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """All options in a random order."""
        order = list(options)
        for i in range(len(order) - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order


def seed_of(*labels: str | int) -> int:
    """A seed drawn from labels: a session's n-th problem, say."""
    return Dice("seed", *labels).below(2**SEED_BITS)


def exam_seed(secret: bytes, student: str, item: str) -> int:
    """A seed that nobody without the exam's secret can compute."""
    parts = (SCHEME.encode(), student.encode(), item.encode())
    message = b"".join(b"%d:%s" % (len(p), p) for p in parts)
    return int.from_bytes(hmac.digest(secret, message, "sha256")[:8], "big") >> (64 - SEED_BITS)
