"""What is printed is read back: by NumPy, PyTorch, Python, MATLAB, Julia, LaTeX, Markdown, a spreadsheet."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizengine.responses.arrays import read_array

Rows = list[list[Fraction]]


def decimal(x: Fraction) -> str:
    return f"{float(x):.4f}"


def comma(x: Fraction) -> str:
    return decimal(x).replace(".", ",")


def numpy_options(**options: object) -> Callable[[Rows], str]:
    def write(rows: Rows) -> str:
        with np.printoptions(**options):
            return str(np.array(rows, dtype=float))

    return write


def matlab(rows: Rows) -> str:
    return "ans =\n\n" + "\n".join("".join(f"{float(x):10.4f}" for x in row) for row in rows) + "\n"


def julia(rows: Rows) -> str:
    body = "\n".join(" " + "  ".join(map(decimal, row)) for row in rows)
    return f"{len(rows)}×{len(rows[0])} Matrix{{Float64}}:\n{body}"


def latex(kind: str) -> Callable[[Rows], str]:
    return lambda rows: (
        rf"\begin{{{kind}}} " + r" \\ ".join(" & ".join(map(decimal, r)) for r in rows) + rf" \end{{{kind}}}"
    )


def markdown(rows: Rows) -> str:
    return "\n".join("| " + " | ".join(map(decimal, row)) + " |" for row in rows)


PRINTERS: dict[str, Callable[[Rows], str]] = {
    "numpy str": numpy_options(precision=4),
    "numpy str, narrow": numpy_options(precision=4, linewidth=20),
    "numpy str, suppressed": numpy_options(precision=4, suppress=True, floatmode="fixed"),
    "numpy str, signed": numpy_options(precision=4, sign="+"),
    "numpy repr": lambda rows: repr(np.array(rows, dtype=float)),
    "numpy repr, float32": lambda rows: repr(np.array(rows, dtype=np.float32).round(4)),
    "numpy list": lambda rows: str(np.array(rows, dtype=float).tolist()),
    "numpy list of scalars": lambda rows: repr([[np.float64(x) for x in row] for row in rows]),
    "jax repr": lambda rows: f"Array({[[float(x) for x in row] for row in rows]}, dtype=float32)",
    "python": lambda rows: repr([[float(x) for x in row] for row in rows]),
    "python tuples": lambda rows: repr([tuple(float(x) for x in row) for row in rows]),
    "python fractions": lambda rows: str([[str(x) for x in row] for row in rows]).replace("'", ""),
    "matlab": lambda rows: "[" + "; ".join(" ".join(map(decimal, row)) for row in rows) + "]",
    "matlab with commas": lambda rows: "[" + "; ".join(", ".join(map(decimal, row)) for row in rows) + "]",
    "matlab display": matlab,
    "julia": julia,
    "pmatrix": latex("pmatrix"),
    "bmatrix": latex("bmatrix"),
    "matrix": latex("matrix"),
    "markdown": markdown,
    "spreadsheet": lambda rows: "\n".join("\t".join(map(decimal, row)) for row in rows) + "\n",
    "spreadsheet, decimal comma": lambda rows: "\n".join("\t".join(map(comma, row)) for row in rows),
    "rows on lines": lambda rows: "\n".join("  ".join(map(decimal, row)) for row in rows),
    "decimal comma": lambda rows: "\n".join(" ".join(map(comma, row)) for row in rows),
    "csv": lambda rows: "\r\n".join(",".join(map(decimal, row)) for row in rows),
    "full width": lambda rows: "、".join("［" + "、".join(map(decimal, r)) + "］" for r in rows),
}
NUMBERS = st.integers(-99_999, 99_999).map(lambda n: Fraction(n, 10_000))
MATRICES = st.tuples(st.integers(1, 4), st.integers(2, 6)).flatmap(
    lambda shape: st.lists(
        st.lists(NUMBERS, min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0]
    )
)


@pytest.mark.parametrize("printer", PRINTERS)
@given(rows=MATRICES)
def test_what_is_printed_is_read_back(printer: str, rows: Rows) -> None:
    text = PRINTERS[printer](rows)
    read = [[cell and cell.value for cell in row] for row in read_array(text)]
    assert [[round(float(x), 4) for x in row] for row in read] == [[float(x) for x in row] for row in rows]


@pytest.mark.parametrize("kind", ["plain", "float64", "with gradient"])
@given(rows=MATRICES)
def test_what_pytorch_prints_is_read_back(kind: str, rows: Rows) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    tensor = torch.tensor([[float(x) for x in row] for row in rows])
    if kind == "float64":
        tensor = tensor.double()
    if kind == "with gradient":
        tensor = tensor.requires_grad_(True) * 1.0
    read = read_array(str(tensor))
    # PyTorch prints four digits of a common scale: what is read is what is shown
    assert np.allclose([[float(c.value) for c in row] for row in read], tensor.detach().numpy(), atol=1e-3)
    assert (len(read), len(read[0])) == tuple(tensor.shape)
