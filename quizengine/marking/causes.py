"""The ordered table of causes: which mistake or slip made a wrong part.

A row is a pure function of a step: it gives a cause, or None where it does not apply; the first that
applies holds. Nothing here changes a mark.

    row                    needs                      gives
    right step             values before it           nothing to name: it follows from them
    other row              one asked row              the row that it is
    same again             a mistake found before it  that it strikes here too
    own values             values before it           the rules that turn them into it
    to the letter          nothing                    the rivals that it is
    another way            nothing                    a mistake made otherwise
    pen                    nothing                    a slip that its numbers show
    arithmetic             two free numbers           the one slip on the way that makes it
    one entry              an array                   that all else is right
    all but one entry      several entries wrong      the rivals that it nearly is
    two mistakes           two free numbers           two rules at once: possible
    a mistake and a slip   two free numbers           both: possible
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np

from quizengine.attention.patches import PATCHES
from quizengine.attention.solver import World
from quizengine.attention.stage import Array
from quizengine.items.close import SEAL
from quizengine.marking import worlds
from quizengine.marking.base import Base
from quizengine.marking.diagnose import one_off
from quizengine.marking.entries import complete, grid, short_by, window
from quizengine.marking.mark import Reason
from quizengine.marking.slips import is_slip, may_be_a_row, slip
from quizengine.marking.step import Step


class Cause(NamedTuple):
    """What made a wrong part, by the row `name`: one of the misconceptions `ids`, and at once one of `also`;
    or a slip, told by `reasons`. Is it an `explained` error; is it no more than `possible`?"""

    name: str
    ids: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    explained: bool = True
    possible: bool = False
    row: int = 0


NO_CAUSE = Cause("", explained=False)


def cause_of(step: Step) -> Cause:
    """What made a wrong part: the first row of CAUSES that applies."""
    return next((found for row in CAUSES if (found := row(step))), NO_CAUSE)


def mistake_of(step: Step) -> Cause:
    """The misconception behind a part that early rounding explains as well: the first row of MISTAKES."""
    return next((found for row in MISTAKES if (found := row(step))), NO_CAUSE)


def _cause_other_row(step: Step) -> Cause | None:
    part = step.part
    if len(part.rows) != 1 or not part.stage or not may_be_a_row(part, step.cells):
        return None
    if step.is_stock or step.is_poor or step.met:  # some masks' rows are what a misconception gives
        return None
    stage = step.ground.solution.right[part.stage]
    if stage.ndim != 2:
        return None
    tolerance = window(part, step.ground.policy)
    for number, row in enumerate(stage, 1):
        if number != part.rows[0] and complete(grid(step.cells, (tuple(row * SEAL),), tolerance)):
            reason = Reason("slip.other-row", {"row": number, "asked": part.rows[0]})
            return Cause("other row", reasons=(reason,), row=number)
    return None


def _same_again(step: Step) -> Cause | None:
    """A mistake that was found before and strikes this part too, by the values before it or by the givens."""
    known = step.known
    if not known or not step.part.stage:
        return None
    off, _ = step.own.by_rule(known)
    ids = tuple(id_ for id_, d in zip(known, off, strict=True) if d <= 1.0 or id_ in step.met)
    return Cause("same again", ids) if ids else None


def _own_values(step: Step) -> Cause | None:
    for base, explained in step.bases:
        if ids := _unrefuted(step, nearest(step.ground.ids, base.strictly_by_rule(step.ground.ids))):
            return Cause("own values", ids, explained=explained)
    return None


def _to_the_letter(step: Step) -> Cause | None:
    ids = _unrefuted(step, step.met)
    return Cause("to the letter", ids) if ids else None


def _another_way(step: Step) -> Cause | None:
    """A mistake made another way than the rivals show it, or from unrounded values."""
    for base in step.grounds[-1:]:
        if ids := _unrefuted(step, nearest(step.ground.ids, base.strictly_by_rule(step.ground.ids))):
            return Cause("another way", ids)
    return None


def _unrefuted(step: Step, ids: tuple[str, ...]) -> tuple[str, ...]:
    """Of the misconceptions those that would not have shown in a part that is right; all of them where there
    is none such, unless it may be by chance: a number that already stands in the problem, an array that needs
    no work."""
    right = [typed.part for typed in step.before if typed.right]
    if not right:
        return ids
    refuted = {
        rival.misconception
        for rival in step.ground.problem.rivals
        if any(rival.values[part.id] != part.key for part in right)
    }
    left = tuple(id_ for id_ in ids if id_ not in refuted)
    if left or step.part.kind != "number":
        return left if left or step.is_stock or step.is_poor else ids
    known = {part.key for part in right} | {
        ((int(v * SEAL),),) for v in step.ground.problem.given.values() if isinstance(v, (int, float))
    }
    return () if tuple(tuple(c and c.units for c in row) for row in step.cells) in known else ids


def _arithmetic(step: Step) -> Cause | None:
    """One slip of arithmetic on the way from the values before it."""
    if not _tells(step) or len(step.part.rows) != 1:
        return None
    for base in step.grounds:
        row = step.part.rows[0] - 1
        tried = list(worlds.slips(step.ground.problem, base.solution, step.part, row, step.last))
        off, acts = base.off([slips.worlds for slips in tried])
        each = ((slips, n) for slips in tried for n in range(slips.worlds.many))
        for slips, n in compress(each, acts & (off <= 1.0)):
            return Cause("slip", reasons=(Reason(slips.code, slips.told(n)),))
    return None


def _tells(step: Step) -> bool:
    """Has it enough free and different numbers to bear a guess at how it came about?"""
    return step.degrees >= 2 and not step.is_stock and not step.is_poor


def _pen(step: Step) -> Cause | None:
    """What the numbers themselves show: signs, the decimal point, places exchanged, decimals left out."""
    if step.is_stock:
        return None
    part = step.part
    found = slip(part, step.cells, step.right, window(part, step.ground.policy))
    short = 0 if found or step.is_alone else short_by(part, step.cells, part.key, step.right)
    if short > 1:
        found = Reason("slip.short", {"decimals": part.decimals or 0, "short": short})
    return Cause("pen", reasons=(found,)) if found else None


def _one_entry(step: Step) -> Cause | None:
    alone = step.is_alone and not step.is_stock
    return Cause("one entry", reasons=(Reason("slip.one"),)) if alone else None


def _all_but_one_entry(step: Step) -> Cause | None:
    """Never on rows of three or fewer, nor on constant ones: too much fits."""
    if step.part.kind != "array" or len(step.part.key[0]) <= 3 or step.degrees <= 2 or step.is_stock:
        return None
    near, tells = step.near, step.ground.rivals(step.part)[1]
    if len(near) < 2 or (~near[0]).sum() <= 1:
        return None
    ids = [
        id_
        for id_ in one_off(step.ground.ids, near[1:], tells)
        if _one_slip(step, step.ground.rivals(step.part)[0][1 + step.ground.ids.index(id_)])
    ]
    left = _unrefuted(step, tuple(ids))
    return Cause("all but one entry", left) if left else None


def _one_slip(step: Step, values: Array) -> bool:
    """Is the one entry that is off a recognisable slip from what it should be?"""
    return any(
        is_slip(step.part, cell.units, value, step.window)
        for row, line in zip(step.cells, values.tolist(), strict=True)
        for cell, value in zip(row, line, strict=True)
        if cell is not None and abs(cell.units - value) > step.window
    )


def _two_mistakes(step: Step) -> Cause | None:
    """Two rules at once, or a rule and a slip; only if nothing else does the same."""
    if not _tells(step) and step.part.kind != "number":
        return None
    for base in step.grounds:
        _, acts = base.by_rule(step.ground.ids)
        ids = tuple(id_ for id_, acting in zip(step.ground.ids, acts, strict=True) if acting)
        number = step.part.kind == "number"
        ids = _unrefuted(step, ids) if number else ids
        tried = list(worlds.pairs(ids, number=number))
        off, acts = base.off([world for _, world in tried])
        found = [tried[n][0] for n in np.flatnonzero(acts & (off <= 1.0))]
        if found:
            return _alike(base, found)
        if cause := _mistake_and_slip(step, base, ids):
            return cause
    return None


def _alike(base: Base, found: Sequence[tuple[str, str]]) -> Cause | None:
    """The pair that all these are, if they differ only by misconceptions that give the same here."""
    ids = base.step.ground.ids
    values = base.values([World(PATCHES[id_]) for id_ in ids])
    same = np.abs(values[:, None] - values[None]).max(axis=(2, 3)) <= 2 * base.step.window
    first = {id_: ids[int(row.argmax())] for id_, row in zip(ids, same, strict=True)}
    if len({frozenset((first[a], first[b])) for a, b in found}) > 1:
        return None
    a, b = found[0]
    groups = tuple(
        tuple(sorted({id_ for pair in found for id_ in pair if first[id_] == first[one]})) for one in (a, b)
    )
    return Cause("two mistakes", groups[0], groups[1], possible=True)


def _mistake_and_slip(step: Step, base: Base, ids: Sequence[str]) -> Cause | None:
    """One rule, and a dot product or an entry of V off by one: where all before it is right."""
    if len(step.part.rows) != 1 or not step.after_right:
        return None
    row = step.part.rows[0] - 1
    tried = worlds.slips(step.ground.problem, base.solution, step.part, row, step.last, dots=(-1, 1))
    single = [slips for slips in tried if slips.code in ("slip.dot", "slip.value")]
    both = list(worlds.with_slips(ids, single))
    off, acts = base.off([world for *_, world in both])
    each = ((id_, slips, n) for id_, slips, world in both for n in range(world.many))
    found = list(compress(each, acts & (off <= 1.0)))
    if len({id_ for id_, *_ in found}) != 1:
        return None
    id_, slips, n = found[0]
    reasons = (Reason(slips.code, slips.told(n)),)
    return Cause("a mistake and a slip", (id_,), reasons=reasons, possible=True)


def nearest(ids: Sequence[str], off: Array) -> tuple[str, ...]:
    """Of the misconceptions that match (at most 1 tolerance off), those that fit best."""
    best = off.min(initial=np.inf)
    return tuple(id_ for id_, d in zip(ids, off, strict=True) if d <= 1.0 and d <= best + 1e-3)


def refuted(step: Step) -> frozenset[str]:
    """Of the misconceptions found before those whose rule would have shown in this right step."""
    known = step.known
    if not known or not step.bases:
        return frozenset()
    return frozenset(id_ for id_, gone in zip(known, step.own.refutes(known), strict=True) if gone)


def _right_step(step: Step) -> Cause | None:
    return Cause("right step", explained=False) if step.is_right_step else None


MISTAKES: tuple[Callable[[Step], Cause | None], ...] = (
    _same_again,
    _own_values,
    _to_the_letter,
    _another_way,
)
CAUSES: tuple[Callable[[Step], Cause | None], ...] = (
    _right_step,
    _cause_other_row,
    *MISTAKES,
    _pen,
    _arithmetic,
    _one_entry,
    _all_but_one_entry,
    _two_mistakes,
)
