"""Commands that are imported when they are called, and what help says of them before."""

from __future__ import annotations

import subprocess
import sys

import pytest

from quizengine.cli.bank import bank
from quizengine.cli.house import house
from quizengine.cli.late import LateGroup, command_at
from quizengine.cli.marks import marks

GROUPS: list[LateGroup] = [house, bank, marks]
LATE = [(group, name) for group in GROUPS for name in group.late]


@pytest.mark.parametrize(("group", "name"), LATE, ids=[f"{group.name} {name}" for group, name in LATE])
def test_a_late_command_is_where_it_is_said_to_be(group: LateGroup, name: str, run) -> None:
    where, what = group.late[name]
    assert command_at(where).name == name
    assert what.endswith(".")
    assert len(what) < 60  # one line of help, also on a narrow terminal
    words = [name] if group is house else [group.name, name]
    assert "Usage:" in run(*words, "--help").stdout


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_help_names_every_command_in_a_line(group: LateGroup, run) -> None:
    words = [] if group is house else [group.name]
    told = run(*words, "--help").stdout.split("Commands:\n")[1].splitlines()
    assert [line.split()[0] for line in told] == group.list_commands(None)


@pytest.mark.parametrize(
    "words",
    [[], *([name] for name in house.late), ["bank", "check"], ["marks", "read"], ["check", "file"]],
    ids=" ".join,
)
def test_help_loads_nothing_heavy(words: list[str]) -> None:
    heavy = ("numpy", "pydantic", "yaml", "fsrs", "jinja2", "multiprocessing")
    code = (
        "import sys\nfrom quizengine.cli.house import house\n"
        f"try: house({[*words, '--help']})\nexcept SystemExit: pass\n"
        f"print([module for module in {heavy} if module in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["marks", "entr"], "enter"),
        (["bank", "impor"], "import"),
        (["bank", "chek"], "check"),
        (["tak"], "take"),
    ],
    ids=["late", "late, once more", "at hand", "of the house"],
)
def test_a_mistyped_command_is_told_the_nearest(words: list[str], meant: str, run) -> None:
    assert meant in run(*words, exit=2).stderr
