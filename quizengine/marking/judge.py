"""Judge: a problem and its responses become a mark."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from fractions import Fraction
from itertools import pairwise

from quizengine.items.close import close
from quizengine.items.policy import Policy
from quizengine.lang.quotation import Quoted
from quizengine.marking.mark import Diagnosis, Mark, PartMark, Reason, Verdict
from quizengine.problems.part import (
    ChoicePart,
    ChoicesPart,
    ConstructPart,
    EstimatePart,
    GapPart,
    Key,
    LabelledPart,
    OrderPart,
    Pair,
    PairsPart,
    Part,
    ShapePart,
    TiersPart,
    WordsPart,
    is_sealed,
)
from quizengine.problems.problem import Problem
from quizengine.responses.code import read_code
from quizengine.responses.response import (
    Blank,
    LabelsValue,
    Number,
    NumericValue,
    PairsValue,
    Response,
    TextValue,
    Unreadable,
    Value,
)

NOTHING = Response("", Blank())
NEAR = 50  # an estimate is another value’s if it is off by a fiftieth of it at most
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
    return "right" if share == 1 else "partial" if share else "wrong"


def judge_concept(problem: Problem, part: Part, response: Response) -> PartMark:
    """Choices, orders, pairs and constructed arrays; words are for a person to read."""
    if mark := unanswered(part, response):
        return mark
    reading = response.reading
    if isinstance(part, WordsPart) and isinstance(reading, TextValue):
        return PartMark(part.id, "open", Fraction(0), part.points, reading=reading)
    assert not isinstance(reading, Blank | Unreadable)  # those are told by `unanswered`
    judged = _labelled(problem, part, reading) or _worked_out(problem, part, reading)
    if judged is None:
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


def _labelled(problem: Problem, part: Part, reading: Value) -> _Judged | None:
    """What is answered by the labels of what is shown."""
    match part, reading:
        case ChoicePart(), TextValue(label):
            return _choice(problem, part, label)
        case ChoicesPart(), LabelsValue(labels):
            return _choices(problem, part, labels)
        case TiersPart(), PairsValue((pair,)):
            return _tiers(problem, part, pair)
        case OrderPart(), LabelsValue(labels):
            return _order(problem, part, labels)
        case PairsPart(), PairsValue(pairs):
            return _pairs(problem, part, pairs)
    return None


def _worked_out(problem: Problem, part: Part, reading: Value) -> _Judged | None:
    """What is answered by an array, a number, a shape or a piece of code."""
    match part, reading:
        case ConstructPart(), NumericValue(cells):
            from quizengine.marking.conditions import judged_array

            return judged_array(problem, part, cells)
        case EstimatePart(), NumericValue(((Number() as typed,),)):
            return _estimate(problem, part, typed)
        case ShapePart(), TextValue(shape):
            return Fraction(shape == part.key), _shown_by(problem, part, shape.__eq__), ()
        case GapPart(), TextValue(code):
            return _gap(problem, part, code)
    return None


def _shown_by(problem: Problem, part: Part, shows: Callable[[Key], bool]) -> tuple[str, ...]:
    """The misconceptions whose rival answer the learner's shows."""
    of = (rival for rival in problem.rivals if part.id in rival.values)
    return tuple(rival.misconception for rival in of if shows(rival.values[part.id]))


def _why(part: LabelledPart, labels: Container[str]) -> tuple[Reason, ...]:
    """Why the chosen wrong ones are wrong, where the author says so."""
    return tuple(
        Reason("why", {"label": c.label, "why": c.why}) for c in part.choices if c.label in labels and c.why
    )


def _estimate(problem: Problem, part: EstimatePart, typed: Number) -> _Judged:
    """All within the factor, half within its square: so far again on the logarithm's scale. What a
    misconception gives earns nothing of that half."""
    [[key]] = part.key
    if not part.factor:
        return _value(problem, part, typed)
    if typed.units <= 0:
        return Fraction(0), (), (Reason("estimate-sign"),)
    ratio = max(Fraction(typed.units, key), Fraction(key) / typed.units)
    share = (
        Fraction(1) if ratio <= part.factor else Fraction(1, 2) if ratio <= part.factor**2 else Fraction(0)
    )
    if share == 1:
        return share, (), ()
    code = "estimate-large" if typed.units > key else "estimate-small"
    shown = _shown_by(problem, part, lambda rival: is_sealed(rival) and _near(typed, rival[0][0]))
    return Fraction(0) if shown else share, shown, (Reason(code, {"times": _times(ratio)}),)


def _value(problem: Problem, part: EstimatePart, typed: Number) -> _Judged:
    """All within what is allowed, and nothing beyond; what a misconception gives is known as near as that."""
    [[key]] = part.key
    if close(typed.units, key, part.within):
        return Fraction(1), (), ()
    shown = _shown_by(
        problem, part, lambda rival: is_sealed(rival) and close(typed.units, rival[0][0], part.within)
    )
    return Fraction(0), shown, ()


def _near(typed: Number, rival: int) -> bool:
    return NEAR * abs(Fraction(typed.units) - rival) <= rival


def _times(ratio: Fraction) -> str:
    """How many times, to two digits.

    >>> _times(Fraction(17, 4)), _times(Fraction(123456))
    ('4.2', '120000')
    """
    return f"{float(f'{float(ratio):.2g}'):.0f}" if ratio >= 10 else f"{float(ratio):.2g}"


def _choice(problem: Problem, part: ChoicePart, label: str) -> _Judged:
    return Fraction(label == part.key), _shown_by(problem, part, label.__eq__), _why(part, (label,))


def _gap(problem: Problem, part: GapPart, code: str) -> _Judged:
    right = {*map(read_code, (part.key, *part.spellings))}
    if code in right:
        return Fraction(1), (), ()
    repeated = _repeated(problem, part, code, right)
    reasons = (Reason("gap-repeats", {"text": Quoted(repeated)}),) if repeated else ()
    return Fraction(0), _shown_by(problem, part, lambda rival: read_code(str(rival)) == code), reasons


def _repeated(problem: Problem, part: GapPart, code: str, right: Iterable[str]) -> str:
    """What stands before the gap, where the learner has written it once more before what is right, perhaps
    with what closes it; empty where it is not that."""
    before, _, after = problem.code.partition(f"__{problem.parts.index(part) + 1}__")
    before, after = before[before.rfind("\n") + 1 :], after.split("\n")[0]
    heads = (before[start:] for start in range(len(before)))
    tails = [after[:end] for end in range(len(after) + 1)]
    meant = {text + tail for text in right for tail in tails}
    return next((head.rstrip() for head in heads if code.startswith(head) and code[len(head) :] in meant), "")


def _choices(problem: Problem, part: ChoicesPart, labels: tuple[str, ...]) -> _Judged:
    keys = set(part.key)
    others = len(part.choices) - len(keys)
    hits, false = len(keys & set(labels)), len(set(labels) - keys)
    share = max(Fraction(0), Fraction(hits, len(keys)) - Fraction(false, max(others, 1)))
    wrong = set(labels) - keys
    reasons = (Reason("hits", {"hits": hits, "keys": len(keys), "false": false}),) if share < 1 else ()
    shown = _shown_by(problem, part, lambda rival: not wrong.isdisjoint(rival))
    return share, shown, (*reasons, *_why(part, wrong))


def _tiers(problem: Problem, part: TiersPart, pair: Pair) -> _Judged:
    [key] = part.key
    share = Fraction(pair == key) or dict(part.shares).get("-".join(pair), Fraction(0))
    right = tuple(mine == wanted for mine, wanted in zip(pair, key, strict=True))
    told = {(True, False): "tier-reason", (False, True): "tier-answer"}
    reasons = (Reason(told[right]),) if right in told else ()
    shown = _shown_by(problem, part, (pair,).__eq__)
    return share, shown, (*reasons, *_why(part, set(pair) - set(key)))


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
