"""Tensor: the arrays in what a learner's function returns, whatever library made them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quizengine.checking.source import Unfit


def arrays_of(result: object) -> dict[str, NDArray[np.generic]]:
    """The arrays by stage: of a dict as it names them; of a pair the output and the weights; else the output.
    Raises Unfit where there is none."""
    if result is None:
        raise Unfit("check.returned-nothing")
    if isinstance(result, Mapping):
        if not all(isinstance(name, str) for name in result):
            kind = next(type(name).__name__ for name in result if not isinstance(name, str))
            raise Unfit("check.not-named", kind=kind)
        return {name: _array(value) for name, value in result.items() if value is not None}
    if isinstance(result, tuple) and any(_is_whole(one, len(result)) for one in result):
        if len(result) > 2:
            raise Unfit("check.too-many", count=str(len(result)))
        pair = zip(("output", "weights"), result, strict=False)
        return {name: _array(value) for name, value in pair if value is not None}
    return {"output": _array(result)}


def _is_whole(value: object, count: int) -> bool:
    """Is it an array by itself, one of so many, and not a row of one?"""
    return len(value.shape) >= (1 if count == 2 else 2) if hasattr(value, "shape") else _depth(value) >= 2


def _depth(value: object) -> int:
    depth = 0
    while isinstance(value, list | tuple) and value and depth < 9:
        value, depth = value[0], depth + 1
    return depth


def _bare(value: Any) -> Any:
    """The NumPy array behind a tensor, of a width that NumPy has."""
    if hasattr(value, "detach"):
        value = value.detach().cpu()
        try:
            return value.numpy()
        except TypeError:  # bfloat16
            return value.float().numpy()
    if isinstance(value, list | tuple):
        return [_bare(one) for one in value]
    return value


def _array(value: object) -> NDArray[np.generic]:
    try:
        array = np.asarray(_bare(value))
    except ValueError:
        raise Unfit("check.ragged") from None
    if array.dtype.kind not in "biuf":
        kind = str(array.dtype) if hasattr(value, "dtype") else type(value).__name__
        raise Unfit("check.not-an-array", kind=kind[:100])
    return array
