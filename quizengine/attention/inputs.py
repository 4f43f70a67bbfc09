"""Inputs: named arrays, checked, with the mask and the dimensions that the tables read."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from quizengine.attention.masks import causal
from quizengine.attention.stage import ADDITIVE, MULTI_HEAD, ONE_HEAD, Array, Table, Trace
from quizengine.errors import ArrayError

ARRAYS = ("X", "C", "W_Q", "W_K", "W_V", "W_O", "Q", "K", "V", "past_K", "past_V", "bias", "v_a")
MOST_SCORES = 50_000_000
SETTINGS = ("mask", "causal", "scale", "heads", "kv_heads")
CAUSAL = ("causal", "top-left", "bottom-right")


def prepare(given: Mapping[str, object]) -> Trace:
    """Check what is given and add what the tables read besides.

    Arrays: `Q K V`, or `X W_Q W_K W_V` (and `C`, what keys and values are made from, when it is not
    X); `W_O`; `past_K past_V`, kept from earlier tokens, stand before K and V. `mask`: a matrix of 0
    and 1 (1 = may attend), or of 0 and −inf as it is added to the scores, or the word for a causal
    one; `bias`: any other matrix to add to the scaled scores; `v_a`, one row, makes it additive.
    `causal`: true or "top-left" (position i sees 1…i, after any past), "bottom-right" (the last
    query sees every key), or how many keys the first query sees besides its own. `scale` replaces
    1/√d_k. `heads` (and `kv_heads`) make it multi-head.

    Raises ArrayError, one sentence that names the array and its shape.
    """
    named = {name: _array(name, given[name]) for name in ARRAYS if given.get(name) is not None}
    vector = named.pop("v_a", None)
    if "X" in named:
        named.setdefault("C", named["X"])
    _check_products(named)
    past = _join_past(named)
    q, k, v = (_sides(named, *s) for s in (("Q", "X", "W_Q"), ("K", "C", "W_K"), ("V", "C", "W_V")))
    if k[0] != v[0]:
        raise ArrayError(f"there are {k[0]} keys and {v[0]} values: each key needs its value")
    h, g = _heads(given, q[1], k[1], v[1])
    if h * q[0] * k[0] > MOST_SCORES:
        raise ArrayError(
            f"{q[0]} queries and {k[0]} keys make {h * q[0] * k[0]} scores; {MOST_SCORES} are allowed"
        )
    if q[1] // h != k[1] // g:
        raise ArrayError(
            f"queries have {q[1] // h} features and keys {k[1] // g}: their product needs the same"
        )
    if vector is not None:
        _check_vector(vector, given, k[1])
    keep, bias = _mask(given, named.pop("bias", None), q[0], k[0], past)
    if "heads" in given:
        keep, bias = keep[..., None, :, :], bias[..., None, :, :]
        if "W_O" in named and named["W_O"].shape[-2] != v[1] // g * h:
            raise ArrayError(
                f"W_O {named['W_O'].shape} needs {v[1] // g * h} rows, as many as the heads have columns"
            )
    named |= {"mask": keep, "bias": bias}
    _align_batches(named, extra=int("heads" in given))
    if vector is not None:
        named["v_a"] = vector[0]
    d_k = q[1] // h
    sizes = {
        "n_q": q[0],
        "n_k": k[0],
        "d_k": d_k,
        "d_v": v[1] // g,
        "h": h,
        "g": g,
        "divisor": _divisor(given, d_k),
    }
    return named | {name: np.asarray(size) for name, size in sizes.items()}


def table_of(given: Mapping[str, object]) -> Table:
    """The table that these inputs are for."""
    return ADDITIVE if "v_a" in given else MULTI_HEAD if "heads" in given else ONE_HEAD


def hidden_row(inputs: Trace) -> int | None:
    """The first query (from 1) that sees no key at all, if there is one."""
    seen = (inputs["mask"] & (inputs["bias"] > -np.inf)).any(axis=-1)
    blind = np.flatnonzero(~seen.reshape(-1, seen.shape[-1]).all(axis=0))
    return int(blind[0]) + 1 if blind.size else None


def _array(name: str, value: object) -> Array:
    """`value` as a finite float64 matrix (with batch axes), or a sentence."""
    try:
        array = np.asarray(value)
        if np.iscomplexobj(array):
            raise TypeError
        array = array.astype(np.float64)
    except (TypeError, ValueError):
        raise ArrayError(f"{name} is not a matrix of numbers with rows of equal length") from None
    if array.ndim < 2 or 0 in array.shape:
        raise ArrayError(f"{name} has shape {array.shape}: a matrix of rows and columns is needed")
    finite = np.isfinite(array) | (np.isneginf(array) if name in ("mask", "bias") else False)
    if not finite.all():
        raise ArrayError(f"{name} (shape {array.shape}) holds NaN or an infinity")
    return array


def _check_products(named: Trace) -> None:
    for left, right in (("X", "W_Q"), ("C", "W_K"), ("C", "W_V")):
        if left in named and right in named and named[left].shape[-1] != named[right].shape[-2]:
            raise ArrayError(
                f"{left} {named[left].shape} and {right} {named[right].shape} cannot be multiplied:"
                f" {named[left].shape[-1]} columns against {named[right].shape[-2]} rows"
            )


def _join_past(named: Trace) -> int:
    """Keys and values kept from earlier tokens stand first; how many there are."""
    past = 0
    for name in ("K", "V"):
        if f"past_{name}" not in named:
            continue
        kept = named.pop(f"past_{name}")
        if (
            name not in named
            or kept.shape[:-2] != named[name].shape[:-2]
            or kept.shape[-1] != named[name].shape[-1]
        ):
            raise ArrayError(
                f"past_{name} {kept.shape} does not go before {name}: only the number of rows may differ"
            )
        named[name] = np.concatenate([kept, named[name]], axis=-2)
        past = kept.shape[-2]
    return past


def _sides(named: Trace, whole: str, left: str, right: str) -> tuple[int, int]:
    """Rows and columns of `whole`, or of the product that makes it."""
    if whole in named:
        return named[whole].shape[-2], named[whole].shape[-1]
    if left in named and right in named:
        return named[left].shape[-2], named[right].shape[-1]
    raise ArrayError(f"{whole} is missing: give {whole}, or {left.replace('C', 'X')} and {right}")


def _heads(given: Mapping[str, object], q: int, k: int, v: int) -> tuple[int, int]:
    """How many heads share out the columns of Q, and how many those of K and V."""
    h = _count("heads", given.get("heads", 1))
    g = _count("kv_heads", given.get("kv_heads", h))
    if h % g:
        raise ArrayError(f"{h} heads cannot share {g} key/value heads evenly")
    for name, width, parts in (("Q", q, h), ("K", k, g), ("V", v, g)):
        if width % parts:
            raise ArrayError(f"{name} has {width} columns, which {parts} heads cannot share out evenly")
    return h, g


def _count(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ArrayError(f"{name} = {value}: a whole number of at least 1 is needed")
    return value


def _check_vector(vector: Array, given: Mapping[str, object], d_a: int) -> None:
    if vector.shape != (1, d_a):
        raise ArrayError(f"v_a has shape {vector.shape}: additive attention needs one row of {d_a}, as K has")
    if "heads" in given:
        raise ArrayError("v_a and heads: additive attention has one head")
    if given.get("scale") is not None:
        raise ArrayError("v_a and scale: additive attention scales nothing")


def _divisor(given: Mapping[str, object], d_k: int) -> float:
    scale = given.get("scale")
    if scale is None:
        return float(np.sqrt(d_k))
    if isinstance(scale, bool) or not isinstance(scale, (int, float)) or not np.isfinite(scale) or scale == 0:
        raise ArrayError(f"scale = {scale}: a number other than 0 is needed")
    return 1.0 / float(scale)


def _mask(
    given: Mapping[str, object], bias: Array | None, n_q: int, n_k: int, past: int
) -> tuple[Array, Array]:
    """What may be attended to, and what is added to the scores."""
    mask, rule = given.get("mask"), given.get("causal")
    if isinstance(mask, str):
        if mask not in CAUSAL:
            raise ArrayError(f"mask “{mask}” is not known: give {', '.join(CAUSAL)}, or a matrix of 0 and 1")
        mask, rule = None, rule if rule is not None else mask
    keep = np.ones((n_q, n_k), dtype=bool)
    added = np.zeros((n_q, n_k)) if bias is None else bias
    if mask is not None:
        array = _array("mask", mask)
        if array.shape[-2:] != (n_q, n_k):
            raise ArrayError(f"mask has shape {array.shape}: the scores are {n_q}×{n_k}")
        if np.isin(array, (0.0, 1.0)).all():
            keep = array.astype(bool)
        elif np.isin(array, (0.0, -np.inf)).all():
            keep = array == 0.0
        else:
            raise ArrayError(
                "mask holds something other than 0 and 1, or 0 and −inf: a bias is given as “bias”"
            )
    if rule is not None and rule is not False:
        keep = keep & causal(n_q, n_k, _offset(rule, n_q, n_k, past))
    return keep, added if added.shape[-2:] == (n_q, n_k) else np.broadcast_to(added, (n_q, n_k))


def _offset(rule: object, n_q: int, n_k: int, past: int) -> int:
    if rule is True or rule in ("causal", "top-left"):
        return past
    if rule == "bottom-right":
        return n_k - n_q
    if isinstance(rule, int):
        return rule
    raise ArrayError(f"causal = {rule}: give true, top-left, bottom-right, or a whole number")


def _align_batches(named: Trace, extra: int) -> None:
    """Give all but the projections the same batch axes, so that a world axis can stand before them;
    masks have a head axis besides when there are heads."""
    arrays = {name: array for name, array in named.items() if not name.startswith("W_")}
    core = {name: 2 + extra * (name in ("mask", "bias")) for name in arrays}
    if all(array.ndim == core[name] for name, array in arrays.items()):
        return
    try:
        batch = np.broadcast_shapes(*(array.shape[: -core[name]] for name, array in arrays.items()))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ArrayError(f"the leading axes do not fit together: {shapes}") from None
    for name, array in arrays.items():
        named[name] = np.broadcast_to(array, (*batch, *array.shape[-core[name] :]))
