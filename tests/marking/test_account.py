"""What gives an answer to somebody's own arrays: right in any form and by rows, one mistake of each kind,
two at once, slips, observations, and silence."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from quizengine.attention.patches import PATCHES
from quizengine.attention.solution import Solution
from quizengine.errors import ArrayError, UnknownName
from quizengine.marking.account import Account, account_of, answer_reading
from quizengine.marking.worlds import pair
from quizengine.problems.belief import beliefs, visible
from quizengine.problems.own_problem import askable, asked_stage
from quizengine.responses.response import Blank, NumericValue, Unreadable

PUBLIC = {  # a question once asked in public: K was square, and Q K ran without a message
    "Q": [[1, 0, 1, 1], [0, 1, 1, 1], [1, 0, 0, 1]],
    "K": [[1, 1, 0, 1], [1, 0, 1, 1], [0, 1, 1, 0], [0, 0, 0, 1]],
    "V": [[1, 0, 2], [3, 1, 0], [0, 4, 1], [2, 2, 5]],
}


def generic(**shapes: tuple[int, int]) -> dict[str, object]:
    rng = np.random.default_rng(20)
    return {name: rng.standard_normal(shape) for name, shape in shapes.items()}


OWN = {
    "causal": generic(Q=(4, 3), K=(4, 3), V=(4, 3)) | {"mask": "causal"},
    "square": generic(Q=(3, 4), K=(4, 4), V=(4, 3)),
    "cross": generic(X=(3, 5), C=(3, 5), W_Q=(5, 4), W_K=(5, 4), W_V=(5, 3)),
    "padding": generic(Q=(3, 2), K=(4, 2), V=(4, 3)) | {"mask": [[1, 1, 1, 0]] * 3},
    "heads": generic(Q=(3, 8), K=(3, 8), V=(3, 8), W_O=(8, 8)) | {"heads": 2},
    "grouped": generic(X=(3, 6), W_Q=(6, 8), W_K=(6, 4), W_V=(6, 4), W_O=(8, 5))
    | {"heads": 4, "kv_heads": 2, "mask": "causal"},
    "additive": generic(Q=(3, 4), K=(4, 4), V=(4, 3), v_a=(1, 4)),
    "scale": generic(Q=(3, 4), K=(4, 4), V=(4, 3), bias=(3, 4)) | {"scale": 0.3},
    "past": generic(Q=(2, 3), K=(2, 3), V=(2, 2), past_K=(2, 3), past_V=(2, 2)) | {"causal": True},
}


def text_of(array: object, decimals: int = 6) -> str:
    return "; ".join(" ".join(f"{x:.{decimals}f}" for x in row) for row in np.atleast_2d(array))


@pytest.fixture
def told(bank):
    """The account of a typed answer."""

    def call(given: dict[str, object], text: str, stage: str | None = None) -> Account:
        solution = Solution(given)
        asked = asked_stage(solution, stage)
        reading = answer_reading(solution, asked, text)
        assert isinstance(reading, NumericValue), reading
        return account_of(solution, bank.catalogue, asked, reading)

    return call


@pytest.mark.parametrize("name", OWN)
def test_what_is_right_is_right_whole_and_by_the_row(name: str, told) -> None:
    solution = Solution(OWN[name])
    for stage in askable(solution):
        right = solution.right[stage]
        for decimals in (2, 4, 6, 8):
            assert told(OWN[name], text_of(right, decimals), stage).right
        for row in range(len(right)):
            found = told(OWN[name], text_of(right[row], 5), stage)
            assert (found.right, found.whole, found.rows) == (True, False, (row + 1,))


@pytest.mark.parametrize("name", OWN)
def test_every_mistake_that_can_show_is_named(name: str, told, bank) -> None:
    """At every stage that it changes by more than the decimals typed leave open, whole and by the row, and at
    the stage in which it begins; a row may be another right one."""
    solution = Solution(OWN[name])
    for id_, trace in beliefs(solution, bank.catalogue).items():
        for stage in askable(solution):
            off = np.abs(trace[stage] - solution.right[stage]).max(axis=1)
            if off.max() < 0.01:
                continue
            found = told(OWN[name], text_of(trace[stage]), stage)
            assert not found.right
            assert id_ in found.misconceptions
            assert found.first in ("", solution.differing(trace)[0])
            row = int(off.argmax())
            found = told(OWN[name], text_of(trace[stage][row]), stage)
            assert id_ in found.misconceptions or (found.right and found.rows != (row + 1,))


def test_these_arrays_show_most_of_the_patches_of_attention(bank) -> None:
    shown = {id_ for given in OWN.values() for id_ in visible(Solution(given), bank.catalogue)}
    assert len(shown) >= 55
    assert {"keys-not-transposed", "cross-is-self", "groups-tiled", "additive-relu", "mask-past"} <= shown


def test_a_question_once_asked_in_public(told) -> None:
    found = told(PUBLIC, "[0.18877034, 0.31122968, 0.18877034, 0.31122968]", "weights")
    assert (found.misconceptions, found.first, found.rows) == (
        ("keys-not-transposed", "keys-reshaped"),  # of this row they are one
        "scores",
        (1,),
    )


@pytest.mark.parametrize(
    "text",
    [
        "1/4 1/4 1/2",
        "0.25, 0.25, 0.5",
        "0,25 0,25 0,5",
        "array([0.25, 0.25, 0.5 ], dtype=float32)",
        "tensor([[0.2500, 0.2500, 0.5000]])",
        "25% 25% 50%",
        r"\begin{pmatrix} 0.25 & 0.25 & 0.5 \end{pmatrix}",
        "[[2.5e-1], [0.25], [0.50]]",
        "0.3 0.2 0.5",
    ],
)
def test_a_right_answer_in_several_forms(text: str, told) -> None:
    ln2 = float(np.log(2.0))
    given = {"Q": [[ln2]], "K": [[0], [0], [1]], "V": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}
    assert told(given, text, "weights").right
    assert told(given, text).right


@pytest.mark.parametrize(
    ("text", "right", "window"),
    [
        ("1/4 1/4 1/2", True, "0.00000000101"),
        ("1/4 1/4 3/7", False, "0.00000000101"),
        ("0.25 0.25 0.49", True, "0.0101"),
        ("0.25 0.25 0.490", False, "0.00101"),
        ("0.2 0.2 0.5", True, "0.0505"),
        ("0.2 0.2 0.4", False, "0.0505"),
        ("0.25000000 0.25000000 0.50000060", True, "0.00000101"),
        ("0 0 1", False, "0"),
    ],
)
def test_the_decimals_typed_set_the_tolerance(text: str, right: bool, window: str, told) -> None:
    given = {"Q": [[float(np.log(2.0))]], "K": [[0], [0], [1]], "V": np.eye(3)}
    found = told(given, text, "weights")
    assert (found.right, found.window) == (right, Fraction(window))


def test_seven_digits_count_as_in_single_precision(told) -> None:
    given = {
        "Q": [[0.1, 0.7]],
        "K": [[1, 0], [0, 1], [1, 1]],
        "V": [[1234.5, 1], [2345.25, 2], [3456.125, 3]],
    }
    single = np.asarray(Solution(given).right["output"], np.float32)
    found = told(given, text_of(single, 8))
    assert (found.right, found.window) == (True, Fraction("0.00101"))


def test_two_mistakes_at_once_are_possible(told) -> None:
    solution = Solution(OWN["causal"])
    rules = pair(PATCHES["scale-forgotten"], PATCHES["mask-after-softmax"])
    assert rules is not None
    found = told(OWN["causal"], text_of(solution.by(rules)["weights"]), "weights")
    assert not found.misconceptions
    assert any({"scale-forgotten", "mask-after-softmax"} == set(two) for two in found.possible)


def test_a_softmax_of_the_scores_divided_by_another_number(told) -> None:
    solution = Solution(PUBLIC)
    scores = solution.right["scores"] / 2.7
    weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    for answer in (weights, weights[1]):
        found = told(PUBLIC, text_of(answer), "weights")
        assert [(r.code, r.values["divisor"]) for r in found.reasons if r.code == "seen.divided"] == [
            ("seen.divided", "2.7")
        ]
        assert found.explained
        assert not found.misconceptions


def test_no_other_divisor_is_told_where_nothing_is_divided_by_the_root(told) -> None:
    for name in ("additive", "scale"):
        solution = Solution(OWN[name])
        scores = np.exp(solution.right["masked"] / 3.0)
        found = told(OWN[name], text_of(scores / scores.sum(axis=1, keepdims=True)), "weights")
        assert "seen.divided" not in [r.code for r in found.reasons]


def test_slips_are_told_in_the_one_row_that_is_wrong(told) -> None:
    scores = Solution(PUBLIC).right["scores"].copy()
    scores[1, 2] += 1
    bent = Solution({"Q": scores, "K": np.eye(4), "V": PUBLIC["V"], "scale": 0.5}).right
    for answer in (bent["output"], bent["output"][1]):
        found = told(PUBLIC, text_of(answer))
        assert [r.values["key"] for r in found.reasons if r.code == "slip.dot"] == [3]
        assert 2 in found.rows


def test_rows_in_another_order_and_the_opposite_sign(told) -> None:
    right = Solution(PUBLIC).right["output"]
    assert "slip.rows" in [r.code for r in told(PUBLIC, text_of(right[[1, 0, 2]])).reasons]
    assert "slip.sign" in [r.code for r in told(PUBLIC, text_of(-right)).reasons]


def test_rows_that_follow_each_other_are_found(told) -> None:
    right = Solution(PUBLIC).right["output"]
    found = told(PUBLIC, text_of(right[1:]))
    assert (found.right, found.rows) == (True, (2, 3))
    assert told(PUBLIC, text_of(right[[0, 2]])).right is False


def test_right_numbers_with_unlike_decimals(told) -> None:
    right = Solution(PUBLIC).right["output"][0]
    found = told(PUBLIC, f"{right[0]:.4f} {right[1]:.1f} {right[2]:.1f}")
    assert not found.right
    assert "uneven" in [r.code for r in found.reasons]


def test_nothing_false_is_named_of_invented_numbers(told) -> None:
    rng = np.random.default_rng(7)
    for name in ("causal", "square", "padding", "additive"):
        for _ in range(6):
            shape = Solution(OWN[name]).right["output"].shape
            found = told(OWN[name], text_of(rng.standard_normal(shape)))
            assert not found.right
            assert (found.misconceptions, found.possible) == ((), ())


@pytest.mark.parametrize("power", [0, 3, 6, 9, 12])
@pytest.mark.parametrize("stage", ["scores", "output"])
def test_numbers_of_any_size_are_judged(stage: str, power: int, told) -> None:
    """Also where sealed units are more than 64 bits hold."""
    size = {"Q": 10.0**power, "K": 1.0, "V": 10.0**power}
    given = {name: size[name] * np.array(rows, float) for name, rows in PUBLIC.items()}
    right = Solution(given).right[stage]
    typed = [[f"{x:.3f}" for x in row] for row in right]
    assert told(given, str(typed).replace("'", ""), stage).right
    near = [[f"{1.04 * x:.1f}" for x in row] for row in right]
    assert not told(given, str(near).replace("'", ""), stage).right


def test_a_masked_score_too_low_for_half_precision_is_judged_in_silence(told) -> None:
    """−∞ is typed where the mask hides, and is what half precision makes of the score there."""
    given = {
        "Q": [[300, 1], [1, 2]],
        "K": [[1, 0], [-300, 1]],
        "V": [[1, 2], [3, 4]],
        "mask": [[1, 0], [1, 1]],
    }
    assert not told(given, "[[300.4, -inf], [1.3, -298.1]]", "scores").right


def test_larger_arrays_are_searched_less(told) -> None:
    many = generic(Q=(12, 4), K=(12, 4), V=(12, 3))
    wrong = Solution(many).by(PATCHES["scale-forgotten"])["output"]
    assert told(many, text_of(wrong)).misconceptions == ("scale-forgotten",)
    assert told(many, "1.23 2.34 3.45").searched == "mistakes"
    large = generic(Q=(80, 2), K=(80, 2), V=(80, 2))
    assert told(large, text_of(Solution(large).right["output"][40], 8)).right
    assert told(large, "1.23 2.34").searched == "nothing"


def test_shapes_that_do_not_fit_are_readings_with_a_reason() -> None:
    solution = Solution(PUBLIC)

    def code(text: str) -> str:
        reading = answer_reading(solution, "weights", text)
        return reading.code if isinstance(reading, Unreadable) else type(reading).__name__

    assert code("1 2 3; 4 5 6; 7 8 9; 1 2 3") == "shape-turned"
    assert code("1 2") == "shape"
    assert code("1 2 3 4; 1 2 3 4; 1 2 3 4; 1 2 3 4") == "shape"
    assert code("1 x 3 4") == "number"
    assert code("1 2 3 4; 5") == "ragged"
    assert isinstance(answer_reading(solution, "weights", "  "), Blank)


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(UnknownName, match="weigths"):
        asked_stage(Solution(PUBLIC), "weigths")
    with pytest.raises(UnknownName, match="concat, projected"):
        asked_stage(Solution(OWN["heads"]), "weights")
    with pytest.raises(ArrayError, match="one matrix"):
        asked_stage(Solution(generic(Q=(3, 2), K=(3, 2)) | {"V": np.ones((2, 3, 2))}), None)
