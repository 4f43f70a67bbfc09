"""An exam on a real terminal, a session killed again and again, and other ends of a session."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from select import select

import pexpect
import pytest

from quizengine.sessions.store import Store, data_folder


def newest():
    store = Store(data_folder(None))
    [*_, session] = store.sessions()
    store.close()
    return session


@pytest.fixture
def hour(home: Path) -> Path:
    """When this file is made, an hour has gone by at once."""
    return home / "hour"


@pytest.fixture
def exam(spawn, hour: Path) -> pexpect.spawn:
    """Twelve questions with one answer each, in forty minutes."""
    code = (
        "import os, sys\nfrom quizengine.sessions import clock\nreal = clock._seconds\n"
        f"clock._seconds = lambda: real() + 3600 * os.path.exists({str(hour)!r})\n"
        "from quizengine.cli.house import house\nhouse(sys.argv[1:])\n"
    )
    words = ("--time", "40m", "--count", "12", "--type", "single_choice", "--seed", "2")
    return spawn("take", "--mode", "exam", *words, program=("-c", code))


def test_an_exam_of_twelve_questions_with_flags_and_the_time_running_out(exam, hour: Path) -> None:
    for number in range(1, 8):
        exam.expect(f"Question {number} of 12")
        exam.expect("40 min left")
        if number in (3, 6):
            exam.answer(":f", "Flagged")
        exam.answer("A", "Saved")
    exam.answer(":l", "3  [a-z ]+   answered   flagged")
    exam.expect("Not answered, or only in part: 8, 9, 10, 11, 12")
    exam.answer("3", "Question 3 of 12.*flagged")
    exam.expect("Your answer: A")
    exam.answer("B", "Question 8 of 12")
    exam.answer("A", "Question 9 of 12")
    exam.expect("> ")
    hour.touch()
    exam.sendline("C")
    exam.expect("The time is up: the exam is handed in")
    assert not any(word in exam.before for word in ("Right", "Key", "Saved"))
    exam.expect("of 12 points")
    exam.expect("Enter next question")
    exam.answer("9", "After the deadline: C")
    exam.expect("No answer")
    exam.answer(":q", pexpect.EOF)
    exam.close()
    assert exam.exitstatus == 0
    session = newest()
    assert session.ended
    assert session.typed[2] == {"answer": "B"}
    assert sorted(session.typed) == list(range(8))
    assert (session.late, session.flagged) == ({8: {"answer": "C"}}, {2, 5})
    assert len(list(Path(data_folder(None), "exams").iterdir())) == 2


@pytest.mark.slow
def test_forty_kills_lose_no_acknowledged_answer(spawn, run) -> None:
    run("take", "--type", "true_false", "--count", 60, "--seed", 1, input="", exit=130)
    acknowledged = 0
    for number in range(40):
        child = spawn("take")
        child.expect("> ")
        child.sendline("A")
        if number % 2:
            child.expect("ight[.]")  # Right. or Not right.
            acknowledged += 1
        else:
            child.read_nonblocking(1 + number * 4, timeout=20)  # somewhere between echo and feedback
        child.kill(signal.SIGKILL)
        child.close()
        store = Store(data_folder(None))
        assert store.aside == ""
        assert store._db.execute("pragma integrity_check").fetchone() == ("ok",)
        store.close()
        assert len(newest().marked) >= acknowledged
    assert 20 <= len(newest().marked) <= 40


@pytest.mark.parametrize("mode", [(), ("--mode", "exam", "--time", "40m")], ids=["practice", "exam"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_whatever_ends_it_the_answers_are_kept(spawn, mode: tuple[str, ...], number: int) -> None:
    child = spawn("take", *mode, "--item", "masking.where", "--item", "masking.times-zero", "--seed", "1")
    child.expect("> ")
    child.sendline("A")
    if not mode:
        child.expect("Enter next")
        child.sendline("")
    child.expect("Question 2 of 2")
    child.expect("> ")
    child.kill(number)
    child.expect(pexpect.EOF)
    child.close()
    again = spawn("take")
    again.expect("Continuing the")
    again.expect("Question 2 of 2")
    assert newest().typed == {0: {"answer": "A"}}


@pytest.mark.slow
def test_a_megabyte_pasted_is_refused_and_loses_nothing(spawn) -> None:
    """What is echoed is read while it is sent, as a terminal does."""
    child = spawn("take", "--item", "masking.why-causal", "--seed", "1")
    child.expect("> ")
    unsent, shown = b"x" * 2**20 + b"\n", b""
    os.set_blocking(child.child_fd, False)
    while b"it costs nothing" not in shown:
        readable, writable, _ = select([child.child_fd], [child.child_fd] if unsent else [], [], 20)
        assert readable or writable
        if readable:
            shown = (shown + os.read(child.child_fd, 2**16))[-(2**17) :]
        if writable:
            unsent = unsent[os.write(child.child_fd, unsent[:1000]) :]
    assert b"This is too long to be an answer: 20000 is the limit." in shown
    os.set_blocking(child.child_fd, True)
    child.sendline(":q")
    child.expect("Kept: 0 of 1")
