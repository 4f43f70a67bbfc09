"""One answer of each fate for every kind of part: the bank examines itself with them."""

from __future__ import annotations

from quizengine.items.close import SEAL, rounded_text
from quizengine.problems.part import (
    FAILS,
    ChoicePart,
    ChoicesPart,
    ConstructPart,
    EstimatePart,
    GapPart,
    Key,
    Kind,
    LabelledPart,
    NumericPart,
    OrderPart,
    PairsPart,
    Part,
    ShapePart,
    TiersPart,
    WordsPart,
    key_text,
)

UNREADABLE: dict[Kind, str] = {
    "number": "about a third?",
    "array": "[[1, 2], [3",
    "construct": "[[1, 2], [3",
    "estimate": "about a third?",
    "choice": "?!",
    "choices": "?!",
    "tiers": "?!",
    "order": "?!",
    "pairs": "?!",
    "shape": "about two?",
    "gap": "~mask)",
    "words": "x" * 20_001,  # any words can be read; too many cannot
}


def right(part: Part) -> str:
    """The key as it is printed."""
    return key_text(part, part.key)


def wrong(part: Part) -> str:
    """An answer that can be read and is not right."""
    return key_text(part, _other(part))


def coarse(part: Part) -> str:
    """The key with one decimal fewer than asked; empty where there is none fewer."""
    if not isinstance(part, NumericPart) or not part.decimals:
        return ""
    rows = [[rounded_text(k, part.decimals - 1) for k in row] for row in part.key]
    return rows[0][0] if part.kind == "number" else "; ".join(" ".join(row) for row in rows)


def unreadable(part: Part) -> str:
    """A text that is no answer of this kind."""
    return UNREADABLE[part.kind]


def _other(part: Part) -> Key:
    """A key of the same kind that is not right."""
    match part:
        case NumericPart():
            return tuple(tuple(k + (7 + j) * SEAL for j, k in enumerate(row)) for row in part.key)
        case EstimatePart() if not part.factor:
            return ((part.key[0][0] + 2 * part.within + SEAL,),)
        case EstimatePart():
            return ((round(10 * part.factor**2 * part.key[0][0]),),)
        case ConstructPart():
            return tuple((0,) * len(row) for row in part.key)
        case ShapePart():
            return FAILS if part.key != FAILS else "(1,)"
        case GapPart():
            return "not_this_one"
        case WordsPart():
            return "-"
        case _:
            return _other_labels(part)


def _other_labels(part: LabelledPart) -> Key:
    match part:
        case ChoicePart():
            return next(choice.label for choice in part.choices if choice.label != part.key)
        case ChoicesPart():
            return tuple(choice.label for choice in part.choices if choice.label not in part.key)
        case TiersPart():
            labels = [choice.label for choice in part.choices if choice.label not in part.key[0]]
            return ((labels[0], labels[-1]),)
        case OrderPart():
            return tuple(reversed(part.key))
        case PairsPart():
            pairs = part.key
            return tuple((a, b) for (a, _), (_, b) in zip(pairs, pairs[1:] + pairs[:1], strict=True))
