"""A numeric problem: its variant written down, each key sealed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quizengine.items.answer import Ask, Numeric
from quizengine.items.catalogue import Catalogue
from quizengine.items.item import Item
from quizengine.lang.messages import say_rows, t
from quizengine.lang.text import Lang
from quizengine.problems.families import CHOICES, FAMILIES, POSED
from quizengine.problems.families.choice import picked, spotted
from quizengine.problems.families.family import Drawn
from quizengine.problems.part import NumericPart
from quizengine.problems.problem import Matrix, Problem, Rival
from quizengine.problems.variant import Variant, Wish, fair_variant, fair_variants

_QUERIES = ("mask", "Q", "X", "scores", "weights")  # givens with a row a query, the surest first


def variants_of(draws: Sequence[tuple[Item, int]], catalogue: Catalogue) -> list[Variant | None]:
    """The variants behind items with numbers, each by its seed, looked for together; None for any other item,
    and where there is none."""
    wishes = {}
    for place, (item, seed) in enumerate(draws):
        answer = item.answer
        if isinstance(answer, Numeric) and (numbers := with_numbers(answer)).family in FAMILIES:
            wishes[place] = Wish(item.id, numbers, seed)
    found = dict(zip(wishes, fair_variants([*wishes.values()], catalogue), strict=True))
    return [found.get(place) for place in range(len(draws))]


def calculated(
    bare: Problem, item: Item, answer: Numeric, catalogue: Catalogue, variant: Variant | None = None
) -> Problem:
    """The problem with what comes from its family; its `variant` is looked for where it is not known. Raises
    PosingError, UsageError, UnknownName."""
    if answer.family in POSED:
        return POSED[answer.family](bare, answer, catalogue)
    variant = variant or fair_variant(item.id, with_numbers(answer), bare.seed, catalogue)
    if answer.family == "spot":
        return spotted(bare, variant, item.points, catalogue)
    if answer.family in CHOICES:
        return picked(bare, variant, item.points)
    parts = _parts(variant, bare.lang)
    return bare._replace(
        prompt=variant.family.prompt(bare.lang, variant.drawn, variant.asks),
        conventions=tuple(t(bare.lang, f"convention.{name}") for name in variant.family.conventions),
        given=_given(variant),
        exact=variant.drawn.exact,
        parts=parts,
        rivals=_rivals(variant, parts),
        worked=tuple(variant.family.worked(bare.lang, variant.drawn, variant.asks)),
    )


def _given(variant: Variant) -> Mapping[str, float | Matrix]:
    """What is shown: the output projection only where its product is asked."""
    idle = {"W_O"} if all(ask.stage != "projected" for ask in variant.asks) else set()
    return {name: value for name, value in variant.drawn.given.items() if name not in idle}


def with_numbers(answer: Numeric) -> Numeric:
    """The numeric problem behind a choice: every stage that is shown, of the family that its numbers come
    from. Any other is its own."""
    if answer.family not in CHOICES:
        return answer
    family, stages = CHOICES[answer.family]
    asks = tuple(answer.ask[0]._replace(stage=stage, points=1) for stage in stages)
    return answer._replace(family=family, ask=asks)


def _parts(variant: Variant, lang: Lang) -> tuple[NumericPart, ...]:
    stages = [ask.stage for ask in variant.asks]
    plain = {name: value for name, value in variant.drawn.given.items() if not isinstance(value, list)}
    wording = variant.family.wording
    parts = []
    for number, (ask, answers) in enumerate(zip(variant.asks, variant.sealed, strict=True), 1):
        key, rows = answers[0], say_rows(lang, ask.rows)
        parts.append(
            NumericPart(
                id=ask.stage if stages.count(ask.stage) == 1 else f"{ask.stage}-{number}",
                prompt=t(lang, f"ask.{wording.get(ask.stage, ask.stage)}", rows=rows, **plain),
                points=ask.points,
                key=key,
                shape=(len(ask.rows), len(key[0])) if ask.rows else (),
                decimals=ask.decimals,
                stage=ask.stage,
                rows=ask.rows,
                free=_free(variant.drawn, ask),
                of=_of(variant.drawn, ask),
            )
        )
    return tuple(parts)


def _free(drawn: Drawn, ask: Ask) -> tuple[tuple[bool, ...], ...]:
    """Weights that a mask makes 0 are given away; every other entry is live."""
    if ask.stage != "weights" or "mask" not in drawn.inputs:
        return ()
    return tuple(tuple(bool(x) for x in drawn.inputs["mask"][row - 1]) for row in ask.rows)


def _of(drawn: Drawn, ask: Ask) -> int:
    """How many rows the matrix has of which some are asked: a row a query."""
    counts = (len(rows) for name in _QUERIES if isinstance(rows := drawn.given.get(name), list))
    count = next(counts, 0)
    return count if ask.rows and max(ask.rows) <= count else 0


def _rivals(variant: Variant, parts: tuple[NumericPart, ...]) -> tuple[Rival, ...]:
    """Every misconception that shows in some part. A class has one value, so that aliases answer
    alike to the last digit."""
    answers = [
        (part.id, sealed, group)
        for part, sealed, group in zip(parts, variant.sealed, variant.groups, strict=True)
    ]
    return tuple(
        Rival(id_, {part: sealed[group[world]] for part, sealed, group in answers})
        for world, id_ in enumerate(variant.ids, 1)
        if any(group[world] for group in variant.groups)
    )
