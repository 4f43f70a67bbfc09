"""Choosing instead of writing: find the planted mistake, or pick the output among what mistakes give."""

from __future__ import annotations

from quizengine.attention.patches import PATCHES, stages_struck
from quizengine.attention.stage import Array
from quizengine.items.catalogue import Catalogue
from quizengine.items.close import Sealed, rounded_text
from quizengine.lang.messages import name, say, say_rows
from quizengine.lang.text import Lang
from quizengine.problems.dice import Dice
from quizengine.problems.key import sealed_array, sealed_key
from quizengine.problems.part import ChoicePart, Label
from quizengine.problems.problem import Problem, Rival
from quizengine.problems.variant import Variant

OPTIONS = 5
_LETTERS = "ABCDEFGH"


def spotted(bare: Problem, variant: Variant, points: int, catalogue: Catalogue) -> Problem:
    """A solution with one step done wrongly; which?"""
    dice, lang = Dice("spot", bare.item, bare.seed), bare.lang
    asked = [ask.stage for ask in variant.asks]
    single = [w for w, id_ in enumerate(variant.ids, 1) if _visible(variant, id_, w)]
    world = dice.pick(single)
    planted = variant.ids[world - 1]
    wrong = asked[_first_wrong(variant, world)]
    shown = [_row(values[world], lang, stage) for values, stage in zip(variant.values, asked, strict=True)]
    labels = tuple(
        Label(letter, name("stage", stage, lang)) for letter, stage in zip(_LETTERS, asked, strict=False)
    )
    key = next(label.label for label, stage in zip(labels, asked, strict=True) if stage == wrong)
    part = ChoicePart("answer", say(lang, "ask.spot"), points, key, labels)
    intro = [variant.family.prompt(lang, variant.drawn, variant.asks), say(lang, "family.spot"), *shown]
    planted_line = say(lang, "worked.planted", name=catalogue[planted].name[lang])
    worked = (planted_line, *variant.family.worked(lang, variant.drawn, variant.asks))
    return _problem(bare, variant, "\n\n".join(intro), part, (), worked)


def picked(bare: Problem, variant: Variant, points: int) -> Problem:
    """The output among the outputs of four mistakes."""
    dice, lang = Dice("pick", bare.item, bare.seed), bare.lang
    [ask], [values], [group] = variant.asks, variant.values, variant.groups
    classes = [w for w in sorted(set(group)) if 0 < w <= len(variant.ids)]
    worlds = dice.shuffled([0, *dice.shuffled(classes)[: OPTIONS - 1]])
    key = sealed_key(variant.drawn, ask, values[0])
    texts = [_numbers(key if w == 0 else sealed_array(values[w]), ask.decimals) for w in worlds]
    labels = tuple(Label(letter, text) for letter, text in zip(_LETTERS, texts, strict=False))
    letter = dict(zip(worlds, _LETTERS, strict=False))
    rows = say_rows(lang, ask.rows)
    part = ChoicePart("answer", say(lang, "ask.pick", rows=rows), points, letter[0], labels)
    rivals = tuple(
        Rival(id_, {"answer": letter[group[w]]})
        for w, id_ in enumerate(variant.ids, 1)
        if group[w] and group[w] in letter
    )
    prompt = f"{variant.family.prompt(lang, variant.drawn, variant.asks)}\n\n{say(lang, 'family.pick')}"
    worked = tuple(variant.family.worked(lang, variant.drawn, variant.asks))
    return _problem(bare, variant, prompt, part, rivals, worked)


def _visible(variant: Variant, id_: str, world: int) -> bool:
    """Does this mistake make one wrong step, which a reader of the shown lines can see?"""
    struck = stages_struck(PATCHES[id_], variant.family.table)
    return len(struck) == 1 and any(group[world] for group in variant.groups)


def _first_wrong(variant: Variant, world: int) -> int:
    return next(i for i, group in enumerate(variant.groups) if group[world])


def _row(values: Array, lang: Lang, stage: str) -> str:
    return say(
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
        conventions=tuple(say(bare.lang, f"convention.{name}") for name in conventions),
        given=variant.drawn.given,
        exact=variant.drawn.exact,
        parts=(part,),
        rivals=rivals,
        worked=worked,
    )
