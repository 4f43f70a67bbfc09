"""A belief: what a misconception makes of arrays that somebody gives."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from collections.abc import Set as AbstractSet
from contextlib import suppress

from quizengine.attention.patches import PATCHES, applies
from quizengine.attention.solution import Solution
from quizengine.attention.stage import Table, Trace
from quizengine.errors import ArrayError, UnknownName, UsageError
from quizengine.items.catalogue import Catalogue


def visible(solution: Solution, catalogue: Catalogue) -> list[str]:
    """The misconceptions of the catalogue that these arrays can show."""
    ids = striking(solution.table, {*solution.right, *solution.inputs})
    return offered(catalogue, ids, solution.premises)


def striking(table: Table, known: Collection[str]) -> list[str]:
    """The misconceptions that strike a table and whose rules read only what is known."""
    return [id_ for id_, patch in PATCHES.items() if applies(patch, table, known)]


def offered(catalogue: Catalogue, ids: Iterable[str], premises: AbstractSet[str]) -> list[str]:
    """Those of the misconceptions that are in the catalogue and whose premises are all offered."""
    return [id_ for id_ in ids if id_ in catalogue and premises >= {*catalogue[id_].premise}]


def beliefs(solution: Solution, catalogue: Catalogue) -> dict[str, Trace]:
    """What each of these misconceptions makes of the arrays, but for those whose rules do not fit their
    shapes, or whose numbers grow too large."""
    traces = {}
    for id_ in visible(solution, catalogue):
        with suppress(ArrayError):
            traces[id_] = solution.by(PATCHES[id_])
    return traces


def believed(solution: Solution, id_: str, catalogue: Catalogue) -> Trace:
    """Every stage as this misconception solves it. Raises UnknownName, UsageError where it cannot show, and
    ArrayError where the numbers grow too large."""
    if id_ not in PATCHES:
        raise UnknownName("misconception", id_, PATCHES)
    if id_ not in visible(solution, catalogue):
        raise UsageError(f"“{id_}” cannot show in these arrays; --all-misconceptions lists those that can")
    return solution.by(PATCHES[id_])
