"""What a learner meets at the terminal who knows nothing but the README."""

from __future__ import annotations

import pytest

from quizengine.checking.task import TASKS, contract
from quizengine.feedback.lines import told
from quizengine.lang.messages import CATALOGUE, t
from quizengine.problems.pose import pose
from quizengine.responses.samples import wrong
from quizengine.sessions import reply


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("type_", ["gaps", "case", "shape", "construct"])
def test_an_item_of_many_parts_is_shown_with_its_key(bank, run, type_: str, lang: str) -> None:
    for item in [item for item in bank if item.type == type_]:
        assert "  = " in run("bank", "show", item.id, "--key", "--lang", lang).stdout


@pytest.mark.parametrize(("lang", "first"), [("en", "Question 1: "), ("ja", "(1)：")])
def test_the_questions_of_a_case_are_called_by_their_numbers(bank, lang, first: str) -> None:
    problem = pose(bank.item("head.padded-batch"), 5, lang, bank.catalogue)
    made = reply.judgement(problem, {part.id: wrong(part) for part in problem.parts})
    said = [line.text for line in told(*made[:3], bank.catalogue, 80)]
    assert said[0].startswith(first)
    assert not any(line.startswith(part.id) for line in said for part in problem.parts)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_stage_of_a_task_has_a_name(lang) -> None:
    assert not [s for task in TASKS.values() for s in task.table if f"stage.{s}" not in CATALOGUE[lang]]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_sizes_that_are_one_bear_one_name(lang) -> None:
    for id_ in ("causal", "averaging", "multi-head", "grouped"):
        assert not [line for line in contract(TASKS[id_], lang) if "n_q" in line or "n_k" in line]


@pytest.mark.parametrize(("lang", "said"), [("en", "It is not written yet"), ("ja", "まだ書かれていません")])
def test_an_untouched_skeleton_is_not_written_yet(run, tmp_path, lang: str, said: str) -> None:
    path = tmp_path / "own.py"
    run("check", "new", "causal", path)
    told = run("check", path, "--task", "causal", "--lang", lang, exit=1).stdout
    assert said in told
    assert "NotImplementedError" not in told


@pytest.mark.parametrize(
    ("message", "values", "said"),
    [
        ("part.points", {"points": 1}, "1 point"),
        ("feedback.open", {"label": "1", "points": "1"}, "worth up to 1 point."),
        ("report.observation", {"count": 1, "what": "", "places": ""}, "1 student:"),
        ("take.end", {"credit": 0.5, "points": 1, "percent": 50.0}, "0.5 of 1 point,"),
        ("goal.reached", {"done": 6, "goal": 3}, "Today’s goal of 3 questions is reached: 6 answered."),
    ],
    ids=lambda value: value if isinstance(value, str) and "." in value[:12] else "",
)
def test_one_is_no_plural(message: str, values: dict[str, object], said: str) -> None:
    assert said in t("en", message, **values)


def test_what_is_skipped_is_not_answered_and_start_goes_on_with_start(run) -> None:
    said = run("start", "--seed", 3, input="A\n:s\n:s\n:q\n").stdout
    assert "Question 1 of at most 8 " in said
    assert "Kept: 1 of 12 answered. Go on with: quizengine start" in said
    assert "Continuing the session of" in run("start", input="", exit=130).stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["start"], "pass this over as not known yet"),
        (["take", "--count", "2"], "comes once more at the end"),
    ],
    ids=["start", "take"],
)
def test_what_skipping_means_is_told_as_it_is(run, words: list[str], told: str) -> None:
    said = " ".join(run(*words, "--seed", 1, input="?\n:q\n").stdout.split())
    assert told in said


@pytest.mark.parametrize(
    ("lang", "none"), [("en", "Nothing is due for review today."), ("ja", "今日の復習はありません。")]
)
def test_no_review_is_offered_where_nothing_is_due(run, lang: str, none: str) -> None:
    run("take", "--item", "masking.where", "--seed", 2, input="D\n")
    said = run("progress", "--lang", lang).stdout
    assert none in said
    assert "quizengine review" not in said


@pytest.mark.parametrize("id_", ["head.gaps-fused-call", "averaging.bug-that-averages"])
def test_what_is_answered_by_thinking_has_its_reason_at_once(bank, id_: str) -> None:
    problem = pose(bank.item(id_), 1, "en", bank.catalogue)
    made = reply.judgement(problem, {part.id: wrong(part) for part in problem.parts})
    shown = [line.text for line in told(*made[:3], bank.catalogue, 80, whole=False)]
    assert t("en", "worked" if problem.type == "numeric" else "explanation") in shown
