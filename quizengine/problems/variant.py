"""A variant: the first draw of a seed that is fair."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from quizengine.attention.stage import Array
from quizengine.errors import PosingError, UnknownName, UsageError
from quizengine.items.answer import Ask, Numeric
from quizengine.items.catalogue import Catalogue
from quizengine.problems.dice import Dice
from quizengine.problems.distinct import candidates, classes, parts_of_worlds, unfairness
from quizengine.problems.families import CHOICES, FAMILIES, POSED
from quizengine.problems.families.family import Drawn, Family, Sizes

DRAWS = 400


@dataclass(frozen=True)
class Variant:
    """A draw that passed its proof. `values[part][world]` are the answers, (rows, columns), world 0 the key's
    and world n that of the n-th of the `ids`, after which those stand that have no name;
    `groups[part][world]` names the class of each world by its first member; `draws` counts those it took."""

    family: Family
    drawn: Drawn
    asks: tuple[Ask, ...]
    ids: tuple[str, ...]
    values: list[Array]
    groups: tuple[tuple[int, ...], ...]
    draws: int


def sized(item_id: str, answer: Numeric, seed: int) -> tuple[Sizes, tuple[Ask, ...]]:
    """How large the arrays of this seed are, and what is asked of them: that tells how much work they are.

    Raises UnknownName for a family that there is not, UsageError for what it cannot ask.
    """
    if answer.family not in FAMILIES:
        raise UnknownName("family", answer.family, [*FAMILIES, *CHOICES, *POSED])
    family = FAMILIES[answer.family]
    try:
        dice = Dice("sizes", item_id, seed)
        sizes = family.sized(answer.ranges, dice)
        return sizes, family.asked(answer.ask, sizes, dice)
    except UsageError as error:
        raise UsageError(f"{item_id}: {error.message}") from None


def fair_variant(item_id: str, answer: Numeric, seed: int, catalogue: Catalogue) -> Variant:
    """The first fair draw of this seed.

    Raises as `sized` does, and PosingError where no draw is fair.
    """
    sizes, asks = sized(item_id, answer, seed)
    ids = candidates(catalogue, FAMILIES[answer.family], sizes)
    return _fair(item_id, seed, answer.family, tuple(sizes.items()), asks, ids)


@lru_cache(64)  # a sheet in two languages asks for each variant twice
def _fair(
    item_id: str,
    seed: int,
    name: str,
    named_sizes: tuple[tuple[str, int], ...],
    asks: tuple[Ask, ...],
    ids: tuple[str, ...],
) -> Variant:
    family, sizes = FAMILIES[name], dict(named_sizes)
    rows = tuple(sorted({row for ask in asks for row in ask.rows}))
    groups = classes(family, sizes, ids, asks)
    for draw in range(DRAWS):
        drawn = family.draw(Dice("pose", item_id, seed, draw), sizes, rows)
        if drawn is None:
            continue
        values = parts_of_worlds(family, drawn.inputs, ids, asks)
        if not unfairness(family, drawn, asks, ids, values, groups):
            return Variant(family, drawn, asks, ids, values, groups, draw + 1)
    raise PosingError(f"{item_id}: no fair variant in {DRAWS} draws for seed {seed}")
