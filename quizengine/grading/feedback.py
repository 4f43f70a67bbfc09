"""Feedback: one learner's marks as a page: the question, the answer, what it earned and why, own steps beside
the right ones, the worked solution."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any, NamedTuple

from quizengine.errors import InputError
from quizengine.grading.gradebook import number
from quizengine.grading.results import Result
from quizengine.grading.standing import Standing
from quizengine.items.catalogue import Catalogue
from quizengine.lang.messages import say
from quizengine.lang.text import Lang, Text
from quizengine.marking.mark import Mark, PartMark
from quizengine.problems.problem import Part, Problem
from quizengine.render.blocks import Words, printed_key, stem, told_key
from quizengine.render.html import feedback_html
from quizengine.render.markdown import code, escaped, markdown
from quizengine.render.page import paragraphs, problem_page, words
from quizengine.reports.feedback import part_feedback
from quizengine.reports.tally import Total
from quizengine.reports.trace import own_trace
from quizengine.responses.response import Blank, Response

Data = dict[str, Any]
_SPOKEN = ("your-answer", "key", "trace", "trace.yours", "trace.right", "worked", "explanation")


class Page(NamedTuple):
    """A learner's feedback: in Markdown, and in HTML where that is installed."""

    student: str
    code: str
    text: str
    html: str = ""


def page(one: Standing, catalogue: Catalogue, title: Text, *, html: bool) -> Page:
    """A learner's feedback, in the language of the sheet; as HTML too where that is wanted and installed."""
    sheet = one.sheet
    text = feedback_page(one, catalogue)
    with suppress(InputError):  # without the extra there is Markdown
        if html:
            data = feedback_data(one, catalogue, title[sheet.problems[0].lang])
            return Page(sheet.student, sheet.code, text, feedback_html(data))
    return Page(sheet.student, sheet.code, text)


def feedback_page(standing: Standing, catalogue: Catalogue) -> str:
    """One learner's marks in Markdown, in the language of the sheet: per part the verdict, the
    reasons, the key, the remedy; where an instructor has decided, that and why."""
    sheet, graded = standing.sheet, standing.graded
    lang = sheet.problems[0].lang
    total = Total(standing.credit, standing.points)
    sums = {
        "credit": number(standing.credit),
        "points": standing.points,
        "percent": number(total.percent),
    }
    out = [
        f"# {say(lang, 'feedback.title', student=escaped(sheet.student))}",
        f"{say(lang, 'sheet.code', code=sheet.code)}  \n{say(lang, 'feedback.total', **sums)}",
    ]
    for index, (problem, mark) in enumerate(zip(sheet.problems, graded.marks, strict=True)):
        labels = sheet.labels[index]
        own = [standing.results[label] for label in labels.values()]
        sums = {
            "number": index + 1,
            "credit": number(sum((result.credit for result in own), Fraction(0))),
            "points": sum(result.points for result in own),
        }
        out.append(f"## {say(lang, 'feedback.item', **sums)}")
        out.append(markdown(stem(problem), lang, labels))
        for part in mark.parts:
            verdict, *why = part_feedback(part, catalogue, lang)
            label = labels[part.id]
            result = standing.results[label]
            earned = {
                "label": label,
                "verdict": verdict,
                "credit": number(result.credit),
                "points": result.points,
            }
            lines = [f"**{say(lang, 'feedback.part', **earned)}**"]
            if result.kind in ("override", "discount"):
                lines.append(say(lang, "feedback.decided", why=escaped(result.why)))
            if typed := graded.answers.get(label, "").strip():
                lines.append(say(lang, "your-answer") + _typed(problem.part(part.id), typed))
            lines.append(say(lang, "key") + _key(problem.part(part.id)))
            out.append("  \n".join([*lines, *why]))
        if problem.worked:
            title = say(lang, "worked" if problem.type == "numeric" else "explanation")
            out.append(f"*{title}*\n\n" + markdown([Words(line) for line in problem.worked], lang, labels))
    return "\n\n".join(out) + "\n"


def _typed(part: Part, typed: str) -> str:
    """What was typed, with the words of the choice that it names."""
    words = [
        choice.text for choice in part.choices if choice.label == typed.upper() and part.kind == "choice"
    ]
    return "  ".join([code(typed), *words])


def _key(part: Part) -> str:
    return code(printed_key(part)) if part.is_number else told_key(part)


def feedback_data(standing: Standing, catalogue: Catalogue, heading: str) -> Data:
    """The page of `render.html.feedback_html`, in the language of the sheet."""
    sheet = standing.sheet
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
        "problems": [_problem(index, standing, catalogue) for index in range(len(sheet.problems))],
    }


def _problem(index: int, standing: Standing, catalogue: Catalogue) -> Data:
    sheet = standing.sheet
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
        "trace": _trace(problem, labels, mark, standing.graded.answers),
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
