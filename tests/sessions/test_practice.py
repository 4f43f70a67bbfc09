"""Practice asks and shows through the desk that it is given, and keeps what happens."""

from __future__ import annotations

from pathlib import Path

from quizengine.items.bank import Bank
from quizengine.sessions.desk import Desk
from quizengine.sessions.practice import Practice
from quizengine.sessions.selection import Selection, begin
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
    assert any("At which step is a mask applied?" in line for line in desk.shown)
    [mark] = store.marks()
    assert (mark.item, mark.points) == ("masking.where", 1)
    assert store.kept() is None


def test_at_the_end_of_input_the_session_is_kept(bank: Bank, tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    session = begin(bank, store, Selection(ids=("masking.where",), seed=1), "en")
    assert Practice(bank, store, session, Script()).run() == 130
    assert store.kept() is not None
