"""The same seed poses the same problem on every machine, to the last digit of every rival."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

MACHINES = {
    "Haswell": {"OPENBLAS_CORETYPE": "Haswell"},
    "Nehalem": {"OPENBLAS_CORETYPE": "Nehalem"},
    "Prescott": {"OPENBLAS_CORETYPE": "Prescott"},
    "few features": {"NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512CD AVX512_SKX AVX2 FMA3"},
}


SEEDS = 100


def posing(**machine: str) -> subprocess.Popen[str]:
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("OPENBLAS", "NPY_"))}
    script = Path(__file__).with_name("posed.py")
    command = [sys.executable, "-W", "ignore", str(script), str(SEEDS)]
    return subprocess.Popen(command, env=plain | machine, stdout=subprocess.PIPE, text=True)


def test_every_kernel_poses_the_same_problems() -> None:
    running = {name: posing(**machine) for name, machine in ({"here": {}} | MACHINES).items()}
    posed = {name: process.communicate()[0].splitlines() for name, process in running.items()}
    here = posed.pop("here")
    assert len(here) >= 26 * SEEDS
    for name, lines in posed.items():
        differing = [line for line, other in zip(here, lines, strict=True) if line != other]
        assert differing == [], name
