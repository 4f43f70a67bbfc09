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
from quizengine.lang.text import Lang
from quizengine.problems.dice import Dice
from quizengine.problems.part import FAILS, ShapePart
from quizengine.problems.problem import Problem, Rival

Sizes: TypeAlias = Mapping[str, int]
_SIZES = range(2, 10)  # all different, so that nothing fits by chance


class Line(NamedTuple):
    """A line of a program: what its arrays are called and how long each axis is (a letter a size, 1 a single
    one), the line in NumPy with sizes in braces, what it computes, why its result has its shape (the message
    `axes.…`), the shapes that it brings together or goes through, and what believers of misconceptions take
    that of the result for."""

    arrays: Mapping[str, str]
    text: str
    compute: Callable[..., Array]
    why: str
    shapes: tuple[str, ...]
    rivals: Mapping[str, str] = {}


def _swapped(x: Array) -> Array:
    return x.swapaxes(-2, -1)


_LEFT, _TURN, _KEPT = "broadcast-from-left", "transpose-last-two", "axis-kept"
_SCORES = {"scores": "BHTT"}
LINES: Mapping[str, Line] = {
    "mask-per-text": Line(
        _SCORES | {"mask": "BT"}, "scores + mask", lambda s, m: s + m, "aligned", ("BHTT", "BT")
    ),
    "mask-per-query": Line(
        _SCORES | {"mask": "BTT"}, "scores + mask", lambda s, m: s + m, "aligned", ("BHTT", "BTT")
    ),
    "mask-for-all": Line(
        _SCORES | {"mask": "TT"},
        "scores + mask",
        lambda s, m: s + m,
        "aligned",
        ("BHTT", "TT"),
        {_LEFT: FAILS},
    ),
    "mask-widened": Line(
        _SCORES | {"mask": "BT"},
        "scores + mask[:, None, None, :]",
        lambda s, m: s + m[:, None, None, :],
        "inserted",
        ("BHTT", "B11T"),
    ),
    "mask-one-axis-more": Line(
        _SCORES | {"mask": "BTT"},
        "scores + mask[:, None]",
        lambda s, m: s + m[:, None],
        "inserted",
        ("BHTT", "B1TT"),
    ),
    "every-pair": Line(
        {"Q": "Td", "K": "Sd"},
        "Q[:, None, :] + K[None, :, :]",
        lambda q, k: q[:, None, :] + k[None, :, :],
        "inserted",
        ("T1d", "1Sd"),
    ),
    "divided": Line(
        {"E": "BTS"},
        "E / E.sum(axis=-1)",
        lambda e: e / e.sum(axis=-1),
        "divided",
        ("BTS", "BT"),
        {_KEPT: "BTS", _LEFT: "BTS"},
    ),
    "divided-kept": Line(
        {"E": "BTS"},
        "E / E.sum(axis=-1, keepdims=True)",
        lambda e: e / e.sum(axis=-1, keepdims=True),
        "divided",
        ("BTS", "BT1"),
    ),
    "summed": Line(
        {"A": "BHTS"}, "A.sum(axis=-1)", lambda a: a.sum(axis=-1), "summed", ("BHTS",), {_KEPT: "BHT1"}
    ),
    "averaged": Line(
        {"X": "BTd"}, "X.mean(axis=1)", lambda x: x.mean(axis=1), "summed", ("BTd",), {_KEPT: "B1d"}
    ),
    "turned": Line({"K": "BTd"}, "K.T", lambda k: k.T, "turned", ("BTd",), {_TURN: "BdT"}),
    "turned-product": Line(
        {"Q": "BTd", "K": "BSd"}, "Q @ K.T", lambda q, k: q @ k.T, "turned", ("BTd", "dSB"), {_TURN: "BTS"}
    ),
    "product": Line(
        {"Q": "BHTd", "K": "BHSd"},
        "Q @ K.swapaxes(-2, -1)",
        lambda q, k: q @ _swapped(k),
        "product-swapped",
        ("BHTd", "BHdS"),
        {"shapes-scores-turned": "BHST"},
    ),
    "product-unturned": Line(
        {"Q": "BHTd", "K": "BHTd"},
        "Q @ K",
        lambda q, k: q @ k,
        "product",
        ("BHTd", "BHTd"),
        {"keys-not-transposed": "BHTT"},
    ),
    "product-shared": Line(
        {"A": "BHTS", "V": "B1Sd"},
        "A @ V",
        lambda a, v: a @ v,
        "product",
        ("BHTS", "B1Sd"),
        {"shapes-output-like-keys": "BHSd"},
    ),
    "product-grouped": Line(
        {"A": "BHTS", "V": "BGSd"}, "A @ V", lambda a, v: a @ v, "product", ("BHTS", "BGSd")
    ),
    "einsum": Line(
        {"Q": "BHTd", "K": "BHSd"},
        'np.einsum("bhid,bhjd->bhij", Q, K)',
        lambda q, k: np.einsum("bhid,bhjd->bhij", q, k),
        "einsum",
        ("BHTd", "BHSd"),
        {"shapes-scores-turned": "BHST"},
    ),
    "einsum-summed": Line(
        {"Q": "BTd", "K": "BSd"},
        'np.einsum("bid,bjd->bi", Q, K)',
        lambda q, k: np.einsum("bid,bjd->bi", q, k),
        "einsum",
        ("BTd", "BSd"),
        {_KEPT: "BT1"},
    ),
    "einsum-mixed": Line(
        {"A": "BHTS", "V": "BSHd"},
        'np.einsum("bhij,bjhd->bihd", A, V)',
        lambda a, v: np.einsum("bhij,bjhd->bihd", a, v),
        "einsum",
        ("BHTS", "BSHd"),
    ),
    "split": Line(
        {"X": "BTw"},
        "X.reshape({B}, {T}, {H}, {d}).swapaxes(1, 2)",
        lambda x, B, T, H, d: x.reshape(B, T, H, d).swapaxes(1, 2),
        "cut",
        ("BTw", "BTHd"),
    ),
    "cached": Line(
        {"past": "BHSd", "new": "BH1d"},
        "np.concatenate([past, new], axis=-2)",
        lambda past, new: np.concatenate([past, new], axis=-2),
        "joined",
        ("BHSd", "BH1d"),
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
    sizes = _sizes(dice, line)
    key = _shape(line, sizes)
    arrays = [f"{name} = np.ones({_text(letters, sizes)})" for name, letters in line.arrays.items()]
    rivals = {id_: said if said == FAILS else _text(said, sizes) for id_, said in line.rivals.items()}
    return bare._replace(
        prompt=t(lang, "family.broadcast"),
        code="\n".join([*arrays, f"R = {line.text.format(**sizes)}"]),
        parts=(ShapePart("shape", t(lang, "ask.shape"), ask.points, key),),
        rivals=tuple(Rival(id_, {"shape": text}) for id_, text in rivals.items() if text != key),
        worked=(t(lang, f"axes.{line.why}"), _here(line, sizes, key, lang)),
    )


def _here(line: Line, sizes: Sizes, key: str, lang: Lang) -> str:
    """What comes of the shapes of this line: the shape of its result, or the sizes that do not fit."""
    if len(line.arrays) == 1 and line.why != "divided":
        steps = " → ".join([*(_text(letters, sizes) for letters in line.shapes), key])
        return t(lang, "axes.becomes", steps=steps)
    left, right = line.shapes
    shapes = {"left": _text(left, sizes), "right": _text(right, sizes)}
    if key != FAILS:
        return t(lang, "axes.fit", **shapes, result=key)
    skipped = 0
    if "@" in line.text:
        if left[-1] != right[-2]:
            one, other = sizes[left[-1]], sizes[right[-2]]
            return t(lang, "axes.clash-inside", **shapes, one=one, other=other)
        left, right, skipped = left[:-2], right[:-2], 2
    pairs = enumerate(zip(reversed(left), reversed(right), strict=False), skipped + 1)
    axis, (a, b) = next((axis, pair) for axis, pair in pairs if pair[0] != pair[1] and "1" not in pair)
    return t(lang, "axes.clash", **shapes, axis=axis, one=sizes[a], other=sizes[b])


def _sizes(dice: Dice, line: Line) -> Sizes:
    """Sizes that all differ, what the line makes of them as well: a width of all heads, a longer cache. Query
    heads that share key/value heads are a multiple of them."""
    while True:
        drawn = dict(zip("BHTSdG", dice.shuffled(_SIZES), strict=False))
        width, longer = drawn["H"] * drawn["d"], drawn["S"] + 1
        if line is LINES["product-grouped"] and drawn["H"] % drawn["G"]:
            continue
        made = {"split": width, "cached": longer}
        if not any(line is LINES[name] and size in drawn.values() for name, size in made.items()):
            return drawn | {"w": width, "1": 1}


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
