"""Judge: a problem and its responses become a mark."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from quizengine.items.policy import Policy
from quizengine.marking.mark import Diagnosis, Mark, PartMark, Reason, Verdict
from quizengine.problems.problem import Kind, Part, Problem
from quizengine.responses.response import Blank, Response, Unreadable, Value

NOTHING = Response("", Blank())
_Judged = tuple[Fraction, tuple[str, ...], tuple[Reason, ...]]


def judge(problem: Problem, responses: Mapping[str, Response], policy: Policy | None = None) -> Mark:
    """The mark of a problem; a part without a response is blank. Every part by itself: what
    cannot be read never stops the next. Nothing a learner writes raises."""
    policy = policy or Policy()
    if any(part.is_number for part in problem.parts):
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
    """Choices, orders, pairs and words."""
    if mark := unanswered(part, response):
        return mark
    assert isinstance(response.reading, Value)
    content = response.reading.content
    share, misconceptions, reasons = _JUDGES[part.kind](problem, part, content)
    return PartMark(
        part.id,
        verdict(share),
        share,
        part.points,
        reading=response.reading,
        misconceptions=tuple(dict.fromkeys(misconceptions)),
        reasons=reasons,
    )


def _shown_by(problem: Problem, part: Part, shows: Callable[[Any], bool]) -> tuple[str, ...]:
    """The misconceptions whose rival answer the learner's shows."""
    return tuple(r.misconception for r in problem.rivals if shows(r.values[part.id]))


def _why(part: Part, labels: Any) -> tuple[Reason, ...]:
    """Why the chosen wrong ones are wrong, where the author says so."""
    return tuple(
        Reason("why", {"label": c.label, "why": c.why}) for c in part.choices if c.label in labels and c.why
    )


def _choice(problem: Problem, part: Part, label: str) -> _Judged:
    return Fraction(label == part.key), _shown_by(problem, part, label.__eq__), _why(part, (label,))


def _choices(problem: Problem, part: Part, labels: tuple[str, ...]) -> _Judged:
    keys = set(part.key)
    others = len(part.choices) - len(keys)
    hits, false = len(keys & set(labels)), len(set(labels) - keys)
    share = max(Fraction(0), Fraction(hits, len(keys)) - Fraction(false, max(others, 1)))
    wrong = tuple(label for label in labels if label not in keys)
    reasons = (Reason("hits", {"hits": hits, "keys": len(keys), "false": false}),) if share < 1 else ()
    return (
        share,
        _shown_by(problem, part, lambda rival: rival[0] in wrong),
        (*reasons, *_why(part, wrong)),
    )


def _order(problem: Problem, part: Part, labels: tuple[str, ...]) -> _Judged:
    def adjacent(order: Any) -> set[tuple[str, str]]:
        return set(pairwise(order))

    kept = max(len(adjacent(labels) & adjacent(right)) for right in (part.key, *part.also))
    of = len(labels) - 1
    reasons = () if kept == of else (Reason("adjacent", {"kept": kept, "of": of}),)
    return Fraction(kept, of), _shown_by(problem, part, labels.__eq__), reasons


def _pairs(problem: Problem, part: Part, pairs: tuple[tuple[str, str], ...]) -> _Judged:
    keys, mine = set(part.key), set(pairs)
    hits = len(mine & keys)
    reasons = () if hits == len(keys) else (Reason("pairs", {"hits": hits, "keys": len(keys)}),)
    shown = _shown_by(problem, part, lambda rival: rival[0] in mine)
    chosen = {number for _, number in mine - keys}
    return Fraction(hits, len(keys)), shown, (*reasons, *_why(part, chosen))


def _words(problem: Problem, part: Part, words: str) -> _Judged:
    from quizengine.marking.words import missing_ideas  # late: few answers are words

    del problem
    reasons = missing_ideas(part.ideas, words)
    return Fraction(len(part.ideas) - len(reasons), len(part.ideas)), (), reasons


_JUDGES: dict[Kind, Callable[[Problem, Part, Any], _Judged]] = {
    "choice": _choice,
    "choices": _choices,
    "order": _order,
    "pairs": _pairs,
    "words": _words,
}
