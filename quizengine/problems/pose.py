"""Pose: an item becomes a problem by a seed. The same seed poses the same problem for ever."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from quizengine.items.answer import (
    AnswerReason,
    Case,
    Choice,
    Construct,
    Estimate,
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
from quizengine.problems.construction import constructed
from quizengine.problems.dice import Dice
from quizengine.problems.part import (
    ChoicePart,
    ChoicesPart,
    EstimatePart,
    GapPart,
    Idea,
    Key,
    Label,
    OrderPart,
    PairsPart,
    Part,
    TiersPart,
    WordsPart,
)
from quizengine.problems.problem import POSING, Problem, Rival

if TYPE_CHECKING:
    from quizengine.problems.variant import Variant

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DRAWS = 400
_Posed = tuple[Part, tuple[Rival, ...]]  # what is asked in one part


def pose(item: Item, seed: int, lang: Lang, catalogue: Catalogue, variant: Variant | None = None) -> Problem:
    """The problem that `seed` makes of `item`, in `lang`; the `variant` of its numbers may be known already.

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

        return calculated(bare, item, item.answer, catalogue, variant)
    if isinstance(item.answer, Construct):
        return constructed(bare, item, item.answer)
    if isinstance(item.answer, Case):
        return _case(bare, item)
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
        case AnswerReason() as answer:
            return _answer_reason(item, answer, dice, lang)
        case Ordering() as answer:
            return _ordering(item, answer, dice, lang)
        case Matching() as answer:
            return _matching(item, answer, dice, lang)
        case ShortAnswer() as answer:
            return _short_answer(item, answer, lang)
        case Estimate() as answer:
            return _estimate(item, answer, lang)
        case Numeric() | Gaps() | Construct() | Case():
            raise TypeError("what has several parts, or is worked out, is posed elsewhere")


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
    labels = _truths(lang)
    key, other = ("A", "B") if answer.right else ("B", "A")
    part = ChoicePart("answer", t(lang, f"ask.{item.type}"), item.points, key, labels)
    return part, _rivals([(answer.misconception, other)])


def _truths(lang: Lang) -> tuple[Label, Label]:
    return Label("A", t(lang, "true")), Label("B", t(lang, "false"))


def _answer_reason(item: Item, answer: AnswerReason, dice: Dice, lang: Lang) -> _Posed:
    """A wrong reason shows its misconception beside either answer, or else that of a wrong answer."""
    answers = dict(
        zip(LETTERS, answer.answers if answer.truth else dice.shuffled(answer.answers), strict=False)
    )
    reasons = {str(number): reason for number, reason in enumerate(dice.shuffled(answer.reasons), 1)}
    labels = (*(_truths(lang) if answer.truth else _labels(answers, lang)), *_labels(reasons, lang))
    [key] = [(a, r) for a in answers for r in reasons if answers[a].right and reasons[r].right]
    shares = tuple(
        (f"{key[0]}-{number}", answer.shares[reason.id])
        for number, reason in reasons.items()
        if reason.id in answer.shares
    )
    part = TiersPart("answer", t(lang, f"ask.{item.type}"), item.points, (key,), labels, shares)
    return part, _rivals(
        (reasons[r].misconception or answers[a].misconception, ((a, r),))
        for a in answers
        for r in reasons
        if not reasons[r].right
    )


def _ordering(item: Item, answer: Ordering, dice: Dice, lang: Lang) -> _Posed:
    right = [tuple(step.id for step in answer.steps), *answer.also_right]
    given_away = {pair for order in right for pair in pairwise(order)}
    for _ in range(DRAWS):
        steps = dice.shuffled(answer.steps)
        ids = [step.id for step in steps]
        backwards = given_away & set(pairwise(reversed(ids)))
        if not given_away & set(pairwise(ids)) and len(backwards) <= 1:
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


def _estimate(item: Item, answer: Estimate, lang: Lang) -> _Posed:
    if answer.factor:
        prompt = t(lang, "ask.estimate-in", unit=answer.unit) if answer.unit else t(lang, "ask.estimate")
    else:
        prompt = t(lang, "ask.value-in", unit=answer.unit) if answer.unit else t(lang, "ask.value")
    part = EstimatePart(
        *("answer", prompt, item.points, answer.value, answer.factor, answer.unit, answer.within)
    )
    return part, _rivals((misconception, value) for value, misconception in answer.wrong)


def _case(bare: Problem, item: Item) -> Problem:
    """The questions of a case as parts of one problem, each with its own dice."""
    lang = bare.lang
    parts: list[Part] = []
    rivals: list[Rival] = []
    worked: list[str] = []
    for number, question in enumerate(item.questions, 1):
        part, own = _asked(question, Dice("pose", question.id, bare.seed), lang)
        id_ = question.id.rpartition("/")[2]
        prompt = question.prompt[lang] + ("" if lang == "ja" else " ") + part.prompt
        parts.append(part._replace(id=id_, prompt=prompt))
        rivals += [Rival(rival.misconception, {id_: rival.values["answer"]}) for rival in own]
        if why := question.explanation[lang]:
            worked.append(t(lang, "worked.question", number=number, why=why))
    worked += filter(None, [item.explanation[lang]])
    bare = bare._replace(code=item.code, table=item.table)
    return bare._replace(parts=tuple(parts), rivals=tuple(rivals), worked=tuple(worked))


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
