"""A verdict on a function: is it right, and if it is not, what is known of it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from quizengine.checking.call import Broken, Raised
from quizengine.lang.json import Json

Judgement = Literal["right", "wrong", "broken", "ungraded"]


class Verdict(NamedTuple):
    """`broken`: it gave nothing that can be compared, and `fault` says why; `ungraded`: the engine failed."""

    task: str
    verdict: Judgement
    misconceptions: tuple[str, ...] = ()
    possible: tuple[tuple[str, str], ...] = ()
    stage: str = ""
    counterexample: object = None
    fault: Raised | Broken | None = None

    def to_json(self) -> dict[str, Json]:
        """As the machine interface shows it, but for file and function, which the judge does not know."""
        return {
            "task": self.task,
            "verdict": self.verdict,
            "misconceptions": list(self.misconceptions),
            "possible": [list(both) for both in self.possible],
        }
