"""A mark as lines."""

from __future__ import annotations

import pytest

from quizengine.feedback import lines


@pytest.mark.parametrize(("lang", "said"), [("en", "because of a fault of ours"), ("ja", "こちらの不具合で")])
def test_reasons_that_fail_cost_neither_the_mark_nor_the_next_question(
    run, monkeypatch: pytest.MonkeyPatch, lang: str, said: str
) -> None:
    def failing(*_: object) -> list[object]:
        raise ValueError

    monkeypatch.setattr(lines, "part_feedback", failing)
    items = ("--item", "masking.where", "--item", "order.which-axis", "--lang", lang)
    done = run("take", *items, "--seed", 2, input="A\nA\n")
    assert done.stdout.count(said) == 2
