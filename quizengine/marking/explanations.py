"""The ordered tables of explanations: what a part earns and why, which mistake made it, what it shows.

A row is a pure function of a step: it gives an explanation, or None where it does not apply. Of
`CREDITS` and `CAUSES` the first that applies holds; of `SIGNS` whatever applies is told.

    table    row                 needs                                  gives
    CREDITS  key                 nothing                                all
             carried             explained values before it; no stock   the policy's share
             stock               an answer that needs no work           nothing
             coarse              the key with one decimal too few       the policy's share
             entries             nothing                                what right or carried entries earn
    CAUSES   own values          explained values after an error        the rules that turn them into it
             values as typed     any values after an error              the same, with nothing carried
             to the letter       nothing                                the rivals that it is
             own rounded values  right values before it                 as the first
             all but one entry   an array, several entries wrong        the rivals that it nearly is
    SIGNS    invariants          no cause, no stock                     what no right answer looks like
             slip                no cause, no stock                     a slip that can be recognised
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from quizengine.marking.diagnose import one_off, suspected
from quizengine.marking.entries import earned, is_coarse, live, window
from quizengine.marking.follow import distances, gaps
from quizengine.marking.mark import Reason
from quizengine.marking.slips import broken_invariants, may_be_a_row, slip, wrong_cells
from quizengine.marking.step import Rules, Step, fits_best
from quizengine.problems.part import is_sealed

MOST_TOLD = 4  # wrong entries that are told one by one


class Credit(NamedTuple):
    """What a part earns, by the row `name`; `also` are the misconceptions that give the same."""

    name: str
    share: Fraction
    carried: bool = False
    reasons: tuple[Reason, ...] = ()
    also: tuple[str, ...] = ()


class Cause(NamedTuple):
    """The misconceptions that make this part, by the row `name`; none: a right step. Does it stand on
    values that are `grounded`, so that something may be carried from it?"""

    name: str
    ids: tuple[str, ...]
    grounded: bool


NO_CAUSE = Cause("", (), grounded=False)


def credit_of(step: Step) -> Credit:
    """What the part earns: the first row of CREDITS that applies."""
    return next(found for row in CREDITS if (found := row(step)))


def cause_of(step: Step) -> Cause:
    """What made a wrong part: the first row of CAUSES that applies."""
    return next((found for row in CAUSES if (found := row(step))), NO_CAUSE)


def signs_of(step: Step, cause: Cause, credit: Credit) -> tuple[Reason, ...]:
    """What a part shows that no misconception explains: all rows of SIGNS that apply."""
    if cause.ids or credit.name == "stock":
        return ()
    found = tuple(reason for row in SIGNS for reason in row(step))
    if len(found) > 1:  # that one entry is wrong is the least that can be said
        return tuple(reason for reason in found if reason.code != "slip.one")
    return found


def _key(step: Step) -> Credit | None:
    return Credit("key", Fraction(1)) if step.is_right else None


def _carried(step: Step) -> Credit | None:
    """This is what follows from the explained values before it. It is not when a misconception accounts for
    it better; where what was typed before is right, or this is shaken stock, only the plain window counts."""
    if step.is_stock:
        return None
    exactly = step.is_shaken_stock or step.after_right
    few = suspected(step.findings)
    for ids, plain in ((few, True), (step.ground.ids, exactly)):  # few first: it mostly is enough
        found = step.expected(ids, explained=True)
        if found is None:
            return None
        expected, tolerance = found
        within = np.full_like(tolerance, step.window) if plain else tolerance
        off = distances(step.cells, expected, within).max(axis=(1, 2))
        if fits_best(off):
            share = Fraction(1) if step.after_right else step.ground.policy.carry
            also = tuple(id_ for id_, d in zip(ids, off[1:], strict=True) if d <= 1.0)
            return Credit("carried", share, carried=True, reasons=(Reason("carried"),), also=also)
    return None


def _stock(step: Step) -> Credit | None:
    if step.is_stock or (step.is_shaken_stock and not cause_of(step).grounded):
        return Credit("stock", Fraction(0), reasons=(Reason("stock"),))
    return None


def _coarse(step: Step) -> Credit | None:
    rivals = (rival.values[step.part.id] for rival in step.ground.problem.rivals)
    if not is_coarse(step.part, step.cells, step.right, filter(is_sealed, rivals)):
        return None
    reason = Reason("coarse", {"decimals": step.part.decimals or 0})
    return Credit("coarse", step.ground.policy.coarse, reasons=(reason,))


def _entries(step: Step) -> Credit:
    part, right = step.part, step.right
    tolerance = window(part, step.ground.policy)
    free = live(part, step.cells)
    share = earned(part, right, free, part.key, tolerance)
    reasons: tuple[Reason, ...] = ()
    if part.kind == "array":
        wrong, of = wrong_cells(part, right), sum(map(len, right))
        reasons = (Reason("entries", {"right": of - len(wrong), "of": of}),)
        if len(wrong) < of and len(wrong) <= MOST_TOLD:
            reasons = (*reasons, Reason("cells", {"cells": wrong}))
    found = None if step.after_right else step.expected(step.ground.ids, explained=True)
    if found is not None:
        expected, slack = found
        follow = tuple(map(tuple, (gaps(expected[0], step.cells) <= slack).tolist()))
        carried = step.ground.policy.carry * earned(part, follow, free, expected[0], tolerance)
        if carried > share:
            reasons = (*reasons, Reason("entries-carried"))
            return Credit("entries", carried, carried=True, reasons=reasons)
    return Credit("entries", share, reasons=reasons)


def _caused(name: str, rules: Rules) -> Cause | None:
    if rules.plain:
        return Cause(name, (), grounded=False)  # a right step, though from values that nothing explains
    return Cause(name, rules.ids, grounded=rules.explained) if rules.ids else None


def _own_values(step: Step) -> Cause | None:
    return None if step.after_right else _caused("own values", step.rules(explained=True))


def _values_as_typed(step: Step) -> Cause | None:
    return None if step.after_right else _caused("values as typed", step.rules(explained=False))


def _to_the_letter(step: Step) -> Cause | None:
    tells = step.ground.rivals(step.part)[1]
    met = step.near[1:].all(axis=(1, 2)) & tells.any(axis=(1, 2))
    return _unrefuted("to the letter", step, tuple(step.ground.ids[n] for n in np.flatnonzero(met)))


def _own_rounded_values(step: Step) -> Cause | None:
    if not any(typed.right for typed in step.before):
        return None
    return _unrefuted("own rounded values", step, step.rules(explained=True).ids)


def _all_but_one_entry(step: Step) -> Cause | None:
    near, tells = step.near, step.ground.rivals(step.part)[1]
    if step.part.kind != "array" or len(near) < 2 or (~near[0]).sum() <= 1:
        return None
    return _unrefuted("all but one entry", step, one_off(step.ground.ids, near[1:], tells))


def _unrefuted(name: str, step: Step, ids: tuple[str, ...]) -> Cause | None:
    """Of the misconceptions those that would not have shown in a part that is right, if there are any."""
    if not ids:
        return None
    right = [typed.part for typed in step.before if typed.right]
    refuted = {
        rival.misconception
        for rival in step.ground.problem.rivals
        if any(rival.values[part.id] != part.key for part in right)
    }
    return Cause(name, tuple(id_ for id_ in ids if id_ not in refuted) or ids, grounded=True)


def _slip(step: Step) -> tuple[Reason, ...]:
    part = step.part
    rowed = bool(part.stage and part.rows) and may_be_a_row(part, step.cells)
    stage = step.ground.solution.right(part) if rowed else None
    found = slip(part, step.cells, step.right, stage, window(part, step.ground.policy))
    return (found,) if found else ()


def _invariants(step: Step) -> tuple[Reason, ...]:
    return tuple(broken_invariants(step.ground.problem, step.part, step.cells))


CREDITS: tuple[Callable[[Step], Credit | None], ...] = (_key, _carried, _stock, _coarse, _entries)
CAUSES: tuple[Callable[[Step], Cause | None], ...] = (
    _own_values,
    _values_as_typed,
    _to_the_letter,
    _own_rounded_values,
    _all_but_one_entry,
)
SIGNS: tuple[Callable[[Step], tuple[Reason, ...]], ...] = (_invariants, _slip)
