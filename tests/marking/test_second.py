"""A second try earns half; the first counts where it earned more."""

from __future__ import annotations

from fractions import Fraction

import pytest

from quizengine.marking.judge import verdict
from quizengine.marking.mark import Diagnosis, Mark, PartMark
from quizengine.marking.second import with_first_tries


def mark(share: str, *misconceptions: str) -> Mark:
    part = PartMark("x", verdict(Fraction(share)), Fraction(share), 2, misconceptions=misconceptions)
    return Mark("a", 1, (part,), tuple(Diagnosis((id_,), "x") for id_ in misconceptions))


@pytest.mark.parametrize(
    ("first", "second", "share", "verdict", "reason"),
    [
        ("0", "1", "1/2", "partial", ["second-try"]),
        ("0", "1/2", "1/4", "partial", ["second-try"]),
        ("1/3", "1", "1/2", "partial", ["second-try"]),
        ("1/2", "1", "1/2", "partial", ["first-try"]),
        ("2/3", "1", "2/3", "partial", ["first-try"]),
        ("2/3", "0", "2/3", "partial", ["first-try"]),
        ("0", "0", "0", "wrong", []),
    ],
)
def test_which_try_counts(first: str, second: str, share: str, verdict: str, reason: list[str]) -> None:
    [part] = with_first_tries(mark(second), {"x": mark(first)}).parts
    assert (part.share, part.verdict) == (Fraction(share), verdict)
    assert [one.code for one in part.reasons] == reason


def test_what_the_first_try_showed_is_kept_once() -> None:
    assert with_first_tries(mark("1"), {"x": mark("0", "m")}).named == ("m",)
    assert with_first_tries(mark("0", "m"), {"x": mark("0", "m")}).named == ("m",)
    assert with_first_tries(mark("1", "n"), {}) == mark("1", "n")
