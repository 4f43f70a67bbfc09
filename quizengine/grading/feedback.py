"""Feedback: one learner's marks as a page: the question, the answer, what it earned and why, own steps beside
the right ones, the worked solution."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any, NamedTuple

from quizengine.errors import InputError
from quizengine.feedback.comparison import own_trace
from quizengine.feedback.sentences import part_feedback
from quizengine.grading.gradebook import number
from quizengine.grading.results import Result
from quizengine.grading.standing import Standing
from quizengine.items.catalogue import Catalogue
from quizengine.lang.messages import say
from quizengine.lang.quotation import Quoted, Sentence, shown, tell
from quizengine.lang.text import Lang, Text
from quizengine.marking.mark import Mark, PartMark
from quizengine.problems.part import ChoicePart, ChoicesPart, NumericPart, Part, labels_of
from quizengine.problems.problem import Problem
from quizengine.render.blocks import Words, printed_key, stem, told_key
from quizengine.render.html import feedback_html
from quizengine.render.markdown import code, escaped, markdown, spoken
from quizengine.render.page import paragraphs, problem_page, sentence, words
from quizengine.reports.tally import Total
from quizengine.responses.response import Blank, Response, TextValue
from quizengine.sheets.manifest import Sheet

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
    title = say(lang, "feedback.title", student=escaped(_whose(sheet)))
    out = [f"# {title}", "  \n".join(_head(standing, lang))]
    for index, (problem, mark) in enumerate(zip(sheet.problems, graded.marks, strict=True)):
        labels = sheet.labels[index]
        out.append(f"## {_earned(standing, index)}")
        out.append(markdown(stem(problem), lang, labels))
        for part in mark.parts:
            asked, label = problem.part(part.id), labels[part.id]
            if choices := labels_of(asked):
                shown = [f"{choice.label}  {choice.text}" for choice in choices]
                out.append(markdown([Words(line) for line in shown], lang, labels))
            told, why = _told(part, standing.results[label], catalogue, lang)
            lines = [f"**{spoken(told)}**"]
            if typed := graded.answers.get(label, "").strip():
                lines.append(say(lang, "your-answer") + _typed(asked, typed))
            lines.append(say(lang, "key") + _key(asked))
            out.append("  \n".join([*lines, *map(spoken, why)]))
        if problem.worked:
            title = say(lang, "worked" if problem.type == "numeric" else "explanation")
            out.append(f"*{title}*\n\n" + markdown([Words(line) for line in problem.worked], lang, labels))
    return "\n\n".join(out) + "\n"


def _whose(sheet: Sheet) -> str:
    return " ".join(filter(None, [sheet.student, sheet.name]))


def _head(standing: Standing, lang: Lang) -> list[str]:
    """Whose sheet, how many points, and whether it came late."""
    total = Total(standing.credit, standing.points)
    sums = {"credit": number(standing.credit), "points": standing.points, "percent": number(total.percent)}
    late = [say(lang, "feedback.late", share=standing.share)] if standing.late else []
    code = say(lang, "sheet.code", code=standing.sheet.code)
    return [code, say(lang, "feedback.total", **sums), *late]


def _earned(standing: Standing, index: int) -> str:
    """What a problem brought."""
    own = [standing.results[label] for label in standing.sheet.labels[index].values()]
    credit = number(sum((result.credit for result in own), Fraction(0)))
    sums = {"number": index + 1, "credit": credit, "points": sum(result.points for result in own)}
    return say(standing.sheet.problems[index].lang, "feedback.item", **sums)


def _told(
    mark: PartMark, result: Result, catalogue: Catalogue, lang: Lang
) -> tuple[Sentence, list[Sentence]]:
    """What a part brought, and why: the engine's reasons, or an instructor's where one has decided."""
    earned: dict[str, str | int] = {
        "label": result.label,
        "credit": number(result.credit),
        "points": result.points,
    }
    if result.kind in ("override", "discount"):
        how = result.kind if result.kind == "override" else "full" if result.points else "dropped"
        return tell(lang, f"feedback.{how}", **earned, why=Quoted(result.why)), []
    verdict, *why = part_feedback(mark, catalogue, lang)
    if result.kind == "regraded" and result.verdict != mark.verdict:
        verdict = tell(lang, f"verdict.{result.verdict}")
        why = [tell(lang, "feedback.regraded", why=Quoted(result.why))]
    return tell(lang, "feedback.part", **earned, verdict=shown(verdict)), [line for line in why if line]


def _typed(part: Part, typed: str) -> str:
    """What was typed, with the words of the choice that it names."""
    words = [
        choice.text for choice in labels_of(part) if choice.label == typed.upper() and part.kind == "choice"
    ]
    return "  ".join([code(typed), *words])


def _key(part: Part) -> str:
    return code(printed_key(part)) if isinstance(part, NumericPart) else told_key(part)


def feedback_data(standing: Standing, catalogue: Catalogue, heading: str) -> Data:
    """The page of `render.html.feedback_html`, in the language of the sheet."""
    sheet = standing.sheet
    lang = sheet.problems[0].lang
    code, total, *late = _head(standing, lang)
    return {
        "lang": lang,
        "heading": heading,
        "title": say(lang, "feedback.title", student=_whose(sheet)),
        "code": code,
        "total": total,
        "late": "".join(late),
        "words": words(lang, *_SPOKEN),
        "problems": [_problem(index, standing, catalogue) for index in range(len(sheet.problems))],
    }


def _problem(index: int, standing: Standing, catalogue: Catalogue) -> Data:
    sheet = standing.sheet
    problem, labels, mark = sheet.problems[index], sheet.labels[index], standing.graded.marks[index]
    return {
        **problem_page(problem, index + 1, labels),
        "earned": _earned(standing, index),
        "answers": [_answer(problem, part, standing, labels[part.id], catalogue) for part in mark.parts],
        "trace": _trace(problem, labels, mark, standing.graded.answers),
        "worked": [line for text in problem.worked for line in paragraphs(text)],
    }


def _trace(problem: Problem, labels: Mapping[str, str], mark: Mark, answers: Mapping[str, str]) -> list[Data]:
    """Own steps beside the right ones."""
    responses = {
        part.id: Response(answers.get(labels[part.id], ""), part.reading if part.reading else Blank())
        for part in mark.parts
    }
    carried = {part.id for part in mark.parts if part.carried and part.verdict == "right"}
    return [
        {
            "stage": say(problem.lang, f"stage.{step.part.stage}"),
            "carried": say(problem.lang, "trace.carried") if step.part.id in carried else "",
            "yours": [
                [
                    {"text": text, "right": right or step.part.id in carried}
                    for text, right in zip(row, rights, strict=True)
                ]
                for row, rights in zip(step.yours, step.entries, strict=True)
            ],
            "right": [list(row) for row in step.right],
        }
        for step in own_trace(problem, responses, mark)
    ]


def _answer(problem: Problem, mark: PartMark, standing: Standing, label: str, catalogue: Catalogue) -> Data:
    part, result = problem.part(mark.id), standing.results[label]
    told, why = _told(mark, result, catalogue, problem.lang)
    return {
        "told": sentence(told),
        "verdict": result.verdict,
        "typed": standing.graded.answers.get(label, "").strip() or "—",
        "chosen": _chosen(part, [mark.reading.content] if isinstance(mark.reading, TextValue) else []),
        "choices": [{"label": c.label, "text": paragraphs(c.text)[0]} for c in labels_of(part)],
        "key": printed_key(part) if part.kind not in ("choice", "choices") else "",
        "right": _chosen(part, [part.key] if isinstance(part, ChoicePart) else part.key),
        "why": list(map(sentence, why)),
    }


def _chosen(part: Part, labels: Collection[object]) -> list[Data]:
    """Letters with the words they stand for."""
    if not isinstance(part, ChoicePart | ChoicesPart):
        return []
    return [{"label": c.label, "text": paragraphs(c.text)[0]} for c in part.choices if c.label in labels]
