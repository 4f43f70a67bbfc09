"""The tasks: what a learner's function is to compute, from what, and in which stages that can be followed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from quizengine.attention.inputs import prepare
from quizengine.attention.stage import ADDITIVE, AVERAGE, MULTI_HEAD, ONE_HEAD, Array, Table, Trace
from quizengine.checking.call import Argument, Returned
from quizengine.errors import UnknownName
from quizengine.lang.messages import t
from quizengine.lang.text import Lang

Arguments = Mapping[str, Argument]
Fill = Callable[[str, tuple[int, ...]], Array]


class Sizes(NamedTuple):
    """How many queries, keys, features to compare and to mix (of a head), heads, key/value heads."""

    n_q: int
    n_k: int
    d_k: int
    d_v: int
    h: int = 1
    g: int = 1

    @property
    def width(self) -> int:
        """Of what X and C hold for each position."""
        return self.h * self.d_k if self.h > 1 else self.d_k + 1


class Task(NamedTuple):
    """What is to be written: the function's name, its arguments in order (the mask may be left out), the
    table that it follows and the stage that is its result, the kinds of mask that it meets, and the sizes
    that it is tried on: generic ones, and small ones in order of size."""

    id: str
    function: str
    arguments: tuple[str, ...]
    table: Table
    result: str
    masks: tuple[str, ...]
    sizes: tuple[Sizes, ...]
    small: tuple[Sizes, ...]

    @property
    def stages(self) -> tuple[str, ...]:
        """What may be returned by name besides the result, in order."""
        return tuple(s for s in self.table if s not in ("Q", "K", "V", "q", "k", "v", "keep"))


_APART = (
    *(Sizes(3, 5, 6, 4), Sizes(4, 4, 3, 5), Sizes(3, 4, 4, 6), Sizes(4, 5, 3, 3), Sizes(4, 4, 4, 4)),
    Sizes(5, 3, 2, 4),
)
_LEVEL = (Sizes(5, 5, 3, 4), Sizes(4, 4, 4, 6), Sizes(5, 5, 3, 3), Sizes(6, 6, 2, 3), Sizes(4, 4, 4, 4))
_PAST = (Sizes(2, 5, 3, 4), Sizes(3, 5, 5, 2), Sizes(1, 4, 3, 2), Sizes(2, 4, 4, 4), Sizes(3, 6, 2, 2))
_HEADS = (
    *(Sizes(5, 5, 3, 3, 2, 2), Sizes(4, 4, 2, 2, 3, 3), Sizes(6, 6, 3, 3, 2, 2), Sizes(3, 3, 4, 4, 3, 3)),
    *(Sizes(4, 4, 2, 2, 4, 4), Sizes(2, 2, 3, 3, 2, 2)),
)
_GROUPS = (
    *(Sizes(5, 5, 3, 3, 4, 2), Sizes(4, 4, 2, 2, 6, 3), Sizes(6, 6, 3, 3, 6, 2), Sizes(4, 4, 2, 2, 4, 2)),
    *(Sizes(3, 3, 2, 2, 4, 1),),
)
_SMALL = tuple(
    Sizes(*s)
    for s in (
        *((1, 1, 1, 1), (1, 2, 1, 1), (1, 2, 2, 1), (2, 2, 1, 1), (2, 2, 2, 1), (2, 2, 2, 2), (2, 3, 2, 1)),
        *((2, 3, 2, 2), (3, 3, 2, 2), (3, 3, 3, 3), (3, 2, 3, 2)),
    )
)
_SMALL_LEVEL = tuple(s for s in _SMALL if s.n_q == s.n_k)
_SMALL_PAST = tuple(s for s in _SMALL if s.n_q < s.n_k)
_SMALL_HEADS = tuple(Sizes(n, n, d, d, 2, 2) for n, d in ((1, 1), (2, 1), (2, 2), (3, 1), (3, 2)))
_SMALL_GROUPS = tuple(Sizes(n, n, d, d, 4, 2) for n, d in ((1, 1), (2, 1), (3, 1), (3, 2)))
_QKV = ("Q", "K", "V")
_ANY = ("none", "free", "causal")

TASKS: dict[str, Task] = {
    task.id: task
    for task in (
        Task("single", "attention", (*_QKV, "mask"), ONE_HEAD, "output", _ANY, _APART, _SMALL),
        Task("causal", "causal_attention", _QKV, ONE_HEAD, "output", ("causal",), _LEVEL, _SMALL_LEVEL),
        Task("padding", "padded_attention", (*_QKV, "real"), ONE_HEAD, "output", ("real",), _APART, _SMALL),
        Task(
            "cross",
            "cross_attention",
            ("X", "C", "W_Q", "W_K", "W_V", "mask"),
            ONE_HEAD,
            "output",
            ("none", "free"),
            (*_APART, Sizes(4, 4, 5, 2)),
            _SMALL,
        ),
        Task(
            "multi-head",
            "multi_head_attention",
            ("X", "W_Q", "W_K", "W_V", "W_O", "heads", "mask"),
            MULTI_HEAD,
            "projected",
            _ANY,
            _HEADS,
            _SMALL_HEADS,
        ),
        Task(
            "grouped",
            "grouped_attention",
            ("X", "W_Q", "W_K", "W_V", "W_O", "heads", "kv_heads", "mask"),
            MULTI_HEAD,
            "projected",
            _ANY,
            _GROUPS,
            _SMALL_GROUPS,
        ),
        Task(
            "additive",
            "additive_attention",
            (*_QKV, "v_a", "mask"),
            ADDITIVE,
            "output",
            ("none", "free"),
            _APART,
            _SMALL,
        ),
        Task("averaging", "average", ("X", "mask"), AVERAGE, "output", _ANY, _LEVEL, _SMALL_LEVEL),
        Task(
            "cache",
            "cached_attention",
            (*_QKV, "past_K", "past_V"),
            ONE_HEAD,
            "output",
            ("past",),
            _PAST,
            _SMALL_PAST,
        ),
    )
}


def task_of(name: str) -> Task:
    """The task of this name. Raises UnknownName."""
    if name not in TASKS:
        raise UnknownName("task", name, TASKS)
    return TASKS[name]


def contract(task: Task, lang: Lang) -> list[str]:
    """What the function is given and what it is to return, a sentence a line."""
    lines = [t(lang, f"task.{task.id}")]
    lines += [f"{name}: {t(lang, f'argument.{_said(task, name)}')}" for name in task.arguments]
    return [*lines, t(lang, "task.returns", result=t(lang, f"result.{task.id}"))]


def _said(task: Task, name: str) -> str:
    """The argument as its message is called: what some tasks say of it otherwise bears their name."""
    return _OTHERWISE.get(task.id, {}).get(name, name)


_OTHERWISE: Mapping[str, Mapping[str, str]] = {
    "causal": {"Q": "Q-level", "K": "K-level", "V": "V-level"},
    "cross": {"X": "X-cross"},
    "multi-head": {"mask": "mask-level"},
    "grouped": {"mask": "mask-level"},
    "averaging": {"mask": "mask-averaging"},
    "cache": {"Q": "Q-cache", "K": "K-cache", "V": "V-cache"},
    "additive": {"Q": "Q-additive", "K": "K-additive"},
}


def arrays(task: Task, sizes: Sizes, fill: Fill, batch: tuple[int, ...] = ()) -> dict[str, Argument]:
    """The arguments but for masks, in order, their numbers from `fill`; `batch` axes lead those that are
    not parameters."""
    n_q, n_k, d_k, d_v, h, g = sizes
    past = n_k - n_q if task.id == "cache" else 0
    of_values = sizes.width if h > 1 else d_v
    shapes = {
        "Q": (*batch, n_q, d_k),
        "K": (*batch, n_k - past, d_k),
        "V": (*batch, n_k - past, d_v),
        "past_K": (*batch, past, d_k),
        "past_V": (*batch, past, d_v),
        "X": (*batch, n_q, sizes.width),
        "C": (*batch, n_k, sizes.width),
        "W_Q": (sizes.width, h * d_k),
        "W_K": (sizes.width, g * d_k),
        "W_V": (sizes.width, g * d_v),
        "W_O": (h * d_v, of_values),
        "v_a": (d_k,),
    }
    numbers: dict[str, Argument] = {"heads": h, "kv_heads": g}
    return {
        name: numbers[name] if name in numbers else fill(name, shapes[name])
        for name in task.arguments
        if name not in ("mask", "real")
    }


def inputs_of(task: Task, arguments: Arguments) -> Trace:
    """What the table of the task reads, from the arguments of a call."""
    if task.table is AVERAGE:
        X = np.asarray(arguments["X"], dtype=float)
        n, mask = X.shape[-2], arguments["mask"]
        keep = np.ones((n, n), dtype=bool) if mask is None else np.asarray(mask, dtype=bool)
        return {"X": X, "mask": keep}
    return prepare(given_of(task, arguments))


def given_of(task: Task, arguments: Arguments) -> dict[str, object]:
    """The arguments of a call as the solver is given them."""
    given: dict[str, object] = {name: value for name, value in arguments.items() if value is not None}
    if "real" in given:
        real = np.asarray(given.pop("real"), dtype=bool)
        given["mask"] = np.broadcast_to(real, (np.asarray(given["Q"]).shape[-2], real.size))
    if "v_a" in given:
        given["v_a"] = np.asarray(given["v_a"])[None]
    if task.id in ("causal", "cache"):
        given["causal"] = True
    return given


def result(task: Task, returned: Returned) -> Array | None:
    """The array that is the result: the stage of that name, or what is called output."""
    stages = returned.stages
    found = stages.get(task.result, stages.get("output"))
    return None if found is None else np.asarray(found)
