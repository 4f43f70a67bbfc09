"""The front desk: it parses words, makes one call, and prints."""

from __future__ import annotations

import gc
import os


def main() -> None:
    """Run the command that the words of the process name, and leave with its exit status."""
    gc.set_threshold(50_000)  # little here is cyclic, and looking for it delays the first question
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # our matrices are small: NumPy's threads only spin
    from quizengine.cli.house import house

    house()
