"""Choosing instead of writing: find the planted mistake, or pick the output among what mistakes give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from quizengine.attention.patches import PATCHES, stages_struck
from quizengine.attention.stage import Array
from quizengine.items.answer import Numeric
from quizengine.items.catalogue import Catalogue
from quizengine.items.close import rounded_text
from quizengine.lang.messages import name, say, say_rows
from quizengine.lang.text import Lang
from quizengine.problems.dice import Dice
from quizengine.problems.key import sealed_array, sealed_key
from quizengine.problems.problem import Label, Part, Rival

STEPS = ("scores", "scaled", "weights", "output")
OPTIONS = 5
_LETTERS = "ABCDEFGH"


def spot(base: Any, item_id: str, seed: int, points: int, lang: Lang, catalogue: Catalogue) -> dict[str, Any]:
    """A solution with one step done wrongly; which?"""
    dice = Dice("spot", item_id, seed)
    single = [w for w, id_ in enumerate(base.ids, 1) if _visible(base, id_, w)]
    world = dice.pick(single)
    planted = base.ids[world - 1]
    wrong = STEPS[_first_wrong(base, world)]
    shown = [_row(values[world], lang, stage) for values, stage in zip(base.values, STEPS, strict=True)]
    labels = tuple(
        Label(letter, name("stage", stage, lang)) for letter, stage in zip(_LETTERS, STEPS, strict=False)
    )
    key = next(label.label for label, stage in zip(labels, STEPS, strict=True) if stage == wrong)
    part = Part("answer", "choice", say(lang, "ask.spot"), points, key, choices=labels)
    intro = [base.family.prompt(lang, base.drawn, base.asks), say(lang, "family.spot"), *shown]
    planted_line = say(lang, "worked.planted", name=catalogue[planted].name[lang])
    worked = (planted_line, *base.family.worked(lang, base.drawn, base.asks))
    return _fields(base, lang, "\n\n".join(intro), part, (), worked)


def pick(base: Any, item_id: str, seed: int, points: int, lang: Lang, catalogue: Catalogue) -> dict[str, Any]:
    """The output among the outputs of four mistakes."""
    del catalogue
    dice = Dice("pick", item_id, seed)
    [ask], [values], [group] = base.asks, base.values, base.groups
    classes = [w for w in sorted(set(group)) if w]
    worlds = dice.shuffled([0, *dice.shuffled(classes)[: OPTIONS - 1]])
    key = sealed_key(base.drawn, ask, values[0])
    texts = [_numbers(key if w == 0 else sealed_array(values[w]), ask.decimals) for w in worlds]
    labels = tuple(Label(letter, text) for letter, text in zip(_LETTERS, texts, strict=False))
    letter = dict(zip(worlds, _LETTERS, strict=False))
    rows = say_rows(lang, ask.rows)
    part = Part("answer", "choice", say(lang, "ask.pick", rows=rows), points, letter[0], choices=labels)
    rivals = tuple(
        Rival(id_, {"answer": letter[group[w]]})
        for w, id_ in enumerate(base.ids, 1)
        if group[w] and group[w] in letter
    )
    prompt = f"{base.family.prompt(lang, base.drawn, base.asks)}\n\n{say(lang, 'family.pick')}"
    return _fields(base, lang, prompt, part, rivals, tuple(base.family.worked(lang, base.drawn, base.asks)))


def _visible(base: Any, id_: str, world: int) -> bool:
    """Does this mistake make one wrong step, which a reader of the shown lines can see?"""
    struck = stages_struck(PATCHES[id_], base.family.table)
    return len(struck) == 1 and any(group[world] for group in base.groups)


def _first_wrong(base: Any, world: int) -> int:
    return next(i for i, group in enumerate(base.groups) if group[world])


def _row(values: Array, lang: Lang, stage: str) -> str:
    return say(
        lang, "worked.shown", stage=name("stage", stage, lang), numbers=_numbers(sealed_array(values), 3)
    )


def _numbers(rows: Any, decimals: int | None) -> str:
    return "; ".join(
        "(" + ", ".join(rounded_text(x, decimals or 0).replace("-", "−") for x in row) + ")" for row in rows
    )


def _fields(
    base: Any, lang: Lang, prompt: str, part: Part, rivals: tuple[Rival, ...], worked: tuple[str, ...]
) -> dict[str, Any]:
    conventions = [c for c in base.family.conventions if c != "decimals"]
    return {
        "prompt": prompt,
        "conventions": tuple(say(lang, f"convention.{c}") for c in conventions),
        "given": base.drawn.given,
        "exact": base.drawn.exact,
        "parts": (part,),
        "rivals": rivals,
        "worked": worked,
    }


CHOICES: dict[str, tuple[str, Callable[..., dict[str, Any]], tuple[str, ...]]] = {
    "spot": ("causal", spot, STEPS),
    "pick": ("causal", pick, ("output",)),
}
"""Name → the family that the numbers come from, how to ask, and the stages that are worked out."""


def asked_of(answer: Numeric, catalogue_name: str) -> Numeric:
    """The numeric problem behind a choice: the base family, every stage that is shown, one row."""
    family, _, stages = CHOICES[catalogue_name]
    first = answer.ask[0]
    return answer._replace(
        family=family, ask=tuple(first._replace(stage=stage, points=1) for stage in stages)
    )
