"""One answer of each fate for every kind of part: the bank examines itself with them."""

from __future__ import annotations

from quizengine.problems.problem import Key, Kind, Part, key_text

UNREADABLE: dict[Kind, str] = {
    "number": "about a third?",
    "array": "[[1, 2], [3",
    "choice": "?!",
    "choices": "?!",
    "order": "?!",
    "pairs": "?!",
    "words": "x" * 20_001,  # any words can be read; too many cannot
}


def right(part: Part) -> str:
    """The key as it is printed."""
    return key_text(part, part.key)


def wrong(part: Part) -> str:
    """An answer that can be read and is not right."""
    if part.is_number:
        from quizengine.items.close import SEAL  # late: words do without fractions

        off = tuple(tuple(k + (7 + j) * SEAL for j, k in enumerate(row)) for row in part.sealed)
        return key_text(part, off)
    return "-" if part.kind == "words" else key_text(part, _other(part))


def coarse(part: Part) -> str:
    """The key with one decimal fewer than asked; empty where there is none fewer."""
    if not part.is_number or not part.decimals:
        return ""
    from quizengine.items.close import rounded_text

    rows = [[rounded_text(k, part.decimals - 1) for k in row] for row in part.sealed]
    return rows[0][0] if part.kind == "number" else "; ".join(" ".join(row) for row in rows)


def unreadable(part: Part) -> str:
    """A text that is no answer of this kind."""
    return UNREADABLE[part.kind]


def _other(part: Part) -> Key:
    labels = [choice.label for choice in part.choices]
    key: tuple[str, ...] = tuple(map(str, part.key))
    match part.kind:
        case "choice":
            return next(label for label in labels if label != part.key)
        case "choices":
            return tuple(label for label in labels if label not in key)
        case "order":
            return tuple(reversed(key))
        case _:
            pairs: tuple[tuple[str, str], ...] = part.key  # type: ignore[assignment]
            return tuple((a, b) for (a, _), (_, b) in zip(pairs, pairs[1:] + pairs[:1], strict=True))
