"""Draws that stand together: what is worked out of their numbers is worked out for all of them at once."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from quizengine.attention.stage import Array, Trace
from quizengine.problems.families.family import Drawn


class Stack(NamedTuple):
    """Draws of one family and size, which stand at these `places` of those that were given. Their `own`
    inputs have a draw axis before all others; the rest, the mask and the `grain` they share."""

    places: Sequence[int]
    inputs: Trace
    own: Collection[str]
    grain: float

    def of(self, some: Array) -> Stack:
        """Some of them, by where they stand on the axis."""
        inputs = {name: array[some] if name in self.own else array for name, array in self.inputs.items()}
        return Stack([self.places[place] for place in some], inputs, self.own, self.grain)


def stacks(drawn: Sequence[Drawn]) -> Iterator[Stack]:
    """All of them, in as few stacks as can be."""
    alike: dict[Hashable, list[int]] = {}
    for place, one in enumerate(drawn):
        own = _own(one.inputs) - {"mask"}
        shared = (array.tobytes() for name, array in one.inputs.items() if name not in own)
        alike.setdefault((one.grain, *shared), []).append(place)
    for places in alike.values():
        first = drawn[places[0]]
        own = _own(first.inputs)
        inputs = {
            name: np.stack([drawn[place].inputs[name] for place in places]) if name in own else array
            for name, array in first.inputs.items()
        }
        yield Stack(places, inputs, own, first.grain)


def _own(inputs: Trace) -> set[str]:
    """The matrices; numbers beside them, such as √d_k, are the same in all draws. Where there are only
    numbers, all of them."""
    return {name for name, array in inputs.items() if array.ndim > 1} or {*inputs}
