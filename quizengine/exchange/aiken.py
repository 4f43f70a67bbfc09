"""Aiken: one line a question, one a choice, and the letter that is right. It has no markup and no escapes."""

from __future__ import annotations

from quizengine.problems.part import ChoicePart
from quizengine.problems.problem import Problem
from quizengine.render.terminal import plain_text


def aiken_loss(problem: Problem) -> str:
    """Why a problem cannot be carried; nothing where it can."""
    if len(problem.parts) > 1 or not isinstance(problem.parts[0], ChoicePart):
        return "one-choice"
    return "plain-words" if problem.code or problem.table or problem.given else ""


def aiken(problem: Problem) -> str:
    """A question with one choice that is right."""
    [part] = problem.parts
    assert isinstance(part, ChoicePart)
    stem = _line("\n".join([problem.prompt, *problem.conventions]))
    choices = [f"{choice.label}. {_line(choice.text)}" for choice in part.choices]
    return "\n".join([stem, *choices, f"ANSWER: {part.key}"]) + "\n"


def _line(text: str) -> str:
    return " ".join(plain_text(text).split())
