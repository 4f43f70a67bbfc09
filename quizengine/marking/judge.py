"""Judge: a problem and its responses become a mark."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from fractions import Fraction
from itertools import pairwise

from quizengine.items.policy import Policy
from quizengine.marking.mark import Diagnosis, Mark, PartMark, Reason, Verdict
from quizengine.problems.part import (
    ChoicePart,
    ChoicesPart,
    GapPart,
    Key,
    LabelledPart,
    OrderPart,
    Pair,
    PairsPart,
    Part,
    ShapePart,
    WordsPart,
)
from quizengine.problems.problem import Problem
from quizengine.responses.code import read_code
from quizengine.responses.response import (
    Blank,
    LabelsValue,
    PairsValue,
    Response,
    TextValue,
    Unreadable,
)

NOTHING = Response("", Blank())
_Judged = tuple[Fraction, tuple[str, ...], tuple[Reason, ...]]


def judge(problem: Problem, responses: Mapping[str, Response], policy: Policy | None = None) -> Mark:
    """The mark of a problem; a part without a response is blank. Every part by itself: what
    cannot be read never stops the next. Nothing a learner writes raises."""
    policy = policy or Policy()
    if problem.numeric:
        from quizengine.marking.numeric import judge_numeric

        return judge_numeric(problem, responses, policy)
    marks, diagnosis = [], []
    for part in problem.parts:
        mark = judge_concept(problem, part, responses.get(part.id, NOTHING))
        marks.append(mark)
        if mark.misconceptions:
            diagnosis += [Diagnosis((id_,), part.id) for id_ in mark.misconceptions]
    return Mark(problem.item, problem.seed, tuple(marks), tuple(diagnosis))


def unanswered(part: Part, response: Response) -> PartMark | None:
    """The mark of a part that is blank or unreadable."""
    match response.reading:
        case Blank():
            return PartMark(part.id, "blank", Fraction(0), part.points)
        case Unreadable(code, at, values):
            reason = Reason(f"unreadable.{code}", {**values, "at": at + 1})
            return PartMark(part.id, "unreadable", Fraction(0), part.points, reasons=(reason,))
    return None


def verdict(share: Fraction) -> Verdict:
    """Right, partial or wrong."""
    return "right" if share == 1 else "partial" if share > 0 else "wrong"


def judge_concept(problem: Problem, part: Part, response: Response) -> PartMark:
    """Choices, orders and pairs; words are for a person to read."""
    if mark := unanswered(part, response):
        return mark
    reading = response.reading
    if isinstance(part, WordsPart) and isinstance(reading, TextValue):
        return PartMark(part.id, "open", Fraction(0), part.points, reading=reading)
    match part, reading:
        case ChoicePart(), TextValue(label):
            judged = _choice(problem, part, label)
        case ShapePart(), TextValue(shape):
            judged = Fraction(shape == part.key), _shown_by(problem, part, shape.__eq__), ()
        case GapPart(), TextValue(code):
            judged = _gap(problem, part, code)
        case ChoicesPart(), LabelsValue(labels):
            judged = _choices(problem, part, labels)
        case OrderPart(), LabelsValue(labels):
            judged = _order(problem, part, labels)
        case PairsPart(), PairsValue(pairs):
            judged = _pairs(problem, part, pairs)
        case _:
            raise TypeError(f"a part of kind {part.kind} is not answered by {type(reading).__name__}")
    share, misconceptions, reasons = judged
    return PartMark(
        part.id,
        verdict(share),
        share,
        part.points,
        reading=reading,
        misconceptions=tuple(dict.fromkeys(misconceptions)),
        reasons=reasons,
    )


def _shown_by(problem: Problem, part: Part, shows: Callable[[Key], bool]) -> tuple[str, ...]:
    """The misconceptions whose rival answer the learner's shows."""
    of = (rival for rival in problem.rivals if part.id in rival.values)
    return tuple(rival.misconception for rival in of if shows(rival.values[part.id]))


def _why(part: LabelledPart, labels: Container[str]) -> tuple[Reason, ...]:
    """Why the chosen wrong ones are wrong, where the author says so."""
    return tuple(
        Reason("why", {"label": c.label, "why": c.why}) for c in part.choices if c.label in labels and c.why
    )


def _choice(problem: Problem, part: ChoicePart, label: str) -> _Judged:
    return Fraction(label == part.key), _shown_by(problem, part, label.__eq__), _why(part, (label,))


def _gap(problem: Problem, part: GapPart, code: str) -> _Judged:
    right = code in map(read_code, (part.key, *part.spellings))
    return Fraction(right), _shown_by(problem, part, lambda rival: read_code(str(rival)) == code), ()


def _choices(problem: Problem, part: ChoicesPart, labels: tuple[str, ...]) -> _Judged:
    keys = set(part.key)
    others = len(part.choices) - len(keys)
    hits, false = len(keys & set(labels)), len(set(labels) - keys)
    share = max(Fraction(0), Fraction(hits, len(keys)) - Fraction(false, max(others, 1)))
    wrong = set(labels) - keys
    reasons = (Reason("hits", {"hits": hits, "keys": len(keys), "false": false}),) if share < 1 else ()
    shown = _shown_by(problem, part, lambda rival: not wrong.isdisjoint(rival))
    return share, shown, (*reasons, *_why(part, wrong))


def _order(problem: Problem, part: OrderPart, labels: tuple[str, ...]) -> _Judged:
    kept = max(len({*pairwise(labels)} & {*pairwise(right)}) for right in (part.key, *part.also))
    of = len(labels) - 1
    reasons = () if kept == of else (Reason("adjacent", {"kept": kept, "of": of}),)
    return Fraction(kept, of), _shown_by(problem, part, labels.__eq__), reasons


def _pairs(problem: Problem, part: PairsPart, pairs: tuple[Pair, ...]) -> _Judged:
    keys, mine = set(part.key), set(pairs)
    hits = len(mine & keys)
    reasons: tuple[Reason, ...] = ()
    if hits < len(keys):
        reasons = (Reason("pairs", {"hits": hits, "keys": len(keys)}),)
    shown = _shown_by(problem, part, lambda rival: not mine.isdisjoint(rival))
    chosen = {number for _, number in mine - keys}
    partners = {number for _, number in keys}
    if mixed := sorted(letter for letter, number in mine - keys if number in partners):
        reasons += (Reason("partners", {"letters": ", ".join(mixed)}),)
    return Fraction(hits, len(keys)), shown, (*reasons, *_why(part, chosen))
