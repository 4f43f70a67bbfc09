"""Properties: what holds of every right function whatever its numbers, tried call by call.

A function may give right values and lack one; then it is right, and this is told besides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from quizengine.attention.stage import Array
from quizengine.checking.call import Argument, Call, Function, Outcome, Raised, Returned
from quizengine.checking.growth import growth
from quizengine.checking.name import EXACT, SINGLE, close, is_right
from quizengine.checking.probe import Probe
from quizengine.checking.task import result
from quizengine.lang.json import Json

LARGE = 1e4
FAR = 1e3  # what no weight, however small, may let through
_OF_TOKENS = ("X", "C", "Q", "K", "V", "past_K", "past_V")


class Property(NamedTuple):
    """Whether a property holds; where it does not, the values of its message."""

    id: str
    holds: bool
    detail: Mapping[str, str | int | float] = {}

    def to_json(self) -> dict[str, Json]:
        """As the machine interface shows it."""
        told: dict[str, Json] = {"detail": dict(self.detail)} if self.detail else {}
        return {"id": self.id, "holds": self.holds, **told}


Judge = Callable[[Sequence[Outcome]], Property | None]
Trial = tuple[list[Call], Judge]
Shown = Callable[[Array], Property]


def trials(probes: Sequence[Probe], outcomes: Sequence[Outcome]) -> list[Trial]:
    """The calls by which each property is tried that a task can have, and what they show. `outcomes` are
    those of the probes."""
    task = probes[0].task
    base = next((p for p in probes if p.mask not in ("none", "causal")), probes[0])
    made = [
        _large(base),
        _dtype(base),
        _random(base),
        _untouched(probes, outcomes),
        _precision(probes, outcomes),
    ]
    if "V" in task.arguments:
        made += [_weights(base, _row_sums), _weights(base, _not_negative)]
    else:
        made += [_returned(probes, outcomes, _row_sums), _returned(probes, outcomes, _not_negative)]
    if "mask" in task.arguments or "real" in task.arguments:
        made.append(_hidden(base))
    if "none" in task.masks:
        made.append(_without_mask(probes, outcomes))
    if task.id in ("causal", "cache"):
        made.append(_future(base))
    if "K" in task.arguments and task.id not in ("causal", "cache"):
        made.append(_order(base))
    made.append(_batch(base))
    return made


def _array(probe: Probe, outcome: Outcome) -> Array | None:
    return result(probe.task, outcome) if isinstance(outcome, Returned) else None


def _with(probe: Probe, **changed: Argument) -> Call:
    return Call({**probe.call.arguments, **changed})


def _number(probe: Probe, name: str) -> Array:
    return np.array(probe.arguments[name], dtype=float)


def with_units(probe: Probe) -> Call:
    """The call with V = 1 (the unit matrix), of which the weights themselves come."""
    n_k = probe.right["weights"].shape[-1]
    values = np.broadcast_to(np.eye(n_k), (*_number(probe, "V").shape[:-2], n_k, n_k)).copy()
    past = _number(probe, "past_V").shape[-2] if "past_V" in probe.arguments else 0
    kept: dict[str, Argument] = {"past_V": values[..., :past, :].copy()} if past else {}
    return _with(probe, **kept, V=values[..., past:, :].copy())


def _weights(probe: Probe, shown: Shown) -> Trial:
    """What the weights show."""

    def judge(outcomes: Sequence[Outcome]) -> Property | None:
        return _of_weights(_array(probe, outcomes[0]), probe, shown)

    return [with_units(probe)], judge


def _returned(probes: Sequence[Probe], outcomes: Sequence[Outcome], shown: Shown) -> Trial:
    """The weights as they were returned, or nothing."""

    def judge(_: Sequence[Outcome]) -> Property | None:
        found = [
            _of_weights(np.asarray(outcome.stages["weights"]), probe, shown)
            for probe, outcome in zip(probes, outcomes, strict=True)
            if isinstance(outcome, Returned) and "weights" in outcome.stages
        ]
        known = [property_ for property_ in found if property_ is not None]
        return min(known, key=lambda property_: property_.holds, default=None)

    return [], judge


def _of_weights(weights: Array | None, probe: Probe, shown: Shown) -> Property | None:
    """What the weights show, if they are such."""
    if weights is None or weights.shape != probe.right["weights"].shape or not np.isfinite(weights).all():
        return None
    return shown(weights.astype(float).reshape(-1, weights.shape[-1]))


def _row_sums(rows: Array) -> Property:
    """Every row adds up to 1."""
    sums = rows.sum(axis=-1)
    off = np.flatnonzero(np.abs(sums - 1.0) > 1e-3)
    if not off.size:
        return Property("row-sum", holds=True)
    return Property("row-sum", holds=False, detail={"row": int(off[0]) + 1, "sum": f"{sums[off[0]]:.3g}"})


def _not_negative(rows: Array) -> Property:
    """No weight is below 0."""
    low = float(rows.min())
    return Property("negative", low >= -SINGLE, {"weight": f"{low:.3g}"} if low < -SINGLE else {})


def _large(probe: Probe) -> Trial:
    """Scores of ten thousand and more."""
    name = next((n for n in ("Q", "X") if n in probe.arguments), "")
    times = _number(probe, name) * LARGE

    def judge(outcomes: Sequence[Outcome]) -> Property | None:
        array = _array(probe, outcomes[0])
        if array is None or array.shape != probe.result.shape:
            return None
        return Property("large", bool(np.isfinite(array).all()))

    return [_with(probe, **{name: times})], judge


def _dtype(probe: Probe) -> Trial:
    """Single precision in, no less out."""
    single = {
        name: value.astype(np.float32)
        for name, value in probe.call.arguments.items()
        if isinstance(value, np.ndarray) and value.dtype == np.float64
    }

    def judge(outcomes: Sequence[Outcome]) -> Property | None:
        array = _array(probe, outcomes[0])
        if array is None or array.dtype.kind != "f":
            return None
        return Property("dtype", array.dtype.itemsize >= 4, {"dtype": array.dtype.name})

    return [_with(probe, **single)], judge


def _random(probe: Probe) -> Trial:
    """The same call twice, NumPy's own random state being another."""

    def judge(outcomes: Sequence[Outcome]) -> Property | None:
        one, other = (_array(probe, outcome) for outcome in outcomes)
        if one is None or other is None:
            return None
        return Property("random", np.array_equal(one, other, equal_nan=True))

    return [probe.call, probe.call._replace(seed=1)], judge


def _untouched(probes: Sequence[Probe], outcomes: Sequence[Outcome]) -> Trial:
    """No call of a probe changed what it was given."""

    def judge(_: Sequence[Outcome]) -> Property:
        changed = frozenset[str]().union(*(o.changed for o in outcomes if isinstance(o, Returned)))
        first = next((name for name in probes[0].task.arguments if name in changed), "")
        return Property("inputs", not first, {"name": first} if first else {})

    return [], judge


def _precision(probes: Sequence[Probe], outcomes: Sequence[Outcome]) -> Trial:
    """Double precision all the way."""

    def judge(_: Sequence[Outcome]) -> Property | None:
        if not all(is_right(p, o) for p, o in zip(probes, outcomes, strict=True) if p.mask != "none"):
            return None
        met = [(p, a) for p, o in zip(probes, outcomes, strict=True) if (a := _array(p, o)) is not None]
        off = max(float(np.abs(array - probe.result).max()) for probe, array in met)
        return Property("precision", off <= EXACT, {"off": f"{off:.1e}"} if off > EXACT else {})

    return [], judge


def _hidden(probe: Probe) -> Trial:
    """What no query sees may be anything: the last key is hidden from all, with its value."""
    shape = probe.right["weights"].shape[-2:]
    name = "real" if "real" in probe.arguments else "mask"
    keep = np.ones(shape[1] if name == "real" else shape, dtype=bool)
    keep[..., -1] = False
    rows = {n: _number(probe, n) for n in ("K", "V", "C", "X") if n in probe.arguments}
    if "C" in rows or "K" in rows:
        rows.pop("X", None)
    changed: dict[str, Argument] = {}
    for n, array in rows.items():
        array[..., -1, :] += FAR if n != "K" else 1.0
        changed[n] = array
    own = shape[0] - 1 if "X" in rows else shape[0]  # in self-attention the last query is another one then

    def judge(outcomes: Sequence[Outcome]) -> Property | None:
        one, other = (_array(probe, outcome) for outcome in outcomes)
        if one is None or other is None or one.shape != other.shape or one.shape != probe.result.shape:
            return None
        same = close(other[..., :own, :], one[..., :own, :].astype(float), SINGLE)
        return Property("hidden", same)

    return [_with(probe, **{name: keep}), _with(probe, **{name: keep.copy()}, **changed)], judge


def _without_mask(probes: Sequence[Probe], outcomes: Sequence[Outcome]) -> Trial:
    """A mask may be left out: then every key is seen."""

    def judge(_: Sequence[Outcome]) -> Property | None:
        met = [(p, o) for p, o in zip(probes, outcomes, strict=True) if p.mask == "none"]
        raised = next((o for _, o in met if isinstance(o, Raised)), None)
        if raised is not None and len(met) < sum(isinstance(o, Returned) for o in outcomes):
            return Property("mask-none", holds=False, detail={"error": raised.kind})
        return Property("mask-none", holds=True) if all(is_right(p, o) for p, o in met) else None

    return [], judge


def _future(probe: Probe) -> Trial:
    """Another last token changes nothing before it."""
    changed: dict[str, Argument] = {}
    for name in ("K", "V"):
        array = _number(probe, name)
        array[..., -1, :] += FAR if name == "V" else 1.0
        changed[name] = array

    def judge(outcomes: Sequence[Outcome]) -> Property | None:
        one, other = (_array(probe, outcome) for outcome in outcomes)
        if one is None or other is None or one.shape != other.shape or one.shape != probe.result.shape:
            return None
        return Property("future", close(other[..., :-1, :], one[..., :-1, :].astype(float), SINGLE))

    return [probe.call, _with(probe, **changed)], judge


def _order(probe: Probe) -> Trial:
    """Keys, values and the columns of the mask in another order."""
    turned: dict[str, Argument] = {
        name: _number(probe, name)[..., ::-1, :].copy() for name in ("K", "V") if name in probe.arguments
    }
    for name in ("mask", "real"):
        if name in probe.arguments:
            turned[name] = np.asarray(probe.arguments[name])[..., ::-1].copy()

    def judge(outcomes: Sequence[Outcome]) -> Property | None:
        one, other = (_array(probe, outcome) for outcome in outcomes)
        if one is None or other is None or one.shape != other.shape or not np.isfinite(one).all():
            return None
        return Property("order", close(other, one.astype(float), SINGLE))

    return [probe.call, _with(probe, **turned)], judge


def _batch(probe: Probe) -> Trial:
    """Two at once are each as it is alone; where the function needs a batch axis, two batches at once."""
    tokens = [name for name in _OF_TOKENS if name in probe.arguments]
    join = np.concatenate if probe.result.ndim > 2 else np.stack
    second: dict[str, Argument] = {name: _number(probe, name)[..., ::-1, :].copy() for name in tokens}
    both: dict[str, Argument] = {
        name: join([_number(probe, name), _number(probe, name)[..., ::-1, :]]) for name in tokens
    }

    def judge(outcomes: Sequence[Outcome]) -> Property | None:
        one, other = (_array(probe, outcome) for outcome in outcomes[:2])
        if one is None or other is None or one.shape != other.shape:
            return None
        right = join([one, other]).astype(float)
        if not np.isfinite(right).all():
            return None
        stopped = outcomes[2]
        if isinstance(stopped, Raised):
            return Property("batch", holds=False, detail={"error": stopped.kind})
        return Property("batch", close(_array(probe, stopped), right, SINGLE))

    return [probe.call, _with(probe, **second), _with(probe, **both)], judge


def tried(function: Function, probes: Sequence[Probe], outcomes: Sequence[Outcome]) -> list[Property]:
    """Every property that the function shows to have or to lack."""
    made = trials(probes, outcomes)
    answers = iter(function([call for calls, _ in made for call in calls]))
    shown = [judge([next(answers) for _ in calls]) for calls, judge in made]
    found = [property_ for property_ in shown if property_ is not None]
    exponents = growth(function, probes[0].task, (1,) if probes[0].result.ndim > 2 else ())
    return [*found, *(Property(*grown) for grown in exponents)]
