"""How a class writes its answers."""

from __future__ import annotations

import pytest

from quizengine.problems.problem import key_text


@pytest.fixture(scope="session")
def written():
    """What a learner writes who means this value: two more places than asked."""

    def call(part, key) -> str:
        if not part.is_number:
            return key_text(part, key)
        places = (part.decimals or 0) + 2 if part.decimals else 0
        rows = [" ".join(f"{x / 1e9:.{places}f}" for x in row) for row in key]
        return "[" + "; ".join(rows) + "]" if part.kind == "array" else rows[0]

    return call
