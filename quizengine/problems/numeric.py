"""Pose a numeric item: draw, prove the draw fair or draw again, seal the key, write it down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from quizengine.attention.stage import Array
from quizengine.errors import PosingError, UnknownName, UsageError
from quizengine.items.answer import Ask, Numeric
from quizengine.items.catalogue import Catalogue
from quizengine.items.item import Item
from quizengine.lang.messages import say, say_rows
from quizengine.lang.text import Lang
from quizengine.problems.dice import Dice
from quizengine.problems.distinct import candidates, classes, parts_of_worlds, unfair
from quizengine.problems.families import FAMILIES
from quizengine.problems.families.choice import CHOICES, asked_of
from quizengine.problems.families.family import Drawn, Family
from quizengine.problems.key import sealed_array, sealed_key
from quizengine.problems.problem import Part, Rival

DRAWS = 400


@dataclass(frozen=True)
class Fair:
    """A draw that passed its proof. `values[part][world]` are the answers, world 0 the key's;
    `groups[part][world]` names the class of each world by its first member."""

    family: Family
    drawn: Drawn
    asks: tuple[Ask, ...]
    ids: tuple[str, ...]
    values: list[Array]
    groups: tuple[tuple[int, ...], ...]
    draws: int


def pose_numeric(item: Item, answer: Numeric, seed: int, lang: Lang, catalogue: Catalogue) -> dict[str, Any]:
    """The fields of a Problem that come from the family. Raises PosingError, UsageError."""
    if answer.family in CHOICES:
        base = draw_fair(item.id, asked_of(answer, answer.family), seed, catalogue)
        _, choose, _ = CHOICES[answer.family]
        return choose(base, item.id, seed, item.points, lang, catalogue)
    fair = draw_fair(item.id, answer, seed, catalogue)
    parts = _parts(fair, lang)
    return {
        "prompt": fair.family.prompt(lang, fair.drawn, fair.asks),
        "conventions": tuple(say(lang, f"convention.{name}") for name in fair.family.conventions),
        "given": fair.drawn.given,
        "exact": fair.drawn.exact,
        "parts": parts,
        "rivals": _rivals(fair, parts),
        "worked": tuple(fair.family.worked(lang, fair.drawn, fair.asks)),
    }


def draw_fair(item_id: str, answer: Numeric, seed: int, catalogue: Catalogue) -> Fair:
    """The first fair draw of this seed. Raises UnknownName, UsageError, PosingError."""
    if answer.family not in FAMILIES:
        raise UnknownName("family", answer.family, [*FAMILIES, *CHOICES])
    family = FAMILIES[answer.family]
    try:
        sizes = family.sized(answer.ranges, Dice("sizes", item_id, seed))
        asks = family.asked(answer.ask, sizes)
    except UsageError as error:
        raise UsageError(f"{item_id}: {error.message}") from None
    rows = tuple(sorted({row for ask in asks for row in ask.rows}))
    ids = candidates(catalogue, family, sizes)
    groups = classes(family, sizes, ids, asks)
    for draw in range(DRAWS):
        drawn = family.draw(Dice("pose", item_id, seed, draw), sizes, rows)
        if drawn is None:
            continue
        values = parts_of_worlds(family, drawn.inputs, ids, asks)
        if not unfair(family, drawn, asks, values, groups):
            return Fair(family, drawn, asks, ids, values, groups, draw + 1)
    raise PosingError(f"{item_id}: no fair variant in {DRAWS} draws for seed {seed}")


def _parts(fair: Fair, lang: Lang) -> tuple[Part, ...]:
    stages = [ask.stage for ask in fair.asks]
    plain = {name: value for name, value in fair.drawn.given.items() if not isinstance(value, list)}
    wording = fair.family.wording
    parts = []
    for number, (ask, answers) in enumerate(zip(fair.asks, fair.values, strict=True), 1):
        key = sealed_key(fair.drawn, ask, answers[0])
        rows = say_rows(lang, ask.rows)
        parts.append(
            Part(
                id=ask.stage if stages.count(ask.stage) == 1 else f"{ask.stage}-{number}",
                kind="array" if ask.rows else "number",
                prompt=say(lang, f"ask.{wording.get(ask.stage, ask.stage)}", rows=rows, **plain),
                points=ask.points,
                key=key,
                shape=(len(ask.rows), len(key[0])) if ask.rows else (),
                decimals=ask.decimals,
                stage=ask.stage,
                rows=ask.rows,
                free=_free(fair.drawn, ask),
            )
        )
    return tuple(parts)


def _free(drawn: Drawn, ask: Ask) -> tuple[tuple[bool, ...], ...]:
    """Weights that a mask makes 0 are given away; every other entry is live."""
    if ask.stage != "weights" or "mask" not in drawn.inputs:
        return ()
    return tuple(tuple(bool(x) for x in drawn.inputs["mask"][row - 1]) for row in ask.rows)


def _rivals(fair: Fair, parts: tuple[Part, ...]) -> tuple[Rival, ...]:
    """Every misconception that shows in some part. A class has one value, so that aliases answer
    alike to the last digit."""
    answers = {
        (part.id, world): sealed_array(values[world]) if world else part.key
        for part, values, group in zip(parts, fair.values, fair.groups, strict=True)
        for world in set(group)
    }
    return tuple(
        Rival(id_, {p.id: answers[p.id, group[world]] for p, group in zip(parts, fair.groups, strict=True)})
        for world, id_ in enumerate(fair.ids, 1)
        if any(group[world] for group in fair.groups)
    )
