"""A page of feedback: one learner's marks: the question, the answer, what it earned and why, own steps beside
the right ones, the worked solution."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple

from quizengine.errors import InputError
from quizengine.feedback.comparison import own_trace
from quizengine.feedback.sentences import part_feedback
from quizengine.items.catalogue import Catalogue
from quizengine.lang.messages import t
from quizengine.lang.quotation import Quoted, Sentence, shown, tell
from quizengine.lang.text import Lang, Text
from quizengine.marking.mark import Mark, PartMark, Verdict, credit_text
from quizengine.problems.memory import once
from quizengine.problems.part import ChoicePart, ChoicesPart, NumbersPart, Part, TiersPart, labels_of
from quizengine.problems.problem import Problem
from quizengine.render.blocks import Words, key_name, printed_key, spoken_key, stem, told_key
from quizengine.render.html import feedback_html, feedback_problem_html
from quizengine.render.markdown import code, escaped, markdown, spoken
from quizengine.render.page import Data, paragraphs, problem_page, sentence, words
from quizengine.responses.response import Blank, PairsValue, Response, TextValue, Value

if TYPE_CHECKING:
    from markupsafe import Markup

Decision = Literal["", "regraded", "override", "full", "dropped"]
_SPOKEN = ("your-answer", "trace", "trace.yours", "trace.right", "worked", "explanation")


class Earned(NamedTuple):
    """What counts of a part, by its label: the text as typed, the points earned, and, where an instructor has
    decided, how and why."""

    label: str
    typed: str
    verdict: Verdict
    credit: Fraction
    points: int
    decision: Decision = ""
    why: str = ""


class MarkedProblem(NamedTuple):
    """A problem with the engine's mark, and what counts of each of its parts, by the part's id."""

    problem: Problem
    labels: Mapping[str, str]  # by part id
    mark: Mark
    earned: Mapping[str, Earned]


class MarkedSheet(NamedTuple):
    """A learner's problems with their marks; `late` is the share that they earn who came late, and None for
    those who did not."""

    student: str
    name: str
    code: str
    problems: tuple[MarkedProblem, ...]
    late: Fraction | None = None

    @property
    def lang(self) -> Lang:
        """The language of the sheet."""
        return self.problems[0].problem.lang

    @property
    def earned(self) -> list[Earned]:
        """What counts of every part."""
        return [one for marked in self.problems for one in marked.earned.values()]


class Page(NamedTuple):
    """A learner's feedback: in Markdown, and in HTML where that is installed."""

    student: str
    code: str
    text: str
    html: str = ""


class _Answer(NamedTuple):
    """What a page tells of a problem, besides the problem: its place, the labels and marks of its parts, what
    counts of them, and the misconceptions that are named there."""

    number: int
    labels: Mapping[str, str]
    mark: Mark
    earned: Mapping[str, Earned]
    named: Catalogue

    def __hash__(self) -> int:
        return hash((self.number, *(one.typed for one in self.earned.values())))

    def to(self, problem: Problem) -> MarkedProblem:
        """The problem that was answered so."""
        return MarkedProblem(problem, self.labels, self.mark, self.earned)


_Answers = Sequence[tuple[Problem, _Answer]]


def page(sheet: MarkedSheet, catalogue: Catalogue, title: Text, *, html: bool) -> Page:
    """A learner's feedback, in the language of the sheet; as HTML too where that is wanted and installed."""
    answers = [(one.problem, _answer_to(one, n, catalogue)) for n, one in enumerate(sheet.problems, 1)]
    text = _page_text(sheet, answers)
    with suppress(InputError):  # without the extra there is Markdown
        if html:
            made = feedback_html(_page_data(sheet, answers, title[sheet.lang]))
            return Page(sheet.student, sheet.code, text, made)
    return Page(sheet.student, sheet.code, text)


def _answer_to(marked: MarkedProblem, number: int, catalogue: Catalogue) -> _Answer:
    """What is told, without the seed of the mark: then it is equal where it looks alike."""
    _, labels, mark, earned = marked
    ids = (id_ for part in mark.parts for id_ in part.misconceptions if id_ in catalogue)
    named = {id_: catalogue[id_] for id_ in ids}
    return _Answer(number, labels, mark._replace(seed=0), earned, named)


def _page_text(sheet: MarkedSheet, answers: _Answers) -> str:
    """One learner's marks in Markdown, in the language of the sheet: per part the verdict, the
    reasons, the key, the remedy; where an instructor has decided, that and why."""
    title = t(sheet.lang, "feedback.title", student=escaped(_whose(sheet)))
    made = [_text(problem, answer) for problem, answer in answers]
    return "\n\n".join([f"# {title}", "  \n".join(_head(sheet)), *made]) + "\n"


@once
def _text(problem: Problem, answer: _Answer) -> str:
    number, labels, mark, earned, catalogue = answer
    marked, lang = answer.to(problem), problem.lang
    out = [f"## {_sum_of_problem(marked, number)}"]
    out.append(markdown(stem(problem), lang, labels))
    for part in mark.parts:
        asked = problem.part(part.id)
        if choices := labels_of(asked):
            shown = [f"{choice.label}  {choice.text}" for choice in choices]
            out.append(markdown([Words(line) for line in shown], lang, labels))
        told, why = _sentences(mark, part.id, earned[part.id], catalogue, lang)
        lines = [f"**{spoken(told)}**"]
        if typed := earned[part.id].typed.strip():
            lines.append(t(lang, "your-answer") + _typed(asked, typed))
        lines.append(key_name(asked, lang) + _key(asked, lang))
        out.append("  \n".join([*lines, *map(spoken, why)]))
    if problem.worked:
        title = t(lang, "worked" if problem.type == "numeric" else "explanation")
        out.append(f"*{title}*\n\n" + markdown([Words(line) for line in problem.worked], lang, labels))
    return "\n\n".join(out)


def _whose(sheet: MarkedSheet) -> str:
    return " ".join(filter(None, [sheet.student, sheet.name]))


def _head(sheet: MarkedSheet) -> list[str]:
    """The code of the sheet, the points it earned, and whether it came late."""
    credit, points, open = _sums(sheet.earned)
    percent = credit_text(100 * credit / points if points else Fraction(0))
    total = t(sheet.lang, "feedback.total", credit=credit_text(credit), points=points, percent=percent)
    total += t(sheet.lang, "total.open", open=open) if open else ""
    late = [] if sheet.late is None else [t(sheet.lang, "feedback.late", share=sheet.late)]
    return [t(sheet.lang, "sheet.code", code=sheet.code), total, *late]


def _sums(earned: Iterable[Earned]) -> tuple[Fraction, int, int]:
    """The credit, the points of what is marked, and those that wait for a person."""
    every = list(earned)
    open = sum(one.points for one in every if one.verdict == "open")
    return sum((one.credit for one in every), Fraction(0)), sum(one.points for one in every) - open, open


def _sum_of_problem(marked: MarkedProblem, number: int) -> str:
    lang = marked.problem.lang
    credit, points, open = _sums(marked.earned.values())
    if not points and open:
        return t(lang, "feedback.item-open", number=number, points=open)
    said = t(lang, "feedback.item", number=number, credit=credit_text(credit), points=points)
    return said + (t(lang, "total.open", open=open) if open else "")


def _sentences(
    mark: Mark, id_: str, earned: Earned, catalogue: Catalogue, lang: Lang
) -> tuple[Sentence, list[Sentence]]:
    """What a part brought, and why: the engine's reasons, or an instructor's where one has decided."""
    sums: dict[str, str | int] = {
        "label": earned.label,
        "credit": credit_text(earned.credit),
        "points": earned.points,
    }
    if earned.decision in ("override", "full", "dropped"):
        return tell(lang, f"feedback.{earned.decision}", **sums, why=Quoted(earned.why)), []
    verdict, *why = part_feedback(mark, id_, catalogue, lang)
    if earned.verdict == "open":
        return tell(lang, "feedback.open", label=earned.label, points=earned.points), []
    if earned.decision == "regraded" and earned.verdict != mark.part(id_).verdict:
        verdict = tell(lang, f"verdict.{earned.verdict}")
        why = [tell(lang, "feedback.regraded", why=Quoted(earned.why))]
    return tell(lang, "feedback.part", **sums, verdict=shown(verdict)), [line for line in why if line]


def _typed(part: Part, typed: str) -> str:
    """What was typed, with the words of the choice that it names."""
    words = [
        choice.text for choice in labels_of(part) if choice.label == typed.upper() and part.kind == "choice"
    ]
    return "  ".join([code(typed), *words])


def _key(part: Part, lang: Lang) -> str:
    return code(printed_key(part)) if isinstance(part, NumbersPart) else told_key(part, lang)


def _page_data(sheet: MarkedSheet, answers: _Answers, heading: str) -> Mapping[str, object]:
    """The data of the page that `render.html.feedback_html` makes, in the language of the sheet."""
    code, total, *late = _head(sheet)
    return {
        "lang": sheet.lang,
        "heading": heading,
        "title": t(sheet.lang, "feedback.title", student=_whose(sheet)),
        "code": code,
        "total": total,
        "late": "".join(late),
        "problems": [_shown(problem, answer) for problem, answer in answers],
    }


@once
def _shown(problem: Problem, answer: _Answer) -> Markup:
    marked = answer.to(problem)
    data: Data = {
        **problem_page(problem, answer.number, answer.labels),
        "earned": _sum_of_problem(marked, answer.number),
        "answers": [_answer(marked, part, answer.named) for part in answer.mark.parts],
        "trace": _trace(marked),
        "worked": [line for text in problem.worked for line in paragraphs(text)],
    }
    return feedback_problem_html(data, words(problem.lang, *_SPOKEN))


def _trace(marked: MarkedProblem) -> list[Data]:
    """Own steps beside the right ones."""
    problem, mark = marked.problem, marked.mark
    responses = {
        part.id: Response(marked.earned[part.id].typed, part.reading if part.reading else Blank())
        for part in mark.parts
    }
    carried = {part.id for part in mark.parts if part.carried and part.verdict == "right"}
    return [
        {
            "stage": t(problem.lang, f"stage.{step.part.stage}"),
            "carried": t(problem.lang, "trace.carried") if step.part.id in carried else "",
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


def _answer(marked: MarkedProblem, mark: PartMark, catalogue: Catalogue) -> Data:
    part, earned = marked.problem.part(mark.id), marked.earned[mark.id]
    told, why = _sentences(marked.mark, mark.id, earned, catalogue, marked.problem.lang)
    return {
        "told": sentence(told),
        "verdict": earned.verdict,
        "typed": earned.typed.strip() or "—",
        "chosen": _chosen(part, _labels(mark.reading)),
        "choices": [{"label": c.label, "text": paragraphs(c.text)[0]} for c in labels_of(part)],
        "key_name": key_name(part, marked.problem.lang),
        "key": spoken_key(part, marked.problem.lang)
        if part.kind not in ("choice", "choices", "tiers")
        else "",
        "right": _chosen(part, _right(part)),
        "why": list(map(sentence, why)),
    }


def _labels(reading: Value | None) -> Collection[str]:
    """The labels of a choice, or of an answer with its reason."""
    if isinstance(reading, TextValue):
        return (reading.content,)
    return reading.content[0] if isinstance(reading, PairsValue) else ()


def _right(part: Part) -> Collection[object]:
    """The labels of the key."""
    if isinstance(part, TiersPart):
        return part.key[0]
    return (part.key,) if isinstance(part, ChoicePart) else part.key


def _chosen(part: Part, labels: Collection[object]) -> list[Data]:
    """Letters with the words they stand for."""
    if not isinstance(part, ChoicePart | ChoicesPart | TiersPart):
        return []
    return [{"label": c.label, "text": paragraphs(c.text)[0]} for c in part.choices if c.label in labels]
