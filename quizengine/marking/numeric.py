"""Judge the parts of a numeric problem in order: the key, else what follows from the learner's own
earlier values, else the right entries; and say which mistake turned one part into the next."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from quizengine.items.policy import Policy
from quizengine.marking.diagnose import Findings, broken_invariants, nearest_ids, rivals_met
from quizengine.marking.entries import complete, earned, grid, is_coarse, is_stock, live, window
from quizengine.marking.follow import Steps, distances
from quizengine.marking.judge import _NOTHING, unanswered, verdict
from quizengine.marking.mark import Mark, PartMark, Reason
from quizengine.problems.problem import Part, Problem
from quizengine.responses.response import Cells, Response, Value


def judge_numeric(problem: Problem, responses: Mapping[str, Response], policy: Policy) -> Mark:
    """Every part by itself and, after an error, by what follows from it: the better counts."""
    run = _Run(problem, policy)
    marks = []
    for part in problem.parts:
        response = responses.get(part.id, _NOTHING)
        mark = unanswered(part, response)
        if mark is None:
            assert isinstance(response.reading, Value)
            mark = run.part(part, response.reading)
        marks.append(mark)
    named = tuple(mark._replace(misconceptions=run.findings.at(mark.id)) for mark in marks)
    return Mark(problem.item, problem.seed, named, run.findings.diagnosis())


class _Run:
    """One pass over the parts. `taken` are the values typed so far, once one of them was wrong, and
    whether something explains them."""

    def __init__(self, problem: Problem, policy: Policy):
        self.problem, self.policy = problem, policy
        self.findings = Findings()
        self.ids = [rival.misconception for rival in problem.rivals]
        self.taken: list[tuple[Part, Cells, bool]] = []

    def _steps(self, *, explained: bool) -> Steps | None:
        """The values typed so far laid over the right ones; with `explained` only such as may be
        carried. None when there is nothing to lay."""
        taken = [(part, cells) for part, cells, known in self.taken if known or not explained]
        if not taken:
            return None
        steps = Steps(self.problem, self.policy)
        for part, cells in taken:
            steps.take(part, cells)
        return steps

    def part(self, part: Part, reading: Value) -> PartMark:
        cells: Cells = reading.content
        tolerance = window(part, self.policy)
        right = grid(cells, part.sealed, tolerance)
        base = PartMark(part.id, "right", Fraction(1), part.points, reading.echo, right)
        if complete(right):
            if self.taken:
                self._take(part, cells, explained=True)
            return base
        stock = is_stock(self.problem, part, cells, tolerance)
        if not stock and self._follows(part, cells):
            share = self.policy.carry
            self._take(part, cells, explained=True)
            return base._replace(
                verdict=verdict(share),
                share=share,
                carried=True,
                reasons=(Reason("carried"),),
            )
        ids = self._suspects(part, cells)
        self.findings.wrong(part, ids)
        mark = self._alone(part, cells, base, stock=stock)
        reasons = mark.reasons if ids else (*mark.reasons, *broken_invariants(self.problem, part, cells))
        live_entries = [
            ok
            for row, mine in zip(right, live(part), strict=True)
            for ok, m in zip(row, mine, strict=True)
            if m
        ]
        half = 2 * sum(live_entries) >= len(live_entries)
        self._take(part, cells, explained=not stock and (bool(ids) or half or mark.share > 0))
        return mark._replace(reasons=reasons)

    def _alone(self, part: Part, cells: Cells, base: PartMark, *, stock: bool) -> PartMark:
        """A part that is neither right nor carried: coarse, or by its entries."""
        rivals = [rival.values[part.id] for rival in self.problem.rivals]
        if stock:
            return base._replace(verdict="wrong", share=Fraction(0), reasons=(Reason("stock"),))
        if is_coarse(part, cells, base.entries, rivals):  # type: ignore[arg-type]
            share = self.policy.coarse
            reason = Reason("coarse", {"decimals": part.decimals})
            return base._replace(verdict=verdict(share), share=share, reasons=(reason,))
        share = earned(part, base.entries, window(part, self.policy))
        reasons: tuple[Reason, ...] = ()
        if part.kind == "array":
            flat = [ok for row in base.entries for ok in row]
            reasons = (Reason("entries", {"right": sum(flat), "of": len(flat)}),)
        return base._replace(verdict=verdict(share), share=share, reasons=reasons)

    def _follows(self, part: Part, cells: Cells) -> bool:
        """Is this what follows from the explained values before it? It is not when a
        misconception accounts for it better."""
        steps = self._steps(explained=True)
        if steps is None:
            return False
        expected, tolerance = steps.expect(part, self.ids)
        off = distances(cells, expected, tolerance)
        if off[0] > 1.0 or off[0] > off.min() + 1e-3:
            return False
        self.findings.followed(id_ for id_, d in zip(self.ids, off[1:], strict=True) if d <= 1.0)
        return True

    def _suspects(self, part: Part, cells: Cells) -> list[str]:
        """Which misconceptions turn what was typed before into this part."""
        steps = self._steps(explained=False)
        if steps is not None:
            expected, tolerance = steps.expect(part, self.ids)
            off = distances(cells, expected, tolerance)
            if off[0] <= 1.0 and off[0] <= off.min() + 1e-3:
                return []  # a right step, though from values that nothing explains
            acts = [bool((e != expected[0]).any()) for e in expected[1:]]
            local = nearest_ids([i for i, a in zip(self.ids, acts, strict=True) if a], off[1:][acts])
            if local:
                return local
        return rivals_met(self.problem, part, cells, float(window(part, self.policy)))

    def _take(self, part: Part, cells: Cells, *, explained: bool) -> None:
        """Remember the values typed, for the parts that stand on them."""
        self.taken.append((part, cells, explained))
