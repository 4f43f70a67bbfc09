"""Slips that are recognised, −∞ on scores that the mask hides, entries along one's own values."""

from __future__ import annotations

import gc
import weakref
from fractions import Fraction
from types import FunctionType

import numpy as np
import pytest

from quizengine.attention.stage import reads
from quizengine.items.policy import Policy
from quizengine.marking.diagnose import one_off
from quizengine.marking.judge import judge
from quizengine.marking.mark import Mark, PartMark
from quizengine.marking.worlds import own
from quizengine.problems.part import NumericPart, Part, key_text
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.responses.read import read


@pytest.fixture
def row(bank) -> Problem:
    """scaled, weights, output of row 4 of 6, causal."""
    return pose(bank.item("masking.one-row"), 4, "en", bank.catalogue)


def key(part: Part) -> list[list[float]]:
    return [[k / 1e9 for k in row] for row in part.key]


def marked(problem: Problem, policy: Policy | None = None, **texts: object) -> Mark:
    return judge(problem, {i: read(problem.part(i), str(text)) for i, text in texts.items()}, policy)


def codes(mark: PartMark) -> list[str]:
    return [reason.code for reason in mark.reasons]


def of(rows: list[list[float]]) -> Problem:
    """A part of a plain square matrix."""
    sealed = tuple(tuple(round(x * 10**9) for x in r) for r in rows)
    part = NumericPart("answer", "", 1, sealed, shape=(len(rows), len(rows[0])), decimals=2)
    return Problem("t.m", 0, 1, "d", "en", "numeric", "t", "?", parts=(part,))


SQUARE = [[1.0, 2.0], [-3.0, 4.5]]


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("1 2; 3 4.5", "slip.sign"),
        ("-1 -2; 3 -4.5", "slip.sign"),
        ("10 20; -30 45", "slip.factor"),
        ("0.1 2; -3 4.5", "slip.factor"),
        ("100 200; -300 450", "slip.percent"),
        ("1 -3; 2 4.5", "slip.turned"),
        ("-3 4.5; 1 2", "slip.rows"),
        ("1 2; -3 4", "slip.one"),
        ("1 2; 0 9", ""),
    ],
)
def test_slips(typed: str, code: str) -> None:
    [mark] = marked(of(SQUARE), answer=typed).parts
    assert [c for c in codes(mark) if c.startswith("slip")] == ([code] if code else [])
    assert mark.share < 1


@pytest.mark.parametrize(
    ("typed", "slipped"),
    [
        ("3.146", True),
        ("3.411", True),
        ("1.413", False),
        ("1.341", True),
        ("3.416", False),
        ("3.1467", False),
        ("13.141", False),
        ("-3.146", False),
    ],
)
def test_a_digit_off_or_two_exchanged(typed: str, slipped: bool) -> None:
    part = NumericPart("answer", "", 1, ((3_141_000_000,),), decimals=3)
    problem = Problem("t.n", 0, 1, "d", "en", "numeric", "t", "?", parts=(part,))
    [mark] = marked(problem, answer=typed).parts
    assert ("slip.digit" in codes(mark)) is slipped
    assert mark.share == 0


def test_the_right_ratios_without_the_last_division(row) -> None:
    part = row.part("weights")
    texts = {p.id: key_text(p, p.key) for p in row.parts}
    raised = [[round(2.5 * k / 1e9, 4) for k in r] for r in part.key]
    mark = marked(row, **(texts | {"weights": raised})).part("weights")
    assert codes(mark)[-1] == "slip.ratio"
    assert mark.share == 0
    [[first, *others]] = raised
    assert "slip.ratio" not in codes(marked(row, weights=[first + 1, *others]).part("weights"))
    assert "slip.ratio" not in codes(marked(row, weights=[0] * 6).part("weights"))


def test_a_slip_is_not_seen_in_zeros() -> None:
    """0 is no hundredth of a small number."""
    [mark] = marked(of([[0.05, 0.04], [3.0, 4.0]]), answer="0 0; 3 4").parts
    assert "slip.factor" not in codes(mark)


def test_another_row_is_told_but_nothing_is_carried_from_it(row) -> None:
    from quizengine.attention.solver import solve
    from quizengine.problems.families.family import inputs_of

    scaled = solve(inputs_of(row))["scaled"][4].round(6).tolist()
    mark = marked(row, scaled=scaled).part("scaled")
    assert codes(mark)[-1] == "slip.other-row"
    assert mark.reasons[-1].values == {"row": 5, "asked": 4}


def test_minus_infinity_on_hidden_scores_is_right(row) -> None:
    [scores] = key(row.part("scaled"))
    early = [*scores[:4], "-inf", "−∞"]
    mark = marked(row, scaled=str(early).replace("'", "")).part("scaled")
    assert (mark.verdict, mark.share) == ("right", 1)


def test_what_stands_for_minus_infinity_in_programs_is_right_too(row) -> None:
    [scores] = key(row.part("scaled"))
    mark = marked(row, scaled=[*scores[:4], -1e9, -1e9]).part("scaled")
    assert (mark.verdict, mark.share) == ("right", 1)


def test_minus_infinity_on_a_visible_score_is_wrong(row) -> None:
    [scores] = key(row.part("scaled"))
    mark = marked(row, scaled=str(["-inf", *scores[1:]]).replace("'", "")).part("scaled")
    assert mark.verdict == "partial"
    assert mark.entries[0][0] is False


def test_minus_infinity_alone_earns_nothing(row) -> None:
    mark = marked(row, scaled="7 8 9 6 -inf -inf").part("scaled")
    assert (mark.verdict, mark.share) == ("wrong", 0)


def test_minus_infinity_adds_nothing_to_one_right_entry(row) -> None:
    [scores] = key(row.part("scaled"))
    other = [score + 7 for score in scores[1:4]]
    mark = marked(row, scaled=str([scores[0], *other, "-inf", "-inf"]).replace("'", "")).part("scaled")
    assert mark.share == 0


def test_one_entry_off_needs_two_that_tell() -> None:
    near = np.array([[[True, False, True]], [[True, True, False]], [[True, True, True]]])
    tells = np.array([[[True, True, False]], [[True, True, True]], [[True, True, True]]])
    assert one_off(["one tells", "two tell", "all near"], near, tells) == ("two tell",)


def test_a_mistake_is_named_through_early_masking(row) -> None:
    [rival] = [r for r in row.rivals if r.misconception == "scale-forgotten"]
    early = [k / 1e9 for k in rival.values["scaled"][0][:4]]
    weights = key_text(row.part("weights"), rival.values["weights"])
    output = key_text(row.part("output"), rival.values["output"])
    mark = marked(row, scaled=str([*early, "-inf", "-inf"]).replace("'", ""), weights=weights, output=output)
    assert [found.misconceptions for found in mark.diagnosis] == [("scale-forgotten",)]
    assert [part.carried for part in mark.parts] == [False, True, True]


def test_entries_count_along_ones_own_values(row) -> None:
    """The mask forgotten, and then one entry of the output wrong: the others earn."""
    [rival] = [r for r in row.rivals if r.misconception == "mask-ignored"]
    texts = {i: key_text(row.part(i), v) for i, v in rival.values.items()}
    [output] = [[k / 1e9 for k in r] for r in rival.values["output"]]
    slipped = marked(row, **(texts | {"output": [output[0] + 1, *output[1:]]})).part("output")
    assert (slipped.verdict, slipped.share, slipped.carried) == ("partial", Fraction(1, 2), True)
    assert "entries-carried" in codes(slipped)
    assert marked(row, **texts).part("output").share == 1
    less = marked(row, Policy(carry=Fraction(1, 2)), **(texts | {"output": [output[0] + 1, *output[1:]]}))
    assert less.part("output").share == Fraction(1, 4)


def test_a_decimal_short_after_right_parts_counts_as_short(row) -> None:
    """Not as following from what was typed, whose window is as wide as its own rounding."""
    texts = {part.id: key_text(part, part.key) for part in row.parts}
    part = row.part("output")
    coarse = [[round(k / 1e9, part.decimals - 1) for k in r] for r in part.key]
    mark = marked(row, **(texts | {"output": coarse})).part("output")
    assert codes(mark) == ["slip.coarse"]
    assert (mark.carried, mark.share) == (False, Policy().coarse)


def test_a_misconception_is_named_though_one_entry_is_off(row) -> None:
    [rival] = [r for r in row.rivals if r.misconception == "mask-ignored"]
    weights = [k / 1e9 for k in rival.values["weights"][0]]
    off = f"{weights[0]:.3f}"
    exchanged = float(off[:-2] + off[-1] + off[-2])  # the last two digits
    mark = marked(row, weights=[exchanged, *weights[1:]])
    assert "mask-ignored" in {i for found in mark.diagnosis for i in found.misconceptions}


def test_what_was_tried_on_an_answer_is_forgotten_with_it() -> None:
    """A class of many thousands: nothing that is made to explain one answer stays in memory."""
    for make in (lambda: own("scores", np.negative), lambda: lambda scores: -scores):
        rule = make()
        assert reads(rule) == ("scores",)
        gone = weakref.ref(rule)
        del rule
        gc.collect()
        assert gone() is None


@pytest.mark.parametrize("id_", ["masking.one-row", "head.three-positions", "head.softmax-by-hand"])
def test_as_many_rules_after_an_answer_as_before(bank, id_: str) -> None:
    """What is kept is kept once for all answers: other ones add no function."""

    def wrong(seed: int) -> int:
        problem = pose(bank.item(id_), 4, "en", bank.catalogue)
        for part in problem.numeric:
            off = [
                [round(k / 1e9 * 1.03 + 0.01 * seed + 0.004 * j, 3) for j, k in enumerate(r)]
                for r in part.key
            ]
            judge(problem, {part.id: read(part, str(off))})
        gc.collect()
        return sum(isinstance(found, FunctionType) for found in gc.get_objects())

    wrong(1)
    assert wrong(2) == wrong(3) == wrong(4)
