"""Bug hunt: a program of one head with one mistake in it. Which line is it, what does it show in a run, and
which test finds it?

What a mistake shows is worked out by the solver, with the patch in the place of the line: a trait is what
holds of every right head, a symptom is a trait that does not hold, and a test asks for one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeAlias

import numpy as np

from quizengine.attention.inputs import prepare
from quizengine.attention.patches import PATCHES
from quizengine.attention.program import BUGS, LINES, Spelling, planted, program
from quizengine.attention.solver import World, solve_worlds
from quizengine.attention.stage import ONE_HEAD, Array, Trace
from quizengine.errors import PosingError, UnknownName, UsageError
from quizengine.items.answer import Ask, Numeric
from quizengine.items.catalogue import Catalogue
from quizengine.lang.messages import t
from quizengine.problems.dice import Dice
from quizengine.problems.families.twos import integers
from quizengine.problems.part import ChoicePart, Label
from quizengine.problems.problem import Problem

LETTERS = "ABCDE"
OPTIONS, WRONG_LINES = 4, 4
N, D_K = 5, 4
ZERO, SURE = 1e-9, 1e-5  # what differs by less is equal, by more is not; nothing may lie between
Run: TypeAlias = Callable[..., Trace]  # every stage, with these of the givens replaced


def hunted(bare: Problem, answer: Numeric, catalogue: Catalogue, spelling: Spelling) -> Problem:
    """The problem of one mistake in a program. Raises UsageError and UnknownName for what cannot be asked,
    PosingError where a mistake shows too little to ask for it."""
    quiet = any(ask.stage != "line" for ask in answer.ask)
    names = answer.of or [name for name in BUGS if not quiet or not all(traits(name).values())]
    if unknown := [name for name in names if name not in BUGS]:
        raise UnknownName("misconception that stands in one line", unknown[0], BUGS)
    if wrong := [ask.stage for ask in answer.ask if ask.stage not in _ASKED]:
        raise UsageError(f"{bare.item}: “{wrong[0]}” cannot be asked of a program; {', '.join(_ASKED)} can")
    dice, lang = Dice("bug", bare.item, bare.seed), bare.lang
    by_stage: dict[str, list[str]] = {}  # as likely one line as the other, whatever can be wrong in it
    for each in names:
        by_stage.setdefault(planted(each), []).append(each)
    bug = dice.pick(by_stage[dice.pick(sorted(by_stage, key=[*LINES].index))])
    right = t(lang, "cell.between").join(f"`{getattr(LINES[stage], spelling)}`" for stage in BUGS[bug])
    shown = [trait for trait, holds in traits(bug).items() if holds is False]
    worked = [
        t(lang, "worked.planted", name=catalogue[bug].name[lang]),
        t(lang, "worked.line", right=right),
        *(t(lang, f"symptom.{trait}") for trait in shown),
    ]
    return bare._replace(
        prompt=t(lang, "family.bug"),
        code=program(spelling, bug),
        parts=tuple(_ASKED[ask.stage](bare, ask, bug, spelling) for ask in answer.ask),
        worked=tuple(worked),
    )


def _line(bare: Problem, ask: Ask, bug: str, spelling: Spelling) -> ChoicePart:
    """Which line? The others are such in which a mistake could stand as well."""
    dice, key = Dice("bug-line", bare.item, bare.seed), planted(bug)
    able = {planted(other) for other in BUGS} - BUGS[bug].keys()
    stages = {key, *dice.shuffled(sorted(able))[:WRONG_LINES]}
    lines = {**LINES, **BUGS[bug]}
    shown = dice.shuffled(sorted(stages))
    labels = tuple(
        Label(
            letter,
            f"`{getattr(lines[stage], spelling)}`",
            "" if stage == key else t(bare.lang, "bug.right-line", does=t(bare.lang, f"does.{stage}")),
        )
        for letter, stage in zip(LETTERS, shown, strict=False)
    )
    return ChoicePart("line", t(bare.lang, "ask.line"), ask.points, LETTERS[shown.index(key)], labels)


def _trait(bare: Problem, ask: Ask, bug: str, _: Spelling) -> ChoicePart:
    """Which symptom, or which test? One trait does not hold, the others do."""
    dice, lang = Dice(f"bug-{ask.stage}", bare.item, bare.seed), bare.lang
    found = traits(bug)
    failing = [trait for trait, holds in found.items() if holds is False]
    holding = [trait for trait, holds in found.items() if holds]
    if not failing or len(holding) < OPTIONS - 1:
        raise PosingError(f"{bare.item}: “{bug}” shows too little to ask for a {ask.stage}")
    key = dice.pick(failing)
    shown = dice.shuffled([key, *dice.shuffled(holding)[: OPTIONS - 1]])
    labels = tuple(
        Label(
            letter,
            t(lang, f"{ask.stage}.{trait}"),
            "" if trait == key else t(lang, "bug.in-order", fact=t(lang, f"test.{trait}")),
        )
        for letter, trait in zip(LETTERS, shown, strict=False)
    )
    return ChoicePart(ask.stage, t(lang, f"ask.{ask.stage}"), ask.points, LETTERS[shown.index(key)], labels)


_ASKED: Mapping[str, Callable[[Problem, Ask, str, Spelling], ChoicePart]] = {
    "line": _line,
    "symptom": _trait,
    "test": _trait,
}


@cache
def _given() -> Mapping[str, Array]:
    """Numbers of no structure, small enough that no weight vanishes."""
    dice = Dice("traits")
    shapes = {"X": (N, D_K), "W_Q": (D_K, D_K), "W_K": (D_K, D_K), "W_V": (D_K, D_K)}
    return {name: integers(dice, *shape, -97, 97) / 131.0 for name, shape in shapes.items()}


def _last() -> Array:
    """What is added to the last token."""
    return np.array([[0.0] * D_K] * (N - 1) + [[1.0, -1.0, 0.5, 2.0]])


def _same(a: Array, b: Array) -> bool:
    """Are they equal to any machine's precision? Raises PosingError where that is doubtful."""
    away = float(np.abs(a - b).max(initial=0.0))
    if ZERO < away < SURE:
        raise PosingError(f"a trait hangs on a difference of {away}")
    return away <= ZERO


def _above(x: Array) -> bool:
    return not any(_same(np.asarray(value), np.zeros(())) for value in x.flat)


_LATER, _OWN, _EARLIER = np.triu_indices(N, 1), np.diag_indices(N), np.tril_indices(N, -1)
TRAITS: Mapping[str, Callable[[Run], bool]] = {
    "rows": lambda run: _same(run()["weights"].sum(axis=-1), np.ones(N)),
    "later": lambda run: _same(run()["weights"][_LATER], np.zeros(len(_LATER[0]))),
    "own": lambda run: _above(run()["weights"][_OWN]),
    "earlier": lambda run: _above(run()["weights"][_EARLIER]),
    "future": lambda run: _same(run()["output"][:-1], run(X=_given()["X"] + _last())["output"][:-1]),
    "first": lambda run: _same(run()["output"][0], run()["V"][0]),
    "query": lambda run: not _same(run()["output"], run(W_Q=_given()["W_Q"][::-1])["output"]),
    "key": lambda run: not _same(run()["output"], run(W_K=_given()["W_K"][::-1])["output"]),
    "value": lambda run: _same(2 * run()["output"], run(W_V=2 * _given()["W_V"])["output"]),
    "spread": lambda run: _same(run()["scaled"] * np.sqrt(D_K), run()["scores"]),
    "symmetric": lambda run: not _same(run()["scores"], run()["scores"].T),
    "finite": lambda run: bool(run()["keep"].any(axis=-1).all()),
}
"""What holds of a right causal head, whatever its numbers are; the message `symptom.…` denies it, and
`test.…` asks for it."""
_OF_NUMBERS = ("spread", "symmetric", "query", "key", "finite")  # what a row of NaN leaves to be told
_UNTOLD = {"queries-are-keys": ("spread",), "values-compared": ("spread",), "projection-shared": ("spread",)}


@cache
def traits(bug: str) -> Mapping[str, bool]:
    """Which traits a head has that is computed by this patch; those left out cannot be told."""

    def run(**replaced: Array) -> Trace:
        inputs = prepare({**_given(), **replaced, "causal": True})
        return solve_worlds(inputs, [World(PATCHES[bug] if bug else {})], ONE_HEAD)[0]

    blind = bug and not TRAITS["finite"](run)
    told = [name for name in TRAITS if not blind or name in _OF_NUMBERS]
    return {name: TRAITS[name](run) for name in told if name not in _UNTOLD.get(bug, ())}
