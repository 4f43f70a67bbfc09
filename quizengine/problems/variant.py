"""A variant: the first draw of a seed that is fair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from quizengine.attention.stage import Array
from quizengine.errors import PosingError, QuizError, UnknownName, UsageError
from quizengine.items.answer import Ask, Numeric
from quizengine.items.catalogue import Catalogue
from quizengine.items.close import Sealed
from quizengine.problems.dice import Dice
from quizengine.problems.distinct import candidates, classes, fair, parts_of_worlds
from quizengine.problems.families import CHOICES, FAMILIES, POSED
from quizengine.problems.families.family import Drawn, Family, Sizes
from quizengine.problems.key import sealed_key, sealed_worlds
from quizengine.problems.stack import stacks

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

    @cached_property
    def sealed(self) -> list[dict[int, Sealed]]:
        """Part by part what every class answers, by its first member: the key's is 0. Raises PosingError
        where the solver and the exact computation disagree on a key."""
        found = []
        for ask, values, group in zip(self.asks, self.values, self.groups, strict=True):
            first = sorted(set(group))
            answers = dict(zip(first, sealed_worlds(values[first]), strict=True))
            found.append(answers | {0: sealed_key(self.drawn, ask, values[0])})
        return found


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


_Name = tuple[str, int]  # the id of an item, and a seed


class _Kind(NamedTuple):
    """What variants have in common that are looked for together."""

    family: str
    sizes: tuple[tuple[str, int], ...]
    asks: tuple[Ask, ...]
    ids: tuple[str, ...]


class Wish(NamedTuple):
    """A variant of an item by a seed."""

    item_id: str
    answer: Numeric
    seed: int


def fair_variant(item_id: str, answer: Numeric, seed: int, catalogue: Catalogue) -> Variant:
    """The first fair draw of this seed.

    Raises as `sized` does, and PosingError where no draw is fair.
    """
    [variant] = _fair(_kind(Wish(item_id, answer, seed), catalogue), [(item_id, seed)]).values()
    if variant is None:
        raise PosingError(f"{item_id}: no fair variant in {DRAWS} draws for seed {seed}")
    return variant


def fair_variants(wishes: Sequence[Wish], catalogue: Catalogue) -> list[Variant | None]:
    """The same for many, which takes a fraction of the time; None where `fair_variant` raises."""
    kinds: list[_Kind | None] = []
    alike: dict[_Kind, dict[_Name, Variant | None]] = {}
    for wish in wishes:
        try:
            kind = _kind(wish, catalogue)
        except QuizError:
            kinds.append(None)
        else:
            kinds.append(kind)
            alike.setdefault(kind, {})[wish.item_id, wish.seed] = None
    found = {kind: _fair(kind, [*names]) for kind, names in alike.items()}
    return [kind and found[kind][wish.item_id, wish.seed] for kind, wish in zip(kinds, wishes, strict=True)]


def _kind(wish: Wish, catalogue: Catalogue) -> _Kind:
    sizes, asks = sized(*wish)
    ids = candidates(catalogue, FAMILIES[wish.answer.family], sizes)
    return _Kind(wish.answer.family, tuple(sizes.items()), asks, ids)


def _fair(kind: _Kind, names: Sequence[_Name]) -> dict[_Name, Variant | None]:
    """The first fair draw of each: the next draws of all that have none yet are tried together."""
    family, sizes, asks, ids = FAMILIES[kind.family], dict(kind.sizes), kind.asks, kind.ids
    groups = classes(family, sizes, ids, asks)
    found: dict[_Name, Variant | None] = dict.fromkeys(names)
    waiting = {name: _draws(kind, name) for name in names}
    while waiting:
        tried = [(name, *draw) for name, draws in waiting.items() if (draw := next(draws, None))]
        waiting = {name: waiting[name] for name, _, _ in tried}
        for stack in stacks([drawn for _, _, drawn in tried]):
            values = parts_of_worlds(family, stack.inputs, ids, asks)
            for at in fair(family, stack, asks, ids, values, groups).tolist():
                name, number, drawn = tried[stack.places[at]]
                own = [part[:, at].copy() for part in values]  # or else all of the stack is kept
                found[name] = Variant(family, drawn, asks, ids, own, groups, number)
                del waiting[name]
    return found


def _draws(kind: _Kind, name: _Name) -> Iterator[tuple[int, Drawn]]:
    """Its draws that are worth asking, by their number."""
    family, sizes = FAMILIES[kind.family], dict(kind.sizes)
    rows = tuple(sorted({row for ask in kind.asks for row in ask.rows}))
    for number in range(1, DRAWS + 1):
        drawn = family.draw(Dice("pose", *name, number - 1), sizes, rows)
        if drawn is not None:
            yield number, drawn
