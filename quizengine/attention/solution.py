"""A solution: every stage on given arrays, by the right rules or by others; and what the arrays offer."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from quizengine.attention.inputs import ARRAYS, SETTINGS, hidden_row, prepare, table_of
from quizengine.attention.solver import World, solve_worlds
from quizengine.attention.stage import Rule, Trace
from quizengine.errors import ArrayError, UnknownName

HIDDEN = ("q", "k", "v")  # stages that are Q, K and V again, but for the heads
Nested = float | str | list["Nested"]


class Solution:
    """The arrays as they were given and as they were prepared, the table for them, and the right trace."""

    def __init__(self, given: Mapping[str, object]):
        """Solve. Raises UnknownName, and ArrayError where the arrays do not go together, where a query
        sees no key, and where the numbers grow too large."""
        for name in given:
            if name not in (*ARRAYS, *SETTINGS):
                raise UnknownName("array", name, (*ARRAYS, *SETTINGS))
        self.given = given
        self.inputs, self.table = prepare(given), table_of(given)
        row = hidden_row(self.inputs)
        if row is not None:
            shape = self.inputs["mask"].shape
            raise ArrayError(f"mask (shape {shape}) hides every key from query {row}: let each query see one")
        self.right = self.by({})

    def by(self, rules: Mapping[str, Rule]) -> Trace:
        """The trace with these rules in place of the right ones. Raises ArrayError where the numbers grow
        too large."""
        with np.errstate(all="ignore"):
            trace = solve_worlds(self.inputs, [World(rules)], self.table)[0]
        for stage, array in trace.items():
            if not (np.isfinite(array) | np.isneginf(array)).all():
                raise ArrayError(f"the numbers grow too large: “{stage}” cannot be held any more")
        return trace

    @property
    def additive(self) -> bool:
        """Are the scores additive ones?"""
        return "v_a" in self.given

    @property
    def premises(self) -> set[str]:
        """The premises of misconceptions that these arrays offer."""
        n_q, n_k, d_k, d_v, h, g = (int(self.inputs[x]) for x in ("n_q", "n_k", "d_k", "d_v", "h", "g"))
        mask = self.inputs["mask"]
        w_o = self.inputs.get("W_O")
        offers = {
            "dot": not self.additive,
            "additive": self.additive,
            "same-length": n_q == n_k,
            "same-width": d_k == d_v and "heads" not in self.given,
            "cross": n_q != n_k,
            "square": n_k == d_k,
            "square-projection": any(
                name in self.inputs and self.inputs[name].shape[-1] == self.inputs[name].shape[-2]
                for name in ("W_Q", "W_K", "W_V")
            ),
            "ungrouped": g == h,
            "masked": not mask.all(),
            "causal": n_q == n_k and (mask == np.tri(n_q, dtype=bool)).all(),
            "sources": "W_Q" in self.inputs,
            "two-sources": "C" in self.given and n_q == n_k,
            "heads": "heads" in self.given,
            "grouped": 1 < g < h,
            "square-output": w_o is not None and w_o.shape[-1] == w_o.shape[-2],
        }
        return {name for name, offered in offers.items() if offered}

    def differing(self, trace: Trace) -> list[str]:
        """The stages, in order, in which this trace is not the right one."""
        return [
            stage
            for stage, array in self.right.items()
            if stage not in HIDDEN and not (array == trace[stage]).all()
        ]


def stages_json(trace: Trace) -> dict[str, Nested]:
    """The stages as nested lists; JSON has no infinity, which is written as text."""
    return {stage: _plain(array.tolist()) for stage, array in trace.items() if stage not in HIDDEN}


def _plain(value: Nested) -> Nested:
    if isinstance(value, list):
        return [_plain(x) for x in value]
    if isinstance(value, bool):
        return int(value)
    return value if value != float("-inf") else "-inf"
