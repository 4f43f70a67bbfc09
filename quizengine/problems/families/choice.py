"""Choosing instead of writing: find the planted mistake, or pick the output among what mistakes give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from quizengine.attention.patches import PATCHES, stages_struck
from quizengine.attention.stage import Array
from quizengine.items.catalogue import Catalogue
from quizengine.items.close import SEAL, Sealed, nearest, rounded_text
from quizengine.lang.messages import name, say_rows, t
from quizengine.lang.text import Lang
from quizengine.problems.dice import Dice
from quizengine.problems.families.dot import told
from quizengine.problems.key import sealed_array, sealed_worlds
from quizengine.problems.part import ChoicePart, Label
from quizengine.problems.problem import Problem, Rival
from quizengine.problems.variant import Variant

OPTIONS = 5
SIMPLE, DENOMINATORS, MOST = 3, 18, 16  # options as simple as the key, what is simple, others to choose from
_PLACES = (0, 0, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 4)  # far ones are to be had more seldom, and taken more often
_SHOWN = SEAL // 1000  # sealed units: of what is shown the last place
_LETTERS = "ABCDEFGH"


def spotted(bare: Problem, variant: Variant, points: int, catalogue: Catalogue) -> Problem:
    """A solution with one step done wrongly; which?"""
    dice, lang = Dice("spot", bare.item, bare.seed), bare.lang
    asked, solved = [ask.stage for ask in variant.asks], list(map(sealed_worlds, variant.values))
    by_stage: dict[str, list[int]] = {}  # as likely one as the other, whatever there is to do wrongly
    for world, id_ in enumerate(variant.ids, 1):
        if _visible(variant, id_, world) and _sound([part[world] for part in solved]):
            by_stage.setdefault(asked[_first_wrong(variant, world)], []).append(world)
    wrong = dice.pick(sorted(by_stage, key=asked.index))
    world = dice.pick(by_stage[wrong])
    planted = variant.ids[world - 1]
    shown = [_row(values[world], lang, stage) for values, stage in zip(variant.values, asked, strict=True)]
    labels = tuple(
        Label(letter, name("stage", stage, lang), _why(asked.index(stage) - asked.index(wrong), lang))
        for letter, stage in zip(_LETTERS, asked, strict=False)
    )
    key = next(label.label for label, stage in zip(labels, asked, strict=True) if stage == wrong)
    part = ChoicePart("answer", t(lang, "ask.spot"), points, key, labels)
    intro = [t(lang, "family.spot", **told(lang, variant.drawn, variant.asks)), *shown]
    planted_line = t(lang, "worked.planted", name=catalogue[planted].name[lang])
    worked = (planted_line, *variant.family.worked(lang, variant.drawn, variant.asks))
    return _problem(bare, variant, "\n\n".join(intro), part, (), worked)


def _why(later: int, lang: Lang) -> str:
    """Why a line so many lines below the wrong one is not the one asked for."""
    return "" if later == 0 else t(lang, "spot.after" if later > 0 else "spot.before")


def picked(bare: Problem, variant: Variant, points: int) -> Problem:
    """The output among the outputs of four mistakes."""
    dice, lang = Dice("pick", bare.item, bare.seed), bare.lang
    [ask], [sealed], [group] = variant.asks, variant.sealed, variant.groups
    answers = {world: values for world, values in sealed.items() if world <= len(variant.ids)}
    worlds = dice.shuffled([0, *_company(dice, answers, variant.drawn.inputs["V"])])
    texts = [_numbers(answers[w], ask.decimals) for w in worlds]
    labels = tuple(Label(letter, text) for letter, text in zip(_LETTERS, texts, strict=False))
    letter = dict(zip(worlds, _LETTERS, strict=False))
    rows = say_rows(lang, ask.rows)
    part = ChoicePart("answer", t(lang, "ask.pick", rows=rows), points, letter[0], labels)
    rivals = tuple(
        Rival(id_, {"answer": letter[group[w]]})
        for w, id_ in enumerate(variant.ids, 1)
        if group[w] and group[w] in letter
    )
    prompt = t(lang, "family.pick", **told(lang, variant.drawn, variant.asks))
    worked = tuple(variant.family.worked(lang, variant.drawn, variant.asks))
    return _problem(bare, variant, prompt, part, rivals, worked)


def _company(dice: Dice, answers: Mapping[int, Sealed], v: Array) -> tuple[int, ...]:
    """The worlds of four mistakes among which the key (world 0) is told by no look: inside the range of V
    (n_k, d_v) as it is, three of them fractions as simple, and the key as often near the middle of the
    options as far out."""
    low, high = (sealed_array(edge[None])[0] for edge in (v.min(axis=0), v.max(axis=0)))
    rows = {w: rows[0] for w, rows in answers.items() if w and len(set(rows[0])) > 1}
    inside = [w for w, r in rows.items() if all(a <= x <= b for a, x, b in zip(low, r, high, strict=True))]
    alike = [w for w in inside if _simple(rows[w])]
    rest = dice.shuffled([w for w in inside if w not in alike] or [w for w in rows if w not in inside])[:MOST]
    few = min(SIMPLE, len(alike))
    sets = [
        (*some, *others)
        for some in combinations(alike, few)
        for others in combinations(rest, OPTIONS - 1 - few)
    ]
    sets = sets or [tuple(dice.shuffled(list(rows))[: OPTIONS - 1])]
    by_place: dict[int, list[tuple[int, ...]]] = {}
    for chosen, place in zip(sets, _places(answers[0][0], rows, sets), strict=True):
        by_place.setdefault(place, []).append(chosen)
    place = dice.pick([place for place in _PLACES if place in by_place])
    return dice.pick(by_place[place])


def _simple(row: Sequence[int]) -> bool:
    """Are these sealed numbers fractions of one small denominator, and not all whole?"""
    near = [k for k in range(1, DENOMINATORS) if all(min(x * k % SEAL, -x * k % SEAL) <= 2 * k for x in row)]
    return bool(near) and near[0] > 1


def _places(
    key: Sequence[int], rows: Mapping[int, Sequence[int]], sets: Sequence[Sequence[int]]
) -> list[int]:
    """Of every set of worlds, how many rows are nearer to the mean of all and the key than the key is."""
    at = {world: place for place, world in enumerate(rows, 1)}
    table = np.array([key, *rows.values()])
    options = table[[[0, *(at[world] for world in chosen)] for chosen in sets]]  # (sets, options, columns)
    away = np.abs(options.shape[1] * options - options.sum(axis=1, keepdims=True)).sum(axis=2)
    places: list[int] = (away[:, 1:] < away[:, :1]).sum(axis=1).tolist()
    return places


def _sound(worlds: Sequence[Sealed]) -> bool:
    """Is every line of this mistake, part by part, worth reading: not all 0, nor one value throughout, nor an
    earlier line once more?"""
    lines = [[nearest(x, _SHOWN) for x in rows[0]] for rows in worlds]
    for place, line in enumerate(lines):
        if len({x for x in line if x}) < 2:
            return False
        for earlier in lines[:place]:
            if len(earlier) == len(line) and all(
                abs(a - b) <= 1 for a, b in zip(earlier, line, strict=True) if b
            ):
                return False
    return True


def _visible(variant: Variant, id_: str, world: int) -> bool:
    """Does this mistake make one wrong step, which a reader of the shown lines can see?"""
    struck = stages_struck(PATCHES[id_], variant.family.table)
    return len(struck) == 1 and any(group[world] for group in variant.groups)


def _first_wrong(variant: Variant, world: int) -> int:
    return next(i for i, group in enumerate(variant.groups) if group[world])


def _row(values: Array, lang: Lang, stage: str) -> str:
    return t(
        lang, "worked.shown", stage=name("stage", stage, lang), numbers=_numbers(sealed_array(values), 3)
    )


def _numbers(rows: Sealed, decimals: int | None) -> str:
    return "; ".join(
        "(" + ", ".join(rounded_text(x, decimals or 0).replace("-", "−") for x in row) + ")" for row in rows
    )


def _problem(
    bare: Problem,
    variant: Variant,
    prompt: str,
    part: ChoicePart,
    rivals: tuple[Rival, ...],
    worked: tuple[str, ...],
) -> Problem:
    conventions = [name for name in variant.family.conventions if name != "decimals"]
    return bare._replace(
        prompt=prompt,
        conventions=tuple(t(bare.lang, f"convention.{name}") for name in conventions),
        given=variant.drawn.given,
        exact=variant.drawn.exact,
        parts=(part,),
        rivals=rivals,
        worked=worked,
    )
