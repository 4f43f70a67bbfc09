"""Pose: an item becomes a problem by a seed. The same seed poses the same problem for ever."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from quizengine.items.answer import (
    Answer,
    Choice,
    Matching,
    Numeric,
    Option,
    Ordering,
    ShortAnswer,
    TrueFalse,
)
from quizengine.items.catalogue import Catalogue
from quizengine.items.item import Item
from quizengine.lang.messages import say
from quizengine.lang.text import Lang
from quizengine.problems.dice import Dice
from quizengine.problems.problem import POSING, Idea, Label, Part, Problem, Rival

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DRAWS = 400
_Posed = tuple[Part, tuple[Rival, ...]]


def pose(item: Item, seed: int, lang: Lang, catalogue: Catalogue) -> Problem:
    """The problem that `seed` makes of `item`, in `lang`.

    Raises PosingError when no fair variant is found, UsageError when the item asks its family
    for what it cannot do.
    """
    head: dict[str, Any] = {
        "item": item.id,
        "seed": seed,
        "posing": POSING,
        "digest": item.digest,
        "lang": lang,
        "type": item.type,
        "topic": item.topic,
        "hints": tuple(hint[lang] for hint in item.hints),
    }
    if isinstance(item.answer, Numeric):
        from quizengine.problems.variant import pose_numeric

        return Problem(**head, **pose_numeric(item, item.answer, seed, lang, catalogue))
    dice = Dice("pose", item.id, seed)
    part, rivals = _POSERS[type(item.answer)](item, item.answer, dice, lang)
    worked = tuple(filter(None, [item.explanation[lang]]))
    shown = {"code": item.code, "table": [list(row) for row in item.table]}
    given = {name: value for name, value in shown.items() if value}
    return Problem(**head, prompt=item.prompt[lang], given=given, parts=(part,), rivals=rivals, worked=worked)


def _choice(item: Item, answer: Choice, dice: Dice, lang: Lang) -> _Posed:
    shown = dict(zip(LETTERS, dice.shuffled(answer.options), strict=False))
    right = tuple(label for label, option in shown.items() if option.right)
    kind, key = ("choices", right) if answer.many else ("choice", right[0])
    part = _part(item, lang, kind, key, shown)
    return part, _rivals((o.misconception, (label,) if answer.many else label) for label, o in shown.items())


def _true_false(item: Item, answer: TrueFalse, dice: Dice, lang: Lang) -> _Posed:
    del dice  # true always comes first
    labels = (Label("A", say(lang, "true")), Label("B", say(lang, "false")))
    key, other = ("A", "B") if answer.right else ("B", "A")
    prompt = say(lang, f"ask.{item.type}")
    part = Part("answer", "choice", prompt, item.points, key, choices=labels)
    return part, _rivals([(answer.misconception, other)])


def _ordering(item: Item, answer: Ordering, dice: Dice, lang: Lang) -> _Posed:
    right = [tuple(step.id for step in answer.steps), *answer.also_right]
    given_away = {pair for order in right for pair in pairwise(order)}
    for _ in range(DRAWS):
        steps = dice.shuffled(answer.steps)
        ids = [step.id for step in steps]
        if not given_away & set(pairwise(ids)):
            break
    label = dict(zip(ids, LETTERS, strict=False))
    first, *also = (tuple(label[id_] for id_ in order) for order in right)
    part = _part(item, lang, "order", first, dict(zip(LETTERS, steps, strict=False)), also=tuple(also))
    return part, _rivals((m, tuple(label[id_] for id_ in order)) for order, m in answer.wrong)


def _matching(item: Item, answer: Matching, dice: Dice, lang: Lang) -> _Posed:
    right = dice.shuffled([*(Option(id_, text) for id_, _, text in answer.pairs), *answer.spare])
    number = {option.id: str(i) for i, option in enumerate(right, 1)}
    left = dict(zip(LETTERS, answer.pairs, strict=False))
    key = tuple((letter, number[id_]) for letter, (id_, _, _) in left.items())
    labels = [Label(letter, text[lang]) for letter, (_, text, _) in left.items()]
    labels += [Label(number[o.id], o.text[lang], o.why[lang] if o.why else "") for o in right]
    part = Part("answer", "pairs", say(lang, "ask.matching"), item.points, key, choices=tuple(labels))
    return part, _rivals(
        (o.misconception, ((letter, number[o.id]),)) for o in answer.spare for letter in left
    )


def _short_answer(item: Item, answer: ShortAnswer, dice: Dice, lang: Lang) -> _Posed:
    del dice
    ideas = tuple(
        Idea(idea.name[lang], idea.words.get(lang) or next(iter(idea.words.values())), idea.also_denied)
        for idea in answer.ideas
    )
    prompt = say(lang, "ask.short_answer")
    return Part("answer", "words", prompt, item.points, answer.model[lang], ideas=ideas), ()


def _part(item: Item, lang: Lang, kind: Any, key: Any, shown: Mapping[str, Option], **more: Any) -> Part:
    choices = tuple(Label(label, o.text[lang], o.why[lang] if o.why else "") for label, o in shown.items())
    return Part("answer", kind, say(lang, f"ask.{item.type}"), item.points, key, choices=choices, **more)


def _rivals(pairs: Any) -> tuple[Rival, ...]:
    return tuple(Rival(misconception, {"answer": value}) for misconception, value in pairs if misconception)


_POSERS: dict[type[Answer], Callable[..., _Posed]] = {
    Choice: _choice,
    TrueFalse: _true_false,
    Ordering: _ordering,
    Matching: _matching,
    ShortAnswer: _short_answer,
}
