"""GIFT: questions as text that Moodle and others import, for the types that it has.

Written so that Moodle's reader and stricter ones agree: numbers in plain decimals, one answer a line, TRUE
and FALSE in capitals, every sign that means something there behind a backslash, no line left empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from quizengine.exchange.cloze import decimal_text, share_text, spellings
from quizengine.exchange.mistakes import afterwards, cell_rivals, names, said_of
from quizengine.exchange.question_html import ask_html, line, listed_choices, stem_html
from quizengine.items.catalogue import Catalogue
from quizengine.items.close import SEAL, sealed_text
from quizengine.items.policy import Policy
from quizengine.marking.entries import window
from quizengine.problems.part import ChoicePart, ChoicesPart, EstimatePart, NumericPart, PairsPart, Part
from quizengine.problems.problem import Problem
from quizengine.render.terminal import plain_text

_ESCAPED = str.maketrans({"\\": "\\\\", "\n": "\\n", **{sign: f"\\{sign}" for sign in ":#=~{}"}})
FEW = 2  # pairs that a matching needs, in Canvas too


def gift_text(text: str) -> str:
    """A text as it may stand anywhere in GIFT.

    >>> gift_text("a = {b}"), gift_text("two\\nlines")
    ('a \\\\= \\\\{b\\\\}', 'two\\\\nlines')
    """
    return text.replace("->", "→").translate(_ESCAPED)


def gift_loss(problem: Problem) -> str:
    """Why a problem cannot be carried; nothing where it can."""
    part = problem.parts[0]
    if len(problem.parts) > 1:
        return "several"
    if problem.drawn:
        return "picture"
    if isinstance(part, NumericPart) and part.shape:
        return "array"
    if part.kind == "order":
        return "no-ordering"
    if isinstance(part, PairsPart) and len(part.key) < FEW:
        return "few-pairs"
    return ""


def gift(problem: Problem, title: str, policy: Policy, catalogue: Catalogue) -> str:
    """A question that GIFT can carry, without an empty line in it."""
    part = problem.parts[0]
    own = part.kind in ("pairs", "choice", "choices")
    listed = "" if own else listed_choices(part)
    asked = gift_text(stem_html(problem) + ask_html(problem, part, policy, own=own) + listed)
    after = afterwards(problem, catalogue)
    body = "\n".join(_answers(problem, part, policy, catalogue))
    general = f"\n####{gift_text(after)}" if after else ""
    return f"::{gift_text(title)}::[html]{asked}{{{body}{general}}}\n"


def _answers(problem: Problem, part: Part, policy: Policy, catalogue: Catalogue) -> Iterator[str]:
    match part:
        case ChoicePart() if problem.type == "true_false":
            said = [said_of(problem, part, choice, catalogue) for choice in part.choices]
            wrong = "".join(f"#{gift_text(text)}" for text in said if text)
            yield ("TRUE" if part.key == part.choices[0].label else "FALSE") + wrong
        case ChoicePart() | ChoicesPart():
            yield ""
            yield from _choices(problem, part, catalogue)
        case NumericPart():
            yield "#"
            yield from _number(problem, part, window(part, policy), catalogue)
        case EstimatePart() if not part.factor:
            yield "#"
            yield from _number(problem, part, part.within, catalogue)
        case EstimatePart():
            yield "#" + "..".join(decimal_text(bound / SEAL) for bound in part.bounds)
        case PairsPart():
            yield ""
            yield from _pairs(part)
        case _ if part.kind == "words":
            return
        case _:
            yield ""
            yield from (f"={gift_text(text.replace('*', chr(92) + '*'))}" for text in spellings(part))


def _choices(problem: Problem, part: ChoicePart | ChoicesPart, catalogue: Catalogue) -> Iterator[str]:
    keys = (part.key,) if isinstance(part, ChoicePart) else part.key
    right, wrong = share_text(len(keys)), share_text(len(part.choices) - len(keys))
    for choice in part.choices:
        said = said_of(problem, part, choice, catalogue)
        if isinstance(part, ChoicePart):
            sign = "=" if choice.label in keys else "~"
        else:
            sign = f"~%{right}%" if choice.label in keys else f"~%-{wrong}%"
        yield sign + gift_text(line(choice.text)) + (f"#{gift_text(said)}" if said else "")


def _number(
    problem: Problem, part: NumericPart | EstimatePart, reach: int | Fraction, catalogue: Catalogue
) -> Iterator[str]:
    yield f"=%100%{sealed_text(part.key[0][0])}:{decimal_text(Fraction(reach) / SEAL)}"
    for value, own, ids in cell_rivals(problem, part, 0, 0, reach):
        called = gift_text(names(ids, catalogue, problem))
        yield f"=%0%{sealed_text(value)}:{decimal_text(Fraction(own) / SEAL)}" + (
            f"#{called}" if called else ""
        )


def _pairs(part: PairsPart) -> Iterator[str]:
    texts = {choice.label: choice.text for choice in part.choices}
    for left, right in part.key:
        yield f"={gift_text(line(texts[left]))} -> {gift_text(plain_text(texts[right]))}"
    taken = {right for _, right in part.key}
    for choice in part.choices:
        if choice.label.isdecimal() and choice.label not in taken:
            yield f"= -> {gift_text(plain_text(choice.text))}"
