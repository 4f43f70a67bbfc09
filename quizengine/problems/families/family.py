"""What a family of numeric problems is: how to draw one, and what to say about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import TypeAlias

import numpy as np

from quizengine.attention.cost import CACHE, COST, SPREAD, TREND
from quizengine.attention.inputs import ARRAYS, SETTINGS, prepare
from quizengine.attention.stage import (
    ADDITIVE,
    AVERAGE,
    MULTI_HEAD,
    ONE_HEAD,
    SHAPES,
    SHARPEN,
    Array,
    Table,
    Trace,
)
from quizengine.errors import PosingError, UsageError
from quizengine.items.answer import Ask
from quizengine.lang.text import Lang
from quizengine.problems.dice import Dice
from quizengine.problems.problem import Factored, Matrix, Problem

Sizes: TypeAlias = Mapping[str, int]
Row: TypeAlias = tuple[Fraction, ...]
DRAWS = 200  # of sizes that fit together
TABLES = (ONE_HEAD, MULTI_HEAD, ADDITIVE, AVERAGE, SHARPEN, SHAPES, SPREAD, TREND, COST, CACHE)


@dataclass(frozen=True)
class Drawn:
    """The givens of one draw. `inputs` go to the solver; `given` and `exact` are shown (see
    Problem); `exactly` computes the key another way; `grain` is the score that one unit of an integer
    dot product is worth."""

    inputs: Trace
    given: Mapping[str, float | Matrix]
    exact: Mapping[str, Factored]
    exactly: Callable[[], Mapping[str, Mapping[int, Row]]]
    grain: float = 0.0

    @cached_property
    def second(self) -> Mapping[str, Mapping[int, Row]]:
        """What `exactly` computes, by stage and row, from 1, and 0 for a number: of a fair draw alone."""
        return self.exactly()


@dataclass(frozen=True)
class Family:
    """`sizes`: the values that every parameter may have, the likelier repeated; `fits`: may they go
    together? `stages`: which may be
    asked, with the decimals asked by default. `rows(sizes)`: rows that carry information, none
    for a table of single numbers. `features(sizes)`: the premises it offers misconceptions.
    `draw` gives None where the dice found no numbers worth asking."""

    name: str
    table: Table
    sizes: Mapping[str, tuple[int, ...]]
    stages: Mapping[str, int]
    rows: Callable[[Sizes], tuple[int, ...]]
    features: Callable[[Sizes], frozenset[str]]
    draw: Callable[[Dice, Sizes, tuple[int, ...]], Drawn | None]
    generic: Callable[[Sizes], Trace]
    prompt: Callable[[Lang, Drawn, tuple[Ask, ...]], str]
    conventions: tuple[str, ...]
    worked: Callable[[Lang, Drawn, tuple[Ask, ...]], list[str]]
    wording: Mapping[str, str] = field(default_factory=dict)  # messages of the stages it calls otherwise
    fits: Callable[[Sizes], bool] = lambda _: True

    def sized(self, ranges: Mapping[str, int | tuple[int, int]], dice: Dice | None = None) -> Sizes:
        """Every parameter's value, drawn from those that the `ranges` leave; without dice the first that
        fit. Raises UsageError that names what is possible."""
        possible = self._possible(ranges)
        if dice is None:
            return next(self._fitting(possible))
        for _ in range(DRAWS):
            sizes = {name: dice.pick(values) for name, values in possible.items()}
            if self.fits(sizes):
                return sizes
        return next(self._fitting(possible))

    def every(self, ranges: Mapping[str, int | tuple[int, int]]) -> list[Sizes]:
        """All sizes that an item with these ranges can have. Raises UsageError as `sized`."""
        return list(self._fitting(self._possible(ranges)))

    def _possible(self, ranges: Mapping[str, int | tuple[int, int]]) -> dict[str, tuple[int, ...]]:
        possible = dict(self.sizes)
        for name, value in ranges.items():
            if name not in self.sizes:
                raise UsageError(
                    f"family {self.name} has no “{name}”; it has: {', '.join(self.sizes) or 'none'}"
                )
            least, greatest = value if isinstance(value, tuple) else (value, value)
            low, high = min(self.sizes[name]), max(self.sizes[name])
            possible[name] = tuple(size for size in self.sizes[name] if least <= size <= greatest)
            if not low <= least <= greatest <= high or not possible[name]:
                said = least if least == greatest else f"{least} to {greatest}"
                sizes = sorted(set(self.sizes[name]))
                gaps = len(sizes) <= high - low
                wanted = f"one of {', '.join(map(str, sizes))}" if gaps else f"from {low} to {high}"
                raise UsageError(f"family {self.name}: {name} = {said}, but it must be {wanted}")
        return possible

    def _fitting(self, possible: Mapping[str, tuple[int, ...]]) -> Iterator[Sizes]:
        found = False
        for values in product(*(dict.fromkeys(values) for values in possible.values())):
            sizes = dict(zip(possible, values, strict=True))
            if self.fits(sizes):
                found = True
                yield sizes
        if not found:
            raise UsageError(f"family {self.name}: no such sizes go together: one would stand for √d_k")

    def asked(self, ask: tuple[Ask, ...], sizes: Sizes, dice: Dice | None = None) -> tuple[Ask, ...]:
        """The parts with their defaults filled in: one row, drawn, the same for all that name none; all
        rows without dice. Raises UsageError for what cannot be asked."""
        informative = self.rows(sizes)
        default = (dice.pick(informative),) if dice and informative else informative
        filled = []
        for part in ask:
            if part.stage not in self.stages:
                raise UsageError(
                    f"family {self.name} cannot ask “{part.stage}”; it can ask: {', '.join(self.stages)}"
                )
            rows = part.rows or default
            if bad := [row for row in rows if row not in informative]:
                raise UsageError(
                    f"family {self.name}: row {bad[0]} carries no information here; "
                    f"ask from {', '.join(map(str, informative)) or 'no rows'}"
                )
            decimals = self.stages[part.stage] if part.decimals is None else part.decimals
            filled.append(Ask(part.stage, rows, decimals, part.points))
        order = list(self.table)
        if [p.stage for p in filled] != sorted((p.stage for p in filled), key=order.index):
            raise UsageError(f"family {self.name}: ask the stages in the order of computation")
        return tuple(filled)


def at_rows(stage: Array, rows: tuple[int, ...]) -> Array:
    """The asked rows (from 1) of a stage, any axes before: (…, rows, columns); (…, 1, 1) for a number."""
    if not rows:
        return np.asarray(stage)[..., None, None]
    return stage[..., [row - 1 for row in rows], :]


def table_of(problem: Problem) -> Table:
    """The table that a numeric problem is solved by, which its givens tell.

    Raises PosingError where they fit no table.
    """
    given = problem.given
    for names, table in _BY_GIVEN:
        if names <= set(given):
            return table
    raise PosingError(f"{problem.item}: what is given ({', '.join(given)}) fits no table")


_BY_GIVEN: tuple[tuple[set[str], Table], ...] = (
    ({"heads", "Q"}, MULTI_HEAD),
    ({"heads", "W_Q"}, MULTI_HEAD),
    ({"v_a"}, ADDITIVE),
    ({"Q"}, ONE_HEAD),
    ({"W_Q"}, ONE_HEAD),
    ({"X", "mask"}, AVERAGE),
    ({"scores", "c"}, SHARPEN),
    ({"n_q", "d_v"}, SHAPES),
    ({"sd_q"}, SPREAD),
    ({"measured"}, TREND),
    ({"layers"}, CACHE),
    ({"d_model"}, COST),
)
_PREPARED = {*ARRAYS, *SETTINGS}


def inputs_of(problem: Problem) -> Trace:
    """What the solver reads of a numeric problem's givens: (rows, columns) arrays and numbers. Raises
    PosingError where they fit no table."""
    given = problem.given
    if table_of(problem) in (ONE_HEAD, MULTI_HEAD, ADDITIVE) and ("V" in given or "W_V" in given):
        return prepare({name: value for name, value in given.items() if name in _PREPARED})
    return {name: np.asarray(value, dtype=bool if name == "mask" else float) for name, value in given.items()}
