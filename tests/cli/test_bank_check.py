"""`bank check` of a large bank: a sign of life, every core, and the same words whoever looked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quizengine.cli import cores as module
from quizengine.grading import processes

ITEM = """\
- id: i{n}
  type: true_false
  prompt: {{en: 'Is {n} so?'}}
  right: true
  explain: {{en: 'It is.'}}
  check: ['{n} = {said}']
"""


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A hundred items, of which every tenth says what is not so."""
    head = "format: 1\ntopic: t\nlanguages: [en]\n"
    head += "defaults: {level: recall, difficulty: 1, objectives: [A1]}\nitems:\n"
    items = "".join(ITEM.format(n=n, said=n + (n % 10 == 0)) for n in range(100))
    (tmp_path / "b.yaml").write_text(head + items, "utf-8")
    return tmp_path / "b.yaml"


def test_several_processes_say_what_one_says(large: Path, run, monkeypatch) -> None:
    alone = run("bank", "check", large, "--json", exit=1).stdout
    used, real = [], processes.processes
    monkeypatch.setattr(module, "LOOK", 0)
    monkeypatch.setattr(module, "ALONE", 0)
    monkeypatch.setattr(module, "cores", lambda: 2)
    monkeypatch.setattr(processes, "processes", lambda count, work: used.append(count) or real(count, work))
    assert run("bank", "check", large, "--json", exit=1).stdout == alone
    assert used == [2, 2]  # for the items, and for what a guesser earns
    assert len(json.loads(alone)["faults"]) == 10


def test_a_small_bank_is_looked_at_alone(large: Path, run, monkeypatch) -> None:
    monkeypatch.setattr(module, "ALONE", 10**6)
    monkeypatch.setattr(processes, "processes", None)
    run("bank", "check", large, exit=1)


def test_a_terminal_is_told_how_far_it_is(large: Path, spawn) -> None:
    child = spawn("bank", "check", str(large))
    child.expect("Reading the bank")
    child.expect("100/100")
    child.expect("Items: 100; faults: 10")


def test_a_pipe_and_a_program_are_told_nothing(large: Path, run, spawn) -> None:
    assert run("bank", "check", large, exit=1).stderr == ""
    child = spawn("bank", "check", str(large), "--json")
    child.expect("}\r\n")
    assert "Reading" not in child.before
    assert "100/100" not in child.before


FAULTY = """\
format: 1
topic: t
languages: [en]
defaults: {level: recall, difficulty: 1, objectives: [A1]}
items:
- id: form
  type: true_false
  prompt: {en: 'A?'}
  right: true
  colour: red
- id: claims
  type: true_false
  prompt: {en: 'B?'}
  right: true
  check: ['1 = 2', '2 = 3', '3 = 3']
- id: family
  type: numeric
  family: {name: causl, n: 6}
  ask: [{stage: weights}]
- id: unknown
  type: true_false
  prompt: {en: 'C?'}
  right: false
  is: mask-pst
"""


def test_all_that_is_wrong_is_said_in_one_round(tmp_path: Path, run) -> None:
    """Form, families, names, and every false claim: a fault in one item hides none of another."""
    path = tmp_path / "b.yaml"
    path.write_text(FAULTY, "utf-8")
    out = json.loads(run("bank", "check", path, "--json", exit=1).stdout)
    assert [(fault["line"], fault["code"]) for fault in out["faults"]] == [
        (10, "extra-forbidden"),
        (11, "claim"),
        (11, "claim"),
        (16, "unknown-name"),
        (24, "misconception"),
    ]
    assert out["items"] == 2


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        pytest.param("format: 1\n", "format: 9\n", {1}, id="above-the-items"),
        pytest.param("items:\n", "items: [\n", {6}, id="no-yaml"),
    ],
)
def test_nothing_is_guessed_of_a_file_that_is_faulty_as_a_whole(
    tmp_path: Path, run, old: str, new: str, lines: set[int]
) -> None:
    path = tmp_path / "b.yaml"
    path.write_text(FAULTY.replace(old, new).replace("  colour: red\n", "").replace("pst", "past"), "utf-8")
    out = json.loads(run("bank", "check", path, "--json", exit=1).stdout)
    assert {fault["line"] for fault in out["faults"]} == lines
    assert out["items"] == 0


def test_a_sound_file_is_examined_beside_a_broken_one(tmp_path: Path, run) -> None:
    sound = FAULTY.replace("  colour: red\n", "").replace("pst", "past").replace("topic: t", "topic: u")
    (tmp_path / "a.yaml").write_text("items: [", "utf-8")
    (tmp_path / "b.yaml").write_text(sound, "utf-8")
    out = json.loads(run("bank", "check", tmp_path, "--json", exit=1).stdout)
    assert [Path(fault["file"]).name for fault in out["faults"]] == ["a.yaml"] + ["b.yaml"] * 3
