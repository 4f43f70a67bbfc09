"""A code: what stands on a sheet instead of a name. Its last sign checks the others."""

from __future__ import annotations

import hmac
from collections.abc import Container

ALPHABET = "23456789ABCDEFGHJKLMNPQRTVWXY"  # 29 signs, a prime; none looks like another
_LENGTH = 5


def code_of(secret: bytes, student: str, taken: Container[str]) -> str:
    """A sheet's code: drawn from the secret and the student, unlike those taken."""
    attempt = 0
    while True:
        digest = hmac.digest(secret, f"code {attempt} {student}".encode(), "sha256")
        number = int.from_bytes(digest[:8], "big")
        digits = [number // len(ALPHABET) ** i % len(ALPHABET) for i in range(_LENGTH - 1)]
        code = "".join(ALPHABET[d] for d in digits) + ALPHABET[_check(digits)]
        if code not in taken:
            return code
        attempt += 1


def is_code(text: str) -> bool:
    """Does the check sign fit?"""
    if len(text) != _LENGTH or any(sign not in ALPHABET for sign in text):
        return False
    digits = [ALPHABET.index(sign) for sign in text]
    return _check(digits[:-1]) == digits[-1]


def _check(digits: list[int]) -> int:
    return sum(weight * digit for weight, digit in enumerate(digits, 2)) % len(ALPHABET)
