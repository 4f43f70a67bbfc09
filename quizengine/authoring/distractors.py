"""Distractors: what the items of a bank offer to be chosen, in the words in which a report counts it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from quizengine.items.answer import AnswerReason, Choice, Option, TrueFalse
from quizengine.items.bank import Bank
from quizengine.items.item import Item
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.reports.pool import Offer, Offers


def distractors(bank: Bank) -> Offers:
    """What is offered by each part that an author wrote, of which one choice is taken."""
    found = {}
    for item in bank:
        for question in item.questions:
            if offer := dict(_offered(question)):
                found[item.id, question.id.partition("/")[2] or "answer"] = offer
    return found


def _offered(item: Item) -> Iterator[tuple[str, Offer]]:
    """By the words in every language: what they are in the first one, whether that is right, and of what
    distractor they are."""
    first = item.languages[0]
    for lang in item.languages:
        match item.answer:
            case Choice(options=options, many=False):
                for one in options:
                    yield one.text[lang], Offer(one.text[first], one.right, _wrong(one, first))
            case TrueFalse(right=right):
                for truth in (True, False):
                    word = "true" if truth else "false"
                    wrong = "" if truth == right else t(first, word)
                    yield t(lang, word), Offer(t(first, word), truth == right, wrong)
            case AnswerReason(answers=answers, reasons=reasons, truth=truth):
                for answer, reason in product(answers, reasons):
                    said, told = (
                        f"{t(at, answer.id.lower()) if truth else answer.text[at]} – {reason.text[at]}"
                        for at in (lang, first)
                    )
                    yield said, Offer(told, answer.right and reason.right, _wrong(reason, first))


def _wrong(option: Option, lang: Lang) -> str:
    return "" if option.right else option.text[lang]
