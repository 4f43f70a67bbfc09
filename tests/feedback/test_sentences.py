"""A mark in words and as data: what is sure, what is only possible, what numbers without a name show."""

from __future__ import annotations

import pytest

from quizengine.feedback.sentences import mark_json, part_feedback
from quizengine.lang.quotation import in_a_row, shown
from quizengine.marking.judge import judge
from quizengine.problems.pose import pose
from quizengine.responses.read import read

TWO_AT_ONCE = {"scaled": "0.00000 2.00000 0.00000 -4.00000 2.00000 2.00000"}  # no ln 2, and no √d_k
WITH_A_SLIP = {
    "scaled": "0.34657 0.34657 0.00000 -0.69315 0.34657 0.34657"
}  # by d_k, and key 1 off by 2 ln 2


def told(bank, lang: str, answers: dict[str, str], seed: int = 1):
    """The mark of these answers, the sentences about the first of their parts, and all as data."""
    problem = pose(bank.item("masking.one-row"), seed, lang, bank.catalogue)
    mark = judge(problem, {part.id: read(part, answers.get(part.id, "")) for part in problem.parts})
    sentences = part_feedback(mark, next(iter(answers)), bank.catalogue, lang)
    return mark, shown(in_a_row(sentences)), mark_json(problem, mark, bank.catalogue, lang)


@pytest.mark.parametrize(
    ("lang", "answers", "words"),
    [
        ("en", TWO_AT_ONCE, ("Two mistakes at once would give this: ", ", and ", "possible, not certain.")),
        ("ja", TWO_AT_ONCE, ("二つの誤りが重なると、この答えになります：「", "」と「", "断定はできません。")),
        (
            "en",
            WITH_A_SLIP,
            ("A mistake and a slip at once", "key 1 is off by +2 ln 2. That is possible, not"),
        ),
        (
            "ja",
            WITH_A_SLIP,
            ("誤りと計算ミスが重なると", "キー 1 との内積の +2 ln 2 のずれ。", "断定はできません。"),
        ),
    ],
)
def test_what_is_only_possible_is_said_to_be_so_and_never_named(bank, lang, answers, words) -> None:
    mark, text, data = told(bank, lang, answers)
    assert all(word in text for word in words), text
    assert "This is what comes out" not in text
    assert text in data["parts"][0]["feedback"]
    assert {one["certainty"] for one in data["diagnosis"]} == {"possible"}
    assert mark.named == ()
    assert set(mark.possible) == {one["misconception"] for one in data["diagnosis"]}


def test_what_is_certain_stands_in_the_data_with_its_values(bank) -> None:
    weights = {"weights": "0.24979 0.40578 0.24979 0.09465 0 0"}
    _, text, data = told(bank, "en", weights)
    assert "a softmax of the scores divided by 2.86; it should be √d_k = 2." in text
    assert data["observations"] == [{"id": "divided", "part": "weights", "divisor": 2.86, "root": 2.0}]
    _, _, data = told(bank, "en", {"weights": "0.3 0.3 0.3 0 0 0"})
    assert {"id": "row-sum", "part": "weights", "row": 4, "sum": 0.9} in data["observations"]
    assert "observations" not in told(bank, "en", {"weights": "?"})[2]
