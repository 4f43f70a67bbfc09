"""Cloze: a problem as one Moodle question of many cells, in the text that Moodle reads them from,
{weight:KIND:=right~%0%wrong#feedback}.

In a cell every sign that means something there is written as an entity, which Moodle takes back.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple

from quizengine.exchange.mistakes import cell_rivals, names, said_of
from quizengine.exchange.question_html import ask_html, choice_html, listed_choices, stem_html
from quizengine.items.catalogue import Catalogue
from quizengine.items.close import SEAL, rounded_text
from quizengine.items.policy import Policy
from quizengine.lang.messages import t
from quizengine.lang.text import LANGUAGES
from quizengine.marking.entries import window
from quizengine.problems.part import (
    FAILS,
    ChoicePart,
    ChoicesPart,
    GapPart,
    NumericPart,
    Part,
    ShapePart,
    key_text,
    labels_of,
)
from quizengine.problems.problem import Problem

MORE = 2  # decimals of a shown key, beyond those that are asked
_ENTITIES = str.maketrans({"&": "&amp;"} | {sign: f"&#{ord(sign)};" for sign in '{}~#=\\"\n'})
_OUTSIDE = str.maketrans({sign: f"&#{ord(sign)};" for sign in "{}"})


class Cell(NamedTuple):
    """A box of a question: of which part, and of an array in which row and column, from 0."""

    part: Part
    row: int = 0
    column: int = 0


def cells(problem: Problem) -> list[Cell]:
    """The boxes in the order in which Moodle numbers them: one for every number that is asked, and one for
    any other part."""
    return [cell for part in problem.parts for cell in _cells(part)]


def _cells(part: Part) -> Iterator[Cell]:
    if not isinstance(part, NumericPart):
        yield Cell(part)
        return
    for row, numbers in enumerate(part.key):
        for column in range(len(numbers)):
            yield Cell(part, row, column)


def guarded(html: str) -> str:
    """HTML or plain text as it may stand in a cell.

    >>> guarded("a = {b}")
    'a &#61; &#123;b&#125;'
    """
    return html.translate(_ENTITIES)


def cloze_html(problem: Problem, policy: Policy, catalogue: Catalogue) -> str:
    """The text of the question with its cells."""
    out = [stem_html(problem).translate(_OUTSIDE)]
    weights = _weights(problem)
    many = len(problem.parts) > 1
    for place, part in enumerate(problem.parts):
        head = f"<strong>{chr(97 + place)}</strong> " if many else ""
        asked = ask_html(problem, part, policy, own=False).replace("<p>", f"<p>{head}", 1)
        out.append((asked or f"<p>{head}</p>").translate(_OUTSIDE))
        made = [_cell(problem, cell, weights[place], policy, catalogue) for cell in _cells(part)]
        if isinstance(part, NumericPart) and part.shape:
            wide = len(part.key[0])
            rows = (
                "".join(f"<td>{cell}</td>" for cell in made[i : i + wide]) for i in range(0, len(made), wide)
            )
            out.append("<table><tbody>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</tbody></table>")
        else:
            if not isinstance(part, ChoicePart | ChoicesPart):
                out.append(listed_choices(part).translate(_OUTSIDE))
            out.append(f"<p>{made[0]}</p>")
    return "".join(out)


def _weights(problem: Problem) -> list[int]:
    """Of a cell of each part, whole: the cells of a part share its points."""
    counts = [len(list(_cells(part))) for part in problem.parts]
    weights = [part.points * lcm(*counts) // n for part, n in zip(problem.parts, counts, strict=True)]
    return [weight // (gcd(*weights) or 1) for weight in weights]


def _cell(problem: Problem, cell: Cell, weight: int, policy: Policy, catalogue: Catalogue) -> str:
    match cell.part:
        case NumericPart() as part:
            kind, answers = "NUMERICAL", _numbers(problem, cell, part, policy, catalogue)
        case ChoicePart() as part:
            kind, answers = "MULTICHOICE_V", _choice(problem, part, catalogue)
        case ChoicesPart() as part:
            kind, answers = "MULTIRESPONSE", _choices(problem, part, catalogue)
        case part:
            kind = "SHORTANSWER_C" if isinstance(part, GapPart) else "SHORTANSWER"
            answers = _box(problem, part)
    return f"{{{weight}:{kind}:{'~'.join(answers)}}}"


def _numbers(
    problem: Problem, cell: Cell, part: NumericPart, policy: Policy, catalogue: Catalogue
) -> Iterator[str]:
    reach = window(part, policy)
    decimals = part.decimals + MORE if part.decimals else 0
    tolerance = decimal_text(Fraction(reach) / SEAL)
    yield f"={rounded_text(part.key[cell.row][cell.column], decimals)}:{tolerance}"
    for value, own, ids in cell_rivals(problem, part, cell.row, cell.column, reach):
        called = guarded(names(ids, catalogue, problem))
        text = rounded_text(value, decimals or (2 + MORE if own else 0))
        yield f"%0%{text}:{decimal_text(Fraction(own) / SEAL)}" + (f"#{called}" if called else "")


def decimal_text(value: Fraction) -> str:
    """A number that ends, in plain decimals.

    >>> decimal_text(Fraction(101, 10000)), decimal_text(Fraction(0))
    ('0.0101', '0')
    """
    return f"{float(value):.9f}".rstrip("0").rstrip(".")


def _choice(problem: Problem, part: ChoicePart, catalogue: Catalogue) -> Iterator[str]:
    for choice in part.choices:
        said = said_of(problem, part, choice, catalogue)
        sign = "=" if choice.label == part.key else "%0%"
        yield sign + guarded(choice_html(choice)) + (f"#{guarded(said)}" if said else "")


def _choices(problem: Problem, part: ChoicesPart, catalogue: Catalogue) -> Iterator[str]:
    right, wrong = share_text(len(part.key)), share_text(len(part.choices) - len(part.key))
    for choice in part.choices:
        said = said_of(problem, part, choice, catalogue)
        sign = f"%{right}%" if choice.label in part.key else f"%-{wrong}%"
        yield sign + guarded(choice_html(choice)) + (f"#{guarded(said)}" if said else "")


def share_text(count: int) -> str:
    """One of `count` equal shares in percent, as Moodle's closed list has it.

    >>> share_text(3), share_text(4), share_text(7)
    ('33.33333', '25', '14.28571')
    """
    return f"{100 / max(count, 1):.5f}".rstrip("0").rstrip(".")


def _box(problem: Problem, part: Part) -> Iterator[str]:
    """A box for a text that this engine marks: of what is right Moodle knows some spellings."""
    for text in spellings(part):
        yield "=" + guarded(text.replace("*", "\\*"))
    yield "%0%*#" + guarded(t(problem.lang, "export.later"))


def spellings(part: Part) -> list[str]:
    """Some of the texts that are right, the first as it is shown."""
    key = key_text(part, part.key)
    others: tuple[str, ...] = ()
    if isinstance(part, GapPart):
        others = part.spellings
    elif part.key == FAILS:
        others = tuple(t(lang, "shape.fails") for lang in LANGUAGES)
    elif isinstance(part, ShapePart):
        others = (key.replace(" ", ""), key.strip("(),").strip())
    elif labels_of(part):
        others = (key.replace("-", "").replace(",", ""),)
    return list(dict.fromkeys(" ".join(text.split()) for text in (key, *others)))
