"""`take` on a pipe: a whole session, in both languages, kept and resumed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from quizengine.lang.characters import cells
from quizengine.problems.part import key_text
from quizengine.problems.pose import pose
from quizengine.sessions.store import Store, data_folder

COUNT = 5


def plan() -> list:
    store = Store(data_folder(None))
    [*_, newest] = store.sessions()
    store.close()
    return newest.plan


def right_answers(bank, seed: int, run, **words) -> str:
    """What a learner who knows everything types into this session."""
    run("take", "--count", COUNT, "--seed", seed, input="", exit=130)
    lines = []
    for planned in plan():
        problem = pose(bank.item(planned.item), planned.seed, "en", bank.catalogue)
        lines += [key_text(part, part.key) for part in problem.parts]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_golden_session(run, assert_golden, lang: str) -> None:
    """The transcript of a session, right and wrong answers mixed."""
    answers = "A\nB\n1 2 3\n_\nx\nA\nB\nC\n" + "A\n" * 20
    result = run("take", "--count", COUNT, "--seed", 1, "--lang", lang, input=answers)
    assert_golden(f"take-{lang}.txt", result.stdout)
    assert all(cells(line) <= 80 for line in result.stdout.splitlines() if "quizengine" not in line)


def test_the_same_seed_gives_the_same_session(run) -> None:
    first, second = (run("take", "--count", COUNT, "--seed", 1, input="A\n" * 20).stdout for _ in range(2))
    assert first == second
    assert first != run("take", "--count", COUNT, "--seed", 2, input="A\n" * 20).stdout


def test_knowing_everything_earns_everything_and_progress_knows(bank, run, run_json) -> None:
    answers = right_answers(bank, 3, run)
    result = run("take", "--count", COUNT, "--seed", 3, input=answers)
    progress = run_json("progress")
    assert "100 %" in result.stdout
    assert progress["answered"] == COUNT
    assert progress["percent"] == 100.0
    assert progress["misconceptions"] == {}
    assert sum(topic["answered"] for topic in progress["topics"].values()) == COUNT
    assert "Questions answered: 5" in run("progress").stdout


def test_end_of_input_keeps_the_session_and_take_resumes(bank, run, run_json) -> None:
    lines = right_answers(bank, 3, run).splitlines()
    cut = run("take", "--count", COUNT, "--seed", 3, input="\n".join(lines[:2]) + "\n", exit=130)
    assert "Go on with: quizengine take" in cut.stdout
    resumed = run("take", input="\n".join(lines[2:]) + "\n")
    assert "Continuing the session of" in resumed.stdout
    assert "question 3 of 5" in resumed.stdout
    assert "100 %" in resumed.stdout
    assert run_json("progress")["answered"] == COUNT


def test_a_staged_question_is_resumed_at_its_next_part(bank, run) -> None:
    words = ("take", "--item", "masking.one-row", "--seed", 4)
    run(*words, input="", exit=130)
    [planned] = plan()
    problem = pose(bank.item(planned.item), planned.seed, "en", bank.catalogue)
    first, *rest = [key_text(part, part.key) for part in problem.parts]
    run(*words, input=first + "\n", exit=130)
    resumed = run("take", input="\n".join(rest) + "\n").stdout
    assert f"Your answer: {first}" in " ".join(resumed.split("Weights")[0].split())
    assert "4 of 4 points" in resumed


def test_new_begins_anew(run) -> None:
    run("take", "--count", 2, input="", exit=130)
    assert "Continuing" in run("take", input="", exit=130).stdout
    assert "Continuing" not in run("take", "--new", input="", exit=130).stdout


def test_an_array_on_a_pipe_runs_until_its_brackets_close(bank, run) -> None:
    words = ("take", "--item", "scaling.scaled-weights", "--seed", 4)
    run(*words, input="", exit=130)
    [planned] = plan()
    problem = pose(bank.item(planned.item), planned.seed, "en", bank.catalogue)
    texts = [key_text(p, p.key).replace(", ", ",\n ") for p in problem.parts]
    assert "3 of 3 points" in run(*words, input="\n".join(texts) + "\n").stdout


def test_blank_unreadable_hint_skip_and_quit(run, run_json) -> None:
    words = (
        "take",
        "--item",
        "masking.where",
        "--item",
        "masking.times-zero",
        "--item",
        "order.hull",
        "--seed",
        1,
    )
    out = run(*words, input=":h\n\n?!\n:s\n").stdout
    assert "There is no hint for this question." in out
    assert "No answer." in out
    assert "This could not be read." in out
    assert "“?!” is not among the choices" in out
    assert "Skipped." in out
    assert run_json("progress")["answered"] == 2
    assert "Kept: 0 of 3" in run(*words, input=":q\n").stdout


def test_skipping_a_part_leaves_it_blank_and_keeps_the_others(bank, run) -> None:
    words = ("take", "--item", "masking.one-row", "--seed", 4)
    run(*words, input="", exit=130)
    [planned] = plan()
    problem = pose(bank.item(planned.item), planned.seed, "en", bank.catalogue)
    first, _, last = [key_text(part, part.key) for part in problem.parts]
    out = run(*words, input=f"{first}\n:s\n{last}\n").stdout
    assert "weights: No answer." in out
    assert "3 of 4 points" in out
    assert "Skipped." in run(*words, input=":s\n:s\n:s\n").stdout


@pytest.mark.parametrize("typed", [":hint", "：ｘ", ":foo"])
def test_a_mistyped_command_is_never_an_answer(run, run_json, typed: str) -> None:
    out = run("take", "--item", "masking.why-causal", "--seed", 4, input=f"{typed}\n：ｑ\n").stdout
    assert "is not a command here; there are :s, :q, ?." in out
    assert run_json("progress")["answered"] == 0


def test_hints_are_given_one_by_one(run) -> None:
    """First its author's, then three for the part that is asked, and for the next part three more."""
    typed = ":h\n" * 6 + ":s\n:h\n"
    out = run("take", "--item", "order.whole-row", "--seed", 1, input=typed, exit=130).stdout
    assert "Hint: Take the factor ln 2 out" in out
    assert "Hint: exp(m · ln 2) is 2 to the power m." in out
    assert out.count("There are no more hints.") == 1
    assert out.count("Hint: ") == 2 + 3 + 1
    assert "Hint: Which row of Q is asked?" in out[out.index("There are no more hints.") :]


def test_a_bank_that_lost_an_item_skips_it_on_resume(tmp_path: Path, run) -> None:
    head = "format: 1\ntopic: t\nlanguages: [en]\nitems:\n"
    item = "- id: {0}\n  type: true_false\n  prompt: {{en: 'A?'}}\n  right: true\n"
    path = tmp_path / "b.yaml"
    path.write_text(head + item.format("a") + item.format("b"))
    run("take", "--bank", path, input="", exit=130)
    path.write_text(head + item.format("c"))
    result = run("take", "--bank", path, input="A\n")
    assert "there is no item “t." in result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--topic", "maskin"), "there is no topic “maskin”; did you mean masking?"),
        (("--item", "masking.wher"), "there is no item “masking.wher”; did you mean masking.where"),
        (("--type", "essay"), "there is no type “essay”; there are:"),
        (("--count", "0"), "0 is not in the range"),
        (("--topic", "order", "--family", "cost"), "No item fits these options."),
        (("--colour",), "No such option"),
    ],
)
def test_words_that_do_not_fit(run, words, message: str) -> None:
    assert message in run("take", *words, exit=2).stderr


def test_a_broken_bank_lists_its_faults(run) -> None:
    mini = Path(__file__).parent.parent / "mini" / "many-faults.yaml"
    result = run("take", "--bank", mini, exit=3)
    assert len(re.findall(r"many-faults\.yaml:\d+:\d+: ", result.stderr)) >= 9


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["take", "--item", "masking.where", "--new"], "At which step is a causal mask applied?"),
        (["take", "--topic", "position"], "Question 1 of 10"),
        (["start", "--seed", "1"], "Question 1 of at most 8"),
    ],
    ids=["an item", "a topic", "start"],
)
def test_the_first_concept_question_needs_neither_numpy_nor_pydantic(
    run, words: list[str], shown: str
) -> None:
    run("bank", "list")  # the compiled bank is there
    code = (
        "import sys\nfrom quizengine.cli.house import house\n"
        f"try: house({words})\nexcept SystemExit: pass\n"
        "print([m for m in ('numpy', 'pydantic', 'yaml', 'fsrs') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], input="", capture_output=True, text=True, check=True)
    assert shown in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


def test_answers_are_kept_before_feedback_is_shown(run) -> None:
    run("take", "--item", "masking.where", "--seed", 1, input="A\n")
    store = Store(data_folder(None))
    rows = store._db.execute("select kind, data from event order by seq").fetchall()
    store.close()
    assert [kind for kind, _ in rows] == ["begun", "posed", "typed", "marked", "ended"]
    assert json.loads(rows[2][1])["raw"] == "A"
    assert json.loads(rows[1][1])["problem"]["key"]


def test_undo_takes_back_a_part_and_then_a_question(run, run_json) -> None:
    """The same problem is asked again, and only what was answered last counts."""
    words = ("take", "--item", "masking.where", "--item", "masking.times-zero", "--seed", 2)
    said = run(*words, input=":u\nA\n:u\nB\n:u\n:q\n").stdout
    assert said.count("There is nothing to take back.") == 1
    assert said.count("Taken back.") == 2
    assert said.count("Question 1 of 2") == 3
    assert run_json("progress")["answered"] == 0
    staged = run("take", "--item", "masking.one-row", "--seed", 2, input="1 2 3 4 5 6\n:u\n:q\n").stdout
    assert staged.count("Scaled scores") == 2
    assert "Your answer" not in staged


def test_without_a_seed_what_went_wrong_comes_again_first_and_what_is_known_last(run) -> None:
    def asked() -> set[str]:
        return {planned.item for planned in plan()}

    run("take", "--topic", "softmax", "--count", 6, "--seed", 1, input="A\n" * 40)
    first = asked()
    store = Store(data_folder(None))
    [session] = store.sessions()
    store.close()
    weak = {mark.item for mark in session.marks if mark.credit != str(mark.points)}
    run("take", "--topic", "softmax", "--count", 6, input="", exit=130)
    assert weak <= asked()
    assert not (first - weak) & asked()


def test_what_is_due_comes_before_what_was_never_asked(run, bank) -> None:
    run("take", "--item", "masking.where", "--seed", 1, input="C\n")
    [due] = [metadata for metadata in bank.metadata if metadata.id == "masking.padding-side"]
    store = Store(data_folder(None))
    store.remember(dict.fromkeys(due.objectives, "2020-01-01"))
    store.close()
    alike = {metadata.id for metadata in bank.metadata if {*metadata.objectives} & {*due.objectives}}
    run("take", "--topic", "masking", "--count", 1, input="", exit=130)
    assert {planned.item for planned in plan()} <= alike


def test_what_is_due_is_remembered_at_the_end_of_a_session(run, bank) -> None:
    run("take", "--item", "masking.where", "--seed", 1, input="A\n")
    store = Store(data_folder(None))
    assert store.due("2999-01-01") == set(bank.item("masking.where").metadata.objectives)
    assert store.due("2020-01-01") == set()
    store.close()


def test_a_clock_set_back_is_said_and_loses_nothing(run, run_json, rewritten) -> None:
    run("take", "--item", "masking.where", "--seed", 1, input="A\n")
    rewritten(lambda event: event._replace(at="2999" + event.at[4:]))
    done = run("take", "--item", "masking.where", "--seed", 1, input="A\n")
    assert "This machine’s clock is behind the last answer on record (2999-" in done.stderr
    assert run_json("progress")["answered"] == 2


@pytest.mark.parametrize("encoding", ["cp1252", "cp932", "ascii", "utf-8"])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_code_page_gets_something_to_read(encoding: str, lang: str, home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "quizengine", "take", "--item", "masking.one-row", "--lang", lang],
        input="１ ２\n".encode(encoding, errors="replace"),
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": f"{encoding}:strict", "QUIZENGINE_DEBUG": ""},
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, b"")
    assert b"quizengine take" in done.stdout


@pytest.mark.parametrize("mode", ["practice", "exam"])
def test_a_fault_of_ours_neither_loses_an_answer_nor_stops_the_session(run, monkeypatch, mode: str) -> None:
    from quizengine.marking import judge

    monkeypatch.setattr(judge, "_choice", lambda *_: 1 / 0)
    words = ("take", "--item", "masking.where", "--item", "masking.times-zero", "--seed", 1, "--mode", mode)
    done = run(*words, input="A\nB\n:e\n:e\n")
    assert done.stderr.count("Not graded: the engine failed here; please report it.") == 2
    store = Store(data_folder(None))
    [session] = store.sessions()
    store.close()
    assert session.typed == {0: {"answer": "A"}, 1: {"answer": "B"}}
    assert session.ended
    assert session.marks == []
