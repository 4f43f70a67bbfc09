"""Telling: a mark as the lines a learner reads, each with the verdict that may colour it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from quizengine.feedback.comparison import own_trace, shaded, trace_lines
from quizengine.feedback.sentences import part_feedback
from quizengine.items.catalogue import Catalogue
from quizengine.items.close import rounded_text
from quizengine.lang.messages import name, t
from quizengine.lang.quotation import shown
from quizengine.marking.mark import Mark
from quizengine.problems.part import GapPart, NumericPart, Part
from quizengine.problems.problem import Problem
from quizengine.render.blocks import key_name, told_key
from quizengine.render.terminal import wrapped
from quizengine.responses.response import Response


class Line(NamedTuple):
    """One line, and the verdict it tells, if it tells one."""

    text: str
    verdict: str = ""


def told(
    problem: Problem,
    responses: Mapping[str, Response],
    mark: Mark,
    catalogue: Catalogue,
    width: int,
    *,
    whole: bool = True,
) -> list[Line]:
    """Verdicts, reasons, remedies; own steps beside the right ones; the reason why, or, where it is told as a
    `whole`, the worked solution after a mistake. A fault of ours costs the reasons, and neither the mark nor
    what comes next."""
    try:
        out = list(_told(problem, responses, mark, catalogue, width))
        if problem.reasoned or (whole and mark.credit < mark.points):
            out += worked(problem, width)
        return out
    except Exception:
        verdicts = [Line(t(problem.lang, f"verdict.{part.verdict}"), part.verdict) for part in mark.parts]
        return [*verdicts, *map(Line, wrapped(t(problem.lang, "take.untold"), width))]


def _told(
    problem: Problem, responses: Mapping[str, Response], mark: Mark, catalogue: Catalogue, width: int
) -> Iterator[Line]:
    lang = problem.lang
    trace = own_trace(problem, responses, mark)
    for number, (part, own) in enumerate(zip(problem.parts, mark.parts, strict=True), 1):
        verdict, *why = part_feedback(mark, part.id, catalogue, lang)
        at = t(lang, "take.stage", stage=_what(problem, part, number)) if len(problem.parts) > 1 else ""
        yield Line(at + shown(verdict), own.verdict)
        for sentence in why:
            yield from map(Line, wrapped(sentence, width, first="  "))
        if own.verdict != "right" and not trace:
            label = key_name(part, lang)
            yield from map(Line, wrapped(told_key(part, lang), width, first="  " + label))
    if trace:
        yield Line(t(lang, "trace"))
        yield from map(Line, trace_lines(trace, lang, width))


def told_part(problem: Problem, mark: Mark, part: Part, catalogue: Catalogue, width: int) -> list[Line]:
    """The verdict on one part, and the mistake and its remedy where it is recognised; no key."""
    verdict, *why = part_feedback(mark, part.id, catalogue, problem.lang)
    out = [Line(shown(verdict), mark.part(part.id).verdict)]
    for sentence in why:
        out += map(Line, wrapped(sentence, width, first="  "))
    return out


def _what(problem: Problem, part: Part, number: int) -> str:
    """What a part of several is called."""
    lang = problem.lang
    if problem.type == "case":
        return t(lang, "task.question", number=number)
    if isinstance(part, GapPart):
        return t(lang, "task.gap", number=number)
    if isinstance(part, NumericPart):
        return name("stage", part.stage, lang)
    return name("task", part.id, lang)


def worked(problem: Problem, width: int) -> Iterator[Line]:
    """The reason why, or the worked solution stage by stage."""
    if problem.worked:
        yield Line(t(problem.lang, "worked" if problem.type == "numeric" else "explanation"))
        for line in problem.worked:
            yield from map(Line, wrapped(line, width, first="  "))
        yield from map(Line, _heat_map(problem, width))


def _heat_map(problem: Problem, width: int) -> Iterator[str]:
    """The right weights, where an array of them is asked: a line a query, with shades."""
    for part in problem.numeric:
        if part.stage == "weights" and part.kind == "array":
            yield "  " + t(problem.lang, "stage.weights") + t(problem.lang, "heat-map")
            rows = tuple(tuple(rounded_text(x, part.decimals or 0) for x in row) for row in part.key)
            for row in shaded(rows):
                yield from wrapped("  ".join(row), width, first="    ")
