"""Feedback: one learner's marks as a page: the question, the answer, what it earned and why, own steps beside
the right ones, the worked solution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from fractions import Fraction
from itertools import repeat
from typing import Any

from quizengine.errors import InputError
from quizengine.grading.batch import CHUNK, Graded, Held
from quizengine.grading.gradebook import Page, feedback_page, number
from quizengine.grading.results import Result
from quizengine.grading.standing import Standing
from quizengine.items.catalogue import Catalogue
from quizengine.lang.messages import say
from quizengine.lang.text import Lang
from quizengine.marking.mark import Mark, PartMark
from quizengine.problems.problem import Part, Problem
from quizengine.render.blocks import printed_key
from quizengine.render.html import feedback_html
from quizengine.render.page import paragraphs, problem_page, words
from quizengine.reports.feedback import part_feedback
from quizengine.reports.tally import Total
from quizengine.reports.trace import own_trace
from quizengine.responses.response import Blank, Response
from quizengine.sheets.manifest import Manifest

Data = dict[str, Any]
_Packed = tuple[str, tuple[Mark, ...], Mapping[str, Result], Mapping[str, str]]  # a standing as it travels
_SPOKEN = ("your-answer", "key", "trace", "trace.yours", "trace.right", "worked", "explanation")


def pages(
    manifest: Manifest,
    standing: Sequence[Standing],
    answers: Mapping[str, Mapping[str, str]],
    *,
    html: bool,
    executor: Executor | None = None,
) -> Iterator[Page]:
    """Every learner's feedback, in order; as HTML too where that is wanted and installed. By workers of an
    executor, each of them `batch.prepare`d, if there is one."""
    if executor is None:
        yield from (_page(manifest, one, answers[one.graded.sheet.code], html) for one in standing)
        return
    packed = [
        (g.sheet.code, g.marks, one.results, answers[g.sheet.code]) for one in standing for g in [one.graded]
    ]
    chunks = [packed[i : i + CHUNK] for i in range(0, len(packed), CHUNK)]
    for made in executor.map(_page_chunk, chunks, repeat(html)):
        yield from made


def _page_chunk(rows: Sequence[_Packed], html: bool) -> list[Page]:
    return [
        _page(Held.manifest, Standing(Graded(0, Held.sheets[code], marks), results), answers, html)
        for code, marks, results, answers in rows
    ]


def _page(manifest: Manifest, one: Standing, answers: Mapping[str, str], html: bool) -> Page:
    sheet = one.graded.sheet
    text = feedback_page(one, manifest.misconceptions, answers)
    with suppress(InputError):  # without the extra there is Markdown
        if html:
            heading = manifest.heading.title[sheet.problems[0].lang]
            data = feedback_data(one, manifest.misconceptions, answers, heading)
            return Page(sheet.student, sheet.code, text, feedback_html(data))
    return Page(sheet.student, sheet.code, text)


def feedback_data(standing: Standing, catalogue: Catalogue, answers: Mapping[str, str], heading: str) -> Data:
    """The page of `render.html.feedback_html`, in the language of the sheet."""
    sheet = standing.graded.sheet
    lang = sheet.problems[0].lang
    total = Total(standing.credit, standing.points)
    sums = {"credit": number(standing.credit), "points": standing.points, "percent": number(total.percent)}
    return {
        "lang": lang,
        "heading": heading,
        "title": say(lang, "feedback.title", student=sheet.name or sheet.student),
        "code": say(lang, "sheet.code", code=sheet.code),
        "total": say(lang, "feedback.total", **sums),
        "words": words(lang, *_SPOKEN),
        "problems": [_problem(index, standing, catalogue, answers) for index in range(len(sheet.problems))],
    }


def _problem(index: int, standing: Standing, catalogue: Catalogue, answers: Mapping[str, str]) -> Data:
    sheet = standing.graded.sheet
    problem, labels, mark = sheet.problems[index], sheet.labels[index], standing.graded.marks[index]
    own = [standing.results[label] for label in labels.values()]
    earned = {
        "number": index + 1,
        "credit": number(sum((result.credit for result in own), Fraction(0))),
        "points": sum(result.points for result in own),
    }
    return {
        **problem_page(problem, index + 1, labels),
        "earned": say(problem.lang, "feedback.item", **earned),
        "answers": [
            _answer(problem.part(part.id), part, standing.results[labels[part.id]], catalogue, problem.lang)
            for part in mark.parts
        ],
        "trace": _trace(problem, labels, mark, answers),
        "worked": [line for text in problem.worked for line in paragraphs(text)],
    }


def _trace(problem: Problem, labels: Mapping[str, str], mark: Mark, answers: Mapping[str, str]) -> list[Data]:
    """Own steps beside the right ones."""
    responses = {
        part.id: Response(answers.get(labels[part.id], ""), part.reading if part.reading else Blank())
        for part in mark.parts
    }
    return [
        {
            "stage": say(problem.lang, f"stage.{step.part.stage}"),
            "yours": [
                [{"text": text, "right": right} for text, right in zip(row, rights, strict=True)]
                for row, rights in zip(step.yours, step.entries, strict=True)
            ],
            "right": [list(row) for row in step.right],
        }
        for step in own_trace(problem, responses, mark)
    ]


def _answer(part: Part, mark: PartMark, result: Result, catalogue: Catalogue, lang: Lang) -> Data:
    verdict, *why = part_feedback(mark, catalogue, lang)
    earned = {
        "label": result.label,
        "verdict": verdict,
        "credit": number(result.credit),
        "points": result.points,
    }
    decided = result.kind in ("override", "discount")
    return {
        "told": say(lang, "feedback.part", **earned),
        "verdict": result.verdict,
        "typed": result.raw.strip() or "—",
        "chosen": _chosen(part, [mark.reading.content] if mark.reading and part.kind == "choice" else []),
        "key": printed_key(part) if part.kind not in ("choice", "choices") else "",
        "right": _chosen(part, part.key if part.kind == "choices" else [part.key]),
        "why": [paragraphs(sentence)[0] for sentence in why if sentence],
        "decided": say(lang, "feedback.decided", why=result.why) if decided else "",
    }


def _chosen(part: Part, labels: Any) -> list[Data]:
    """Letters with the words they stand for."""
    if part.kind not in ("choice", "choices"):
        return []
    return [{"label": c.label, "text": paragraphs(c.text)[0]} for c in part.choices if c.label in labels]
