"""A mark in words and as data: what is sure, what is only possible, what numbers without a name show."""

from __future__ import annotations

import numpy as np
import pytest

from quizengine.feedback.sentences import mark_json, part_feedback, reason_text
from quizengine.lang.quotation import in_a_row, shown
from quizengine.marking.judge import judge
from quizengine.marking.mark import Reason
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.responses.read import read

Array = np.ndarray

LN2 = float(np.log(2.0))


def two_at_once(scores: Array, root: float) -> str:
    """No ln 2, and no √d_k."""
    return written(scores / LN2)


def with_a_slip(scores: Array, root: float) -> str:
    """By d_k, and the dot product with key 1 off by ln 2."""
    return written((scores + LN2 * np.eye(len(scores))[0]) / root**2)


def written(values: Array) -> str:
    return " ".join(f"{x:.5f}" for x in values)


def scaled_key(problem: Problem) -> tuple[Array, float]:
    """(keys,): the right scaled scores; and √d_k."""
    return np.array(problem.parts[0].key[0], float) / 1e9, float(problem.given["d_k"]) ** 0.5


def told(bank, lang: str, answers: dict[str, str], seed: int = 1):
    """The mark of these answers, the sentences about the first of their parts, and all as data."""
    problem = pose(bank.item("masking.one-row"), seed, lang, bank.catalogue)
    mark = judge(problem, {part.id: read(part, answers.get(part.id, "")) for part in problem.parts})
    sentences = part_feedback(mark, next(iter(answers)), bank.catalogue, lang)
    return mark, shown(in_a_row(sentences)), mark_json(problem, mark, bank.catalogue, lang)


@pytest.mark.parametrize(
    ("lang", "answers", "words"),
    [
        ("en", two_at_once, ("Two mistakes at once would give this: ", ", and ", "possible, not certain.")),
        ("ja", two_at_once, ("二つの誤りが重なると、この答えになります：「", "」と「", "断定はできません。")),
        (
            "en",
            with_a_slip,
            ("A mistake and a slip at once", "key 1 is off by +1 ln 2. That is possible, not"),
        ),
        (
            "ja",
            with_a_slip,
            ("誤りと計算ミスが重なると", "キー 1 との内積の +1 ln 2 のずれ。", "断定はできません。"),
        ),
    ],
)
def test_what_is_only_possible_is_said_to_be_so_and_never_named(bank, lang, answers, words) -> None:
    scaled, root = scaled_key(pose(bank.item("masking.one-row"), 1, lang, bank.catalogue))
    mark, text, data = told(bank, lang, {"scaled": answers(scaled * root, root)})
    assert all(word in text for word in words), text
    assert "This is the result" not in text
    assert text in data["parts"][0]["feedback"]
    assert {one["certainty"] for one in data["diagnosis"]} == {"possible"}
    assert mark.named == ()
    assert set(mark.possible) == {one["misconception"] for one in data["diagnosis"]}


def test_what_is_certain_stands_in_the_data_with_its_values(bank) -> None:
    problem = pose(bank.item("masking.one-row"), 1, "en", bank.catalogue)
    scaled, root = scaled_key(problem)
    powers = np.exp(scaled * root / 2.86) * (np.array(problem.parts[1].key[0]) > 0)
    _, text, data = told(bank, "en", {"weights": written(powers / powers.sum())})
    assert f"a softmax of the scores divided by 2.86; it should be √d_k = {root:g}." in text
    assert data["observations"] == [{"id": "divided", "part": "weights", "divisor": 2.86, "root": root}]
    _, _, data = told(bank, "en", {"weights": "0.3 0.3 0.3 0 0 0"})
    assert {"id": "row-sum", "part": "weights", "row": 4, "sum": 0.9} in data["observations"]
    assert "observations" not in told(bank, "en", {"weights": "?"})[2]


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize(
    "reason",
    [
        pytest.param(Reason("slip.dot", {"key": 1, "by": "-4 ln 2"}), id="a dot product"),
        pytest.param(Reason("seen.shifted", {"by": "-4"}), id="all entries"),
        pytest.param(Reason("outside", {"row": 1, "column": 2, "low": "-4", "high": "3"}), id="a bound"),
    ],
)
def test_a_number_has_a_true_minus_sign(reason, lang):
    text = shown(reason_text(reason, lang))
    assert "−4" in text
    assert "-4" not in text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "whole",
            {
                "en": "You wrote the whole matrix; your answer was taken from row 4.",
                "ja": "第 4 行を解答として",
            },
        ),
        ("visible", {"en": "The hidden keys were left out", "ja": "0 として読み取りました。"}),
    ],
)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_was_read_of_more_or_less_than_was_asked_is_told(bank, lang, text, words) -> None:
    problem = pose(bank.item("masking.one-row"), 3, lang, bank.catalogue)
    part = problem.part("weights")
    row = [f"{x / 1e9:.5f}" for x in part.key[0]]
    lines = [" ".join(row)] * 6 if text == "whole" else [" ".join(row[:4])]
    assert part.rows == (4,)
    mark = judge(problem, {part.id: read(part, "\n".join(lines))})
    assert mark.part(part.id).verdict == "right"
    assert words[lang] in shown(in_a_row(part_feedback(mark, part.id, bank.catalogue, lang)))
