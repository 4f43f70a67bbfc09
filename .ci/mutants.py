"""Change the code in small ways, one at a time, and run the tests: each change must fail one, or have a
reason in tests/mutants.toml. Run by `.ci/run slow`; with patterns of names (quizengine.marking.slips*) only
those."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

MUTMUT = Path(sys.executable).with_name("mutmut")
LIST = Path("tests/mutants.toml")
os.environ["PATH"] = f"{MUTMUT.parent}{os.pathsep}{os.environ['PATH']}"  # the type checker stands there
DEAD = {"killed", "caught by type check", "timeout"}


def mutmut(*words: str) -> str:
    """What mutmut says."""
    return subprocess.run([MUTMUT, *words], check=True, capture_output=True, text=True).stdout


def change(name: str) -> str:
    """The line as it is, and as the mutant has it."""
    lines = [line for line in mutmut("show", name).splitlines() if not line.startswith(("---", "+++"))]
    was, now = (" ".join(line[1:].strip() for line in lines if line[:1] == sign) for sign in "-+")
    return f"{was} → {now}"


def main(patterns: list[str]) -> int:
    """The exit code: 1 when a mutant lives without a reason."""
    known = tomllib.loads(LIST.read_text("utf-8"))
    patterns = patterns or [f"{module}.*" for module in known["modules"]]
    subprocess.run([MUTMUT, "run", *patterns], check=True, stdout=subprocess.DEVNULL)
    chosen = [re.compile(pattern.replace(".", r"\.").replace("*", ".*")) for pattern in patterns]
    states = dict(re.findall(r"^\s*(\S+): (.+)$", mutmut("results", "--all", "true"), re.MULTILINE))
    states = {name: state for name, state in states.items() if any(p.fullmatch(name) for p in chosen)}
    reasons = {(one["in"], one["change"]): one["why"] for one in known["alike"]}
    bare = []
    for name, state in states.items():
        if state in DEAD:
            continue
        function = name.partition("__mutmut_")[0]
        said = change(name)
        why = reasons.get((function, said), "")
        print(f"{name}: {state}\n    {said}\n    {why or 'NO REASON'}")
        bare += [] if why else [name]
    print(", ".join(f"{state}: {count}" for state, count in Counter(states.values()).items()))
    return int(bool(bare) or not states)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
