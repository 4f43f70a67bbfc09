"""`bank check` of a large bank: a sign of life, every core, and the same words whoever looked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quizengine.cli import cores as module

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
    used, real = [], module.processes
    monkeypatch.setattr(module, "ALONE", 0)
    monkeypatch.setattr(module, "cores", lambda: 2)
    monkeypatch.setattr(module, "processes", lambda count: used.append(count) or real(count))
    assert run("bank", "check", large, "--json", exit=1).stdout == alone
    assert used == [2]
    assert len(json.loads(alone)["faults"]) == 10


def test_a_small_bank_is_looked_at_alone(large: Path, run, monkeypatch) -> None:
    monkeypatch.setattr(module, "ALONE", 10**6)
    monkeypatch.setattr(module, "processes", None)
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
