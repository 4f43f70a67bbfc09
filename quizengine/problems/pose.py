"""Pose: an item becomes a problem by a seed. The same seed poses the same problem for ever."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from quizengine.items.answer import (
    Choice,
    Gaps,
    Matching,
    Numeric,
    Option,
    Ordering,
    ShortAnswer,
    TrueFalse,
)
from quizengine.items.catalogue import Catalogue
from quizengine.items.item import Item
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.problems.dice import Dice
from quizengine.problems.part import (
    ChoicePart,
    ChoicesPart,
    GapPart,
    Idea,
    Key,
    Label,
    OrderPart,
    PairsPart,
    Part,
    WordsPart,
)
from quizengine.problems.problem import POSING, Problem, Rival

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DRAWS = 400
_Posed = tuple[Part, tuple[Rival, ...]]  # what is asked in one part


def pose(item: Item, seed: int, lang: Lang, catalogue: Catalogue) -> Problem:
    """The problem that `seed` makes of `item`, in `lang`.

    Raises PosingError when no fair variant is found, UsageError when the item asks its family
    for what it cannot do.
    """
    bare = Problem(
        item=item.id,
        seed=seed,
        posing=POSING,
        digest=item.digest,
        lang=lang,
        type=item.type,
        topic=item.topic,
        prompt=item.prompt[lang],
        hints=tuple(hint[lang] for hint in item.hints),
    )
    if isinstance(item.answer, Numeric):
        from quizengine.problems.calculation import calculated

        return calculated(bare, item, item.answer, catalogue)
    worked = tuple(filter(None, [item.explanation[lang]]))
    bare = bare._replace(code=item.code, table=item.table, worked=worked)
    if isinstance(item.answer, Gaps):
        return _with_gaps(bare, item.answer)
    part, rivals = _asked(item, Dice("pose", item.id, seed), lang)
    return bare._replace(parts=(part,), rivals=rivals)


def _asked(item: Item, dice: Dice, lang: Lang) -> _Posed:
    match item.answer:
        case Choice() as answer:
            return _choice(item, answer, dice, lang)
        case TrueFalse() as answer:
            return _true_false(item, answer, lang)
        case Ordering() as answer:
            return _ordering(item, answer, dice, lang)
        case Matching() as answer:
            return _matching(item, answer, dice, lang)
        case ShortAnswer() as answer:
            return _short_answer(item, answer, lang)
        case Numeric() | Gaps():
            raise TypeError(f"an item of type {item.type} has parts of its own")


def _choice(item: Item, answer: Choice, dice: Dice, lang: Lang) -> _Posed:
    shown = dict(zip(LETTERS, dice.shuffled(answer.options), strict=False))
    right = tuple(label for label, option in shown.items() if option.right)
    prompt, labels = t(lang, f"ask.{item.type}"), _labels(shown, lang)
    if answer.many:
        many = ChoicesPart("answer", prompt, item.points, right, labels)
        return many, _rivals((option.misconception, (label,)) for label, option in shown.items())
    one = ChoicePart("answer", prompt, item.points, right[0], labels)
    return one, _rivals((option.misconception, label) for label, option in shown.items())


def _true_false(item: Item, answer: TrueFalse, lang: Lang) -> _Posed:
    """True always comes first."""
    labels = (Label("A", t(lang, "true")), Label("B", t(lang, "false")))
    key, other = ("A", "B") if answer.right else ("B", "A")
    part = ChoicePart("answer", t(lang, f"ask.{item.type}"), item.points, key, labels)
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
    labels = _labels(dict(zip(LETTERS, steps, strict=False)), lang)
    part = OrderPart("answer", t(lang, f"ask.{item.type}"), item.points, first, labels, tuple(also))
    return part, _rivals((m, tuple(label[id_] for id_ in order)) for order, m in answer.wrong)


def _matching(item: Item, answer: Matching, dice: Dice, lang: Lang) -> _Posed:
    right = dice.shuffled([*(Option(id_, text) for id_, _, text in answer.pairs), *answer.spare])
    number = {option.id: str(i) for i, option in enumerate(right, 1)}
    left = dict(zip(LETTERS, answer.pairs, strict=False))
    key = tuple((letter, number[id_]) for letter, (id_, _, _) in left.items())
    labels = [Label(letter, text[lang]) for letter, (_, text, _) in left.items()]
    labels += _labels({number[option.id]: option for option in right}, lang)
    part = PairsPart("answer", t(lang, "ask.matching"), item.points, key, tuple(labels))
    return part, _rivals(
        (o.misconception, ((letter, number[o.id]),)) for o in answer.spare for letter in left
    )


def _short_answer(item: Item, answer: ShortAnswer, lang: Lang) -> _Posed:
    ideas = tuple(
        Idea(idea.name[lang], idea.words.get(lang) or next(iter(idea.words.values())), idea.also_denied)
        for idea in answer.ideas
    )
    refutations = tuple((id_, words[lang]) for id_, words in answer.refutations if lang in words)
    prompt, model = t(lang, "ask.short_answer"), answer.model[lang]
    return WordsPart("answer", prompt, item.points, model, ideas, refutations), ()


def _with_gaps(bare: Problem, answer: Gaps) -> Problem:
    """A part a gap."""
    parts = tuple(
        GapPart(gap.id, t(bare.lang, "ask.gap", number=n), gap.points, gap.accept[0], gap.accept[1:])
        for n, gap in enumerate(answer.gaps, 1)
    )
    rivals = tuple(
        Rival(misconception, {gap.id: text})
        for gap in answer.gaps
        for misconception, texts in gap.wrong
        for text in texts
    )
    return bare._replace(parts=parts, rivals=rivals)


def _labels(shown: Mapping[str, Option], lang: Lang) -> tuple[Label, ...]:
    return tuple(
        Label(label, option.text[lang], option.why[lang] if option.why else "")
        for label, option in shown.items()
    )


def _rivals(answers: Iterable[tuple[str, Key]]) -> tuple[Rival, ...]:
    return tuple(Rival(misconception, {"answer": key}) for misconception, key in answers if misconception)
