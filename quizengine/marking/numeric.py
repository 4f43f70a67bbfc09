"""Judge the parts of a numeric problem in order: the key, else what follows from the learner's own
earlier values, else the right entries; and say which mistake turned one part into the next."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property

import numpy as np

from quizengine.attention.stage import Array
from quizengine.items.policy import Policy
from quizengine.marking.diagnose import Findings, gaps, nearest_ids, one_off
from quizengine.marking.entries import (
    Grid,
    complete,
    earned,
    from_stock,
    grid,
    is_coarse,
    live,
    masked_early,
    window,
)
from quizengine.marking.follow import Steps, distances
from quizengine.marking.judge import NOTHING, unanswered, verdict
from quizengine.marking.mark import Mark, PartMark, Reason
from quizengine.marking.slips import broken_invariants, may_be_a_row, slip, wrong_cells
from quizengine.problems.part import NumericPart, is_sealed
from quizengine.problems.problem import Problem
from quizengine.responses.response import Cells, NumericValue, Response

STOCK_WINDOWS = 10  # as wide as any match may be: a jittered constant is still a constant


def judge_numeric(problem: Problem, responses: Mapping[str, Response], policy: Policy) -> Mark:
    """Every part by itself and, after an error, by what follows from it: the better counts."""
    run = _Run(problem, policy)
    marks = []
    for part in problem.numeric:
        response = responses.get(part.id, NOTHING)
        mark = unanswered(part, response)
        if mark is None:
            assert isinstance(response.reading, NumericValue)
            mark = run.part(part, response.reading)
        marks.append(mark)
    named = tuple(mark._replace(misconceptions=run.findings.at(mark.id)) for mark in marks)
    return Mark(problem.item, problem.seed, named, run.findings.diagnosis())


MOST_TOLD = 4  # wrong entries that are told one by one


class _Run:
    """One pass over the parts. `taken` are the values typed so far, and whether something explains
    them: the key, a recognised mistake, what came before, or half of the entries."""

    def __init__(self, problem: Problem, policy: Policy):
        self.problem, self.policy = problem, policy
        self.findings = Findings()
        self.taken: list[tuple[NumericPart, Cells, bool]] = []
        self.right: list[NumericPart] = []
        self._bare: Steps | None = None
        self._values: dict[str, tuple[Array, Array]] = {}
        self._seen: dict[tuple[str, int, int], tuple[Array, Array]] = {}

    @cached_property
    def ids(self) -> list[str]:
        """The misconceptions that may show."""
        return [rival.misconception for rival in self.problem.rivals]

    def _expected(self, part: NumericPart, ids: list[str], *, explained: bool) -> tuple[Array, Array] | None:
        """What this part should be after the values so far, plainly and under each misconception."""
        laid = [(before, cells) for before, cells, known in self.taken if known or not explained]
        if not laid:
            return None
        key = (part.id, len(laid), len(ids))
        if key not in self._seen:
            steps = self._solver().fresh()
            wrong = False  # from the first error on, what was typed may stand for unrounded numbers
            for before, cells in laid:
                wrong = wrong or before not in self.right
                steps.take(before, cells, rounded=wrong)
            self._seen[key] = steps.expect(part, ids)
        return self._seen[key]

    def part(self, part: NumericPart, reading: NumericValue) -> PartMark:
        cells = masked_early(self.problem, part, reading.content)
        right = grid(cells, part.key, window(part, self.policy))
        base = PartMark(part.id, "right", Fraction(1), part.points, reading, right)
        if complete(right):
            self.taken.append((part, cells, True))
            self.right.append(part)
            return base
        stock, jittered = self._stock(part, cells)
        coarse = self._coarse(part, cells, right)
        exactly = jittered or self._only_right()
        if not stock and self._follows(part, cells, exactly=exactly):
            share = self.policy.carry if not self._only_right() else Fraction(1)
            self.taken.append((part, cells, True))
            carried = base._replace(verdict=verdict(share), share=share, carried=True)
            return carried._replace(reasons=(Reason("carried"),))
        ids, grounded = self._suspects(part, cells)
        self.findings.wrong(part, ids)
        stock = stock or (jittered and not grounded)
        mark = self._alone(part, cells, base, stock=stock, coarse=coarse)
        slipped = None if ids or stock else self._slip(part, cells, right)
        broken = () if ids or stock else tuple(broken_invariants(self.problem, part, cells))
        if slipped and not (broken and slipped.code == "slip.one"):  # which is the least that can be said
            broken = (slipped,)
        reasons = (*mark.reasons, *broken)
        known = slipped is not None and slipped.code != "slip.other-row"  # a whole row can be copied
        explained = grounded or known or _half(part, cells, right) or mark.share > 0
        self.taken.append((part, cells, explained and not stock))
        return mark._replace(reasons=reasons)

    def _alone(
        self, part: NumericPart, cells: Cells, base: PartMark, *, stock: bool, coarse: bool
    ) -> PartMark:
        """A part that is neither right nor carried: coarse, or by its entries."""
        if stock:
            return base._replace(verdict="wrong", share=Fraction(0), reasons=(Reason("stock"),))
        if coarse:
            share = self.policy.coarse
            reason = Reason("coarse", {"decimals": part.decimals or 0})
            return base._replace(verdict=verdict(share), share=share, reasons=(reason,))
        free = live(part, cells)
        share = earned(part, base.entries, free, part.key, window(part, self.policy))
        reasons: tuple[Reason, ...] = ()
        if part.kind == "array":
            flat = [ok for row in base.entries for ok in row]
            wrong = wrong_cells(part, base.entries)
            reasons = (Reason("entries", {"right": len(flat) - len(wrong), "of": len(flat)}),)
            if len(wrong) < len(flat) and len(wrong) <= MOST_TOLD:
                reasons = (*reasons, Reason("cells", {"cells": wrong}))
        carried = self._entries_carried(part, cells, free)
        if carried > share:
            reasons = (*reasons, Reason("entries-carried"))
            return base._replace(verdict=verdict(carried), share=carried, carried=True, reasons=reasons)
        return base._replace(verdict=verdict(share), share=share, reasons=reasons)

    def _coarse(self, part: NumericPart, cells: Cells, right: Grid) -> bool:
        rivals = (rival.values[part.id] for rival in self.problem.rivals)
        return is_coarse(part, cells, right, filter(is_sealed, rivals))

    def _entries_carried(self, part: NumericPart, cells: Cells, free: Grid) -> Fraction:
        """What the entries earn that follow from the explained values before it."""
        found = None if self._only_right() else self._expected(part, self.ids, explained=True)
        if found is None:
            return Fraction(0)
        expected, tolerance = found
        near = gaps(expected[0], cells) <= tolerance
        right = tuple(map(tuple, near.tolist()))
        return self.policy.carry * earned(part, right, free, expected[0], window(part, self.policy))

    def _slip(self, part: NumericPart, cells: Cells, right: Grid) -> Reason | None:
        """A slip that can be recognised."""
        stage = self._solver().right(part) if part.stage and part.rows and may_be_a_row(part, cells) else None
        return slip(part, cells, right, stage, window(part, self.policy))

    def _solver(self) -> Steps:
        self._bare = self._bare or Steps(self.problem, self.policy)
        return self._bare

    def _stock(self, part: NumericPart, cells: Cells) -> tuple[bool, bool]:
        """Is this an answer that needs no work; and is it one that is only shaken a little?"""
        own = float(window(part, self.policy))
        off = from_stock(self.problem, part, cells, STOCK_WINDOWS * own)
        return off <= own, off <= STOCK_WINDOWS * own

    def _follows(self, part: NumericPart, cells: Cells, *, exactly: bool) -> bool:
        """Is this what follows from the explained values before it (`exactly`: within the plain
        window)? It is not when a misconception accounts for it better."""
        suspected = self.findings.suspected()
        for ids, within in ((suspected, True), (self.ids, exactly)):  # few first: it mostly is enough
            found = self._expected(part, ids, explained=True)
            if found is None:
                return False
            expected, tolerance = found
            plain = np.full_like(tolerance, float(window(part, self.policy)))
            off = distances(cells, expected, plain if within else tolerance).max(axis=(1, 2))
            if off[0] <= 1.0 and off[0] <= off.min() + 1e-3:
                self.findings.followed(id_ for id_, d in zip(ids, off[1:], strict=True) if d <= 1.0)
                return True
        return False

    def _suspects(self, part: NumericPart, cells: Cells) -> tuple[list[str], bool]:
        """Which misconceptions turn what was typed before into this part; and whether they stand on
        values that are explained themselves. A rule found on invented values names the mistake,
        but nothing may be carried from it."""
        if not self._only_right():
            for explained in (True, False):
                ids, plain = self._local(part, cells, explained=explained)
                if ids:
                    return ids, explained
                if plain:
                    return [], False  # a right step, though from values that nothing explains
        met = self._met(part, cells)
        if not met and self.right:
            met = self._local(part, cells, explained=True)[0]
        met = met or self._nearly(part, cells)
        return [id_ for id_ in met if not self._excluded(id_)] or met, bool(met)

    def _nearly(self, part: NumericPart, cells: Cells) -> list[str]:
        """The rivals that are this part but for one entry, where the key is further off."""
        near, tells = self._rivals(part, cells)
        if part.kind != "array" or len(near) < 2 or (~near[0]).sum() <= 1:
            return []
        return one_off(self.ids, near[1:], tells)

    def _rivals(self, part: NumericPart, cells: Cells) -> tuple[Array, Array]:
        """(1 + rivals, rows, columns): where the cells are near the key and each rival; (rivals, rows,
        columns): where the rival clearly is not the key."""
        own = float(window(part, self.policy))
        if part.id not in self._values:
            keys = [part.key, *(rival.values[part.id] for rival in self.problem.rivals)]
            values = np.array(keys, dtype=float)
            self._values[part.id] = values, np.abs(values[1:] - values[0]) > 2 * own
        values, tells = self._values[part.id]
        return gaps(values, cells) <= own, tells

    def _only_right(self) -> bool:
        """Is all that was typed so far right by the key?"""
        return len(self.right) == len(self.taken)

    def _met(self, part: NumericPart, cells: Cells) -> list[str]:
        """The rivals that are this part to the letter."""
        near, tells = self._rivals(part, cells)
        met = near[1:].all(axis=(1, 2)) & tells.any(axis=(1, 2))
        return [self.ids[n] for n in np.flatnonzero(met)]

    def _local(self, part: NumericPart, cells: Cells, *, explained: bool) -> tuple[list[str], bool]:
        """The rules that give this part from the values before it; and whether the right one does."""
        found = self._expected(part, self.ids, explained=explained)
        if found is None:
            return [], False
        expected, tolerance = found
        near = distances(cells, expected, tolerance)
        off = near.max(axis=(1, 2))
        if off[0] <= 1.0 and off[0] <= off.min() + 1e-3:
            return [], True
        acts = [bool((e != expected[0]).any()) for e in expected[1:]]
        return nearest_ids([i for i, a in zip(self.ids, acts, strict=True) if a], off[1:][acts]), False

    def _excluded(self, id_: str) -> bool:
        """Would this misconception have shown in a part that is right?"""
        [rival] = [rival for rival in self.problem.rivals if rival.misconception == id_]
        return any(rival.values[part.id] != part.key for part in self.right)


def _half(part: NumericPart, cells: Cells, right: Grid) -> bool:
    """Are at least half of the entries right that nothing gives away? A nought is anybody's guess."""
    free = np.array(live(part, cells)) & (np.array(part.key) != 0)
    return bool(2 * (free & np.array(right)).sum() >= free.sum() > 0)
