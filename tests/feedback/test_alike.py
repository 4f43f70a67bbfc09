"""What is laid out once for all who answered alike never shows what belongs to another."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from quizengine.feedback import feedback_page
from quizengine.feedback.feedback_page import Earned, MarkedProblem, MarkedSheet, page
from quizengine.lang.text import Text
from quizengine.marking.judge import judge
from quizengine.problems.pose import pose
from quizengine.responses.read import read

Change = Callable[[MarkedProblem], MarkedProblem]


def marked(bank, typed: str = "A", lang: str = "en", seed: int = 1) -> MarkedProblem:
    problem = pose(bank.item("masking.where"), seed, lang, bank.catalogue)
    [part] = problem.parts
    mark = judge(problem, {part.id: read(part, typed)})
    [got] = mark.parts
    earned = Earned("1", typed, got.verdict, got.credit, got.points)
    return MarkedProblem(problem, {part.id: "1"}, mark, {part.id: earned})


def earned(**other: object) -> Change:
    def change(one: MarkedProblem) -> MarkedProblem:
        return one._replace(earned={id_: e._replace(**other) for id_, e in one.earned.items()})

    return change


def problem(**other: object) -> Change:
    return lambda one: one._replace(problem=one.problem._replace(**other))


def rivals(one: MarkedProblem) -> MarkedProblem:
    """The same names stand behind other choices."""
    names = [rival.misconception for rival in one.problem.rivals]
    turned = zip(one.problem.rivals, names[1:] + names[:1], strict=True)
    return problem(rivals=tuple(rival._replace(misconception=name) for rival, name in turned))(one)


def unnamed(one: MarkedProblem) -> MarkedProblem:
    parts = tuple(part._replace(misconceptions=()) for part in one.mark.parts)
    return one._replace(mark=one.mark._replace(parts=parts))


CHANGES: dict[str, Change] = {
    "credit": earned(credit=Fraction(1, 3)),
    "decision": earned(decision="override", why="one reason"),
    "reason": earned(decision="override", why="another reason"),
    "verdict": earned(verdict="partial"),
    "explanation": problem(worked=("Another explanation.",)),
    "prompt": problem(prompt="Another question?"),
    "mistake": unnamed,
    "rivals": rivals,
}


def alone(sheet: MarkedSheet, catalogue, html: bool) -> tuple[str, str]:
    """As it is where nothing was laid out before."""
    feedback_page._text.kept.cache_clear()
    feedback_page._shown.kept.cache_clear()
    return page(sheet, catalogue, Text("Exam"), html=html)[2:]


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_page_is_what_it_would_be_alone(bank, change: Change) -> None:
    wrong = next(x for x in "ABCD" if x != marked(bank).problem.parts[0].key)
    first = marked(bank, wrong)
    sheets = [MarkedSheet("s1", "", "AB", (one,)) for one in (first, change(first), first)]
    pages = [alone(sheet, bank.catalogue, html=True) for sheet in sheets]
    alone(sheets[0], bank.catalogue, html=True)
    after = [page(sheet, bank.catalogue, Text("Exam"), html=True)[2:] for sheet in sheets]
    assert after == pages
    assert (pages[0] == pages[1]) == (change is rivals)  # which no page tells


def test_another_seed_or_place_is_no_other_answer_and_another_language_is(bank) -> None:
    catalogue, title = bank.catalogue, Text("Exam")
    feedback_page._text.kept.cache_clear()
    one, same = (marked(bank)._replace(problem=marked(bank).problem._replace(seed=n)) for n in (1, 9))
    sheets = [MarkedSheet("s1", "", "AB", problems) for problems in ((one,), (same,), (one, same))]
    texts = [page(sheet, catalogue, title, html=False).text for sheet in sheets]
    assert texts[0] == texts[1] != texts[2]
    info = feedback_page._text.kept.cache_info()
    assert (info.hits, info.misses) == (2, 2)
    japanese = MarkedSheet("s1", "", "AB", (marked(bank, lang="ja"),))
    assert page(japanese, catalogue, title, html=False).text != texts[0]


def test_the_catalogue_of_another_exam_is_another(bank) -> None:
    wrong = next(x for x in "ABCD" if x != marked(bank).problem.parts[0].key)
    one = marked(bank, wrong)
    [id_] = one.mark.parts[0].misconceptions
    other = {
        **bank.catalogue,
        id_: bank.catalogue[id_]._replace(remedy=Text("Do it otherwise.", "別の方法で。")),
    }
    sheet = MarkedSheet("s1", "", "AB", (one,))
    assert "Do it otherwise." not in page(sheet, bank.catalogue, Text("x"), html=False).text
    assert "Do it otherwise." in page(sheet, other, Text("x"), html=False).text
