"""Matrices of floating-point numbers as lines of text, and as NumPy takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quizengine.lang.characters import shade
from quizengine.problems.problem import Problem

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray


def matrix_lines(array: NDArray[float64], *, shaded: bool = False) -> list[str]:
    """A matrix as aligned lines, each number with a shade where that is wanted; an array of several
    matrices (…, rows, columns) as one after the other, parted by an empty line."""
    if array.ndim > 2:
        return [line for part in array for line in [*matrix_lines(part, shaded=shaded), ""]][:-1]
    values = [[float(x) for x in row] for row in array.tolist()]
    cells = _cells(values)
    wide = max(len(x) for row in cells for x in row)
    marks = [[f"{shade(x)} " if shaded else "" for x in row] for row in values]
    return [
        "  " + "  ".join(mark + x.rjust(wide) for mark, x in zip(row_marks, row, strict=True))
        for row_marks, row in zip(marks, cells, strict=True)
    ]


def numpy_text(problem: Problem) -> str:
    """The givens of a problem as a program: a name, and its number or its array, (rows, columns); empty where
    nothing is given.

    >>> print(numpy_text(Problem("", 0, 0, "", "en", "", "", "", given={"d_k": 4, "Q": [[1, -0.5], [0, 2]]})))
    d_k = 4
    Q = np.array([[1, -0.5],
                  [0, 2]])
    """
    out = []
    for name, value in problem.given.items():
        if isinstance(value, (int, float)):
            out.append(f"{name} = {_number(value)}")
            continue
        factor, rows = problem.exact.get(name, ("", value))
        times = factor.replace(" · ", " * ").replace("ln 2", "np.log(2)") + " * " if factor else ""
        head = f"{name} = {times}np.array(["
        lines = ("[" + ", ".join(map(_number, row)) + "]" for row in rows)
        out.append(head + (",\n" + " " * len(head)).join(lines) + "])")
    return "\n".join(out)


def _number(x: float) -> str:
    return repr(int(x) if x == int(x) else x)


def in_one_line(array: NDArray[float64]) -> str:
    """All rows of an array (…, rows, columns) in a line, to four decimals."""
    rows = [row for block in array.reshape(-1, *array.shape[-2:]) for row in block.tolist()]
    return "; ".join(" ".join(f"{x:.4f}" for x in row) for row in rows)


def _cells(values: list[list[float]]) -> list[list[str]]:
    whole = all(x == float("-inf") or x == int(x) for row in values for x in row)
    return [
        ["-inf" if x == float("-inf") else f"{x:.0f}" if whole else f"{x:.6f}" for x in row] for row in values
    ]
