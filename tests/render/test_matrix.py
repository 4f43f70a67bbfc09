"""What is handed over as NumPy takes it."""

from __future__ import annotations

import numpy as np

from quizengine.problems.pose import pose
from quizengine.render.matrix import numpy_text


def test_the_givens_of_every_numeric_problem_come_back_from_numpy(bank) -> None:
    for item in bank:
        problem = pose(item, 1, "en", bank.catalogue)
        text, names = numpy_text(problem), {"np": np}
        assert text.isascii()
        assert bool(text) == bool(problem.given)
        exec(text, names)
        for name, value in problem.given.items():
            assert np.allclose(names[name], value, rtol=1e-12), (item.id, name)
