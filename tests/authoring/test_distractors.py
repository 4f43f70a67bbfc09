"""What is offered: the words in which `grade` counts a choice are those in which it is looked up."""

from __future__ import annotations

import pytest

from quizengine.authoring.distractors import distractors
from quizengine.grading.batch import _choice
from quizengine.lang.text import LANGUAGES
from quizengine.marking.judge import judge
from quizengine.problems.part import ChoicePart, LabelledPart, TiersPart, key_text, labels_of
from quizengine.problems.pose import pose
from quizengine.responses.read import read


@pytest.mark.parametrize("type_", ["single_choice", "true_false", "answer_and_reason", "case"])
def test_every_choice_is_found_by_the_words_of_a_report(bank, type_: str) -> None:
    offers = distractors(bank)
    for item in (item for item in bank if item.type == type_):
        for lang in LANGUAGES:
            problem = pose(item, 1, lang, bank.catalogue)
            for part in problem.parts:
                if isinstance(part, ChoicePart | TiersPart):
                    _compare(problem, part, offers[item.id, part.id])


def _compare(problem, part: LabelledPart, offer) -> None:
    letters = [c.label for c in labels_of(part) if not c.label.isdecimal()]
    digits = [c.label for c in labels_of(part) if c.label.isdecimal()]
    keys = [((a, b),) for a in letters for b in digits] if digits else letters
    seen = set()
    for key in keys:
        mark = judge(problem, {part.id: read(part, key_text(part, key))}).part(part.id)
        found = offer[_choice(part, mark)]
        assert found.right == (mark.verdict == "right")
        seen.add(found.distractor)
    assert len(seen) == len(digits or letters)
