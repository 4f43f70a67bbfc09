"""Neighbours: every sheet is as much work by hand as the next one, and has no numbers to copy from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from quizengine.items.answer import Numeric
from quizengine.items.catalogue import Catalogue
from quizengine.items.item import Item
from quizengine.problems.effort import multiplications_of
from quizengine.problems.families import FAMILIES
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.problems.variant import sized
from quizengine.sheets.apart import apart

TRIES = 24  # draws to be as much work as the neighbour, and unlike; then it is left to chance and listed
Place = tuple[Item, Callable[[int], int]]  # an item, and the seed of each attempt, from 0


def planned(sheets: Iterable[Sequence[Place]]) -> Iterator[list[tuple[Item, int]]]:
    """The seeds of the first draws that are as much work as those of the sheet before."""
    before: dict[str, int] = {}
    for places in sheets:
        draws = [(item, next(_fits(item, seed, before.get(item.id)), seed(0))) for item, seed in places]
        before = {item.id: _work(item, seed) for item, seed in draws}
        yield draws


def seed_beside(place: Place, first: Problem, neighbour: Problem | None, catalogue: Catalogue) -> int:
    """The seed of the `first` problem, which was planned, or of another that is as much work as the
    neighbour's and shares no numbers with it; where there is none, of the first draw."""
    item, seed = place
    if neighbour is None or item.type != "numeric":
        return first.seed
    wanted = _work(item, neighbour.seed)
    if _work(item, first.seed) == wanted and apart(first, neighbour):
        return first.seed
    tried = (pose(item, fit, first.lang, catalogue) for fit in _fits(item, seed, wanted))
    return next((problem.seed for problem in tried if apart(problem, neighbour)), seed(0))


def _fits(item: Item, seed: Callable[[int], int], wanted: int | None) -> Iterator[int]:
    """The seeds of all attempts that are as much work as is wanted."""
    seeds = map(seed, range(TRIES))
    if wanted is None or item.type != "numeric":
        return seeds
    return (fit for fit in seeds if _work(item, fit) == wanted)


def _work(item: Item, seed: int) -> int:
    """The multiplications that a problem of numbers asks for; of any other none."""
    answer = item.answer
    if not isinstance(answer, Numeric) or answer.family not in FAMILIES:
        return 0
    sizes, asks = sized(item.id, answer, seed)
    return multiplications_of(answer.family, tuple(sizes.items()), asks)
