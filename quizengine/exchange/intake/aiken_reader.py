"""Aiken, read: a stem, its choices from A, and the letter that is right. There is no markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from quizengine.exchange.intake.question import Answer, Left, NotCarried, Outcome, Question, asked, taken
from quizengine.exchange.intake.rich_text import line, paragraphs, prompt

_CHOICE = re.compile(r"([A-Z])[.)]\s*(.*)")
_ANSWER = re.compile(r"ANSWER:\s*(.*)")
_FEW = 2
NAME = 60  # characters of a stem that stand for a title


def is_aiken(text: str) -> bool:
    """Does a line say which letter is right?"""
    return re.search(r"^ANSWER:[ \t]*[A-Z][ \t]*$", text, re.MULTILINE) is not None


def read_aiken(text: str) -> Iterator[Outcome]:
    """Every question, in order."""
    stem: list[str] = []
    choices: list[tuple[str, str]] = []
    begun = 0
    for number, each in enumerate(text.split("\n"), 1):
        words = each.strip()
        if not words:
            continue
        choice, answer = _CHOICE.fullmatch(words), _ANSWER.fullmatch(words)
        if not (choice or answer) and choices:
            yield Left(_name(stem), begun, "no-answer-line", {"line": number})
            stem, choices = [], []
        begun = begun if stem or choices else number
        if answer:
            yield _outcome(stem, choices, answer[1], begun, number)
            stem, choices = [], []
        elif choice:
            choices.append((choice[1], choice[2]))
        else:
            stem.append(words)
    if stem or choices:
        yield Left(_name(stem), begun, "no-answer-line", {"line": begun})


def _name(stem: list[str]) -> str:
    return " ".join(stem)[:NAME]


def _outcome(stem: list[str], choices: list[tuple[str, str]], key: str, begun: int, at: int) -> Outcome:
    return taken(_name(stem), begun, partial(_question, stem, choices, key, begun, at))


def _question(stem: list[str], choices: list[tuple[str, str]], key: str, begun: int, at: int) -> Question:
    letters = [letter for letter, _ in choices]
    if not stem:
        raise NotCarried("no-stem", line=begun)
    if letters != [chr(ord("A") + i) for i in range(len(letters))]:
        raise NotCarried("letters", letters=", ".join(letters))
    if len(letters) < _FEW:
        raise NotCarried("few-choices", line=begun)
    if key.strip() not in letters:
        raise NotCarried("no-letter", line=at, letter=key.strip()[:20])
    answers = tuple(Answer(line(text, "plain"), Fraction(letter == key.strip())) for letter, text in choices)
    texts, _ = prompt(paragraphs("\n".join(stem), "plain"))
    return Question(_name(stem), begun, "choice", "\n\n".join(asked(texts)), answers)
