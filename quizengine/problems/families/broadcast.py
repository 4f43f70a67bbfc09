"""Shapes and broadcasting: which shape has the result of a line of NumPy, or does the line fail?

NumPy itself works every line out, on arrays of ones; what a believer of a misconception says is written
beside it, in letters that stand for the drawn sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

import numpy as np

from quizengine.attention.stage import Array
from quizengine.errors import UnknownName, UsageError
from quizengine.items.answer import Numeric
from quizengine.lang.messages import t
from quizengine.problems.dice import Dice
from quizengine.problems.part import FAILS, ShapePart
from quizengine.problems.problem import Problem, Rival

Sizes: TypeAlias = Mapping[str, int]
_SIZES = range(2, 10)  # all different, so that nothing fits by chance


class Line(NamedTuple):
    """A line of a program: what its arrays are called and how long each axis is (a letter a size, 1 a single
    one), the line in NumPy with sizes in braces, what it computes, why its result has its shape (the message
    `axes.…`), and what believers of misconceptions take that shape for."""

    arrays: Mapping[str, str]
    text: str
    compute: Callable[..., Array]
    why: str
    rivals: Mapping[str, str] = {}


def _swapped(x: Array) -> Array:
    return x.swapaxes(-2, -1)


_LEFT, _TURN, _KEPT = "broadcast-from-left", "transpose-last-two", "axis-kept"
_SCORES = {"scores": "BHTT"}
LINES: Mapping[str, Line] = {
    "mask-per-text": Line(
        _SCORES | {"mask": "BT"}, "scores + mask", lambda s, m: s + m, "aligned", {_LEFT: "BHTT"}
    ),
    "mask-per-query": Line(
        _SCORES | {"mask": "BTT"}, "scores + mask", lambda s, m: s + m, "aligned", {_LEFT: "BHTT"}
    ),
    "mask-for-all": Line(
        _SCORES | {"mask": "TT"}, "scores + mask", lambda s, m: s + m, "aligned", {_LEFT: FAILS}
    ),
    "mask-widened": Line(
        _SCORES | {"mask": "BT"},
        "scores + mask[:, None, None, :]",
        lambda s, m: s + m[:, None, None, :],
        "aligned",
        {_LEFT: FAILS},
    ),
    "mask-one-axis-more": Line(
        _SCORES | {"mask": "BTT"},
        "scores + mask[:, None]",
        lambda s, m: s + m[:, None],
        "aligned",
        {_LEFT: FAILS},
    ),
    "every-pair": Line(
        {"Q": "Td", "K": "Sd"},
        "Q[:, None, :] + K[None, :, :]",
        lambda q, k: q[:, None, :] + k[None, :, :],
        "aligned",
        {_LEFT: FAILS},
    ),
    "divided": Line(
        {"E": "BTS"}, "E / E.sum(axis=-1)", lambda e: e / e.sum(axis=-1), "summed", {_KEPT: "BTS"}
    ),
    "divided-kept": Line(
        {"E": "BTS"},
        "E / E.sum(axis=-1, keepdims=True)",
        lambda e: e / e.sum(axis=-1, keepdims=True),
        "summed",
    ),
    "summed": Line({"A": "BHTS"}, "A.sum(axis=-1)", lambda a: a.sum(axis=-1), "summed", {_KEPT: "BHT1"}),
    "averaged": Line({"X": "BTd"}, "X.mean(axis=1)", lambda x: x.mean(axis=1), "summed", {_KEPT: "B1d"}),
    "turned": Line({"K": "BTd"}, "K.T", lambda k: k.T, "turned", {_TURN: "BdT"}),
    "turned-product": Line(
        {"Q": "BTd", "K": "BSd"}, "Q @ K.T", lambda q, k: q @ k.T, "turned", {_TURN: "BTS"}
    ),
    "product": Line(
        {"Q": "BHTd", "K": "BHSd"},
        "Q @ K.swapaxes(-2, -1)",
        lambda q, k: q @ _swapped(k),
        "product",
        {"shapes-scores-turned": "BHST"},
    ),
    "product-unturned": Line(
        {"Q": "BHTd", "K": "BHTd"}, "Q @ K", lambda q, k: q @ k, "product", {"keys-not-transposed": "BHTT"}
    ),
    "product-shared": Line(
        {"A": "BHTS", "V": "B1Sd"},
        "A @ V",
        lambda a, v: a @ v,
        "product",
        {"shapes-output-like-keys": "BHSd"},
    ),
    "product-grouped": Line({"A": "BHTS", "V": "BGSd"}, "A @ V", lambda a, v: a @ v, "product"),
    "einsum": Line(
        {"Q": "BHTd", "K": "BHSd"},
        'np.einsum("bhid,bhjd->bhij", Q, K)',
        lambda q, k: np.einsum("bhid,bhjd->bhij", q, k),
        "einsum",
        {"shapes-scores-turned": "BHST"},
    ),
    "einsum-summed": Line(
        {"Q": "BTd", "K": "BSd"},
        'np.einsum("bid,bjd->bi", Q, K)',
        lambda q, k: np.einsum("bid,bjd->bi", q, k),
        "einsum",
        {_KEPT: "BT1"},
    ),
    "einsum-mixed": Line(
        {"A": "BHTS", "V": "BSHd"},
        'np.einsum("bhij,bjhd->bihd", A, V)',
        lambda a, v: np.einsum("bhij,bjhd->bihd", a, v),
        "einsum",
    ),
    "split": Line(
        {"X": "BTw"},
        "X.reshape({B}, {T}, {H}, {d}).swapaxes(1, 2)",
        lambda x, B, T, H, d: x.reshape(B, T, H, d).swapaxes(1, 2),
        "moved",
    ),
    "cached": Line(
        {"past": "BHSd", "new": "BH1d"},
        "np.concatenate([past, new], axis=-2)",
        lambda past, new: np.concatenate([past, new], axis=-2),
        "moved",
    ),
}


def shaped(bare: Problem, answer: Numeric) -> Problem:
    """The problem that asks for the shape of one line's result. Raises UsageError and UnknownName for what
    cannot be asked."""
    if len(answer.ask) != 1 or answer.ask[0].stage != "shape":
        raise UsageError(f"{bare.item}: family broadcast asks one thing: shape")
    names = answer.of or tuple(LINES)
    if unknown := [name for name in names if name not in LINES]:
        raise UnknownName("line of a program", unknown[0], LINES)
    dice, lang, [ask] = Dice("broadcast", bare.item, bare.seed), bare.lang, answer.ask
    line = LINES[dice.pick(names)]
    sizes = _sizes(dice)
    key = _shape(line, sizes)
    arrays = [f"{name} = np.ones({_text(letters, sizes)})" for name, letters in line.arrays.items()]
    rivals = {id_: said if said == FAILS else _text(said, sizes) for id_, said in line.rivals.items()}
    return bare._replace(
        prompt=t(lang, "family.broadcast"),
        code="\n".join([*arrays, f"R = {line.text.format(**sizes)}"]),
        parts=(ShapePart("shape", t(lang, "ask.shape"), ask.points, key),),
        rivals=tuple(Rival(id_, {"shape": text}) for id_, text in rivals.items() if text != key),
        worked=(t(lang, f"axes.{line.why}"),),
    )


def _sizes(dice: Dice) -> Sizes:
    sizes = dict(zip("BHTSdG", dice.shuffled(_SIZES), strict=False))
    return sizes | {"w": sizes["H"] * sizes["d"], "1": 1}


def _shape(line: Line, sizes: Sizes) -> str:
    """What NumPy makes of it."""
    arrays = [np.ones([sizes[letter] for letter in letters]) for letters in line.arrays.values()]
    more = {name: sizes[name] for name in "BTHd" if f"{{{name}}}" in line.text}
    try:
        return str(line.compute(*arrays, **more).shape)
    except ValueError:
        return FAILS


def _text(letters: str, sizes: Sizes) -> str:
    return str(tuple(sizes[letter] for letter in letters))
