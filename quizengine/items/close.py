"""The only place where two numbers meet: exact, on sealed integers.

A key is sealed as an integer of 10⁻⁹: no float decides a mark.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

SEAL = 10**9
_MANY = 2**14  # texts to be remembered: the numbers of one class come again and again
Sealed: TypeAlias = tuple[tuple[int, ...], ...]  # (rows, columns); one number is ((x,),)


def seal(value: Fraction | float) -> int:
    """`value` in units of 10⁻⁹, ties to even.

    >>> seal(Fraction(1, 7)), seal(0.125)
    (142857143, 125000000)
    """
    above, below = value.as_integer_ratio()
    return nearest(above * SEAL, below)


def nearest(above: int, below: int) -> int:
    """The whole number nearest to above/below, ties to even: sooner than by a Fraction in lowest terms.

    >>> nearest(5, 2), nearest(7, 2), nearest(-8, 3)
    (2, 4, -3)
    """
    whole, rest = divmod(above, below)
    return whole + (2 * rest > below or (2 * rest == below and whole % 2))


def number(written: float | str) -> Fraction:
    """A number of a file, exactly as it is written there. Raises ValueError.

    >>> number(0.1), number("1/3")
    (Fraction(1, 10), Fraction(1, 3))
    """
    return Fraction(str(written))


def unit(decimals: int) -> Fraction:
    """One unit of the asked decimal, in sealed units; a whole number is counted, not rounded."""
    return Fraction(SEAL, 10**decimals) if decimals else Fraction(0)


def close(units: int | Fraction, key: int, tolerance: int | Fraction) -> bool:
    """Is a number, in sealed units, within `tolerance` (the same) of the sealed `key`? The edge counts.

    >>> close(126_000_000, seal(0.125), Fraction(101, 100) * unit(3))
    True
    """
    return -tolerance <= units - key <= tolerance


@lru_cache(_MANY)
def sealed_text(key: int) -> str:
    """The sealed number as a decimal, without trailing zeros: `mark` accepts it as it stands.

    >>> sealed_text(-125000000), sealed_text(4 * SEAL)
    ('-0.125', '4')
    """
    sign, digits = "-" if key < 0 else "", f"{abs(key):010d}"
    return f"{sign}{digits[:-9]}.{digits[-9:]}".rstrip("0").rstrip(".")


@lru_cache(_MANY)
def rounded_text(key: int, decimals: int) -> str:
    """The sealed number to `decimals` places, half away from zero, as a printed key shows it.

    >>> rounded_text(2_675_000_000, 2), rounded_text(-400_000, 3), rounded_text(7 * SEAL, 0)
    ('2.68', '0.000', '7')
    """
    step = 10 ** (9 - decimals)
    whole = (abs(key) + step // 2) // step
    sign = "-" if key < 0 and whole else ""
    digits = f"{whole:0{decimals + 1}d}"
    return sign + (f"{digits[:-decimals]}.{digits[-decimals:]}" if decimals else digits)
