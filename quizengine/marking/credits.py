"""The ordered table of credits: what a part earns, and by what.

A row is a pure function of a step: it gives a credit, or None where it does not apply; the first that
applies holds. None of them asks what a misconception would give: a mark does not change when a
mistake gets a name.

    row        needs                                  gives
    key        nothing                                all
    carried    usable values before it                the policy's share; all after right parts
    other row  the values of another row before it    the same
    rounded    usable or right values before it       all, or the coarse share if too early
    stock      an answer that needs no work           nothing
    coarse     one decimal too few                    the policy's share
    entries    nothing                                what right or carried entries earn
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from quizengine.attention.solver import World
from quizengine.items.close import SEAL
from quizengine.marking import worlds
from quizengine.marking.base import Base
from quizengine.marking.entries import earned, is_coarse, window
from quizengine.marking.follow import distances, gaps
from quizengine.marking.mark import Reason
from quizengine.marking.slips import wrong_cells
from quizengine.marking.step import Step
from quizengine.problems.part import is_sealed

MOVED, MOVED_WEIGHT = 0.5, 0.15  # by which rounding to whole numbers moves a number, and a share of 1
REACH = 40  # units by which a step may be off that was rounded on the way
EXACT = 0.01  # windows: the same number, but for what floats add
MOST_TOLD = 4  # wrong entries that are told one by one


class Credit(NamedTuple):
    """What a part earns, by the row `name`; worked in row `row` where that is not the asked one. Does it
    stand on what is `explained`?"""

    name: str
    share: Fraction
    carried: bool = False
    reasons: tuple[Reason, ...] = ()
    row: int = 0
    explained: bool = True


def credit_of(step: Step) -> Credit:
    """What the part earns: the first row of CREDITS that applies."""
    return next(found for row in CREDITS if (found := row(step)))


def _key(step: Step) -> Credit | None:
    return Credit("key", Fraction(1)) if step.is_right else None


def _worth(step: Step, *, explained: bool) -> Fraction:
    """What a right step earns: all after right parts, else by whether the error before is explained."""
    policy = step.ground.policy
    return Fraction(1) if step.after_right else policy.carry if explained else policy.carry_unexplained


def _carried(step: Step) -> Credit | None:
    """This is what follows from the values before it. Where they are right, or this is shaken stock, only
    the plain window counts; what is only within the wider one must bear the asked decimals."""
    policy = step.ground.policy
    for base, explained in step.bases:
        share = _worth(step, explained=explained)
        reason = (Reason("carried"),)
        if base.follows(step.window):
            return Credit("carried", share, carried=True, reasons=reason, explained=explained)
        if step.after_right or step.is_stock:
            continue
        if base.follows(base.tolerance):
            share *= policy.coarse if _short(step) else 1
            return Credit("carried", share, carried=True, reasons=reason, explained=explained)
    return None


def _short(step: Step) -> bool:
    """Was a decimal left out?"""
    asked = step.part.decimals or 0
    return any(
        cell is not None and cell.decimals is not None and cell.decimals < asked
        for row in step.cells
        for cell in row
    )


def _other_row(step: Step) -> Credit | None:
    if not step.row or not step.part.rows:
        return None
    base = step.other_row(step.row)
    if not base.follows(base.tolerance):
        return None
    policy = step.ground.policy
    return Credit("other row", policy.carry, carried=True, reasons=(Reason("carried"),), row=step.row)


def _rounded(step: Step) -> Credit | None:
    """A right step but for numbers that were rounded on the way: all if no further than asked."""
    if not step.part.decimals or step.is_stock or step.is_poor:
        return None
    policy = step.ground.policy
    for base in step.grounds:
        if not _hopeful(step, base):
            continue
        moved = float(gaps(np.array(base.about, dtype=float), step.typed).max()) / SEAL
        most = next((d for d in range(step.part.decimals + 2, 0, -1) if REACH * 10.0**-d >= moved), 0)
        found = list(worlds.roundings(step.ground.problem, base.solution, step.part, most))
        values = base.values([rounding.world for rounding in found])
        off = distances(step.typed, values, step.window)
        for rounding, d in zip(found, off, strict=True):
            if d > (EXACT if rounding.written else 1.0):
                continue
            if rounding.decimals >= step.part.decimals and _short(step):  # what is missing was never written
                continue
            if _collapsed(base, rounding.world):
                continue
            explained = all(typed.explained for typed in base.laid)
            share = _worth(step, explained=explained)
            if rounding.decimals >= step.part.decimals:
                if not step.before:  # then the key's own window is what was promised
                    return None
                return Credit("rounded", share, carried=not step.after_right, explained=explained)
            reason = Reason("slip.rounded", {"decimals": rounding.decimals})
            share *= policy.coarse
            return Credit("rounded", share, carried=True, reasons=(reason,), explained=explained)
    return None


def _collapsed(base: Base, world: World) -> bool:
    """Were different weights made equal by so much rounding? Then it is no work of the same kind."""
    right = base.solution.right.get("weights")
    if right is None:
        return False
    weights = base.trace_in(world)["weights"]
    return len(np.unique(weights.round(6))) < len(np.unique(right.round(6)))


def _hopeful(step: Step, base: Base) -> bool:
    """Is it near enough to what follows that rounding may be why it is not that?"""
    most = MOVED_WEIGHT if step.part.stage in ("weights", "sharpened") else MOVED
    return all(
        x == -np.inf or abs(x - value) <= most * SEAL + MOVED_WEIGHT * abs(value)
        for row, line in zip(step.floats, base.about, strict=True)
        for x, value in zip(row, line, strict=True)
    )


def _stock(step: Step) -> Credit | None:
    return (
        Credit("stock", Fraction(0), reasons=(Reason("stock"),), explained=False) if step.is_stock else None
    )


def _coarse(step: Step) -> Credit | None:
    """The key, or what follows, with one decimal too few."""
    given = (rival.values[step.part.id] for rival in step.ground.problem.rivals)
    rivals = (values for values in given if is_sealed(values))
    if not is_coarse(step.part, step.cells, step.right, rivals):
        return None
    reason = Reason("slip.coarse", {"decimals": step.part.decimals or 0})
    return Credit("coarse", step.ground.policy.coarse, reasons=(reason,))


def _entries(step: Step) -> Credit:
    part, right, policy = step.part, step.right, step.ground.policy
    tolerance = window(part, policy)
    free = step.live
    share = earned(part, right, free, part.key, tolerance)
    reasons: tuple[Reason, ...] = ()
    if part.kind == "array":
        wrong, of = wrong_cells(part, right), sum(map(len, right))
        reasons = (Reason("entries", {"right": of - len(wrong), "of": of}),)
        if len(wrong) < of and len(wrong) <= MOST_TOLD:
            reasons = (*reasons, Reason("cells", {"cells": wrong}))
    for base, explained in () if step.after_right else step.bases:
        follow = tuple(map(tuple, (gaps(base.plain[0], step.typed) <= base.tolerance).tolist()))
        carried = _worth(step, explained=explained) * earned(part, follow, free, base.plain[0], tolerance)
        if carried > share:
            reasons = (*reasons, Reason("entries-carried"))
            return Credit("entries", carried, carried=True, reasons=reasons, explained=explained)
    return Credit("entries", share, reasons=reasons, explained=bool(share))


CREDITS: tuple[Callable[[Step], Credit | None], ...] = (
    _key,
    _carried,
    _other_row,
    _rounded,
    _stock,
    _coarse,
    _entries,
)
