"""A belief: what a misconception makes of arrays that somebody gives."""

from __future__ import annotations

from quizengine.attention.patches import PATCHES, applies
from quizengine.attention.solution import Solution
from quizengine.attention.stage import Trace
from quizengine.errors import UnknownName, UsageError
from quizengine.items.catalogue import Catalogue


def visible(solution: Solution, catalogue: Catalogue) -> list[str]:
    """The misconceptions of the catalogue that these arrays can show."""
    known, premises = {*solution.right, *solution.inputs}, solution.premises
    return [
        id_
        for id_, patch in PATCHES.items()
        if id_ in catalogue
        and set(catalogue[id_].premise) <= premises
        and applies(patch, solution.table, known)
    ]


def believed(solution: Solution, id_: str, catalogue: Catalogue) -> Trace:
    """Every stage as this misconception solves it. Raises UnknownName, UsageError where it cannot show, and
    ArrayError where the numbers grow too large."""
    if id_ not in PATCHES:
        raise UnknownName("misconception", id_, PATCHES)
    if id_ not in visible(solution, catalogue):
        raise UsageError(f"“{id_}” cannot show in these arrays; --all-misconceptions lists those that can")
    return solution.by(PATCHES[id_])
