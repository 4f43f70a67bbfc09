"""What is certain of a wrong part when nothing listed explains it. None of it changes a mark."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from quizengine.attention.solver import World
from quizengine.attention.stage import Array, softmax
from quizengine.items.close import SEAL
from quizengine.marking.entries import HIDDEN, live
from quizengine.marking.mark import Reason
from quizengine.marking.step import Step

INSIDE = 0.01  # by which a rounded output may lie outside of the hull of V
LEAST = 1e-6


def observations(step: Step) -> tuple[Reason, ...]:
    """What the numbers of a wrong array show: in themselves, and beside the right ones."""
    rows = [[float(c.units) / SEAL for c in row if c is not None and c is not HIDDEN] for row in step.cells]
    if step.part.kind != "array" or any(len(r) < len(c) for r, c in zip(rows, step.cells, strict=True)):
        return ()
    found = []
    if step.part.stage == "weights":
        found = [*_divided(step, rows), *_of_weights(step, rows)]
    elif step.part.stage == "output":
        found = _of_output(step, rows)
    return tuple(found or _beside(step, np.array(rows)))


def _of_weights(step: Step, rows: list[list[float]]) -> list[Reason]:
    reasons = []
    key = np.array(step.part.key, dtype=float)
    for number, row, seen, right in zip(
        step.part.rows, rows, live(step.part, step.cells), key.tolist(), strict=True
    ):
        hidden = [j for j, (x, keep) in enumerate(zip(row, seen, strict=True), 1) if x and not keep]
        missing = [
            j
            for j, (x, keep, k) in enumerate(zip(row, seen, right, strict=True), 1)
            if not x and keep and k > 2 * step.window
        ]
        if hidden:
            reasons.append(Reason("hidden-weight", {"row": number, "column": hidden[0]}))
        elif abs(sum(row) - 1.0) > len(row) * 0.0051:
            reasons.append(Reason("row-sum", {"row": number, "sum": f"{sum(row):.3f}"}))
        if missing:
            reasons.append(Reason("seen.missing", {"row": number, "column": missing[0]}))
    return reasons


def _divided(step: Step, rows: list[list[float]]) -> list[Reason]:
    """Are they a softmax of these scores divided by another number than √d_k? Fitted on logarithms."""
    solution, trace = step.own.solution, step.own.trace_in(World())
    if solution.right["weights"].ndim != 2 or "divisor" not in solution.inputs:
        return []
    if {"v_a", "scale"} & step.ground.problem.given.keys():  # nothing is divided by √d_k there
        return []
    scaled, weights = trace["masked"][[row - 1 for row in step.part.rows]], np.array(rows)
    finite = np.isfinite(scaled)
    seen = finite & (weights > 0)
    many = seen.sum(axis=1, keepdims=True)
    if (finite & ~seen).any() or many.sum() < len(rows) + 2:
        return []
    s, w = np.where(seen, scaled, 0.0), np.log(np.where(seen, weights, 1.0))
    s, w = (np.where(seen, x - x.sum(axis=1, keepdims=True) / many, 0.0) for x in (s, w))
    if (spread := float((s * s).sum())) < LEAST or abs(factor := float((s * w).sum()) / spread) < LEAST:
        return []
    fitted = softmax(np.where(finite, scaled * factor, -np.inf))
    if np.abs(fitted - weights).max() > step.window / SEAL or abs(factor - 1.0) < 0.01:
        return []
    root = float(solution.inputs["divisor"])
    return [Reason("seen.divided", {"divisor": f"{root / factor:.3g}", "root": f"{root:.3g}"})]


def _of_output(step: Step, rows: list[list[float]]) -> list[Reason]:
    problem = step.ground.problem
    values = problem.matrix("V")
    if not values or step.own.solution.right["output"].ndim != 2:
        return []
    mask = problem.matrix("mask")
    for number, row in zip(step.part.rows, rows, strict=True):
        keep = mask[number - 1] if mask else [1] * len(values)
        visible = np.array([v for v, seen in zip(values, keep, strict=True) if seen], dtype=float)
        low, high = visible.min(axis=0), visible.max(axis=0)
        out = np.flatnonzero((np.array(row) < low - INSIDE) | (np.array(row) > high + INSIDE))
        if len(out):
            j = int(out[0])
            bounds = {"low": f"{low[j]:g}", "high": f"{high[j]:g}"}
            return [Reason("outside", {"row": number, "column": j + 1, **bounds})]
        if not _in_hull(np.array(row), visible):
            return [Reason("seen.hull", {"row": number})]
    return []


def _in_hull(point: Array, corners: Array) -> bool:
    """Is the point (d,) a mixture of the corners (n, d)? By Carathéodory, of at most d + 1 of them."""
    many = min(len(corners), len(point) + 1)
    for chosen in combinations(corners, many):
        system = np.vstack([np.array(chosen).T, np.ones(many)])
        shares, *_ = np.linalg.lstsq(system, np.append(point, 1.0), rcond=None)
        if (shares >= -INSIDE).all() and np.abs(system @ shares - np.append(point, 1.0)).max() <= INSIDE:
            return True
    return False


def _beside(step: Step, typed: Array) -> list[Reason]:
    """How all entries differ from the right ones: by the same amount, by the same factor, by their order."""
    key = np.array(step.part.key, dtype=float) / SEAL
    window = step.window / SEAL
    if typed.size < 2 or typed.shape != key.shape:
        return []
    if np.ptp(typed - key) <= 2 * window < np.abs(typed - key).min():
        return [Reason("seen.shifted", {"by": f"{float((typed - key).mean()):+.3g}"})]
    if np.abs(np.sort(typed.ravel()) - np.sort(key.ravel())).max() <= window:
        return [Reason("seen.permuted")]
    if (np.abs(key) > LEAST).sum() >= 2:
        times = float((typed * key).sum() / (key * key).sum())
        if abs(times) > LEAST and np.abs(typed - times * key).max() <= window:
            return [Reason("seen.multiple", {"times": f"{times:.3g}"})]
    return []
