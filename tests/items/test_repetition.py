"""Two texts of one item that nobody could tell apart are refused, wherever they stand side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from quizengine.errors import FaultyFile
from quizengine.items.bank import load
from quizengine.items.repetition import normal

HEAD = "format: 1\ntopic: t\nlanguages: [en, ja]\nitems:\n- id: a\n  prompt: {en: 'A?', ja: 'え'}\n  type: "
WHY = "why: {en: 'No.', ja: '違います。'}"


def choice(right: str, wrong: str, more: str = "{en: c, ja: う}", type_: str = "single_choice") -> str:
    body = f"{type_}\n  right: {{r: {right}}}\n  wrong:\n    w: {wrong[:-1]}, {WHY}}}\n"
    return body + f"    x: {more[:-1]}, {WHY}}}\n"


STEPS = "ordering\n  steps: {a: {en: A, ja: あ}, b: {en: B, ja: い}, c: {en: %s, ja: %s}}\n"
PAIRS = (
    "matching\n  pairs: {a: [{en: A, ja: あ}, {en: %s, ja: 一}], b: [{en: %s, ja: い}, {en: two, ja: 二}]}\n"
)
SPARE = "  spare: {s: {en: %s, ja: 三, " + WHY + "}}\n"


@pytest.mark.parametrize(
    ("item", "said"),
    [
        pytest.param(choice("{en: a, ja: あ}", "{en: b, ja: い}"), "", id="apart"),
        pytest.param(
            choice("{en: a, ja: あ}", "{en: a, ja: い}"), "10:8: “w” reads like “r” (en: a)", id="en"
        ),
        pytest.param(
            choice("{en: a, ja: あ}", "{en: b, ja: あ}"), "10:8: “w” reads like “r” (ja: あ)", id="ja"
        ),
        pytest.param(
            choice("{en: a, ja: あ}", "{en: c, ja: い}"), "11:8: “x” reads like “w” (en: c)", id="two-wrong"
        ),
        pytest.param(
            choice("{en: 'The  mask.', ja: あ}", "{en: 'the **mask**', ja: い}"), "reads like", id="form-only"
        ),
        pytest.param(choice("{en: a, ja: '12'}", "{en: b, ja: '１２'}"), "reads like", id="wide-signs"),
        pytest.param(choice("{en: '$q$', ja: あ}", "{en: '$Q$', ja: い}"), "", id="capitals-of-formulae"),
        pytest.param(choice("{en: n2, ja: あ}", "{en: n², ja: い}"), "", id="raised"),
        pytest.param(
            choice("{en: a, ja: あ}", "{en: a, ja: い}", type_="multiple_choice"), "reads like", id="many"
        ),
        pytest.param(STEPS % ("C", "う"), "", id="steps-apart"),
        pytest.param(STEPS % ("C", "い"), "8:52: “c” reads like “b” (ja: い)", id="steps"),
        pytest.param(PAIRS % ("one", "B") + SPARE % "three", "", id="pairs-apart"),
        pytest.param(PAIRS % ("one", "A"), "“b” reads like “a” (en: A)", id="left"),
        pytest.param(PAIRS % ("two", "B"), "“b” reads like “a” (en: two)", id="right"),
        pytest.param(PAIRS % ("one", "B") + SPARE % "Two", "“s” reads like “b” (en: Two)", id="spare"),
        pytest.param(PAIRS % ("B", "B"), "", id="across"),
        pytest.param(
            "single_choice\n  right: 3\n  wrong: [a]\n",
            "should be a valid dictionary",
            id="no-choices-at-all",
        ),
    ],
)
def test_texts_of_an_item_are_told_apart(tmp_path: Path, item: str, said: str) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(HEAD + item, "utf-8")
    if not said:
        assert len(load(path)) == 1
        return
    with pytest.raises(FaultyFile) as caught:
        load(path)
    assert said in caught.value.message


def test_a_text_is_compared_as_it_is_read() -> None:
    assert normal("The $K^T$ one。") == normal("the $K^T$  **one**")
    assert normal("`a.T`") != normal("`a.t`")
