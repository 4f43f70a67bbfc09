"""Practice asks and shows through the desk that it is given, and keeps what happens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from quizengine.items.bank import Bank
from quizengine.problems.problem import Problem
from quizengine.responses.samples import right, wrong
from quizengine.sessions.desk import Desk
from quizengine.sessions.practice import Practice
from quizengine.sessions.selection import Selection, begin
from quizengine.sessions.session import Session
from quizengine.sessions.store import Store


class Script:
    """A desk at which these lines are typed."""

    def __init__(self, *typed: str):
        self.typed, self.shown = list(typed), list[str]()

    def width(self) -> int:
        return 80

    def height(self) -> int:
        return 24

    def abreast(self) -> bool:
        return True

    def interactive(self) -> bool:
        return False

    def print(self, *lines: str, style: str = "") -> None:
        self.shown += lines

    def copy(self, text: str) -> None:
        self.shown.append("copied")

    def keys(self, text: str) -> str:
        return text

    def answer(self, *, rows: int = 0) -> str | None:
        return self.typed.pop(0) if self.typed else None

    def complain(self, text: str) -> None:
        raise AssertionError(text)


def test_a_question_is_asked_marked_and_told(bank: Bank, tmp_path: Path) -> None:
    desk: Desk = Script("A")
    store = Store(str(tmp_path))
    session = begin(bank, store, Selection(ids=("masking.where",), seed=1), "en")
    assert Practice(bank, store, session, desk).run() == 0
    assert isinstance(desk, Script)
    assert any(bank.item("masking.where").prompt["en"] in line for line in desk.shown)
    [mark] = store.marks()
    assert (mark.item, mark.points) == ("masking.where", 1)
    assert store.kept() is None


def test_at_the_end_of_input_the_session_is_kept(bank: Bank, tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    session = begin(bank, store, Selection(ids=("masking.where",), seed=1), "en")
    assert Practice(bank, store, session, Script()).run() == 130
    assert store.kept() is not None


class Learner(Script):
    """A desk at which the question that stands is answered, as `errs` says of its place among those asked."""

    def __init__(self, errs: Callable[[int], bool] = lambda _: False):
        super().__init__()
        self.errs, self.practice = errs, None

    def answer(self, *, rows: int = 0) -> str | None:
        session = self.practice.session
        index = session.at
        problem = Problem.from_json(session.posed[index])
        part = next(part for part in problem.parts if part.id not in session.typed.get(index, {}))
        return wrong(part) if self.errs(len(session.done)) else right(part)


def practised(bank: Bank, store: Store, wanted: Selection, desk: Learner) -> Session:
    """A session of practice up to its end."""
    desk.practice = Practice(bank, store, begin(bank, store, wanted, "en"), desk)
    assert desk.practice.run() == 0
    return store.session(desk.practice.session.id)


def test_who_begins_is_asked_easy_ones_and_gets_harder_ones_by_success(bank: Bank, tmp_path: Path) -> None:
    session = practised(
        bank, Store(str(tmp_path)), Selection(filters={"type": ["single_choice"]}, number=8), Learner()
    )
    asked = [bank.item(planned.item).difficulty for planned in session.plan]
    assert asked[0] <= 2
    assert sum(asked[-3:]) > sum(asked[:3])
    assert len({planned.item for planned in session.plan}) == 8
    assert all(bank.item(planned.item).type == "single_choice" for planned in session.plan)


def test_a_miss_comes_back_at_the_desk_and_its_second_answer_is_in_the_sum(
    bank: Bank, tmp_path: Path
) -> None:
    desk = Learner(lambda place: place == 0)
    session = practised(bank, Store(str(tmp_path)), Selection(filters={"topic": ["order"]}, number=6), desk)
    assert session.done.index(6) == 4  # it is the fifth that is asked
    assert any("Question 5 of 7" in line for line in desk.shown)
    assert any("Right the second time: 1 of 1." in line for line in desk.shown)
    assert any("100 %" in line for line in desk.shown)


def test_by_a_seed_history_and_success_change_nothing(bank: Bank, tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    first = practised(bank, store, Selection(number=5, seed=3), Learner())
    second = practised(bank, store, Selection(number=5, seed=3), Learner(lambda place: place < 3))
    assert first.plan == second.plan
