"""The effective mark: of all results on record of an answer, the one that counts.

The life of an answer, of which nothing is ever deleted:

    state         comes by                                        counts until
    typed         a row of a file, or the table typed from paper   it is marked, in the same run
    graded        `grade`: a first answer, another text, one       the same label is graded or regraded
                  that was ungraded, or lateness lifted
    regraded      `marks regrade --apply`                          the same label is graded or regraded
    read          `marks read`: of this text, and of no other      the same label is answered anew
    discounted    `marks discount`: dropped, or full points        it is discounted otherwise, or overridden
    overridden    `marks override`                                 it is overridden anew

Of two states the lower one wins, whichever came later: what the engine gives never replaces what an
instructor decided. `late` is no state of its own: it says that the answer came after the deadline.

Who may write which part of a result:

    part                              graded              regraded            discount         override
    code, label, item, points         the sheet           the sheet           the sheet [1]    the sheet
    raw                               the learner         kept                empty            kept
    verdict, credit, misconceptions   the engine          the engine          the instructor   the instructor
    key, policy                       what judged it      what judged it      empty            empty [2]
    late                              the deadline        the first grading   never            never
    why                               empty               the instructor      the instructor   the instructor
    at, engine                        the call            the call            the call         the call

    [1] An item that is dropped has no points.
    [2] Of a mark that was given by reading the key is “read”.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

from quizengine import __version__
from quizengine.grading.attempt import Attempt
from quizengine.items.policy import Policy
from quizengine.marking.mark import Verdict
from quizengine.problems.part import Part
from quizengine.sheets.manifest import Sheet

Kind = Literal["graded", "regraded", "discount", "override"]
AUTOMATIC: tuple[Kind, ...] = ("graded", "regraded")
READ = "read"  # the key of a mark that a person gave to a text, and to no other


class Result(NamedTuple):
    """One mark of one part, as it is kept. `raw` is the text as typed; `key` names the key it was judged by,
    `policy` is JSON, `at` the moment in ISO 8601, `why` the instructor's reason in words."""

    code: str
    label: str
    kind: Kind
    raw: str
    verdict: Verdict
    credit: Fraction
    points: int
    misconceptions: tuple[str, ...]
    item: str
    key: str
    policy: str
    at: str = ""
    why: str = ""
    engine: str = __version__
    late: bool = False


def latest(history: Iterable[Result], *ranks: Sequence[Kind]) -> dict[str, Result]:
    """By label the last result of a sheet that is of these kinds; those of a later rank win over others."""
    known = list(history)
    return {r.label: r for kinds in ranks for r in known if r.kind in kinds}


def effective(history: Iterable[Result]) -> dict[str, Result]:
    """By label the result of a sheet that counts."""
    known = list(history)
    typed, own = latest(known, AUTOMATIC), [result for result in known if result.key != READ]
    read = {r.label: r for r in known if r.key == READ and r.label in typed and typed[r.label].raw == r.raw}
    return typed | read | latest(own, ("discount",), ("override",))


def was_late(history: Iterable[Result]) -> bool:
    """Did any answer of a sheet, as it was last graded, come after the deadline?"""
    return any(result.late for result in latest(history, ("graded",)).values())


@dataclass(frozen=True, slots=True)
class EffectiveMarks:
    """A sheet's attempt, and for every label the result that counts; `share` is what late answers earn."""

    attempt: Attempt
    results: Mapping[str, Result]
    late: bool = False  # did it come after the deadline when it was graded?
    share: Fraction = Fraction(1)

    @property
    def sheet(self) -> Sheet:
        """The sheet that was answered."""
        return self.attempt.sheet

    @property
    def credit(self) -> Fraction:
        """The points earned on the whole sheet."""
        return sum((result.credit for result in self.results.values()), Fraction(0))

    @property
    def points(self) -> int:
        """The points of what is marked on the sheet, without what is dropped."""
        return sum(result.points for result in self.results.values() if result.verdict != "open")

    @property
    def open(self) -> int:
        """The points that wait for a person to read the answers."""
        return sum(result.points for result in self.results.values() if result.verdict == "open")


def answers_with_record(answers: Mapping[str, str], history: Sequence[Result]) -> dict[str, str]:
    """The answers, and those on record of which a file says nothing."""
    return {label: result.raw for label, result in latest(history, AUTOMATIC).items()} | dict(answers)


def effective_marks(
    attempt: Attempt, history: Sequence[Result], policy: Policy, at: str, *, lift: bool = False
) -> tuple[EffectiveMarks, list[Result]]:
    """What counts of a sheet, and what is to be recorded of it. An answer that has a mark already keeps it,
    whatever the engine would give today: to mark anew is `regrade`'s, on demand. With `lift` what was late
    once and no longer is gets its full mark."""
    known, came = latest(history, AUTOMATIC), latest(history, ("graded",))
    fresh = [
        result
        for result in results_of(attempt, policy, "graded", at)
        if (before := known.get(result.label)) is None
        or before.raw != result.raw
        or before.verdict == "ungraded" != result.verdict
        or (lift and not attempt.late and came[result.label].late)
    ]
    every = [*history, *fresh]
    counts = effective(every)
    own = {label: counts[label] for label, _, _ in attempt.sheet.labelled()}
    return EffectiveMarks(attempt, own, was_late(every), policy.late), fresh


def results_of(attempt: Attempt, policy: Policy, kind: Kind, at: str) -> Iterator[Result]:
    """An attempt's marks as they are kept."""
    said, sheet = _policy_text(policy), attempt.sheet
    for problem, labels, whole in zip(sheet.problems, sheet.labels, attempt.marks, strict=True):
        for id_, label in labels.items():
            mark = whole.part(id_)
            yield Result(
                code=sheet.code,
                label=label,
                kind=kind,
                raw=attempt.answers.get(label, ""),
                verdict=mark.verdict,
                credit=mark.credit * policy.late if attempt.late else mark.credit,
                points=mark.points,
                misconceptions=tuple(m for m in whole.named if m in mark.misconceptions),
                item=problem.item,
                key=_key_digest(problem.part(id_)),
                policy=said,
                at=at,
                late=attempt.late,
            )


def _key_digest(part: Part) -> str:
    return hashlib.sha256(repr(part.key).encode()).hexdigest()[:16]


@lru_cache(8)
def _policy_text(policy: Policy) -> str:
    return json.dumps(policy.to_json(), sort_keys=True)
