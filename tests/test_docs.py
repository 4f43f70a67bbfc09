"""The README is true: two set-up commands, real output, and the diff does what it says."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from quizengine.cli.house import COMMANDS, house

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def steps(block: str) -> list[tuple[str, str]]:
    """(command, output) pairs of a console block."""
    return re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)


def matches(shown: str, real: str) -> bool:
    """Equal, where `…` on a line of its own stands for any lines."""
    pattern = re.escape(shown).replace(re.escape("…\n"), r"(?:.*\n)*")
    return re.fullmatch(pattern, real) is not None


def test_there_are_exactly_two_set_up_commands() -> None:
    install, test = blocks("sh")
    assert install.strip() == "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/quizengine take"
    commands = ["python3 -m venv .venv", ".venv/bin/pip install -e '.[test]'"]
    assert test.strip() == " && ".join([*commands, ".venv/bin/pytest -n auto --dist worksteal"])


def test_every_transcript_is_what_comes_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request) -> None:
    """`--approve` writes plain transcripts anew; those with typed lines or `…` are kept by hand. An exam
    draws its secret, which is the same one here at every run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("quizengine.cli.blueprint.secret_by", lambda *_: hashlib.sha256(b"sheet 7").digest())
    anew = README
    for block in blocks("console"):
        for command, shown in steps(block):
            if command.startswith("cat "):
                path = Path(command.removeprefix("cat "))
                if path.exists():
                    assert path.read_text("utf-8") == shown
                path.write_text(shown, "utf-8")
                continue
            typed = "".join(re.findall(r"^> (.*\n)", shown, re.MULTILINE))
            left, piped, right = command.partition(" | ")
            if piped:
                typed = left.removeprefix("printf '").removesuffix("'").replace("\\n", "\n")
            words = shlex.split(right or left)
            assert words[0] == "quizengine"
            result = CliRunner().invoke(house, words[1:], input=typed)
            no = words[1] == "solve" and "--answer" in words  # the answer that is shown is a wrong one
            assert result.exit_code == int(no), result.output
            expected = re.sub(r"^> .*\n", "", shown, flags=re.MULTILINE)
            if request.config.getoption("--approve") and expected == shown and "…\n" not in shown:
                anew = anew.replace(f"$ {command}\n{shown}", f"$ {command}\n{result.stdout}")
                continue
            assert matches(expected, result.stdout), f"{command}: {result.stdout}"
    if anew != README:
        (ROOT / "README.md").write_text(anew, "utf-8")


def test_matching_can_fail() -> None:
    assert matches("a\n…\nd\n", "a\nb\nc\nd\n")
    assert not matches("a\n…\nd\n", "a\nb\nc\n")
    assert not matches("a\n", "b\n")


def test_following_the_diff_adds_a_misconception_proved_distinct(tmp_path: Path) -> None:
    [diff] = blocks("diff")
    assert (
        len([line for line in diff.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]) <= 12
    )
    for package in ("quizengine", "quizbank"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run(["git", "apply", "-"], input=diff, text=True, cwd=tmp_path, check=True)
    env = os.environ | {"PYTHONPATH": str(tmp_path)}

    def call(*words: str) -> subprocess.CompletedProcess[str]:
        python = [sys.executable, "-m", "quizengine", *words]
        return subprocess.run(python, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)

    checked = call("bank", "check", "--seeds", "3", "--json")
    assert json.loads(checked.stdout)["faults"] == [], checked.stdout + checked.stderr
    rivals = json.loads(call("pose", "masking.one-row", "--key", "--json").stdout)["rivals"]
    [new] = [rival for rival in rivals if rival["misconception"] == "softmax-of-one"]
    marked = call("mark", "masking.one-row", "--answer", f"weights={new['values']['weights']}", "--json")
    assert {d["misconception"] for d in json.loads(marked.stdout)["diagnosis"]} == {"softmax-of-one"}
    patches = tmp_path / "quizengine" / "attention" / "patches.py"
    text = patches.read_text("utf-8")
    patches.write_text(
        text.replace("np.ones_like(weights) * keep", "softmax(np.zeros_like(weights), axis=-1) * 0 + weights")
    )
    assert "gives the right numbers in every family" in call("bank", "check", "--seeds", "1").stdout


def commands(group: click.Group, path: tuple[str, ...] = ()):
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


def test_every_command_has_help_and_an_example_and_is_in_the_readme() -> None:
    for path, command in commands(house):
        assert command.help, path
        assert f"Example: quizengine {' '.join(path)}" in command.help, path
    for name in COMMANDS:
        assert re.search(rf"\b{name}\b", README), f"{name} is not in the README"


def test_the_help_says_of_a_command_what_the_command_says() -> None:
    for name, (_, what) in COMMANDS.items():
        command = house.get_command(click.Context(house), name)
        assert command is not None
        assert " ".join((command.help or "").split()).startswith(what.removesuffix(".")), name


def test_the_changelog_keeps_its_form() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert "## [Unreleased]" in text
    assert set(re.findall(r"^### (\w+)", text, re.MULTILINE)) <= {
        "Added",
        "Changed",
        "Fixed",
        "Removed",
        "Security",
    }
