"""A mark that learners give themselves: they hold an answer in words against the model and tick the ideas
that it says. Imported late, as `reply` is."""

from __future__ import annotations

from collections.abc import Mapping

from quizengine.items.bank import Bank
from quizengine.lang.messages import t
from quizengine.lang.quotation import Quoted, tell
from quizengine.lang.text import Lang
from quizengine.marking.mark import Mark
from quizengine.marking.words import read_mark, suggestion, ticks
from quizengine.problems.part import WordsPart
from quizengine.problems.problem import Problem
from quizengine.render.terminal import wrapped
from quizengine.responses.response import Response
from quizengine.sessions.desk import Desk
from quizengine.sessions.dialogue import Left, command_of


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
