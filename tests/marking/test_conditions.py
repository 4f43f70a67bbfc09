"""Constructed arrays: what the solver makes of them decides, condition by condition."""

from __future__ import annotations

import pytest

from quizengine.attention.patches import PATCHES
from quizengine.errors import ArrayError, UnknownName
from quizengine.feedback.sentences import part_feedback
from quizengine.items.answer import Requirement
from quizengine.items.close import SEAL
from quizengine.lang.quotation import shown
from quizengine.marking.conditions import stock_answers
from quizengine.marking.judge import judge
from quizengine.problems.part import Condition, ConstructPart
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem, Rival
from quizengine.responses.read import read


def marked(bank, id_: str, text: str, lang: str = "en"):
    problem = pose(bank.item(id_), 1, lang, bank.catalogue)
    return judge(problem, {"answer": read(problem.parts[0], text)})


@pytest.mark.parametrize(
    ("id_", "text", "credit"),
    [
        ("roles.aim-past-a-twin", "-6 2", 1),
        ("roles.aim-past-a-twin", "-60 20", 1),
        ("roles.aim-past-a-twin", "-1e9 1e8", 1),
        ("roles.aim-past-a-twin", "0 9", 0),
        ("order.scores-for-half-and-quarters", "ln2 0 0", 1),
        ("order.scores-for-half-and-quarters", "100.69 100 100", 1),
        ("order.scores-for-half-and-quarters", "0 ln2 0", 0),
        ("order.mask-that-moves-the-shares", "-inf 0 1", 1),
        ("order.mask-that-moves-the-shares", "-inf 1 1", 0),
        ("averaging.mean-with-the-neighbour", "1 0 0 0; 1/2 1/2 0 0; 0 1/2 1/2 0; 0 0 0.5 0.5", 2),
        ("averaging.mean-with-the-neighbour", "1 0 0 0; 1/2 1/2 0 0; 0 1/2 1/2 0; 0 0 0 1", 1),
        ("averaging.weights-behind-a-mixture", "0.25 1/4 1/2", 1),
        ("roles.output-against-the-leader", "-4 0; 6 0; 6 0", 1),
        ("softmax.sharp-but-not-deaf", "5.5 0 0.1", 1),
        ("variants.vector-of-a-small-network", "1 5", 1),
        ("head.projection-to-the-other", "-4 4; 4 -4", 1),
    ],
)  # fmt: skip
def test_any_array_that_fits_is_right(bank, id_: str, text: str, credit: float) -> None:
    assert marked(bank, id_, text).credit == credit


@pytest.mark.parametrize(
    ("id_", "text"),
    [
        ("masking.prefix-mask", "1 1 1 1 1; 1 1 1 1 1; 1 1 1 1 1; 1 1 1 1 1; 1 1 1 1 1"),
        ("complexity.window-of-two", "1 0 0 0 0; 0 1 0 0 0; 0 0 1 0 0; 0 0 0 1 0; 0 0 0 0 1"),
        ("multi-head.two-heads-two-finds", "0 0 0 0"),
        ("head.projection-to-the-other", "1 0; 0 1"),
    ],
)
def test_what_needs_no_work_earns_nothing(bank, id_: str, text: str) -> None:
    mark = marked(bank, id_, text)
    assert mark.credit == 0
    assert mark.parts[0].reasons[0].code == "stock"


@pytest.mark.parametrize(
    ("id_", "text", "misconception"),
    [
        ("order.scores-for-half-and-quarters", "2 1 1", "exponential-left-out"),
        ("order.scores-for-half-and-quarters", "7 6 6", "softmax-base-two"),
        ("scaling.keys-for-scaled-scores", "2 0 0 0; 1 0 0 0; 1 -1 0 0", "scale-forgotten"),
        ("roles.aim-past-a-twin", "0 9", ""),
    ],
)
def test_the_array_of_a_misconception_is_named(bank, id_: str, text: str, misconception: str) -> None:
    named = marked(bank, id_, text).parts[0].misconceptions
    assert named == tuple(filter(None, [misconception]))


@pytest.mark.parametrize(
    ("id_", "text", "code"),
    [
        ("order.scores-for-half-and-quarters", "1 _ 0", "construct-blank"),
        ("inference.mask-of-a-padded-prompt", "0 0 2 0; 0 0 1 1", "construct-mask"),
        ("multi-head.two-heads-two-finds", "1e15 1e15 1e15 0.5", "conditions"),
    ],
)
def test_what_cannot_be_solved_is_told_and_is_no_fault_of_ours(bank, id_, text, code) -> None:
    [part] = marked(bank, id_, text).parts
    assert part.verdict in ("wrong", "partial")
    assert part.reasons[0].code == code


def test_a_mistake_that_cannot_show_in_a_task_is_not_tried(bank) -> None:
    """Rules that read a mask, where none is given, and such as change a shape."""
    problem = pose(bank.item("averaging.mean-with-the-neighbour"), 1, "en", bank.catalogue)
    [part] = problem.parts
    every = tuple(Rival(id_, {part.id: ((0,),)}) for id_ in PATCHES)
    even = "; ".join(" ".join("0.25" for _ in row) for row in part.key)
    [mark] = judge(problem._replace(rivals=every), {part.id: read(part, even)}).parts
    assert mark.verdict in ("wrong", "partial")


def test_feedback_shows_what_the_array_gives(bank) -> None:
    for lang, said in (("en", "Your array gives 0.4996"), ("ja", "この配列では 0.4996")):
        mark = marked(bank, "roles.aim-past-a-twin", "0 9", lang)
        text = "".join(shown(line) for line in part_feedback(mark, "answer", bank.catalogue, lang))
        assert said in text


def bare(stage: str, value: int, *, row: int = 0, column: int = 0, name: str = "Q") -> Problem:
    requirement = Requirement(stage, "at-least", ((value,),), row, column)
    part = ConstructPart("answer", "", 1, ((0, 0),), (1, 2), name, (Condition("x", requirement),))
    given = {"K": [[1, 0], [0, 1]]}
    return Problem("x", 1, 3, "", "en", "construct", "roles", "", given=given, parts=(part,))


@pytest.mark.parametrize(
    ("problem", "error", "said"),
    [
        (bare("wieghts", 0), UnknownName, "did you mean weights"),
        (bare("weights", 0, row=2, column=1), ArrayError, "it has no row 2"),
        (bare("weights", 0, name="Z"), UnknownName, "there is no array “Z”"),
    ],
    ids=["stage", "place", "array"],
)
def test_a_task_that_cannot_be_solved_is_a_fault_of_ours(problem: Problem, error, said: str) -> None:
    with pytest.raises(error, match=said):
        judge(problem, {"answer": read(problem.parts[0], "1 2")})


def test_the_edge_counts_whatever_the_machine_adds() -> None:
    problem = bare("weights", SEAL // 2, row=1, column=1)
    assert judge(problem, {"answer": read(problem.parts[0], "3 3")}).credit == 1


def test_stock_answers_have_the_asked_shape() -> None:
    problem = bare("weights", 0)
    found = list(stock_answers({**problem.given, "scale": 2.0}, problem.parts[0]))
    assert {(len(rows), len(rows[0])) for rows in found} == {(1, 2)}
    assert ((SEAL, 0),) in found
