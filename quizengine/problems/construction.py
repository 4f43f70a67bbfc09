"""A task of construction: what is given, the array that the learner is to give, and when it fits."""

from __future__ import annotations

from collections.abc import Iterator

from quizengine.items.answer import Construct, Requirement
from quizengine.items.close import Sealed, rounded_text
from quizengine.items.item import Item
from quizengine.lang.messages import name, t
from quizengine.lang.text import Lang
from quizengine.problems.aim import aimed
from quizengine.problems.dice import Dice
from quizengine.problems.part import Condition, ConstructPart
from quizengine.problems.problem import Matrix, Problem, Rival

SHOWN = 4  # decimals of a number in a sentence
_STAGES = {"mask": "stage.mask", "bias": "stage.bias"}  # inputs that have a name in each language


def constructed(bare: Problem, item: Item, answer: Construct) -> Problem:
    """The problem of constructing an array. Raises UsageError, PosingError where its family cannot draw."""
    lang, prompt, worked = bare.lang, bare.prompt, [item.explanation[bare.lang]]
    if answer.family:
        answer, prompt, worked = aimed(item.id, answer, Dice("pose", item.id, bare.seed), lang)
    conditions = tuple(Condition(says(requirement, lang), requirement) for requirement in answer.require)
    part = ConstructPart(
        "answer",
        _asks(answer.array, lang),
        item.points,
        answer.sample,
        answer.shape,
        answer.array,
        conditions,
    )
    return bare._replace(
        prompt=prompt,
        conventions=tuple(t(lang, f"convention.{agreed}") for agreed in _agreed(answer)),
        given=answer.given,
        parts=(part,),
        rivals=tuple(Rival(id_, {part.id: array}) for array, id_ in answer.wrong),
        worked=tuple(filter(None, worked)),
    )


def says(requirement: Requirement, lang: Lang) -> str:
    """A requirement as words: the stage, where in it, and what must hold there."""
    stage, relation, value, row, column, within = requirement
    what = _called(stage, lang)
    place = "cell" if column else "row" if row else ""
    if place:
        what = t(lang, f"condition.{place}", stage=what, row=row, column=column)
    near = f"condition.{relation}" + ("-within" if within else "")
    return t(lang, near, what=what, value=shown(value), within=decimal(within))


def shown(rows: Sealed) -> str:
    """Sealed numbers as they stand in a sentence.

    >>> shown(((500_000_000, 333_333_333), (0, -1_000_000_000)))
    '(0.5, 0.3333), (0, −1)'
    """
    if len(rows) == len(rows[0]) == 1:
        return decimal(rows[0][0])
    return ", ".join("(" + ", ".join(map(decimal, row)) + ")" for row in rows)


def decimal(units: int) -> str:
    """One sealed number, without what is only noughts."""
    text = rounded_text(units, SHOWN)
    return text.rstrip("0").rstrip(".").replace("-", "−")


def _called(stage: str, lang: Lang) -> str:
    """What a stage or an input is called in a sentence."""
    if len(stage) == 1:
        return stage  # a letter is its own name
    return t(lang, _STAGES[stage]) if stage in _STAGES else name("stage", stage, lang)


def _asks(array: str, lang: Lang) -> str:
    """The sentence that asks for an array: one with a name in words, or with a letter."""
    if len(array) == 1 or "_" in array:
        return t(lang, "ask.construct", array=array)
    return t(lang, "ask.construct-named", array=_called(array, lang))


def _agreed(answer: Construct) -> Iterator[str]:
    """The conventions that such a task needs."""
    named = {answer.array, *answer.given}
    if named & {"Q", "X"} and "v_a" not in named:
        yield "attention-bias" if "bias" in named else "attention"
    rows = {answer.array: answer.shape[0], **{name: _rows(value) for name, value in answer.given.items()}}
    grids = [name for name in ("scores", "weights", "bias") if rows.get(name, 0) > 1]
    weighed = any(r.stage == "weights" for r in answer.require) and rows.get("scores") != 1
    if "mask" in named or grids or weighed:
        yield "rows-columns"
    if "mask" in named:
        yield "mask-one"
    if "heads" in named:
        yield "heads"


def _rows(value: float | Matrix) -> int:
    """How many rows a given array has; a number has none."""
    return len(value) if isinstance(value, list) else 0
