"""The result of an exam: what was asked, what was answered, what it earned, and on what that stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from quizengine import __version__
from quizengine.feedback.lines import Line, told
from quizengine.items.catalogue import Catalogue
from quizengine.lang.characters import visible
from quizengine.lang.messages import name, t
from quizengine.lang.quotation import Quoted, Sentence, tell
from quizengine.marking.mark import Mark, rounded
from quizengine.problems.problem import Problem
from quizengine.render.blocks import ask, joined, stem, title
from quizengine.render.terminal import lines, wrapped
from quizengine.reports.tally import Total, sums_text
from quizengine.responses.response import Blank, Response
from quizengine.sessions.reply import Judgement
from quizengine.sessions.session import Session

WIDTH = 80  # of the text file


class Question(NamedTuple):
    """One question of an exam. Without a mark it is ungraded, by a fault of ours."""

    number: int
    problem: Problem
    responses: Mapping[str, Response]
    late: Mapping[str, str]  # came after the deadline
    flagged: bool
    mark: Mark | None

    @property
    def earned(self) -> Fraction:
        """The points that were earned, none without a mark."""
        return self.mark.credit if self.mark else Fraction(0)


def questions(session: Session, judged: Callable[[int], Judgement]) -> Iterator[Question]:
    """The questions in the order of the exam; `judged` gives the judgement of a place."""
    for index in range(len(session.plan)):
        late, flagged = session.late.get(index, {}), index in session.flagged
        if index in session.ungraded:
            problem = Problem.from_json(session.posed[index])
            raw = session.typed.get(index, {})
            yield Question(index + 1, problem, _unread(raw), late, flagged, None)
        else:
            made = judged(index)
            yield Question(index + 1, made.problem, made.responses, late, flagged, made.mark)


def _unread(raw: Mapping[str, str]) -> dict[str, Response]:

    return {part: Response(text, Blank()) for part, text in raw.items()}


def total(asked: list[Question]) -> Total:
    """The points of all questions that are graded."""
    graded = (Total(m.credit, m.points - m.open, 1, m.open) for q in asked if (m := q.mark))
    return sum(graded, Total())


def to_json(session: Session, asked: list[Question]) -> dict[str, object]:
    """The result for a program: answers as they were typed, marks part by part."""
    assert session.submitted is not None
    return {
        "format": 1,
        "engine": __version__,
        "bank": session.bank,
        "seed": session.seed,
        "lang": session.lang,
        "begun": session.begun,
        "deadline": session.deadline or None,
        "submitted": session.submitted_at,
        "by": session.submitted.why,
        **total(asked).sums,
        "exact": str(total(asked).credit),
        "questions": [
            {
                "number": q.number,
                "item": q.problem.item,
                "digest": q.problem.digest,
                "seed": q.problem.seed,
                "posing": q.problem.posing,
                "flagged": q.flagged,
                "answers": {part: response.raw for part, response in q.responses.items() if response.raw},
                "late": dict(q.late),
                "points": q.problem.points,
                "credit": rounded(q.earned) if q.mark else None,
                "exact": str(q.earned) if q.mark else None,
                "mark": session.details.get(q.number - 1),
            }
            for q in asked
        ],
    }


def text(session: Session, asked: list[Question], catalogue: Catalogue) -> str:
    """The result for a person: the sums, then every question with its answer and feedback."""
    assert session.submitted is not None
    values = {"begun": session.begun, "submitted": session.submitted_at, "bank": session.bank}
    late = session.submitted.why == "time"
    said = [
        t(session.lang, "exam.stands-on", engine=__version__, **values),
        t(session.lang, "exam.seed", seed=session.seed),
        t(session.lang, "exam.by-time", deadline=session.deadline) if late else "",
    ]
    out = [
        *wrapped(joined(said), WIDTH),
        sums_text(total(asked), session.lang, "take.end"),
        "",
        *overview(session, asked),
    ]
    for q in asked:
        out += ["", "", *(line.text for line in shown(session, q, catalogue, WIDTH))]
    return visible("\n".join(out) + "\n")


def overview(session: Session, asked: list[Question]) -> Iterator[str]:
    """A line a question: its points."""
    for q in asked:
        topic = name("topic", q.problem.topic, session.lang)
        earned = t(session.lang, "exam.earned", credit=rounded(q.earned), points=q.problem.points)
        notes = [] if q.mark else [t(session.lang, "verdict.ungraded")]
        if q.mark and q.mark.open:
            notes.append(t(session.lang, "verdict.open"))
        if not any(response.raw.strip() for response in q.responses.values()):
            notes.append(t(session.lang, "verdict.blank"))
        yield "   ".join([f"{q.number:>3}  {earned}", topic, *notes])


def shown(session: Session, q: Question, catalogue: Catalogue, width: int) -> Iterator[Line]:
    """One question as it was asked, with the answer, the marks and the reasons."""
    lang = session.lang
    head = title(q.problem, q.number, len(session.plan), lang)
    yield from map(Line, wrapped(f"{head}   {q.problem.item}   {q.problem.seed}", width))
    yield from map(Line, lines(stem(q.problem), width))
    for part in q.problem.parts:
        yield from map(Line, lines(ask(q.problem, part), width))
        raw = q.responses[part.id].raw if part.id in q.responses else ""
        answer: Sentence = (Quoted(raw),) if raw.strip() else tell(lang, "exam.none")
        yield from map(Line, wrapped(answer, width, first="  " + t(lang, "your-answer")))
        if part.id in q.late:
            yield from map(
                Line, wrapped((Quoted(q.late[part.id]),), width, first="  " + t(lang, "exam.late-answer"))
            )
    yield Line("")
    if q.mark:
        yield from told(q.problem, q.responses, q.mark, catalogue, width)
    else:
        yield Line(t(lang, "verdict.ungraded"))
