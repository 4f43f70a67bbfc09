"""How a case is shown: its situation once, then every question before its own choices."""

from __future__ import annotations

from quizengine.problems.pose import pose
from quizengine.render.blocks import Words, ask, stem
from quizengine.render.markdown import markdown
from quizengine.render.terminal import lines


def test_a_question_stands_before_its_choices(bank) -> None:
    problem = pose(bank.item("masking.loss-too-good"), 1, "en", bank.catalogue)
    assert stem(problem) == [Words(problem.prompt)]
    for part in problem.parts:
        shown = ask(problem, part)
        for text in ("\n".join(lines(shown, 200)), markdown(shown, "en", {part.id: "1a"})):
            question = part.prompt.split("?")[0].split(".")[0]
            places = [
                text.index(words)
                for words in (question, *(choice.text.split("$")[0] for choice in part.choices))
            ]
            assert places == sorted(places)


def test_a_single_question_keeps_its_choices_between_prompt_and_answer(bank) -> None:
    problem = pose(bank.item("masking.where"), 1, "en", bank.catalogue)
    text = "\n".join(lines(ask(problem, problem.parts[0]), 80))
    assert text.index("A  ") < text.index("Choose one.")
