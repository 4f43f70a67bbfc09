"""Rival choices: a number or an array to choose, not to type, where a platform has no boxes for it: the key
and what known mistakes give."""

from __future__ import annotations

from typing import NamedTuple

from quizengine.exchange.mistakes import part_rivals, remedies_of
from quizengine.items.catalogue import Catalogue
from quizengine.items.close import SEAL, Sealed
from quizengine.items.policy import Policy
from quizengine.marking.entries import window
from quizengine.problems.part import NumericPart
from quizengine.problems.problem import Problem
from quizengine.render.blocks import printed_key

FEWEST, MOST = 3, 4  # wrong ones


class Option(NamedTuple):
    """A value as it is shown, whether it is right, and what is said of it, as HTML."""

    text: str
    right: bool
    said: str = ""


class RivalChoice(NamedTuple):
    """Of which part, and the values to choose from."""

    part: NumericPart
    options: tuple[Option, ...]


def rival_choice(problem: Problem, policy: Policy, catalogue: Catalogue) -> RivalChoice | None:
    """The last part that has rivals enough, for it follows from the others; its values in the order of their
    size, so that the place of the key tells nothing. None where no part has them."""
    for part in reversed(problem.numeric):
        wrong: list[tuple[Sealed, Option]] = []
        for rival in part_rivals(problem, part, window(part, policy)):
            known = (part.key, *(value for value, _ in wrong))
            if all(_apart(rival.values, value, part, policy) for value in known):
                said = "<br/>".join(remedies_of(rival.misconceptions, problem, catalogue))
                wrong.append((rival.values, Option(printed_key(part, rival.values), right=False, said=said)))
        if len(wrong) >= FEWEST:
            key = (part.key, Option(printed_key(part), right=True))
            return RivalChoice(part, tuple(option for _, option in sorted([key, *wrong[:MOST]])))
    return None


def _apart(one: Sealed, other: Sealed, part: NumericPart, policy: Policy) -> bool:
    """Does an entry differ by more than rounding could hide? (A broken number among whole ones tells itself
    apart.)"""
    if not part.decimals and any(x % SEAL for row in one for x in row):
        return False
    far = 2 * window(part, policy)
    rows = zip(one, other, strict=True)
    return any(abs(a - b) > far for mine, its in rows for a, b in zip(mine, its, strict=True))
