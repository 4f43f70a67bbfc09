"""The same seed poses the same problem on every machine, to the last digit of every rival."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MACHINES = {
    "Haswell": {"OPENBLAS_CORETYPE": "Haswell"},
    "Nehalem": {"OPENBLAS_CORETYPE": "Nehalem"},
    "Prescott": {"OPENBLAS_CORETYPE": "Prescott"},
    "few features": {"NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512CD AVX512_SKX AVX2 FMA3"},
}


def posed(seeds: int, **machine: str) -> list[str]:
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("OPENBLAS", "NPY_"))}
    script = Path(__file__).with_name("posed.py")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", script, str(seeds)],
        env=plain | machine,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    "seeds", [pytest.param(200, marks=pytest.mark.slow), 25], ids=["200 seeds", "25 seeds"]
)
def test_every_kernel_poses_the_same_problems(seeds: int) -> None:
    here = posed(seeds)
    assert len(here) >= 26 * seeds
    differing = {
        name: [line for line, other in zip(here, posed(seeds, **machine), strict=True) if line != other]
        for name, machine in MACHINES.items()
    }
    assert differing == {name: [] for name in MACHINES}
