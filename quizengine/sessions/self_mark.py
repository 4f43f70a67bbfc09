"""A mark that learners give themselves: they hold an answer in words against the model and tick the ideas
that it says. Imported late, as `reply` is."""

from __future__ import annotations

import re
from collections.abc import Mapping

from quizengine.items.bank import Bank
from quizengine.lang.characters import plain
from quizengine.lang.messages import t
from quizengine.lang.quotation import Quoted, tell
from quizengine.lang.text import Lang
from quizengine.marking.mark import Mark
from quizengine.marking.words import read_mark, suggestion
from quizengine.problems.part import WordsPart
from quizengine.problems.problem import Problem
from quizengine.render.terminal import wrapped
from quizengine.responses.response import Response
from quizengine.sessions.desk import Desk
from quizengine.sessions.dialogue import Left, command_of

_ALL, _NONE = ("all", "すべて", "全部"), ("none", "なし", "0")


def self_mark(
    desk: Desk, bank: Bank, problem: Problem, responses: Mapping[str, Response], mark: Mark
) -> Mark:
    """The mark, with what the learner gives to the parts that are open. Raises Left where the learner leaves
    instead; the answer is kept then, and asked about again."""
    for part in problem.parts:
        if isinstance(part, WordsPart) and mark.part(part.id).verdict == "open":
            text = responses[part.id].raw
            _show(desk, bank, part, text, problem.lang)
            read = read_mark(part, text, _ticked(desk, part, problem.lang))
            mark = mark._replace(parts=tuple(read if p.id == part.id else p for p in mark.parts))
    return mark


def _show(desk: Desk, bank: Bank, part: WordsPart, text: str, lang: Lang) -> None:
    """The model, what the answer may have wrong, and the ideas by number."""
    desk.print("", *wrapped(part.key, desk.width(), first=t(lang, "words.model")))
    for id_, phrase in suggestion(part, text).refuted:
        if id_ in bank.catalogue:
            told = tell(lang, "words.refuted", phrase=Quoted(phrase), name=bank.catalogue[id_].name[lang])
            desk.print(*wrapped(told, desk.width()))
    desk.print(*wrapped(t(lang, "words.which"), desk.width()))
    for number, idea in enumerate(part.ideas, 1):
        desk.print(*wrapped(idea.name, desk.width(), first=f"  {number}  "))
    desk.print(*wrapped(desk.keys(t(lang, "words.keys")), desk.width(), first="  "))


def _ticked(desk: Desk, part: WordsPart, lang: Lang) -> set[int]:
    """The places of the ideas that the learner ticks, from 0. Raises Left."""
    while (raw := desk.answer()) is not None:
        if command_of(raw) == ":q":
            raise Left(0)
        if (ticked := ticks(raw, len(part.ideas))) is not None:
            return ticked
        desk.print(*wrapped(t(lang, "words.say", count=len(part.ideas)), desk.width()))
    raise Left(130)


def ticks(raw: str, count: int) -> set[int] | None:
    """The places, from 0, that numbers from 1 name; None where it is no such list.

    >>> ticks("1 3", 3), ticks("all", 2), ticks("なし", 2), ticks("", 2), ticks("4", 3)
    ({0, 2}, {0, 1}, set(), None, None)
    """
    typed = plain(raw).strip().lower()
    if typed in _ALL:
        return set(range(count))
    if typed in _NONE:
        return set()
    numbers = (
        [int(n) for n in re.split(r"[\s,]+", typed)]
        if re.fullmatch(r"[0-9]{1,3}([\s,]+[0-9]{1,3})*", typed)
        else []
    )
    places = {n - 1 for n in numbers}
    return places if numbers and places <= set(range(count)) else None
