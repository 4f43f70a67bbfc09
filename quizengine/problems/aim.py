"""Aiming: queries are to be found that give their weight to keys of one's choice. A drawn task of
construction; all in integers, so that it waits for no numpy as the families do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import exp, sqrt

from quizengine.errors import PosingError, UnknownName, UsageError
from quizengine.items.answer import Construct, Requirement
from quizengine.items.close import SEAL
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.problems.dice import Dice

SIZES: Mapping[str, tuple[int, ...]] = {"n": (3, 4), "percent": (80, 90, 95)}
CONSTRUCTIONS = ("aim",)
WIDTH, DRAWS = 4, 400  # √4 is a whole number
# By how much q·k of the one key must exceed that of every other, so that its weight is the percent of n
_AHEAD = {(3, 80): 5, (4, 80): 6, (3, 90): 6, (4, 90): 7, (3, 95): 8, (4, 95): 9}
_REACH = range(-2, 3)
_Row = tuple[int, ...]


def aimed(item_id: str, answer: Construct, dice: Dice, lang: Lang) -> tuple[Construct, str, list[str]]:
    """The drawn task, its prompt and its worked solution. Raises UnknownName, UsageError for what cannot be
    drawn, PosingError where the dice find no keys worth aiming at."""
    if answer.family not in CONSTRUCTIONS:
        raise UnknownName("family", answer.family, CONSTRUCTIONS)
    n, percent = (dice.pick(_possible(item_id, answer, name)) for name in SIZES)
    for _ in range(DRAWS):
        keys = [tuple(dice.between(-2, 2) for _ in range(WIDTH)) for _ in range(n)]
        hidden = [row for row in range(n) if _is_outdone(keys, row)]
        if len(set(keys)) < n or not any(map(any, keys)) or not hidden:
            continue
        first = dice.pick(hidden)
        second = dice.pick([row for row in range(n) if row != first])
        queries = [_query(keys, row, _AHEAD[n, percent]) for row in (first, second)]
        if all(queries):
            return _task(keys, (first, second), queries, percent, lang)
    raise PosingError(f"{item_id}: no keys worth aiming at in {DRAWS} draws")


def _possible(item_id: str, answer: Construct, name: str) -> tuple[int, ...]:
    """The values that this item leaves a size."""
    if unknown := set(answer.ranges) - set(SIZES):
        raise UsageError(f"{item_id}: family aim has no “{min(unknown)}”; it has: {', '.join(SIZES)}")
    wanted = answer.ranges.get(name, (0, 100))
    low, high = wanted if isinstance(wanted, tuple) else (wanted, wanted)
    if found := tuple(size for size in SIZES[name] if low <= size <= high):
        return found
    raise UsageError(f"{item_id}: family aim: {name} must be one of {', '.join(map(str, SIZES[name]))}")


def _dot(a: Sequence[int], b: Sequence[int]) -> int:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _is_outdone(keys: Sequence[_Row], row: int) -> bool:
    """Does another key have as large a product with this one as it has itself? Then copying it, however often
    enlarged, does not aim at it."""
    own = keys[row]
    return any(_dot(own, other) >= _dot(own, own) for n, other in enumerate(keys) if n != row)


def _query(keys: Sequence[_Row], row: int, ahead: int) -> _Row:
    """The smallest query that is so far ahead with this key; empty where no small one is."""
    best: _Row = ()
    others = [
        tuple(a - b for a, b in zip(keys[row], other, strict=True)) for other in keys if other != keys[row]
    ]
    for direction in product(_REACH, repeat=WIDTH):
        if all(_dot(direction, other) > 0 for other in others):
            times = -(-ahead // min(_dot(direction, other) for other in others))
            query = tuple(times * x for x in direction)
            if not best or _dot(query, query) < _dot(best, best):
                best = query
    return best


def _task(
    keys: Sequence[_Row], targets: tuple[int, int], queries: Sequence[_Row], percent: int, lang: Lang
) -> tuple[Construct, str, list[str]]:
    share = ((percent * SEAL // 100,),)
    require = tuple(
        Requirement("weights", "at-least", share, query, target + 1)
        for query, target in enumerate(targets, 1)
    )
    first, second = (target + 1 for target in targets)
    answer = Construct(
        "Q",
        (2, WIDTH),
        {"K": [list(map(float, key)) for key in keys]},
        require,
        tuple(tuple(x * SEAL for x in query) for query in queries),
    )
    least = f"{float(Fraction(percent, 100)):g}"
    worked = []
    for number, (query, target) in enumerate(zip(queries, targets, strict=True), 1):
        dots = [_dot(query, key) for key in keys]
        told = {
            "numbers": ", ".join(str(x).replace("-", "−") for x in query),
            "dots": ", ".join(str(dot).replace("-", "−") for dot in dots),
            "root": f"{sqrt(WIDTH):g}",
            "key": target + 1,
            "weight": f"{1 / sum(exp((dot - dots[target]) / sqrt(WIDTH)) for dot in dots):.3f}",
        }
        worked.append(t(lang, "worked.aim", row=number, **told))
    return answer, t(lang, "family.aim", n=len(keys), first=first, second=second, least=least), worked
