"""Exam mode on a pipe: silence, free movement, the deadline, handing in, the result."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, tzinfo
from fractions import Fraction
from itertools import count
from pathlib import Path

import pytest

from quizengine.problems.part import key_text
from quizengine.problems.pose import pose
from quizengine.sessions import clock
from quizengine.sessions.event import Event
from quizengine.sessions.session import Session
from quizengine.sessions.store import Store, data_folder

THREE = ("--item", "masking.where", "--item", "masking.times-zero", "--item", "masking.one-row")
EXAM = ("take", "--new", "--mode", "exam", *THREE, "--seed", 1)
TOLD = ("Right.", "Not right.", "Key:", "Why:", "Worked", "points, ")


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The machine's own count of seconds, to be set."""
    now = [0.0]
    monkeypatch.setattr(clock, "_seconds", lambda: now[0])
    monkeypatch.setattr(clock, "datetime", Noon)
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    return now


class Noon(datetime):
    """The time of day stands still."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:
        return datetime(2030, 1, 1, 12, tzinfo=UTC)


def newest() -> Session:
    store = Store(data_folder(None))
    [*_, session] = store.sessions()
    store.close()
    return session


def keys(bank) -> list[list[str]]:
    """The right answers of the newest session, part by part."""
    out = []
    for planned in newest().plan:
        problem = pose(bank.item(planned.item), planned.seed, "en", bank.catalogue)
        out.append([key_text(part, part.key) for part in problem.parts])
    return out


def result(session: Session) -> dict:
    [path] = (Path(data_folder(None)) / "exams").glob(f"exam-*-{session.id}.json")
    return json.loads(path.read_text("utf-8"))


def test_nothing_is_told_before_it_is_handed_in(run, bank) -> None:
    run(*EXAM, input="", exit=130)
    first, second, steps = keys(bank)
    said = run(*EXAM, input="\n".join([*first, "A", *steps, ":e"]) + "\n").stdout
    before, after = said.split("Your questions")[0], said.split(":e hand in")[-1]
    assert not [word for word in TOLD if word in before]
    assert before.count("Saved.") == 5
    assert all(word in after for word in ("Not right.", "Key:", "Why:", "points, "))
    session = newest()
    assert session.ended
    assert sorted(session.marked) == [0, 1, 2]
    told = result(session)
    assert told["credit"] == told["points"] - 1
    assert [q["credit"] == q["points"] for q in told["questions"]] == [True, second == ["A"], True]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_golden_exam(run, assert_golden, seconds: list[float], lang: str) -> None:
    """The transcript of an exam: moving, flagging, changing an answer, handing in with gaps."""
    typed = [
        ":n",
        ":f",
        "A",
        ":1",
        "B",
        ":b",
        "C",
        "[1 2",
        "3]",
        ":x",
        ":l",
        "9",
        "2",
        ":f",
        ":u",
        ":e",
        ":e",
    ]
    words = ("--time", "40m", "--lang", lang, "--data-dir", "d")
    assert_golden(f"exam-{lang}.txt", run(*EXAM, *words, input="\n".join(typed) + "\n").stdout)


@pytest.fixture(autouse=True)
def inside(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)


def test_one_may_move_freely_and_change_an_answer(run, bank) -> None:
    run(*EXAM, input="", exit=130)
    first, _, steps = keys(bank)
    wrong = next(label for label in "ABCD" if label != first[0])
    typed = [":3", *steps, ":b", ":b", wrong, ":1", *first, "", ":e"]
    run(*EXAM, input="\n".join(typed) + "\n")
    session = newest()
    assert session.typed[0] == {"answer": first[0]}
    assert [q["credit"] for q in result(session)["questions"]] == [1, 0, 4]


def test_an_answer_is_taken_back_and_a_flag_too(run) -> None:
    run(*EXAM, input="\n".join(["A", ":1", ":u", ":u", ":f", ":2", ":f", ":f", ":e", ":e"]) + "\n")
    session = newest()
    assert session.typed[0] == {}
    assert session.flagged == {0}
    assert [q["flagged"] for q in result(session)["questions"]] == [True, False, False]


@pytest.mark.parametrize(
    ("late", "counts"), [(60.0, True), (60.001, False)], ids=["on the deadline", "after it"]
)
def test_the_deadline_is_inclusive(run, seconds: list[float], monkeypatch, late: float, counts: bool) -> None:
    from quizengine.cli import screen

    answer = screen.answer

    def slowly(**words: bool) -> str | None:
        typed = answer(**words)
        if typed == "A":
            seconds[0] = late
        return typed

    monkeypatch.setattr(screen, "answer", slowly)
    said = run(*EXAM, "--time", "60s", input="A\n:e\n:e\n").stdout
    session = newest()
    assert (session.typed, session.late) == (
        ({0: {"answer": "A"}}, {}) if counts else ({}, {0: {"answer": "A"}})
    )
    assert ("The time is up" in said) == (not counts)
    assert ("After the deadline: A" in said) == (not counts)
    told = result(session)
    assert told["by"] == ("learner" if counts else "time")
    assert told["questions"][0]["late"] == ({} if counts else {"answer": "A"})


def test_the_time_that_is_left_is_told_and_goes_on_while_one_is_away(
    run, seconds: list[float], monkeypatch, rewritten
) -> None:
    ticks = count(0, 10)
    monkeypatch.setattr(clock, "_seconds", lambda: float(next(ticks)))
    said = run(*EXAM, "--time", "5m", input="A\nA\n", exit=130).stdout
    assert "min left" in said
    assert "The exam’s clock keeps running, until" in said
    monkeypatch.setattr(clock, "_seconds", lambda: float(next(ticks)))
    session = newest()
    rewritten(lambda e: e._replace(at=session.deadline) if e.at == session.latest else e)
    assert "The time is up" in run("take", input="A\n").stdout
    assert newest().ended


def test_handing_in_is_asked_once_more_with_what_is_missing(run) -> None:
    said = run(*EXAM, input="A\n:e\nwhat\n2\n:q\n").stdout
    assert "Not answered, or only in part: 2, 3." in said
    assert "Type the number of a question, :e to hand in, or :q to leave." in said
    assert "Kept: 1 of 3 answered." in said
    assert not newest().submitted
    assert "Continuing the exam of" in run("take", input=":e\n:e\n").stdout
    assert newest().ended


def test_an_exam_outlives_its_bank(tmp_path: Path, run) -> None:
    path = tmp_path / "b.yaml"
    head = "format: 1\ntopic: t\nlanguages: [en]\nitems:\n"
    item = "- id: {0}\n  type: true_false\n  prompt: {{en: 'Is it {0}?'}}\n  right: true\n"
    path.write_text(head + item.format("a") + item.format("b"))
    run("take", "--bank", path, "--mode", "exam", input=":q\n")
    path.write_text(head + item.format("c"))
    said = run("take", "--bank", path, input="A\nA\n:e\n")
    assert "Is it a?" in said.stdout
    assert "2 of 2 points" in said.stdout
    assert said.stderr == ""


def test_a_fault_of_ours_is_ungraded_and_never_zero(run, monkeypatch) -> None:
    from quizengine.marking import judge

    def broken(*_: object) -> None:
        raise ZeroDivisionError("by our own fault")

    monkeypatch.setattr(judge, "_choice", broken)
    done = run(*EXAM, input="A\nA\n:e\n:e\n")
    session = newest()
    assert session.ungraded == {0, 1}
    told = result(session)
    assert [q["credit"] for q in told["questions"]] == [None, None, 0]
    assert told["points"] == 4
    assert told["questions"][0]["answers"] == {"answer": "A"}
    assert "ZeroDivisionError" in done.stderr
    practice = run("take", *THREE, input="A\nA\n:s\n:s\n:s\n")
    assert "0 of 0 points" in practice.stdout


def test_a_result_that_cannot_be_written_is_written_the_next_time(run, home: Path) -> None:
    blocked = Path(data_folder(None)) / "exams"
    blocked.parent.mkdir(parents=True)
    blocked.write_text("in the way")
    assert "the result cannot be written to" in run(*EXAM, input="A\n:e\n:e\n", exit=3).stderr
    assert not newest().ended
    blocked.unlink()
    run("take")
    assert result(newest())["questions"][0]["answers"] == {"answer": "A"}
    assert newest().ended


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--time", "40m"), "--time belongs to an exam"),
        (
            ("--mode", "exam", "--time", "soon"),
            "“soon” is not a time from 1s to 24h; write 40m, 1h30m or 90s.",
        ),
        (("--mode", "exam", "--time", "25h"), "“25h” is not a time"),
        (("--mode", "exam", "--time", "0"), "“0” is not a time"),
        (("--mode", "test"), "'test' is not one of"),
    ],
)
def test_words_that_do_not_fit(run, words: tuple[str, ...], message: str) -> None:
    assert message in run("take", *words, exit=2).stderr


@pytest.mark.parametrize(
    ("written", "span"),
    [("40", 2400), ("40m", 2400), ("1h30m", 5400), ("90s", 90), ("2H", 7200), ("1m30s", 90)],
)
def test_spans_of_time(written: str, span: int) -> None:
    from quizengine.cli.take import Span

    assert Span().convert(written, None, None) == span


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch):
    """What another terminal does with the kept session when a line is typed here."""
    from quizengine.cli import screen

    def plan(**at: list[Event]) -> None:
        answer = screen.answer

        def while_typing(**words: int) -> str | None:
            typed = answer(**words)
            if typed in at:
                other = Store(data_folder(None))
                session = newest()
                for event in at.pop(typed):
                    assert other.add(session, event._replace(at=session.latest))
                other.close()
            return typed

        monkeypatch.setattr(screen, "answer", while_typing)

    return plan


def typed(index: int, raw: str) -> Event:
    return Event("typed", "", {"index": index, "part": "answer", "raw": raw})


def test_what_was_saved_in_another_terminal_counts(run, elsewhere) -> None:
    elsewhere(A=[typed(1, "B")])
    run(*EXAM, input="A\n:l\n:e\n")
    assert newest().typed == {0: {"answer": "A"}, 1: {"answer": "B"}}
    assert [q["credit"] for q in result(newest())["questions"]] == [0, 1, 0]


def test_an_exam_that_is_handed_in_elsewhere_takes_no_more_answers(run, elsewhere) -> None:
    elsewhere(C=[Event("submitted", "", {"why": "learner"})])
    said = run(*EXAM, input="A\nB\n:1\nC\n:e\n:e\n").stdout
    assert "This session was continued in another terminal" in said
    assert newest().typed == {0: {"answer": "A"}, 1: {"answer": "B"}}
    assert newest().ended


def test_taking_back_twice_in_two_terminals_does_no_harm(run, elsewhere) -> None:
    elsewhere(x=[Event("undone", "", {"index": 0, "part": "answer"})])
    said = run(*EXAM, input="A\n:1\n:u\n:q\n").stdout
    assert "Taken back." in said
    run("take", "--new", *THREE, "--seed", 2, input="A\n:q\n")
    assert run("progress").exit_code == 0


def test_the_clock_set_back_while_one_is_away_gives_no_more_time(run, monkeypatch) -> None:
    run(*EXAM, "--time", "60s", input="A\n:q\n")
    real = clock._seconds
    monkeypatch.setattr(clock, "_seconds", lambda: real() + 90)
    monkeypatch.setattr(clock, "datetime", Noon)
    monkeypatch.setattr(Noon, "now", classmethod(lambda *_: datetime(2020, 1, 1, tzinfo=UTC)))
    assert "The time is up" in run("take", input="B\n").stdout
    assert newest().typed == {0: {"answer": "A"}}


def test_a_second_exam_is_not_begun_by_mistake(run) -> None:
    run(*EXAM, input=":q\n")
    said = run("take", "--mode", "exam", exit=2).stderr
    assert "There is an exam that has not been handed in. Continue it with quizengine take" in said
    assert (
        "There is an exam that has not been handed in"
        in run("take", "--item", "masking.where", input=":q\n").stderr
    )
    assert "Continuing the exam of" in run("take", input=":q\n").stdout


def test_only_a_command_hands_in(run) -> None:
    run(*EXAM, input="A\n:l\ne\nE\nq\n:q\n")
    assert not newest().submitted


def test_an_open_bracket_swallows_no_command(run) -> None:
    run(*EXAM, input=":3\n[1 2 3\n4 5 6\n:l\n:e\n")
    assert newest().typed == {2: {"scaled": "[1 2 3\n4 5 6"}}
    assert newest().ended


def test_signs_that_steer_a_terminal_are_not_in_the_text(run) -> None:
    run(*EXAM, input="\x1b[31mA\u202eB\x07\n:e\n:e\n")
    [path] = (Path(data_folder(None)) / "exams").glob("*.txt")
    assert not set(path.read_text("utf-8")) & set("\x1b\u202e\x07")
    assert "deadline" not in path.read_text("utf-8")


def test_marks_add_up_exactly(run) -> None:
    words = ("take", "--mode", "exam", "--count", 8, "--type", "multiple_choice", "--seed", 7)
    run(*words, input="A, B\n" * 8 + ":e\n")
    told = result(newest())
    assert Fraction(told["exact"]) == sum(Fraction(q["exact"]) for q in told["questions"]) > 0
    assert told["seed"] == 7


def test_forgetting_erases_results_too(run) -> None:
    run(*EXAM, input=":e\n:e\n")
    run("progress", "forget", "--yes")
    assert not (Path(data_folder(None)) / "exams").exists()
