"""Shown: a person who watches sees how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Shown(Protocol):
    """Wraps so many things as they are made, each of which counts for so many, by `size`, or for one."""

    def __call__(self, things: Iterable[T], count: int, size: Callable[[T], int] = ..., /) -> Iterable[T]: ...


def unseen(things: Iterable[T], _: int, __: Callable[[T], int] = lambda _: 1, /) -> Iterable[T]:
    """The things, while nobody watches."""
    return things
