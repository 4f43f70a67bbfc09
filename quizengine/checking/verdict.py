"""A verdict on a function: is it right, what mistake gives its numbers, and what else is certain of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from quizengine.checking.call import Broken, Raised
from quizengine.checking.counterexample import Counterexample
from quizengine.checking.property import Property
from quizengine.lang.json import Json
from quizengine.marking.mark import Reason

Judgement = Literal["right", "wrong", "broken", "ungraded"]


class Verdict(NamedTuple):
    """What was found by so many `probes`.

    `broken`: it gave nothing that can be compared, and `fault` says why; `ungraded`: the engine failed.
    `misconceptions` give its results on all probes, or else `possible` pairs; `stage` is where it first
    differs. A `fault` of a function that is wrong is what it met on some of the probes.
    """

    task: str
    verdict: Judgement
    probes: int = 0
    misconceptions: tuple[str, ...] = ()
    possible: tuple[tuple[str, str], ...] = ()
    stage: str = ""
    properties: tuple[Property, ...] = ()
    observations: tuple[Reason, ...] = ()
    counterexample: Counterexample | None = None
    fault: Raised | Broken | None = None

    @property
    def lacking(self) -> tuple[Property, ...]:
        """The properties that it lacks."""
        return tuple(p for p in self.properties if not p.holds)

    def to_json(self) -> dict[str, Json]:
        """As the machine interface shows it, but for file and function, which the judge does not know."""
        out: dict[str, Json] = {
            "task": self.task,
            "verdict": self.verdict,
            "probes": self.probes,
            "misconceptions": list(self.misconceptions),
            "possible": [list(both) for both in self.possible],
            "properties": [p.to_json() for p in self.properties],
            "observations": [{"id": r.code, **_plain(r.values)} for r in self.observations],
        }
        if self.stage:
            out["stage"] = self.stage
        if self.counterexample is not None:
            out["counterexample"] = self.counterexample.to_json()
        if self.fault is not None:
            out["fault"] = _fault_json(self.fault)
        return out


def _plain(values: Mapping[str, object]) -> dict[str, Json]:
    return {name: x if isinstance(x, (str, int, float)) else str(x) for name, x in values.items()}


def _fault_json(fault: Raised | Broken) -> dict[str, Json]:
    if isinstance(fault, Raised):
        return {"id": "raised", "kind": fault.kind, "message": fault.message, "line": fault.line}
    return {"id": fault.message, **_plain(fault.values)}
