"""Pictures of weights: which pattern is it, which row breaks the rule, which mask makes it?

The table solves drawn scores under a mask; of its weights the hundredths are kept, and all that is said of
a picture is decided on these integers: exactly one choice is true of what is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from quizengine.attention.patches import PATCHES
from quizengine.attention.solver import World, solve_worlds
from quizengine.attention.stage import ONE_HEAD, Array
from quizengine.errors import PosingError, UnknownName, UsageError
from quizengine.items.answer import Ask, Numeric
from quizengine.items.close import SEAL
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.problems.dice import Dice
from quizengine.problems.key import sealed_array
from quizengine.problems.part import ChoicePart, Label
from quizengine.problems.problem import Problem, Rival

Weights: TypeAlias = list[list[int]]  # hundredths, (n, n): a row a query, a column a key
Visible: TypeAlias = Callable[[int, int, "Size"], bool]  # query and key, from 1
LETTERS = "ABCDEFGH"
OPTIONS = 5
DRAWS = 50
STRONG, WEAK, ANY = 6, (0, 1), (0, 1, 2, 3)  # exponents: scores are these times ln 2
HALF, WHOLE = 50, 100


class _Choice(NamedTuple):
    """A picture, and what it is said to show: `shown` in the order of the letters, of which `key` is true."""

    weights: Weights
    size: Size
    shown: tuple[str, ...]
    key: str


class Size(NamedTuple):
    """So many positions, and where something changes: the period of a text, a border, a width."""

    n: int
    p: int


MASKS: Mapping[str, Visible] = {
    "causal": lambda i, j, _: j <= i,
    "strict": lambda i, j, _: j < i,
    "leak": lambda i, j, _: j <= i + 1,
    "past": lambda i, j, _: j >= i,
    "inverted": lambda i, j, _: j > i,
    "padding": lambda _, j, size: j <= size.n - size.p,
    "window": lambda i, j, size: i - size.p < j <= i,
    "prefix": lambda i, j, size: j <= i or j <= size.p,
    "packing": lambda i, j, size: j <= i and (i <= size.p) == (j <= size.p),
    "full": lambda *_: True,
}
EMPTY = ("strict", "inverted")  # masks that leave a row without keys: no picture of them asks for a mask
TARGETS: Mapping[str, Callable[[int, Size], int]] = {
    "self": lambda i, _: i,
    "previous": lambda i, _: max(i - 1, 1),
    "sink": lambda *_: 1,
    "induction": lambda i, size: i - size.p + 1 if i > size.p else 1,
    "same": lambda i, size: i - size.p if i > size.p else 1,
}
"""The key at which a causal head looks most, by query."""
PATTERNS = (*TARGETS, "even", "columns", *MASKS)
REPEATED = ("induction", "same")  # what only a text that says itself again can show
COLUMNS = "softmax-columns"
TAKEN = {
    "strict": "diagonal-masked",
    "leak": "mask-one-late",
    "past": "mask-past",
    "inverted": "mask-past",
}
"""What somebody believes who takes this picture for that of a causal head."""


def pictured(bare: Problem, answer: Numeric) -> Problem:
    """The problem that shows a picture and asks one thing of it. Raises UsageError for what cannot be asked,
    PosingError where no picture is fair."""
    if len(answer.ask) != 1 or answer.ask[0].stage not in _ASKED:
        raise UsageError(f"{bare.item}: family picture asks one of: {', '.join(_ASKED)}")
    [ask] = answer.ask
    posed, able = _ASKED[ask.stage]
    names = answer.of or able
    if unknown := [name for name in names if name not in able]:
        raise UnknownName("picture", unknown[0], able)
    if len(names) < 3 and ask.stage != "row":
        raise UsageError(f"{bare.item}: name three pictures at least, so that there is a choice")
    for draw in range(DRAWS):
        dice = Dice("picture", bare.item, bare.seed, draw)
        if problem := posed(bare, ask, dice, names):
            return problem
    raise PosingError(f"{bare.item}: no picture of which exactly one of these is true: {', '.join(names)}")


def weights_of(keep: Array, exponents: Array, rule: str = "") -> Weights:
    """The hundredths of the weights that these scores (n, n), times ln 2, have under a mask (n, n), as the
    patch `rule` gives them where there is one."""
    inputs = {
        "mask": keep,
        "bias": np.zeros(keep.shape),
        "scores": exponents * np.log(2.0),
        "divisor": np.asarray(1.0),
    }
    world = World(PATCHES[rule]) if rule else World()
    weights = solve_worlds(inputs, [world], ONE_HEAD)[0]["weights"]
    half = SEAL // 200
    return [[(x + half) // (2 * half) for x in row] for row in sealed_array(weights)]


def is_true(name: str, weights: Weights, size: Size) -> bool:
    """Does the picture show this pattern?"""
    every = range(size.n)
    rows = all(abs(sum(row) - WHOLE) <= size.n for row in weights if any(row))
    if name in TARGETS:
        return rows and all(weights[i][TARGETS[name](i + 1, size) - 1] >= HALF for i in every)
    seen = _seen(weights)
    if name == "even":
        spread = (max(row[: i + 1]) - min(row[: i + 1]) for i, row in enumerate(weights))
        return rows and seen == _mask("causal", size) and all(x <= 1 for x in spread)
    if name == "columns":
        columns = all(abs(sum(row[j] for row in weights) - WHOLE) <= size.n for j in every)
        return not rows and columns and seen == _mask("causal", size)
    return rows and seen == _mask(name, size)


def _mask(name: str, size: Size) -> list[list[bool]]:
    places = range(1, size.n + 1)
    return [[MASKS[name](i, j, size) for j in places] for i in places]


def _seen(weights: Weights) -> list[list[bool]]:
    return [[x > 0 for x in row] for row in weights]


def _drawn(name: str, size: Size, dice: Dice) -> Weights:
    """A picture of a pattern."""
    keep = np.array(_mask(name if name in MASKS else "causal", size))
    few = (0,) if name == "even" else WEAK if name in TARGETS else ANY
    exponents = np.array([[dice.pick(few) for _ in range(size.n)] for _ in range(size.n)])
    if name in TARGETS:
        for i in range(size.n):
            exponents[i, TARGETS[name](i + 1, size) - 1] = STRONG
    return weights_of(keep, exponents, COLUMNS if name == "columns" else "")


def _size(dice: Dice) -> Size:
    n = dice.between(6, 8)
    return Size(n, dice.between(3, n - 3))


def _choice(dice: Dice, size: Size, names: Sequence[str], able: Sequence[str]) -> _Choice | None:
    """A picture of one of those that are `able` to be drawn, among others of the names; None where not
    exactly one is true."""
    key = dice.pick(able)
    others = dice.shuffled([name for name in names if name != key])[: OPTIONS - 1]
    shown = tuple(dice.shuffled([key, *others]))
    weights = _drawn(key, size, dice)
    true = [name for name in shown if is_true(name, weights, size)]
    return _Choice(weights, size, shown, key) if true == [key] else None


def _pattern(bare: Problem, ask: Ask, dice: Dice, names: Sequence[str]) -> Problem | None:
    repeated = any(name in REPEATED for name in names)
    choice = _choice(dice, Size(8, 4) if repeated else _size(dice), names, names)
    if choice is None:
        return None
    intro = (t(bare.lang, "picture.text"),) if repeated else _empty(names, bare.lang)
    rivals = {TAKEN[choice.key]: "causal"} if choice.key in TAKEN else {}
    return _chosen(bare, ask, choice, rivals, intro)


def _which_mask(bare: Problem, ask: Ask, dice: Dice, names: Sequence[str]) -> Problem | None:
    choice = _choice(dice, _size(dice), names, [name for name in names if name not in EMPTY])
    if choice is None:
        return None
    turned = {"mask-past": "past"} if choice.key == "causal" else {}  # rows and columns were mixed up
    return _chosen(bare, ask, choice, turned, _empty(names, bare.lang))


def _empty(names: Sequence[str], lang: Lang) -> tuple[str, ...]:
    """What is to be said of a row without keys, whichever picture is shown of these."""
    return (t(lang, "picture.empty"),) if set(EMPTY) & set(names) else ()


def _chosen(
    bare: Problem, ask: Ask, choice: _Choice, rivals: Mapping[str, str], intro: tuple[str, ...] = ()
) -> Problem:
    """The problem of a choice; `rivals` names what believers take."""
    lang, key = bare.lang, choice.key
    letter = dict(zip(choice.shown, LETTERS, strict=False))
    values = _values(choice.size)
    looks = {name: t(lang, f"looks.{name}", **values) for name in letter}
    labels = tuple(
        Label(label, t(lang, f"{ask.stage}.{name}", **values), _why(lang, key, name, looks))
        for name, label in letter.items()
    )
    part = ChoicePart(ask.stage, t(lang, f"ask.{ask.stage}"), ask.points, letter[key], labels)
    known = tuple(
        Rival(id_, {ask.stage: letter[name]})
        for id_, name in rivals.items()
        if name in letter and name != key
    )
    return _problem(bare, choice.weights, part, known, (looks[key],), intro)


def _why(lang: Lang, key: str, name: str, looks: Mapping[str, str]) -> str:
    """Why the picture of `key` is not one of `name`."""
    if name == key:
        return ""
    if (key, name) == ("columns", "causal"):  # the same cells are filled
        return t(lang, "looks.not-rows")
    return t(lang, "looks.other", looks=looks[name][:1].lower() + looks[name][1:])


def _row(bare: Problem, ask: Ask, dice: Dice, names: Sequence[str]) -> Problem | None:
    """A picture of a mask in which one query sees a key that is hidden from it."""
    size, rule, lang = _size(dice), dice.pick(names), bare.lang
    mask = np.array(_mask(rule, size))
    row = dice.pick([i for i in range(size.n) if not mask[i].all()])
    column = dice.pick([j for j in range(size.n) if not mask[row, j]])
    keep = mask.copy()
    keep[row, column] = True
    exponents = np.array([[dice.pick(ANY) for _ in range(size.n)] for _ in range(size.n)])
    weights = weights_of(keep, exponents)
    wrong = [i for i, seen in enumerate(_seen(weights)) if (np.array(seen) & ~mask[i]).any()]
    if wrong != [row]:
        return None
    labels = tuple(Label(LETTERS[i], t(lang, "row.choice", row=i + 1)) for i in range(size.n))
    part = ChoicePart(ask.stage, t(lang, "ask.row"), ask.points, LETTERS[row], labels)
    worked = t(lang, "worked.row", row=row + 1, column=column + 1)
    return _problem(bare, weights, part, (), (worked,), (t(lang, f"rule.{rule}", **_values(size)),))


def _values(size: Size) -> Mapping[str, int]:
    """What the messages hold."""
    return {"n": size.n, "p": size.p, "next": size.p + 1, "real": size.n - size.p, "back": size.p - 1}


def _problem(
    bare: Problem, weights: Weights, part: ChoicePart, rivals: tuple[Rival, ...], *texts: tuple[str, ...]
) -> Problem:
    """The problem; of its `texts` the first are the worked solution, the others its prompt."""
    worked, intro = texts
    lang = bare.lang
    return bare._replace(
        prompt="\n\n".join([t(lang, "family.picture"), *intro]),
        conventions=(t(lang, "convention.rows-columns"),),
        given={"weights": [[x / WHOLE for x in row] for row in weights]},
        drawn=("weights",),
        parts=(part,),
        rivals=rivals,
        worked=worked,
    )


_Posed = Callable[[Problem, Ask, Dice, Sequence[str]], "Problem | None"]
_ASKED: Mapping[str, tuple[_Posed, tuple[str, ...]]] = {
    "pattern": (_pattern, PATTERNS),
    "row": (_row, ("causal", "padding", "window", "prefix", "packing")),
    "mask": (_which_mask, tuple(MASKS)),
}
"""What is asked → how it is posed, and of which pictures."""
