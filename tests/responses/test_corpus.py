"""The corpus: what learners type and paste for numbers and arrays, with what it means or why it is refused.

Accepted texts stand with their values, refused ones with the reason's code and the character's place
(from 0). Every text is read well within 10 ms.
"""

from __future__ import annotations

import contextlib
import math
from fractions import Fraction
from time import process_time

import pytest

from quizengine.lang.quotation import Quoted, tell
from quizengine.responses.arrays import read_array
from quizengine.responses.numbers import read_number
from quizengine.responses.response import CannotRead

DECIMALS = [  # with the decimals as typed
    ("0.25", "1/4", 2),
    ("-1.5", "-3/2", 1),
    ("−1.5", "-3/2", 1),
    ("－１．５", "-3/2", 1),
    ("ー１．５", "-3/2", 1),
    ("＋0.5", "1/2", 1),
    (".5", "1/2", 1),
    ("5.", "5", 0),
    ("007", "7", 0),
    ("1e-3", "1/1000", 3),
    ("1.5E3", "1500", 0),
    ("2.5e-1", "1/4", 2),
    ("1/3", "1/3", None),
    ("-1 / 3", "-1/3", None),
    ("50%", "1/2", 2),
    ("12.5 %", "1/8", 3),
    ("0,25", "1/4", 2),
    ("12,5", "25/2", 1),
    ("1,234,567", "1234567", 0),
    ("1,234.5", "2469/2", 1),
    ("１２", "12", 0),
    ("१.५", "3/2", 1),
    ("  0.5  ", "1/2", 1),
    ("3×10^-2", "3/100", 2),
    ("1.5 × 10^-3", "3/2000", 4),
    ("1.5×10²", "150", 0),
    ("3*10**-2", "3/100", 2),
    ("$0.25$", "1/4", 2),
    ("½", "1/2", None),
    ("12,5%", "1/8", 3),
    ("0,125", "1/8", 3),
    ("1,5e-3", "3/2000", 4),
    ("2,5×10^-2", "1/40", 3),
    ("1 234.5", "2469/2", 1),
    ("1 234 567", "1234567", 0),
    ("1.234,5", "2469/2", 1),
    ("1.234.567", "1234567", 0),
    ("１。５", "3/2", 1),
    ("0｡25", "1/4", 2),
    ("٠٫٢٥", "1/4", 2),
    ("+.5e+1", "5", 0),
    ("5.e-1", "1/2", 1),
    ("－.5", "-1/2", 1),
    ("–0.5", "-1/2", 1),
    ("\u200b0.5", "1/2", 1),
    ("-0.000", "0", 3),
    ("0.1250", "1/8", 4),
    ("0.5\n", "1/2", 1),
    ("1\u20092/3", "5/3", None),
]
EXACT = [
    ("3²", "9"),
    ("2^3", "8"),
    ("2**3", "8"),
    ("2^-1", "1/2"),
    ("2^(-2)", "1/4"),
    ("2^{-2}", "1/4"),
    ("2⁻³", "1/8"),
    ("-2^2", "-4"),
    ("(-2)^2", "4"),
    ("4^(1/2)", "2"),
    ("2^3^1", "8"),
    ("3×10^-2", "3/100"),
    ("3 x 10^-2", "3/100"),
    ("3*10**-2", "3/100"),
    ("3·10⁻²", "3/100"),
    ("1.5 × 10²", "150"),
    ("10^-3", "1/1000"),
    ("½", "1/2"),
    ("1½", "3/2"),
    ("-1½", "-3/2"),
    ("１½", "3/2"),
    ("¾", "3/4"),
    ("⅓", "1/3"),
    ("2⅝", "21/8"),
    ("½%", "1/200"),
    ("1 1/2", "3/2"),
    ("-2 3/4", "-11/4"),
    ("0.35/2", "7/40"),
    ("2*3", "6"),
    ("(1/2)", "1/2"),
    ("3/(2*4)", "3/8"),
    ("2(3)", "6"),
    ("1/2/2", "1/4"),
    ("-(1/3)", "-1/3"),
    ("√4", "2"),
    ("√(9/16)", "3/4"),
    ("sqrt(16)", "4"),
    ("sqrt(0.25)", "1/2"),
    ("exp(0)", "1"),
    ("ln(1)", "0"),
    ("log2(8)", "3"),
    ("log2 8", "3"),
    ("log_2(1/4)", "-2"),
    ("log₂ 8", "3"),
    (r"\frac{1}{3}", "1/3"),
    (r"-\frac{1}{3}", "-1/3"),
    (r"\dfrac{2}{5}", "2/5"),
    (r"\frac12", "1/2"),
    (r"1\frac{1}{2}", "3/2"),
    (r"$\frac{1}{3}$", "1/3"),
    (r"\(\frac{1}{3}\)", "1/3"),
    (r"\sqrt{9}", "3"),
    (r"\frac{\sqrt{4}}{3}", "2/3"),
    (r"\left(\frac{1}{2}\right)", "1/2"),
    (r"3 \times 10^{-2}", "3/100"),
    (r"3 \cdot 10^{-2}", "3/100"),
    ("$0.25$", "1/4"),
    ("⅐", "1/7"),
    ("2⅒", "21/10"),
    ("1,5/2", "3/4"),
    ("sqrt(0,25)", "1/2"),
    ("1⁄3", "1/3"),
    ("1 ÷ 4", "1/4"),
    ("2·3", "6"),
    ("(3)", "3"),
    ("4/(4+2+1)", "4/7"),
    ("1/(1 + 3)", "1/4"),
    ("(2 - 3)/4", "-1/4"),
    (r"\frac{4}{4+2+1}", "4/7"),
    ("2^(1+2)", "8"),
    ("(1+1)²", "4"),
    (r"\tfrac{3}{4}", "3/4"),
]
IRRATIONAL = [
    ("√2", math.sqrt(2)),
    ("√2/2", math.sqrt(2) / 2),
    ("1/√2", 1 / math.sqrt(2)),
    ("-√3", -math.sqrt(3)),
    ("2√3", 2 * math.sqrt(3)),
    ("sqrt(2)/2", math.sqrt(2) / 2),
    ("sqrt 2", math.sqrt(2)),
    ("SQRT(2)", math.sqrt(2)),
    ("ln 2", math.log(2)),
    ("ln2", math.log(2)),
    ("ln(2)", math.log(2)),
    ("-ln 2", -math.log(2)),
    ("2 ln 2", 2 * math.log(2)),
    ("2ln2", 2 * math.log(2)),
    ("2*ln(2)", 2 * math.log(2)),
    ("ln 2 / 2", math.log(2) / 2),
    ("1.5 ln 2", 1.5 * math.log(2)),
    ("-3/2·ln 2", -1.5 * math.log(2)),
    ("(3/2) ln 2", 1.5 * math.log(2)),
    ("½ ln 2", 0.5 * math.log(2)),
    ("log2(3)", math.log2(3)),
    ("exp(1)", math.e),
    ("exp(-0.5)", math.exp(-0.5)),
    ("e", math.e),
    ("e^2", math.e**2),
    ("e^-1", 1 / math.e),
    ("e^(-1/2)", math.exp(-0.5)),
    ("e^{-0.5}", math.exp(-0.5)),
    ("e²", math.e**2),
    ("2e^3", 2 * math.e**3),
    ("1/e", 1 / math.e),
    ("π", math.pi),
    ("pi", math.pi),
    ("2π", 2 * math.pi),
    ("π/4", math.pi / 4),
    ("2^0.5", math.sqrt(2)),
    ("2^(1/2)", math.sqrt(2)),
    (r"\sqrt{2}", math.sqrt(2)),
    (r"\frac{\sqrt{2}}{2}", math.sqrt(2) / 2),
    (r"\frac{1}{\sqrt{2}}", 1 / math.sqrt(2)),
    (r"\frac{1}{2}\ln 2", 0.5 * math.log(2)),
    (r"2\pi", 2 * math.pi),
    (r"e^{-1}", 1 / math.e),
    ("ー√２", -math.sqrt(2)),
    ("0,5 ln 2", 0.5 * math.log(2)),
    ("e^0,5", math.exp(0.5)),
    ("-1,5·√2", -1.5 * math.sqrt(2)),
    ("1/(1+e)", 1 / (1 + math.e)),
    ("e/(1 + e + e^2)", math.e / (1 + math.e + math.e**2)),
    ("e^(-1)/(e^(-1)+1)", 1 / (1 + math.e)),
    (r"\frac{1}{1+e^{-1}}", 1 / (1 + math.exp(-1))),
    ("√(2)/2", math.sqrt(2) / 2),
    ("exp(ln(3))", 3.0),
    (r"\sqrt2", math.sqrt(2)),
    (r"\frac{\ln 2}{2}", math.log(2) / 2),
    (r"\log_2 3", math.log2(3)),
    ("２ｌｎ２", 2 * math.log(2)),
]
NUMBERS_REFUSED = [
    ("√9/16", "ambiguous", 2),
    ("log28", "ambiguous", 4),
    ("1.5Ｘ", "number", 3),
    ("abc", "number", 0),
    ("0.5x", "number", 3),
    ("  0.5x", "number", 5),
    ("1.2.3", "number", 3),
    ("-", "number", 0),
    ("1,234", "comma", 0),
    ("1/0", "zero-denominator", 0),
    ("1e99", "too-large", 0),
    ("9" * 121, "too-long", 0),
    ("1_000", "number", 1),
    ("nan", "number", 0),
    ("infinity", "number", 0),
    ("__import__('os')", "number", 0),
    ("0x10", "number", 1),
    ("1/2 ln 2", "ambiguous", 4),
    ("1/2√2", "ambiguous", 3),
    ("1/2π", "ambiguous", 3),
    ("ln 1/2", "ambiguous", 4),
    ("ln 2^2", "ambiguous", 4),
    ("ln 2·3", "ambiguous", 4),
    ("√2π", "ambiguous", 2),
    ("2^1/2", "ambiguous", 3),
    ("e^-1/2", "ambiguous", 4),
    ("0.25 (1/4)", "number", 5),
    ("√-1", "number", 1),
    ("sqrt(-2)", "root", 0),
    ("(-1)^0.5", "root", 4),
    ("ln 0", "logarithm", 0),
    ("ln(-1)", "logarithm", 0),
    ("log 2", "log-base", 0),
    ("log(2)", "log-base", 0),
    ("1/(1-1)", "zero-denominator", 1),
    ("0^-1", "zero-denominator", 1),
    ("1/ln 1", "zero-denominator", 1),
    (r"\frac{1}{0}", "zero-denominator", 0),
    ("9**9**9", "too-large", 1),
    ("2^1000", "too-large", 1),
    ("exp(500)", "too-large", 0),
    ("10^31", "too-large", 2),
    ("e^e^e^e", "too-large", 1),
    ("2e", "number", 1),
    ("√", "number", 0),
    ("ln", "number", 1),
    ("2^", "number", 1),
    ("2**", "number", 2),
    ("*2", "number", 0),
    ("2//3", "number", 2),
    ("(1/2", "unclosed", 0),
    ("3×10^(-2", "unclosed", 5),
    ("3×10^{-2)", "number", 8),
    ("1/2)", "number", 3),
    ("()", "number", 1),
    (r"\frac{1}", "number", 7),
    (r"\frac{1}{2", "unclosed", 8),
    (r"\sum 2", "number", 0),
    ("sin(1)", "number", 0),
    ("max(1)", "number", 0),
    ("ln 2 3", "number", 5),
    ("3 1 2", "number", 2),
    ("1 3/2", "number", 2),
    ("1½½", "number", 2),
    ("2 + 3", "sum", 2),
    ("1 - 2", "sum", 2),
    ("((((((((((1))))))))))", "too-nested", 8),
    ("5!", "number", 1),
    ("0.5x", "number", 3),
    ("0x10", "number", 1),
    ("3x", "number", 1),
    ("1.2.3^2", "number", 3),
    ("1,234^2", "comma", 0),
    ("0.3–0.4", "sum", 3),
    ("1+", "sum", 1),
    ("(1+)", "number", 3),
    ("(1 2)", "number", 3),
    ("1 234", "number", 2),
    ("12,34,56", "number", 2),
    ("1、5", "number", 1),
    ("1.23.456", "number", 4),
    ("2,345 ln 2", "comma", 0),
    ("0.25 or 0.26", "number", 5),
    ("0.25?", "number", 4),
    ("zero", "number", 0),
    ("半分", "number", 0),
    ("-inf", "infinite", 0),
    ("−∞", "infinite", 0),
    ("NaN", "number", 0),
    ("1e", "number", 1),
    ("1e+", "number", 1),
    ("1e12345", "too-large", 0),
    ("--1", "number", 1),
    ("+-1", "number", 1),
    ("1%%", "number", 2),
    ("%", "number", 0),
    (".", "number", 0),
    (",5", "number", 0),
    ("$", "number", 0),
    ("0.25 kg", "number", 5),
    ("eval('1')", "number", 0),
    ("2**2**2**2**2", "too-large", 1),
    ("10**10**10", "too-large", 2),
    ("exp(exp(exp(9)))", "too-large", 4),
    ("1" + "0" * 31, "too-large", 0),
    ("1/" + "0" * 20, "zero-denominator", 0),
    ("√√√√√√√√√√-2", "number", 10),
]
ARRAYS = [
    ("[np.int64(1), np.float64(2.5)]", [[1, Fraction(5, 2)]]),
    ("[tensor(1), tensor(2)]", [[1, 2]]),
    ("Matrix([[1, 2], [3, 4]])", [[1, 2], [3, 4]]),
    (r"\left[\begin{matrix} 1 & 2 \\ 3 & 4 \end{matrix}\right]", [[1, 2], [3, 4]]),
    ("[1 2; 3 4];", [[1, 2], [3, 4]]),
    ("[[1, 2], [3, 4]].", [[1, 2], [3, 4]]),
    ("[[1, 2], [3, 4]]", [[1, 2], [3, 4]]),
    ("[[1 2],[3 4]]", [[1, 2], [3, 4]]),
    ("[[1. 2.]\n [3. 4.]]", [[1, 2], [3, 4]]),
    ("array([[1., 2.],\n       [3., 4.]])", [[1, 2], [3, 4]]),
    ("np.array([[1, 2], [3, 4]])", [[1, 2], [3, 4]]),
    ("1 2; 3 4", [[1, 2], [3, 4]]),
    ("[1 2; 3 4]", [[1, 2], [3, 4]]),
    ("1 2\n3 4", [[1, 2], [3, 4]]),
    ("1\t2\n3\t4", [[1, 2], [3, 4]]),
    ("1, 2\n3, 4\n", [[1, 2], [3, 4]]),
    ("［［１，２］，［３，４］］", [[1, 2], [3, 4]]),
    ("1、2、3", [[1, 2, 3]]),
    ("1,5 2,5", [[Fraction(3, 2), Fraction(5, 2)]]),
    ("0 0 2,079 -1 0,5", [[0, 0, Fraction(2079, 1000), -1, Fraction(1, 2)]]),
    ("[0.1 0.2\n 0.3]", [[Fraction(1, 10), Fraction(1, 5), Fraction(3, 10)]]),
    ("(1, 2)", [[1, 2]]),
    ("tensor([[1., 2.],\n        [3., 4.]], dtype=torch.float64)", [[1, 2], [3, 4]]),
    ("tensor([[1., 2.]], device='cuda:0', grad_fn=<SoftmaxBackward0>)", [[1, 2]]),
    ("tensor([1., 2.], requires_grad=True)", [[1, 2]]),
    ("Array([[1., 2.]], dtype=float32, weak_type=True)", [[1, 2]]),
    ("tensor(0.25, grad_fn=<MeanBackward0>)", [[Fraction(1, 4)]]),
    ("tensor(0.25)", [[Fraction(1, 4)]]),
    ("[np.float64(0.25), np.float64(-1.5)]", [[Fraction(1, 4), Fraction(-3, 2)]]),
    ("jnp.array([1, 2])", [[1, 2]]),
    ("array([[1, 2]], dtype='<f4')", [[1, 2]]),
    (r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", [[1, 2], [3, 4]]),
    (
        r"$$\begin{bmatrix} \frac{1}{2} & -2 \\ 3 & \sqrt{4} \\ \end{bmatrix}$$",
        [[Fraction(1, 2), -2], [3, 2]],
    ),
    (r"\[\begin{matrix}0,5 & 1\\2 & 3\end{matrix}\]", [[Fraction(1, 2), 1], [2, 3]]),
    ("| 1 | 2 |\n|---|:-:|\n| 3 | 4 |\n", [[1, 2], [3, 4]]),
    ("1 | 2\n3 | 4", [[1, 2], [3, 4]]),
    ("| 1 |  | 3 |", [[1, None, 3]]),
    ("[[sqrt(4), 1], [2^(-1), ½]]", [[2, 1], [Fraction(1, 2), Fraction(1, 2)]]),
    ("sqrt(4) 2(3); exp(0) 1/2", [[2, 6], [1, Fraction(1, 2)]]),
    ("√4 log2(8) -1½", [[2, 3, Fraction(-3, 2)]]),
    ("1/3 -2/3", [[Fraction(1, 3), Fraction(-2, 3)]]),
    ("1,,3", [[1, None, 3]]),
    ("1 _ 3", [[1, None, 3]]),
    ("1\t\t3", [[1, None, 3]]),
    ("[1, 2,]", [[1, 2]]),
    ("7", [[7]]),
    ("ans =\n\n    0.5000    0.2500\n    1.0000    2.0000\n", [[Fraction(1, 2), Fraction(1, 4)], [1, 2]]),
    ("Z = [1 2; 3 4]", [[1, 2], [3, 4]]),
    ("2×2 Matrix{Float64}:\n 1.0  2.0\n 3.0  4.0", [[1, 2], [3, 4]]),
    ("3-element Vector{Float64}:\n 1.0\n 2.0\n 3.0", [[1], [2], [3]]),
    ("[(1/3), (2/3)]", [[Fraction(1, 3), Fraction(2, 3)]]),
    ("[(5/2)*3, (1/2)(4)]", [[Fraction(15, 2), 2]]),
    ("[1/(1+3), 4/(4 + 2 + 1)]", [[Fraction(1, 4), Fraction(4, 7)]]),
    ("1/(1+3) 2/(1 + 1)", [[Fraction(1, 4), 1]]),
    ("[[sqrt((1+3)/1), 1]]", [[2, 1]]),
    ("[(1, 2), (3, 4)]", [[1, 2], [3, 4]]),
    ("((1, 2), (3, 4))", [[1, 2], [3, 4]]),
    ("[1, 2; 3, 4]", [[1, 2], [3, 4]]),
    ("0,5\t0,25\n1\t2", [[Fraction(1, 2), Fraction(1, 4)], [1, 2]]),
    ("1,5E-1 2", [[Fraction(3, 20), 2]]),
    ("| 0,5 | 1,5 |", [[Fraction(1, 2), Fraction(3, 2)]]),
    ("[[0.1, , 0.3]]", [[Fraction(1, 10), None, Fraction(3, 10)]]),
    ("[[0.1 0.2]\n [0.3 0.4]]", [[Fraction(1, 10), Fraction(1, 5)], [Fraction(3, 10), Fraction(2, 5)]]),
    ("array([[1.e-01, 2.e+00]])", [[Fraction(1, 10), 2]]),
    (
        "tensor([[0.1000, 0.9000]], dtype=torch.float16, device='cuda:0')",
        [[Fraction(1, 10), Fraction(9, 10)]],
    ),
    ("matrix([[1, 2]])", [[1, 2]]),
    ("50% 25%", [[Fraction(1, 2), Fraction(1, 4)]]),
    ("1\u30002", [[1, 2]]),
    ("−1 ー2 –3", [[-1, -2, -3]]),
    ("1;2;3", [[1], [2], [3]]),
    ("1\r\n2\r\n", [[1], [2]]),
    (r"\begin{vmatrix} 1 & 2 \end{vmatrix}", [[1, 2]]),
]
ARRAYS_REFUSED = [
    ("[[1, 2], [3", "unclosed", 9),
    ("1, 2]", "closes-nothing", 4),
    ("x [[1, 2]]", "outside", 0),
    ("[[1, 2]] y", "outside", 9),
    ("[[1, 2], 3]", "outside", 9),
    ("[[[1]]]", "too-deep", 2),
    ("1 2; 3", "ragged", 4),
    ("[0.1 ... 0.9]", "left-out", 5),
    ("0.1 abc", "number", 4),
    ("array([1, 2], order=C)", "outside", 12),
    (r"\begin{pmatrix} 1 & 2 \\ 3 \end{pmatrix}", "ragged", 23),
    (r"\begin{pmatrix} 1 & y \end{pmatrix}", "number", 20),
    ("| 1 | z |", "number", 6),
    ("1 1/2, 3", "number", 2),
    ("1, x(2)", "number", 3),
    ("[]", "no-numbers", 0),
    ("1" * 20_001, "too-long", 20_000),
    ("1 " * 1025, "too-long", 0),
    ("1 2-1", "sum", 3),
    ("[0.5-0.2, 1]", "sum", 4),
    ("[[0.1, 0.2, ..., 0.9]]", "left-out", 12),
    ("[1 2] [3 4]; x", "outside", 11),
    ("[1, 2)", "closes-nothing", 5),
    ("{1, 2}", "number", 0),
    ("1 2 | x", "number", 2),
    ("[1,2\n3,4]", "number", 5),
    ("Q", "number", 0),
    ("[[1, nan], [2, 3]]", "number", 5),
    ("[[1, -inf]]", "infinite", 5),
    ("1,234 2,345; 1", "ragged", 12),
]


def refused(read, text: str) -> tuple[str, int]:
    """Why a text is refused, and where; the reason can be said in both languages."""
    with pytest.raises(CannotRead) as caught:
        read(text)
    code, at, values = caught.value.reading
    for lang in ("en", "ja"):
        assert tell(lang, f"unreadable.{code}", **{**values, "at": at + 1})
    return code, at


@pytest.mark.parametrize(("text", "value", "decimals"), DECIMALS)
def test_numbers_keep_the_decimals_they_are_typed_with(text: str, value: str, decimals: int | None) -> None:
    number = read_number(text)
    assert (number.value, number.decimals) == (Fraction(value), decimals)


@pytest.mark.parametrize(("text", "value"), EXACT)
def test_rational_forms_are_exact(text: str, value: str) -> None:
    assert read_number(text).value == Fraction(value)


@pytest.mark.parametrize(("text", "value"), IRRATIONAL)
def test_irrational_forms_are_read_beyond_doubt(text: str, value: float) -> None:
    """No rounding of ours can reach a mark: fifty digits. (The double agrees to its own precision.)"""
    number = read_number(text)
    assert number.decimals is None
    assert float(number.value) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(("text", "code", "at"), NUMBERS_REFUSED)
def test_refused_numbers_name_the_character(text: str, code: str, at: int) -> None:
    assert refused(read_number, text) == (code, at)


@pytest.mark.parametrize(("text", "rows"), ARRAYS)
def test_arrays_read(text: str, rows: list[list[object]]) -> None:
    assert [[cell and cell.value for cell in row] for row in read_array(text)] == rows


@pytest.mark.parametrize(("text", "code", "at"), ARRAYS_REFUSED)
def test_refused_arrays_name_the_character(text: str, code: str, at: int) -> None:
    assert refused(read_array, text) == (code, at)


def test_an_ambiguous_comma_shows_both_readings() -> None:
    with pytest.raises(CannotRead) as caught:
        read_number("1,234")
    texts = {"text": "1,234", "point": "1.234", "none": "1234"}
    assert caught.value.reading.values == {name: Quoted(text) for name, text in texts.items()}


def fastest(read, text: str) -> float:
    """Seconds of processor time, the best of three."""
    times = []
    for _ in range(3):
        start = process_time()
        with contextlib.suppress(CannotRead):
            read(text)
        times.append(process_time() - start)
    return min(times)


@pytest.mark.slow
def test_every_text_is_read_within_10_ms() -> None:
    numbers = [case[0] for case in (*DECIMALS, *EXACT, *IRRATIONAL, *NUMBERS_REFUSED)]
    arrays = [case[0] for case in (*ARRAYS, *ARRAYS_REFUSED)]
    assert len(DECIMALS) + len(EXACT) + len(IRRATIONAL) + len(ARRAYS) >= 150
    assert len(NUMBERS_REFUSED) + len(ARRAYS_REFUSED) >= 100
    slow = [text for text in numbers if fastest(read_number, text) > 0.01]
    slow += [text for text in arrays if fastest(read_array, text) > 0.01]
    assert slow == []
