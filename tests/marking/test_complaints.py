"""What learners and instructors have publicly complained of in other systems, one test for each complaint
that concerns reading or marking, named after what it prevents (an engine that fails: tests/grading).
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from quizengine.authoring.examine import problem_faults
from quizengine.feedback.sentences import part_feedback
from quizengine.items.bank import load
from quizengine.items.close import close, rounded_text, seal, unit
from quizengine.lang.quotation import Quoted, shown
from quizengine.marking.judge import judge
from quizengine.problems.part import ChoicesPart, Label, NumericPart, key_text, labels_of
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.render.blocks import ask
from quizengine.responses.read import read
from quizengine.responses.response import Blank, Unreadable, Value

BANK = load()
MATRIX = NumericPart("answer", "", 1, ((seal(1), seal(2)), (seal(3), seal(4))), shape=(2, 2), decimals=1)


def numeric(key: float | str, decimals: int) -> Problem:
    """One number to give to so many decimals."""
    part = NumericPart("answer", "", 1, ((seal(Fraction(key)),),), decimals=decimals)
    return Problem("t.number", 0, 1, "d", "en", "numeric", "t", "?", parts=(part,))


def verdict(problem: Problem, text: str) -> str:
    return judge(problem, {"answer": read(problem.parts[0], text)}).parts[0].verdict


def notes(problem: Problem) -> str:
    """What is printed beside the output that is asked."""
    blocks = ask(problem, problem.part("output"))
    return " ".join(note for block in blocks for note in getattr(block, "notes", ()))


def row() -> Problem:
    return pose(BANK.item("masking.one-row"), 4, "en", BANK.catalogue)


def test_the_key_as_it_is_shown_is_never_marked_wrong() -> None:
    assert verdict(numeric("0.1667", 4), "0.1667") == "right"
    shown_keys = 0
    for item in BANK:
        problem = pose(item, 11, item.languages[0], BANK.catalogue)
        for part in problem.parts if item.family else ():
            if isinstance(part, NumericPart) and part.kind == "array":
                shown = [[rounded_text(k, part.decimals or 0) for k in r] for r in part.key]
                text = "; ".join(" ".join(r) for r in shown)
                assert judge(problem, {part.id: read(part, text)}).part(part.id).verdict == "right"
                shown_keys += 1
    assert shown_keys >= 20


def test_at_a_tie_both_neighbours_are_right() -> None:
    problem = numeric("0.4985", 3)
    assert verdict(problem, "0.498") == verdict(problem, "0.499") == "right"


def test_the_sign_is_part_of_the_value() -> None:
    assert verdict(numeric("3.14159", 2), "-3.14") == "wrong"


def test_the_accepted_interval_is_stated_not_a_slogan() -> None:
    assert "within 0.00101 of the exact value" in notes(row())


def test_trailing_zeros_are_counted_on_the_text_as_typed() -> None:
    problem = numeric(1, 3)
    assert verdict(problem, "1.0000") == verdict(problem, "1") == "right"
    assert read(problem.parts[0], "1.0000").reading.content[0][0].decimals == 4


def test_more_precision_than_asked_is_right_and_less_is_named_not_nothing() -> None:
    assert verdict(numeric("1.3", 1), "1.27") == "right"
    mark = judge(numeric("1.2345", 3), {"answer": read(numeric("1.2345", 3).parts[0], "1.23")}).parts[0]
    assert (mark.verdict, mark.reasons[0].code) == ("partial", "slip.coarse")


@pytest.mark.parametrize("text", ["403.2079", "403.2079000", "403.2281", "4032281/10000"])
def test_the_edge_of_the_window_is_inside_every_time(text: str) -> None:
    assert verdict(numeric("403.218", 2), text) == "right"  # 1.01 hundredths below or above
    assert close(seal(46), seal(Fraction("45.8")), 2 * unit(1))  # 45.8 ± 0.2


def test_one_unit_of_carried_rounding_costs_nothing() -> None:
    assert verdict(numeric("0.298277", 3), "0.299") == "right"
    assert "Carry two more places" in notes(row())


def test_no_seed_has_a_key_spoilt_by_rounding() -> None:
    """The key is computed twice; posing stops where the two differ (here: thirds, to the seal)."""
    for seed in range(40):
        problem = pose(BANK.item("masking.one-row"), seed, "en", BANK.catalogue)
        for total in [sum(r) for r in problem.part("weights").key]:
            assert abs(total - 10**9) <= 3


def test_no_known_wrong_answer_lies_inside_the_tolerance() -> None:
    for seed in range(40):
        problem = pose(BANK.item("masking.padded-keys"), seed, "en", BANK.catalogue)
        for rival in problem.rivals:
            texts = {id_: key_text(problem.part(id_), v) for id_, v in rival.values.items()}
            assert (
                judge(problem, {i: read(problem.part(i), t) for i, t in texts.items()}).credit
                < problem.points
            )


def test_a_key_of_zero_has_a_window_too() -> None:
    problem = numeric(0, 3)
    assert verdict(problem, "0.001") == "right"
    assert verdict(problem, "-0.000") == "right"
    assert verdict(problem, "0.0011") == "wrong"


def test_a_key_that_earns_less_than_it_should_is_refused() -> None:
    problem = pose(BANK.item("masking.where"), 1, "en", BANK.catalogue)
    vain = problem._replace(parts=(problem.parts[0]._replace(key=""),))
    assert "key-not-full" in {code for code, _ in problem_faults(vain)}


@pytest.mark.parametrize("text", ["[[1 2],[3 4]]", "1 2\n3 4", "1\u20092\n3\u20094"])
def test_tokens_are_never_joined_in_a_matrix(text: str) -> None:
    reading = read(MATRIX, text).reading
    assert isinstance(reading, Value)
    assert reading.echo == "2×2 [[1, 2], [3, 4]]"


@pytest.mark.parametrize(
    "text", ["1 2 3", "[1, 2, 3]", "[[1, 2, 3]]", "[[1], [2], [3]]", "1\n2\n3", "[1;2;3]"]
)
def test_a_vector_may_be_a_row_a_column_or_a_list(text: str) -> None:
    for shape in ((1, 3), (3, 1)):
        assert isinstance(read(NumericPart("answer", "", 1, "", shape=shape), text).reading, Value)


def test_a_decimal_comma_is_read_or_refused_with_both_readings() -> None:
    problem = numeric("0.25", 2)
    assert verdict(problem, "0,25") == "right"
    refused = read(problem.parts[0], "1,234")
    assert isinstance(refused.reading, Unreadable)
    assert refused.reading.values["point"] == Quoted("1.234")
    assert refused.raw == "1,234"


def test_fractions_may_stand_in_a_matrix() -> None:
    assert isinstance(read(MATRIX, "[[1/2, 1], [0, √2/2]]").reading, Value)


def test_an_empty_cell_blocks_no_other() -> None:
    mark = judge(
        Problem("t.m", 0, 1, "d", "en", "numeric", "t", "?", parts=(MATRIX,)),
        {"answer": read(MATRIX, "[[1, 2], [3, ]]")},
    ).parts[0]
    assert mark.entries == ((True, True), (True, False))
    assert mark.share > 0
    assert read(MATRIX, "_ _; _ _").reading == Blank()


@pytest.mark.parametrize("text", ["1.38·10⁻¹", "138·10⁻³", "0.138", "138e-3", "13.8%", "69/500"])
def test_the_same_value_has_the_same_verdict(text: str) -> None:
    assert verdict(numeric("0.138", 3), text) == "right"


@pytest.mark.parametrize("text", ["[[1, 2], [3", "[[", "1 2; 3", "[1, 2]]", "np.array(", "\\begin{matrix} 1"])
def test_a_half_typed_matrix_is_a_plain_message(text: str) -> None:
    problem = Problem("t.m", 0, 1, "d", "en", "numeric", "t", "?", parts=(MATRIX,))
    mark = judge(problem, {"answer": read(MATRIX, text)})
    [part] = mark.parts
    said = " ".join(map(shown, part_feedback(mark, "answer", BANK.catalogue, "en")))
    assert part.verdict == "unreadable"
    assert "character" in said
    assert "Traceback" not in said


def test_no_distractor_equals_the_key_by_value_or_by_look() -> None:
    for item in BANK:
        for seed in range(6):
            problem = pose(item, seed, item.languages[0], BANK.catalogue)
            for part in problem.parts:
                texts = [choice.text for choice in labels_of(part)]
                assert len(set(texts)) == len(texts), (item.id, seed)


def test_what_was_posed_is_what_is_marked() -> None:
    """Nothing is drawn again: a stored problem is marked as it stands."""
    problem = row()
    stored = Problem.from_json(problem.to_json())
    assert stored == problem


def test_no_kind_of_answer_is_marked_below_nothing() -> None:
    for item in BANK:
        problem = pose(item, 3, item.languages[0], BANK.catalogue)
        for rival in problem.rivals:
            texts = {id_: key_text(problem.part(id_), v) for id_, v in rival.values.items()}
            mark = judge(problem, {i: read(problem.part(i), t) for i, t in texts.items()})
            assert all(part.share >= 0 for part in mark.parts)


def test_partial_credit_tells_which_cells() -> None:
    problem = Problem("t.m", 0, 1, "d", "en", "numeric", "t", "?", parts=(MATRIX,))
    mark = judge(problem, {"answer": read(MATRIX, "1 2; 3 9")})
    [part] = mark.parts
    assert part.entries == ((True, True), (True, False))
    assert "row 2, column 2" in " ".join(map(shown, part_feedback(mark, "answer", BANK.catalogue, "en")))
    staged = row()
    shifted = [k / 1e9 + (0.5 if j == 1 else 0) for j, k in enumerate(staged.part("output").key[0])]
    mark = judge(staged, {"output": read(staged.part("output"), str(shifted))})
    assert "row 4, column 2" in " ".join(map(shown, part_feedback(mark, "output", BANK.catalogue, "en")))


def test_follow_through_cannot_be_had_for_a_stock_answer() -> None:
    problem = row()
    texts = {"scaled": "0 0 0 0 0 0", "weights": "1/4 1/4 1/4 1/4 0 0"}
    mean = [sum(v[j] for v in problem.given["V"][:4]) / 4 for j in range(3)]
    marks = judge(problem, {i: read(problem.part(i), t) for i, t in (texts | {"output": str(mean)}).items()})
    assert marks.credit == 0


def test_one_unreadable_part_does_not_stop_the_later_ones() -> None:
    problem = row()
    texts = {part.id: key_text(part, part.key) for part in problem.parts} | {"scaled": "??"}
    mark = judge(problem, {i: read(problem.part(i), t) for i, t in texts.items()})
    assert [part.verdict for part in mark.parts] == ["unreadable", "right", "right"]


def test_parts_build_on_each_other_within_one_item() -> None:
    problem = row()
    rival = next(r for r in problem.rivals if r.misconception == "mask-ignored")
    texts = {id_: key_text(problem.part(id_), v) for id_, v in rival.values.items()}
    mark = judge(problem, {i: read(problem.part(i), t) for i, t in texts.items()})
    assert [(part.verdict, part.carried) for part in mark.parts] == [
        ("right", False),
        ("wrong", False),
        ("right", True),
    ]


def test_one_right_field_of_three_is_not_right() -> None:
    problem = row()
    texts = {"scaled": key_text(problem.part("scaled"), problem.part("scaled").key), "weights": "9 9 9 9 9 9"}
    mark = judge(problem, {i: read(problem.part(i), t) for i, t in (texts | {"output": "9 8 7"}).items()})
    assert mark.credit == problem.part("scaled").points
    assert [part.verdict for part in mark.parts] == ["right", "wrong", "wrong"]


def test_several_choices_earn_by_the_choice() -> None:
    part = ChoicesPart("answer", "", 1, ("A", "B"), choices=tuple(Label(x, x) for x in "ABCD"))
    problem = Problem("t.c", 0, 1, "d", "en", "multiple_choice", "t", "?", parts=(part,))
    shares = {
        text: judge(problem, {"answer": read(part, text)}).parts[0].share
        for text in ("A", "AB", "AC", "ABCD")
    }
    assert shares == {"A": Fraction(1, 2), "AB": 1, "AC": 0, "ABCD": 0}
